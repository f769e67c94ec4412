//! Bodies and obstacles that are wider than a tile: contacts of bodies of mixed sizes, neighbour searches,
//! walkers beside wide bodies, and routes. Distances and forces are calculated in f64 by brute force.
#![expect(clippy::print_stdout, reason = "the overlaps are figures of the documentation")]

use tilewalk_sim::agent::Drive;
use tilewalk_sim::body::Body;
use tilewalk_sim::geom::{TilePos, Vec2};
use tilewalk_sim::id::AgentId;
use tilewalk_sim::map::{Corners, Edges, Map, Obstacle};
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::steering::combine::Combine;
use tilewalk_sim::steering::{AvoidAgents, Behaviour, Flow, Neighbourhood, Separation, Target};
use tilewalk_sim::step::{explain, step};
use tilewalk_sim::world::World;

use crate::support::build;
use crate::support::invariants::assert_valid;

/// Deepest allowed overlap of bodies that are pressed together, as a share of the smaller diameter.
const MAX_OVERLAP: f64 = 0.01;

/// Deepest allowed overlap of bodies that only touch, in tiles: the tolerance of the solver and the rounding
/// of positions.
const TOLERANCE: f64 = 1.1e-3;

/// Largest number of bodies in a crowd.
const MAX_BODIES: usize = 100;

/// Random numbers that depend only on the seed.
struct TestRng(u64);

impl TestRng {
    fn between(&mut self, low: f32, high: f32) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        low + (high - low) * ((self.0 >> 40) as f32 / (1 << 24) as f32)
    }

    fn point(&mut self, size: Vec2) -> Vec2 {
        Vec2::new(self.between(0.0, size.x), self.between(0.0, size.y))
    }
}

fn map(width: usize, height: usize, edges: Edges, obstacles: Vec<Obstacle>) -> Map {
    let plain = build::map(&vec![".".repeat(width); height], edges);
    let (tiles, legend) = (plain.tiles().clone(), plain.legend().to_vec());
    Map::new(tiles, legend, obstacles, edges, Corners::default()).expect("a map")
}

fn solid(radius: f32, max_speed: f32) -> Body {
    let max_force = 60.0 * max_speed;
    Body { radius, max_speed, max_force, solid: true, ..Body::default() }
}

fn steer(behaviour: Behaviour, target: Option<Target>) -> Drive {
    let rows = vec![build::behaviour(behaviour, target)];
    Drive::Steer { combine: Combine::Prioritized, rows }
}

/// Returns the shortest vector between two positions, in f64.
fn offset(world: &World, from: Vec2, to: Vec2) -> (f64, f64) {
    let map = world.scenario().map();
    let short = |length: f64, side: u32| match map.edges() {
        Edges::Wall => length,
        Edges::Wrap => length - f64::from(side) * (length / f64::from(side)).round(),
    };
    let vector = (f64::from(to.x) - f64::from(from.x), f64::from(to.y) - f64::from(from.y));
    (short(vector.0, map.width()), short(vector.1, map.height()))
}

/// Returns the deepest overlap of any two bodies beyond the tolerance, as a share of the smaller diameter.
fn deepest(world: &World) -> f64 {
    let ids: Vec<AgentId> = world.ids().collect();
    let mut most = f64::NEG_INFINITY;
    for (index, &a) in ids.iter().enumerate() {
        for &b in &ids[index + 1..] {
            let (x, y) = offset(world, world.position(a), world.position(b));
            let [ra, rb] = [a, b].map(|id| f64::from(world.body(id).radius));
            most = most.max((ra + rb - x.hypot(y) - TOLERANCE) / (2.0 * ra.min(rb)));
        }
    }
    most
}

