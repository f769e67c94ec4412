//! Properties of velocities after contacts: a body that another body stops has no velocity into it,
//! and no contact makes a body faster.

use proptest::prelude::*;
use tilewalk_sim::agent::Drive;
use tilewalk_sim::body::Body;
use tilewalk_sim::geom::Vec2;
use tilewalk_sim::id::AgentId;
use tilewalk_sim::map::Edges;
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::steering::combine::Combine;
use tilewalk_sim::steering::{Behaviour, Flow, Target};
use tilewalk_sim::step::{explain, step};
use tilewalk_sim::world::{Flags, World};

use crate::support::build;

fn open(width: usize, height: usize) -> Scenario {
    build::scenario(build::map(&vec![".".repeat(width); height], Edges::Wall))
}

fn solid() -> Body {
    Body { radius: 0.3, max_speed: 4.0, solid: true, ..Body::default() }
}

fn seek(x: f32, y: f32) -> Drive {
    let rows = vec![build::behaviour(Behaviour::Seek, Some(Target::Point(Vec2::new(x, y))))];
    Drive::Steer { combine: Combine::Prioritized, rows }
}

fn add_seeker(scenario: &mut Scenario, at: Vec2, goal: (f32, f32)) {
    let name = format!("a{}", scenario.starts().len());
    build::add(scenario, &name, at, solid(), seek(goal.0, goal.1));
}

/// Runs a scenario for 40 s. Asserts that during the second half, all agents are stuck, their mean speed is
/// below 0.1 tiles/s, no speed exceeds the real motion or `limit`, and no agent turns by more than 90° in a
/// frame unless it touches a wall.
fn assert_jam(scenario: Scenario, limit: f32) {
    let mut world = build::world(scenario);
    let mut sum = 0.0;
    for frame in 0..800 {
        let before: Vec<(Vec2, Vec2)> =
            world.ids().map(|id| (world.position(id), world.heading(id))).collect();
        step(&mut world);
        for id in world.ids().filter(|_| frame >= 400) {
            let (position, heading) = before[id.index()];
            let speed = world.velocity(id).length();
            let real = position.distance(world.position(id)) / world.scenario().dt();
            assert!(speed <= real + 1e-3, "frame {frame}: {speed} instead of {real} tiles/s");
            assert!(speed < limit, "frame {frame}: {speed} tiles/s");
            // A body that slides along a wall faces along the wall.
            let turned = heading.dot(world.heading(id)) < 0.0 && world.touches(id).is_none();
            assert!(!turned, "frame {frame}: {} turned", id.0);
            assert!(world.flags(id).has(Flags::STUCK), "frame {frame}: {} is not stuck", id.0);
            sum += speed / (400.0 * world.len() as f32);
        }
    }
    assert!(sum < 0.1, "{sum} tiles/s on average");
}

#[test]
fn two_bodies_that_press_head_on_report_no_speed() {
    let mut scenario = open(12, 3);
    add_seeker(&mut scenario, Vec2::new(3.5, 1.5), (11.5, 1.5));
    add_seeker(&mut scenario, Vec2::new(8.5, 1.5), (0.5, 1.5));
    assert_jam(scenario, 0.1);
}

#[test]
fn a_row_of_bodies_that_presses_against_a_wall_reports_no_speed() {
    let rows = ["#################", "#...............#", "#################"];
    let mut scenario = build::scenario(build::map(&rows.map(str::to_owned), Edges::Wall));
    for index in 0..10 {
        add_seeker(&mut scenario, Vec2::new(1.5 + index as f32, 1.5), (30.5, 1.5));
    }
    assert_jam(scenario, 0.1);
}

