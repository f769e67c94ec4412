//! Properties of contacts between solid bodies: the bodies of a crowd overlap by at most 1 %, and no body
//! passes through another one. All pairs of bodies are checked by brute force in f64.

use proptest::prelude::*;
use tilewalk_sim::agent::Drive;
use tilewalk_sim::body::Body;
use tilewalk_sim::geom::Vec2;
use tilewalk_sim::id::AgentId;
use tilewalk_sim::map::Edges;
use tilewalk_sim::report::explanation::AgentStep;
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::steering::combine::Combine;
use tilewalk_sim::steering::{Behaviour, Flow, Target};
use tilewalk_sim::step::step;
use tilewalk_sim::world::World;

use crate::support::build;
use crate::support::invariants::assert_valid;

/// Largest permitted overlap of bodies that press against each other, as a share of the smaller diameter.
const MAX_OVERLAP: f64 = 0.01;

/// Largest rounding error of f32 positions on the maps of these tests, in tiles.
const ROUNDING: f64 = 1e-5;

fn solid(radius: f32, max_speed: f32) -> Body {
    Body { radius, max_speed, max_force: 60.0 * max_speed, solid: true, ..Body::default() }
}

fn steer(behaviour: Behaviour, x: f32, y: f32) -> Drive {
    let rows = vec![build::behaviour(behaviour, Some(Target::Point(Vec2::new(x, y))))];
    Drive::Steer { combine: Combine::Prioritized, rows }
}

fn scenario(rows: &[String], edges: Edges) -> Scenario {
    build::scenario(build::map(rows, edges))
}

/// Adds a grid of bodies that starts at the top left corner of the map.
fn add_crowd(scenario: &mut Scenario, count: usize, columns: usize, step: f32, drive: &Drive) {
    for index in 0..count {
        let (x, y) = (index % columns, index / columns);
        // Odd rows of the grid are shifted a little, so that the scene is not symmetric.
        let at = Vec2::new(x as f32 * step + 0.02 * (y % 2) as f32, y as f32 * step) + 0.35;
        let body = Body { solid: true, ..Body::default() };
        build::add(scenario, &format!("a{index}"), at, body, drive.clone());
    }
}

/// Returns the components of a vector in f64.
fn wide(u: Vec2) -> (f64, f64) {
    (f64::from(u.x), f64::from(u.y))
}

/// Returns the deepest overlap of any two bodies, as a share of the smaller diameter.
fn deepest_overlap(world: &World) -> f64 {
    let bodies: Vec<_> = world
        .ids()
        .map(|id| (wide(world.position(id)), f64::from(world.body(id).radius)))
        .collect();
    let pairs = bodies.iter().enumerate().flat_map(|(index, a)| {
        bodies[index + 1..].iter().map(move |b| {
            let overlap = a.1 + b.1 - (a.0.0 - b.0.0).hypot(a.0.1 - b.0.1);
            overlap / (2.0 * a.1.min(b.1))
        })
    });
    pairs.fold(f64::NEG_INFINITY, f64::max)
}

/// Simulates a crowd. Returns the deepest overlap of each frame, in ascending order.
#[expect(clippy::print_stdout, reason = "the overlaps are figures of the documentation")]
fn run_crowd(name: &str, world: &mut World, frames: usize) -> Vec<f64> {
    let mut overlaps = Vec::new();
    for _ in 0..build::tries(frames) {
        step(world);
        assert_valid(world);
        overlaps.push(deepest_overlap(world));
    }
    overlaps.sort_by(f64::total_cmp);
    let (median, most) = (overlaps[overlaps.len() / 2], overlaps[overlaps.len() - 1]);
    println!("{name}: median {:.2} %, deepest {:.2} %", median * 100.0, most * 100.0);
    overlaps
}

/// Simulates a crowd. Asserts that bodies touch, and that they overlap by at most [`MAX_OVERLAP`].
fn assert_pressed(name: &str, mut world: World, frames: usize) -> World {
    let overlaps = run_crowd(name, &mut world, frames);
    let most = overlaps[overlaps.len() - 1];
    assert!(most <= MAX_OVERLAP, "{name}: bodies overlap by {most} of a diameter");
    assert!(most > -0.1, "{name}: the bodies never touch");
    world
}