/// Adds bodies of random radii at free positions, at most [`MAX_BODIES`], until they fill a share of the
/// map.
fn fill(scenario: &mut Scenario, rng: &mut TestRng, widest: f32, share: f32, drive: &Drive) {
    let (width, height) = (scenario.map().width() as f32, scenario.map().height() as f32);
    let mut placed: Vec<(Vec2, f32)> = Vec::new();
    let mut area = 0.0;
    for _ in 0..20_000 {
        if placed.len() == MAX_BODIES {
            return;
        }
        let most = if rng.between(0.0, 1.0) < 0.4 { 0.5 } else { widest };
        let (radius, at) = (rng.between(0.1, most), rng.point(Vec2::new(width, height)));
        let apart = |&(other, wide): &(Vec2, f32)| {
            scenario.map().offset(at, other).length() > radius + wide + 0.01
        };
        let grown = area + core::f32::consts::PI * radius * radius;
        if grown < share * width * height
            && scenario.map().fits(at, radius)
            && placed.iter().all(apart)
        {
            let name = format!("a{}", placed.len());
            build::add(scenario, &name, at, solid(radius, 4.0), drive.clone());
            placed.push((at, radius));
            area = grown;
        }
    }
}

/// Steps a scenario. Asserts that bodies touch, but never overlap by more than [`MAX_OVERLAP`].
fn check_overlap(name: &str, scenario: Scenario, frames: usize) {
    let mut world = build::world(scenario);
    let (mut most, count) = (f64::NEG_INFINITY, world.len());
    for _ in 0..build::tries(frames) {
        step(&mut world);
        assert_valid(&world);
        most = most.max(deepest(&world));
        assert!(
            most <= MAX_OVERLAP,
            "{name}: bodies overlap by {most} of a diameter, {}",
            world.frame()
        );
    }
    let widest = world.ids().map(|id| world.body(id).radius).fold(0.0, f32::max);
    println!(
        "{name}: {count} bodies up to radius {widest:.1}, deepest overlap {:.2} %",
        most * 100.0
    );
    assert!(most > -0.05 && widest > 1.0, "{name}: the bodies never touch");
}

#[test]
fn bodies_of_mixed_sizes_that_seek_one_point_touch_but_do_not_overlap() {
    let mut rng = TestRng(0x0f17);
    let rock = |x, y, radius| Obstacle { centre: Vec2::new(x, y), radius, opaque: false };
    for (name, side, edges, widest, share) in [
        ("among rocks", 40, Edges::Wall, 2.5, 0.3),
        ("torus", 40, Edges::Wrap, 4.0, 0.5),
        ("giants", 90, Edges::Wall, 8.0, 0.5),
    ] {
        let middle = side as f32 / 2.0;
        let rocks = vec![rock(middle - 9.0, middle, 4.0), rock(middle + 6.3, middle + 7.1, 2.7)];
        let rocks = if side == 90 { vec![rock(70.0, 70.0, 14.0)] } else { rocks };
        let mut scenario = build::scenario(map(side, side, edges, rocks));
        let drive = steer(Behaviour::Seek, Some(Target::Point(Vec2::splat(middle))));
        fill(&mut scenario, &mut rng, widest, share, &drive);
        check_overlap(name, scenario, 150);
    }
}

/// The bodies wander in different directions, and the walls keep them close together.
#[test]
fn bodies_of_mixed_sizes_that_wander_between_walls_do_not_overlap() {
    let mut rng = TestRng(0x5a5a);
    let mut scenario = build::scenario(map(36, 30, Edges::Wall, vec![]));
    fill(&mut scenario, &mut rng, 3.0, 0.55, &build::wander());
    check_overlap("walled square", scenario, 200);
}

#[test]
fn wide_bodies_at_any_speed_never_pass_through_each_other() {
    let mut rng = TestRng(0x7077);
    for _ in 0..build::tries(200) {
        let mut scenario = build::scenario(map(60, 60, Edges::Wall, vec![]));
        let radii = [rng.between(0.3, 8.0), rng.between(0.3, 8.0)];
        let ends = [Vec2::new(9.0, 30.0), Vec2::new(51.0, 30.0)];
        let speed = rng.between(4.0, 900.0);
        for (index, name) in ["left", "right"].into_iter().enumerate() {
            let goal = ends[1 - index] + Vec2::new(0.0, rng.between(-0.3, 0.3));
            build::add(
                &mut scenario,
                name,
                ends[index],
                solid(radii[index], speed),
                build::seek(goal),
            );
        }
        let mut world = build::world(scenario);
        for _ in 0..10 {
            let before = [AgentId(0), AgentId(1)].map(|id| world.position(id));
            step(&mut world);
            let after = [AgentId(0), AgentId(1)].map(|id| world.position(id));
            let reach = f64::from(radii[0] + radii[1]);
            // Within a frame, both bodies move along straight lines.
            for part in 0..=100 {
                let share = part as f32 / 100.0;
                let [a, b] = [0, 1].map(|index: usize| before[index].lerp(after[index], share));
                let (x, y) = offset(&world, a, b);
                let least = 2.0 * f64::from(radii[0].min(radii[1]));
                let overlap = reach - x.hypot(y);
                assert!(
                    overlap < TOLERANCE + MAX_OVERLAP * least,
                    "{overlap} at {share}: {radii:?}, {speed}"
                );
            }
        }
    }
}

