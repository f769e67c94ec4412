//! Vehicles whose direction of motion jitters, and vehicles that swing through their goal.

use std::sync::Arc;

use tilewalk_files::Options;
use tilewalk_sim::agent::Drive;
use tilewalk_sim::body::Body;
use tilewalk_sim::event::EventKind;
use tilewalk_sim::geom::Vec2;
use tilewalk_sim::history::History;
use tilewalk_sim::id::AgentId;
use tilewalk_sim::map::Edges;
use tilewalk_sim::report::explanation::AgentStep;
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::steering::combine::Combine;
use tilewalk_sim::steering::{Arrive, Behaviour, Target};
use tilewalk_sim::step::{explain, step};
use tilewalk_sim::time::Frame;
use tilewalk_sim::world::{Flags, World};

use crate::support::{build, maps};

/// Returns `maps/flock.toml` with another weight of alignment.
fn flock(weight: f32) -> World {
    let mut scenario = Arc::unwrap_or_clone(maps::scenario_with("flock", &Options::default()));
    build::edit(&mut scenario, |parts| {
        let Drive::Steer { rows, .. } = &mut parts.kinds[0].modes[0].drive else {
            panic!("boids are steered")
        };
        rows[1].weight = weight;
    });
    build::world(scenario)
}

/// Returns an open map with a vehicle that has one behaviour and moves to (12, 4) from (4, 4).
fn alone(behaviour: Behaviour, body: Body) -> World {
    let mut scenario: Scenario = build::scenario(build::map(&vec![".".repeat(20); 9], Edges::Wall));
    let rows = vec![build::behaviour(behaviour, Some(Target::Point(Vec2::new(12.0, 4.5))))];
    let drive = Drive::Steer { combine: Combine::Weighted, rows };
    build::add(&mut scenario, "a", Vec2::new(4.0, 4.5), body, drive);
    build::world(scenario)
}

/// Steps `frames` frames. Returns the kinds of the events of oscillation.
fn oscillations(world: &mut World, frames: u32) -> Vec<EventKind> {
    let mut found = Vec::new();
    for _ in 0..frames {
        step(world);
        let kinds = world.events().iter().map(|event| event.kind);
        found.extend(kinds.filter(|kind| matches!(kind, EventKind::Oscillating { .. })));
    }
    found
}

#[test]
fn strong_alignment_makes_a_flock_jitter_and_is_named_as_the_cause() {
    let mut world = flock(16.0);
    let found = oscillations(&mut world, 600);
    assert!(found.len() >= 60, "{} events", found.len());
    let is_alignment = |kind: &&EventKind| **kind == EventKind::Oscillating { row: Some(1) };
    let named = found.iter().filter(is_alignment).count();
    assert!(named * 10 >= found.len() * 9, "{named} of {} events name alignment", found.len());
    let jitters = |id: &AgentId| world.flags(*id).has(Flags::OSCILLATING);
    assert!(world.ids().filter(jitters).count() >= 55);
    let mut now = world.clone();
    step(&mut now);
    let mut named = 0;
    for agent in world.ids().filter(jitters) {
        let why = explain(&world, agent);
        let about = AgentStep { agent, before: Some(&world), now: &now, why: Some(&why) };
        let jitter = about.report().jitter;
        named += usize::from(jitter.as_deref() == Some("alignment (behaviour 2)"));
    }
    assert!(named >= 54, "{named} explanations name alignment");
}

#[test]
fn the_shipped_flock_does_not_jitter() {
    let mut world = flock(2.0);
    assert_eq!(oscillations(&mut world, 1200), []);
}

#[test]
fn the_state_of_the_detectors_survives_seeking() {
    let mut world = flock(16.0);
    let mut history = History::new(Arc::clone(world.scenario()), 1 << 20);
    (0..610).for_each(|_| step(&mut world));
    for frame in [610, 305, 610] {
        history.go_to(Frame(frame));
    }
    assert_eq!(history.world().hash(), world.hash());
}

/// The engine needs two tiles to stop.
#[test]
fn a_vehicle_that_swings_through_its_goal_oscillates() {
    let body = Body { max_force: 4.0, ..Body::default() };
    let mut world = alone(Behaviour::Seek, body);
    let found = oscillations(&mut world, 800);
    assert_eq!(found, [EventKind::Oscillating { row: None }]);
    let offset = world.position(AgentId(0)) - Vec2::new(12.0, 4.5);
    assert!(offset.length() < 2.5, "{offset}");
}

#[test]
fn a_vehicle_that_brakes_at_its_goal_does_not_oscillate() {
    let behaviours = [Behaviour::Arrive(Arrive::default()), Behaviour::dynamic_arrive()];
    for behaviour in behaviours {
        let mut world = alone(behaviour, Body::default());
        assert_eq!(oscillations(&mut world, 800), [], "{}", behaviour.word());
    }
}