/// With `TILEWALK_CASES=2000`, each test of a crowd simulates 2,000 frames.
#[test]
fn bodies_that_seek_the_same_point_touch_and_barely_overlap() {
    let mut scenario = scenario(&vec![".".repeat(30); 30], Edges::Wall);
    add_crowd(&mut scenario, 60, 8, 3.5, &steer(Behaviour::Seek, 15.2, 15.4));
    assert_pressed("60 bodies seeking one point", build::world(scenario), 250);
}

#[test]
fn bodies_leave_a_room_through_a_door_and_barely_overlap() {
    let row = |y| match y {
        14 | 15 => ".".repeat(60),
        _ => format!("{}#{}", ".".repeat(29), ".".repeat(30)),
    };
    let mut scenario = scenario(&(0..30).map(row).collect::<Vec<_>>(), Edges::Wall);
    add_crowd(&mut scenario, 500, 23, 1.2, &steer(Behaviour::Flow(Flow::default()), 55.5, 15.5));
    let world = assert_pressed("500 bodies in a room with a door", build::world(scenario), 150);
    let left = world.ids().filter(|&id| world.position(id).x > 30.0).count();
    let expected = (world.frame().0 as usize * 3 / 10).min(500);
    assert!(left >= expected, "only {left} of 500 left in {} frames", world.frame().0);
}

#[test]
fn bodies_that_fill_a_walled_square_touch_and_barely_overlap() {
    let mut scenario = scenario(&vec![".".repeat(28); 28], Edges::Wall);
    add_crowd(&mut scenario, 2000, 45, 0.61, &steer(Behaviour::Seek, 14.2, 14.4));
    assert_pressed("2,000 bodies in a walled square", build::world(scenario), 30);
}

/// Returns the smallest distance between two positions during a frame, in tiles. `offset` leads from the
/// first position to the second one before the frame, and `approach` is their relative motion.
fn smallest_distance(offset: Vec2, approach: Vec2) -> f64 {
    let ((x, y), (u, v)) = (wide(offset), wide(approach));
    let square = u * u + v * v;
    let share = if square > 0.0 { (-(x * u + y * v) / square).clamp(0.0, 1.0) } else { 0.0 };
    (x + u * share).hypot(y + v * share)
}

/// Returns the offsets of a position and of its copies beyond the edges of a map of 40 × 40 tiles. Without
/// wrapping, there are no copies.
fn images(edges: Edges) -> Vec<Vec2> {
    let shifts: &[f32] = if edges == Edges::Wrap { &[-40.0, 0.0, 40.0] } else { &[0.0] };
    shifts.iter().flat_map(|&x| shifts.iter().map(move |&y| Vec2::new(x, y))).collect()
}

