//! Claims in the comments of the shipped maps `crossing`, `crowd` and `orbits`.

use std::sync::Arc;

use tilewalk_files::Options;
use tilewalk_sim::agent::Drive;
use tilewalk_sim::event::EventKind;
use tilewalk_sim::geom::Vec2;
use tilewalk_sim::steering::Behaviour;
use tilewalk_sim::step::step;
use tilewalk_sim::world::World;

use super::shipped::{find, gap};
use crate::support::build;
use crate::support::maps;

/// Returns the map `crossing`, with or without the `avoid_agents` behaviours of its agents.
fn crossing(seed: u64, avoiding: bool) -> World {
    let options = Options { seed: Some(seed), ..Options::default() };
    let loaded =
        tilewalk_files::load(&tilewalk_test_support::builtin::origin("crossing"), &options);
    let mut scenario = Arc::unwrap_or_clone(loaded.unwrap().scenario.unwrap());
    build::edit(&mut scenario, |parts| {
        for kind in &mut parts.kinds {
            let Drive::Steer { rows, .. } = &mut kind.modes[0].drive else { continue };
            for row in rows {
                row.enabled &= avoiding || !matches!(row.behaviour, Behaviour::AvoidAgents(_));
            }
        }
    });
    World::new(Arc::new(scenario))
}

/// Simulates two minutes. Returns the number of overlap events, the mean speed towards the goal as a share
/// of the maximum speed, and the deepest overlap of two bodies at the end of a frame.
fn measure(mut world: World) -> (usize, f32, f32) {
    let (mut overlaps, mut speed, mut deepest) = (0, 0.0, 0.0_f32);
    let count = world.len() as f32;
    for _ in 0..2400 {
        step(&mut world);
        let overlap = |kind: EventKind| matches!(kind, EventKind::Overlap(_));
        overlaps += world.events().iter().filter(|event| overlap(event.kind)).count();
        for id in world.ids() {
            let direction = if world.kind(id).name == "eastward" { Vec2::X } else { Vec2::Y };
            speed +=
                world.velocity(id).dot(direction) / world.body(id).max_speed / (2400.0 * count);
            for other in world.ids().filter(|&other| other > id) {
                let map = world.scenario().map();
                let distance = map.offset(world.position(id), world.position(other)).length();
                deepest = deepest.max(0.6 - distance);
            }
        }
    }
    (overlaps, speed, deepest)
}

#[test]
fn avoid_agents_prevents_most_overlaps_and_costs_little_speed() {
    let (mut avoided, mut overlapped) = (0, 0);
    for seed in [1, 4, 7] {
        let (avoiding, speed, deepest) = measure(crossing(seed, true));
        let (overlapping, speed_without, _) = measure(crossing(seed, false));
        (avoided, overlapped) = (avoided + avoiding, overlapped + overlapping);
        assert!(2 * avoiding < overlapping, "seed {seed}: {avoiding} to {overlapping}");
        assert!(speed > 0.95 && speed_without > 0.95, "seed {seed}: {speed}, {speed_without}");
        assert!(deepest < 0.01, "seed {seed}: two bodies overlap by {deepest}");
    }
    assert!(4 * avoided <= overlapped, "{avoided} to {overlapped}");
}

/// Returns the deepest overlap of two bodies in a minute of the map `crowd`. The kinds of agents with the given
/// names do not avoid crowds.
fn deepest_overlap(careless: &[&str]) -> f32 {
    let mut scenario = Arc::unwrap_or_clone(maps::scenario("crowd"));
    build::edit(&mut scenario, |parts| {
        for kind in parts.kinds.iter_mut().filter(|kind| careless.contains(&&*kind.name)) {
            let Drive::Steer { rows, .. } = &mut kind.modes[0].drive else { continue };
            rows.retain(|row| !matches!(row.behaviour, Behaviour::AvoidCrowd(_)));
        }
    });
    let mut world = World::new(Arc::new(scenario));
    let mut deepest = 0.0_f32;
    for _ in 0..1200 {
        step(&mut world);
        for id in world.ids() {
            for other in world.ids().filter(|&other| other > id) {
                let radii = world.body(id).radius + world.body(other).radius;
                deepest = deepest.max(radii - gap(&world, id, other));
            }
        }
    }
    deepest
}

#[test]
fn bodies_in_a_crowd_overlap_only_if_a_group_does_not_avoid_crowds() {
    assert!(deepest_overlap(&[]) < 0.05);
    assert!(deepest_overlap(&["eastward"]) > 0.5, "agents of one group ignore each other");
    assert!(deepest_overlap(&["eastward", "westward"]) > 0.5);
}

#[test]
fn the_shadow_copies_the_orbit_and_the_spark_stays_on_its_tether() {
    let mut world = maps::world("orbits");
    let names = ["free", "shadow", "spark", "moon"];
    let [free, shadow, spark, moon] = names.map(|name| find(&world, name));
    let station = Vec2::new(24.5, 7.5);
    for _ in 0..4000 {
        step(&mut world);
        let off = world.position(shadow) - world.position(free) - Vec2::new(14.0, 0.0);
        assert!(off.length() < 0.7, "the shadow is {off} off");
        assert!(gap(&world, spark, moon) > 1.0, "the moon is near the spark");
        assert!(
            (world.position(spark) - station).length() < 5.6,
            "the spark is too far from the station"
        );
    }
}