/// The formula of the docs is Σ unit(p − n) / max(gap, 0.01), over all agents with a gap below the radius.
#[test]
fn separation_by_edges_agrees_with_brute_force() {
    let mut rng = TestRng(0xed6e);
    let (mut near, mut far) = (0, 0);
    for case in 0..build::tries(60) {
        let edges = if case % 2 == 0 { Edges::Wall } else { Edges::Wrap };
        let size = Vec2::new(70.0, 66.0);
        let mut scenario = build::scenario(map(70, 66, edges, vec![]));
        let radius = rng.between(0.2, 6.0);
        let angle = (case % 3 == 0).then(|| rng.between(1.0, 5.0));
        let neighbourhood = Neighbourhood { radius, angle, of: None, by_edges: true };
        for index in 0..40 {
            let body = Body { radius: rng.between(0.05, 8.0), ..Body::default() };
            let at = rng.point(size).clamp(Vec2::splat(9.0), size - 9.0);
            let drive = steer(Behaviour::Separation(Separation(neighbourhood)), None);
            build::add(&mut scenario, &format!("a{index}"), at, body, drive);
        }
        let mut world = build::world(scenario);
        step(&mut world);
        for id in world.ids() {
            let (heading, own) = (world.heading(id), f64::from(world.body(id).radius));
            let (mut x, mut y, mut doubtful) = (0.0, 0.0, false);
            for other in world.ids().filter(|&other| other != id) {
                let vector = offset(&world, world.position(id), world.position(other));
                let distance = vector.0.hypot(vector.1);
                let gap = distance - own - f64::from(world.body(other).radius);
                let ahead =
                    (vector.0 * f64::from(heading.x) + vector.1 * f64::from(heading.y)) / distance;
                let cosine = angle.map(|angle| libm::cos((angle / 2.0).into()));
                doubtful |= (gap - f64::from(radius)).abs() < 1e-4 || (gap - 0.01).abs() < 1e-3;
                doubtful |= cosine.is_some_and(|cosine| (ahead - cosine).abs() < 1e-4);
                if gap < f64::from(radius) && cosine.is_none_or(|cosine| ahead >= cosine) {
                    x -= vector.0 / distance / gap.max(0.01);
                    y -= vector.1 / distance / gap.max(0.01);
                    near += 1;
                } else {
                    far += 1;
                }
            }
            let force = explain(&world, id).forces.rows[0].raw.force;
            let gain = 8.0;
            let off = (f64::from(force.x) - gain * x).hypot(f64::from(force.y) - gain * y);
            assert!(doubtful || off < 2e-3 * (1.0 + gain * x.hypot(y)), "{force}, not {x} {y}");
        }
    }
    assert!(near > 1000 && far > 1000, "{near} {far}");
}