proptest! {
    #![proptest_config(build::cases(96))]

    #[test]
    fn bodies_in_a_corridor_keep_their_order(
        bodies in prop::collection::vec((0.26f32..=0.5, 0.1f32..400.0, any::<bool>()), 2..20),
        tick in 0.01f64..0.3,
    ) {
        let mut scenario = scenario(&[".".repeat(60)], Edges::Wall);
        build::edit(&mut scenario, |parts| parts.tick = tick);
        for (index, &(radius, speed, right)) in bodies.iter().enumerate() {
            let goal = if right { 59.5 } else { 0.5 };
            let at = Vec2::new(index as f32 * 2.9 + 1.5, 0.5);
            let drive = steer(Behaviour::Seek, goal, 0.5);
            build::add(&mut scenario, &format!("a{index}"), at, solid(radius, speed), drive);
        }
        let mut world = build::world(scenario);
        for _ in 0..60 {
            step(&mut world);
            assert_valid(&world);
            let x: Vec<_> = world.ids().map(|id| world.position(id).x).collect();
            prop_assert!(x.is_sorted(), "frame {}: {x:?}", world.frame());
            prop_assert!(deepest_overlap(&world) <= MAX_OVERLAP, "{}", deepest_overlap(&world));
        }
    }

    #[test]
    fn bodies_on_an_open_map_never_pass_through_each_other(
        bodies in prop::collection::vec((0.05f32..=0.5, 0.1f32..300.0, any::<(u8, u8)>()), 2..60),
        wrap in any::<bool>(),
        seed in 0u64..1000,
    ) {
        let edges = if wrap { Edges::Wrap } else { Edges::Wall };
        let mut scenario = scenario(&vec![".".repeat(40); 40], edges);
        build::edit(&mut scenario, |parts| parts.seed = seed);
        for (index, &(radius, speed, (x, y))) in bodies.iter().enumerate() {
            let at = Vec2::new((index % 8) as f32, (index / 8) as f32) * 4.5 + 1.5;
            let goal = (f32::from(x) / 6.4, f32::from(y) / 6.4);
            let drive = match index % 3 {
                0 => build::wander(),
                _ => steer(Behaviour::Seek, goal.0, goal.1),
            };
            build::add(&mut scenario, &format!("a{index}"), at, solid(radius, speed), drive);
        }
        let mut world = build::world(scenario);
        for _ in 0..40 {
            let before = world.clone();
            step(&mut world);
            let map = world.scenario().map();
            let motion = |id| map.offset(before.position(id), world.position(id));
            for (a, b) in world.ids().flat_map(|a| (0..a.0).map(move |b| (a, AgentId(b)))) {
                let offset = map.offset(before.position(a), before.position(b));
                let radii = [a, b].map(|id| f64::from(world.body(id).radius));
                let least = radii[0] + radii[1] - (MAX_OVERLAP * 2.0 * radii[0].min(radii[1])).max(1e-3);
                for image in images(edges) {
                    let distance = smallest_distance(offset + image, motion(b) - motion(a));
                    prop_assert!(distance >= least - ROUNDING, "{} and {}: {distance}", a.0, b.0);
                }
            }
        }
    }

    /// Solid bodies that touch no other body move exactly like bodies that are not solid, bit for bit.
    #[test]
    fn solid_bodies_without_contacts_move_like_bodies_that_are_not_solid(
        bodies in prop::collection::vec((0.05f32..=0.5, 0.1f32..30.0), 2..12),
        seed in 0u64..1000,
    ) {
        let build = |solid| {
            let mut scenario = scenario(&vec![".".repeat(60); 60], Edges::Wrap);
            build::edit(&mut scenario, |parts| parts.seed = seed);
            for (index, &(radius, max_speed)) in bodies.iter().enumerate() {
                let at = Vec2::new((index % 4) as f32, (index / 4) as f32) * 14.0 + 1.5;
                let body = Body { radius, max_speed, solid, ..Body::default() };
                build::add(&mut scenario, &format!("a{index}"), at, body, build::wander());
            }
            build::world(scenario)
        };
        let (mut alone, mut together) = (build(false), build(true));
        for _ in 0..80 {
            let before = alone.clone();
            step(&mut alone);
            step(&mut together);
            let map = alone.scenario().map();
            let motion = |id| map.offset(before.position(id), alone.position(id));
            for (a, b) in alone.ids().flat_map(|a| (0..a.0).map(move |b| (a, AgentId(b)))) {
                let offset = map.offset(before.position(a), before.position(b));
                let reach = f64::from(alone.body(a).radius + alone.body(b).radius);
                prop_assume!(smallest_distance(offset, motion(b) - motion(a)) > reach + 1e-3);
            }
            for id in alone.ids() {
                prop_assert_eq!(alone.motion(id), together.motion(id));
            }
        }
    }
}

/// Two bodies are in a room with space for only one of them.
#[test]
fn the_report_of_an_agent_has_the_overlap_that_cannot_be_resolved() {
    let mut scenario = scenario(&[".".to_owned()], Edges::Wall);
    for (name, x) in [("a", 0.46), ("b", 0.54)] {
        let at = Vec2::new(x, 0.5);
        build::add(&mut scenario, name, at, solid(0.45, 4.0), build::seek(at));
    }
    let mut world = build::world(scenario);
    for _ in 0..60 {
        step(&mut world);
        assert_valid(&world);
    }
    let touches = |agent| {
        let step = AgentStep { agent, before: None, now: &world, why: None };
        step.report().bodies.into_iter().map(|body| (body.agent, body.overlap)).collect::<Vec<_>>()
    };
    let overlap = (deepest_overlap(&world) * 0.9) as f32;
    assert!(overlap > 0.7, "{overlap}");
    for (agent, other) in [(0, "b"), (1, "a")] {
        let touches = touches(AgentId(agent));
        assert!(
            matches!(&touches[..], [(name, depth)] if name == other && (depth - overlap).abs() < 1e-5)
        );
    }
}