/// The goal is inside a block of rock, so that no body reaches it. The bodies roll over each other.
#[test]
fn sixty_bodies_that_press_against_each_other_report_no_speed() {
    let mut rows = vec![".".repeat(20); 20];
    for row in &mut rows[9..11] {
        row.replace_range(9..11, "##");
    }
    let mut scenario = build::scenario(build::map(&rows, Edges::Wall));
    let places = (0..100).map(|index| Vec2::new((index % 10) as f32, (index / 10) as f32) * 2.0);
    let places = places.map(|at| at + 0.7).filter(|at| at.distance(Vec2::splat(10.0)) > 3.0);
    for at in places.take(60) {
        add_seeker(&mut scenario, at, (10.0, 10.0));
    }
    assert_jam(scenario, 0.5);
}

/// 400 people on a route press from all sides towards one tile. After 40 s, they only shift now and then.
#[test]
fn pressing_people_at_rest_do_not_jitter() {
    let mut scenario = open(36, 36);
    for index in 0..400 {
        let (column, row) = ((index % 20) as f32, (index / 20) as f32);
        let at = Vec2::new(column + 0.3 * (row % 3.0), row) * 1.2 + 6.0;
        let flow = Behaviour::Flow(Flow::default());
        let rows = vec![build::behaviour(flow, Some(Target::Point(Vec2::splat(18.1))))];
        let drive = Drive::Steer { combine: Combine::Prioritized, rows };
        let body = Body { max_speed: 1.0, ..solid() };
        build::add(&mut scenario, &format!("a{index}"), at, body, drive);
    }
    let mut world = build::world(scenario);
    let positions =
        |world: &World| -> Vec<Vec2> { world.ids().map(|id| world.position(id)).collect() };
    let (mut before, mut motions) = (positions(&world), vec![Vec2::ZERO; 400]);
    let mut change = 0.0;
    for frame in 0..1000 {
        step(&mut world);
        let now = positions(&world);
        for ((motion, now), before) in motions.iter_mut().zip(&now).zip(&before) {
            let new = *now - *before;
            if frame >= 800 {
                change += motion.distance(new) / (200.0 * 400.0);
            }
            *motion = new;
        }
        before = now;
    }
    assert!(change < 0.0013, "motions change by {change} tiles a frame");
}

#[test]
fn a_resting_body_that_is_pushed_keeps_its_zero_velocity() {
    let mut scenario = open(12, 3);
    add_seeker(&mut scenario, Vec2::new(3.5, 1.5), (11.5, 1.5));
    let drive = Drive::Steer { combine: Combine::Prioritized, rows: vec![] };
    let pushed = build::add(&mut scenario, "pushed", Vec2::new(5.5, 1.5), solid(), drive);
    let mut world = build::world(scenario);
    for _ in 0..60 {
        step(&mut world);
        assert_eq!(world.velocity(pushed), Vec2::ZERO);
    }
    assert!(world.position(pushed).x > 6.0, "it was pushed to {}", world.position(pushed));
}

/// Returns the speed that an agent will have after the next frame if it touches nothing, in tiles/s.
fn speed_alone(world: &World, id: AgentId) -> f32 {
    let body = world.body(id);
    let force = explain(world, id).output.force;
    let velocity = world.velocity(id) + force / body.mass * world.scenario().dt();
    velocity.length().min(body.max_speed)
}

proptest! {
    #![proptest_config(build::cases(24))]

    #[test]
    fn no_body_is_faster_after_its_contacts_than_before(
        places in prop::collection::vec((0.5f32..11.5, 0.5f32..11.5), 2..40),
        turn in 1.0f32..12.0,
    ) {
        let map = build::map(&vec![".".repeat(12); 12], Edges::Wrap);
        let mut scenario = build::scenario(map);
        for &(x, y) in &places {
            add_seeker(&mut scenario, Vec2::new(x, y), ((y * turn) % 12.0, (x * turn) % 12.0));
        }
        let mut world = build::world(scenario);
        for frame in 0..60 {
            let alone: Vec<f32> = world.ids().map(|id| speed_alone(&world, id)).collect();
            step(&mut world);
            for id in world.ids() {
                let (speed, alone) = (world.velocity(id).length(), alone[id.index()]);
                prop_assert!(speed <= alone + 1e-4, "frame {frame}: {speed} instead of {alone}");
            }
        }
    }
}