/// The search for agents on a collision course finds a body whose edge is near, even if its centre is far
/// away.
#[test]
fn avoid_agents_avoids_a_wide_body_even_if_its_centre_is_far_away() {
    let mut scenario = build::scenario(map(60, 30, Edges::Wall, vec![]));
    let avoid = AvoidAgents { lead: 1.0, of: None };
    let rows = vec![
        build::behaviour(Behaviour::AvoidAgents(avoid), None),
        build::behaviour(Behaviour::Seek, Some(Target::Point(Vec2::new(55.0, 15.0)))),
    ];
    let drive = Drive::Steer { combine: Combine::Prioritized, rows };
    let small = Body { max_speed: 4.0, ..Body::default() };
    let mouse = build::add(&mut scenario, "mouse", Vec2::new(10.0, 15.0), small, drive);
    for index in 0..60 {
        let at = Vec2::new(1.0 + index as f32 * 0.9, 1.0);
        build::add(&mut scenario, &format!("w{index}"), at, Body::default(), Drive::Stand);
    }
    build::add(&mut scenario, "whale", Vec2::new(40.0, 22.0), solid(7.5, 1.0), Drive::Stand);
    let mut world = build::world(scenario);
    let (mut least, mut avoided) = (f32::INFINITY, 0);
    for _ in 0..200 {
        let force = explain(&world, mouse).forces.rows[0].raw.force;
        avoided += usize::from(force != Vec2::ZERO);
        step(&mut world);
        least = least.min((world.position(mouse) - Vec2::new(40.0, 22.0)).length());
    }
    assert!(avoided > 3 && least > 7.4, "{avoided}, {least}");
}

/// A walker never enters a tile where it would overlap a wide solid body, and reports the body that blocks
/// it.
#[test]
fn a_walker_stops_beside_a_wide_body_and_reports_it_as_its_obstruction() {
    let mut scenario = build::scenario(map(30, 9, Edges::Wall, vec![]));
    let walk = Drive::Travel { target: Target::Point(Vec2::new(27.5, 4.5)) };
    let body = Body { radius: 0.4, solid: true, ..Body::default() };
    let walker = build::add(&mut scenario, "walker", Vec2::new(2.5, 4.5), body, walk);
    let rock =
        build::add(&mut scenario, "rock", Vec2::new(15.0, 4.5), solid(4.2, 1.0), Drive::Stand);
    let mut world = build::world(scenario);
    let mut blocked = false;
    for _ in 0..300 {
        step(&mut world);
        let (x, y) = offset(&world, world.position(walker), world.position(rock));
        assert!(x.hypot(y) >= 4.6 - 1e-4, "at {}", world.position(walker));
        let by_rock = Some(tilewalk_sim::event::Obstruction::Agent(rock));
        blocked |= world.obstruction(walker) == by_rock;
    }
    assert!(blocked && world.position(walker).x < 15.0, "at {}", world.position(walker));
}

/// A wide body reaches its goal through a door that is wide enough. Without such a door, it is blocked.
#[test]
fn flow_leads_wide_bodies_only_through_doors_that_are_wide_enough() {
    let row = |doors: &[core::ops::Range<usize>]| -> String {
        let is_door = |x: &usize| doors.iter().any(|door| door.contains(x));
        (0..40).map(|x| if is_door(&x) { '.' } else { '#' }).collect()
    };
    for (radius, arrives) in [(0.5, true), (1.5, true), (2.5, true), (2.6, false), (6.0, false)] {
        let mut rows = vec![".".repeat(40); 31];
        rows[15] = row(&[8..9, 13..16, 30..35]);
        let mut scenario = build::scenario(build::map(&rows, Edges::Wall));
        let goal = Vec2::new(8.5, 24.5);
        let drive = steer(Behaviour::Flow(Flow::default()), Some(Target::Point(goal)));
        let id = build::add(&mut scenario, "body", Vec2::new(8.5, 7.5), solid(radius, 4.0), drive);
        let mut world = build::world(scenario);
        let mut through = Vec::new();
        for _ in 0..1200 {
            step(&mut world);
            assert_valid(&world);
            if world.tile(id).y == 15 {
                through.push(world.tile(id).x);
            }
        }
        let arrived = (world.position(id) - goal).length() < 1.0;
        assert_eq!(arrived, arrives, "radius {radius} at {}", world.position(id));
        assert_eq!(world.flags(id).words().any(|word| word == "blocked"), !arrives);
        let doors = match radius {
            0.5 => 8..9,
            1.5 => 13..16,
            _ => 30..35,
        };
        assert!(through.iter().all(|x| doors.contains(x)), "radius {radius}: {through:?}");
        assert_eq!(
            world.scenario().map().kind(TilePos::new(0, 15)).map(|kind| kind.walk),
            Some(false)
        );
    }
}
