//! Claims in the comments of the shipped maps `crossing`, `crowd` and `orbits`.

use std::collections::BTreeMap;
use std::sync::Arc;

use tilewalk_files::Options;
use tilewalk_sim::agent::Drive;
use tilewalk_sim::event::EventKind;
use tilewalk_sim::geom::Vec2;
use tilewalk_sim::id::AgentId;
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

/// Simulates two minutes. Returns the number of meetings, the mean speed towards the goal as a share
/// of the maximum speed, and the deepest overlap of two bodies at the end of a frame. Two bodies meet if they
/// touch and have not touched for two seconds.
fn measure(mut world: World) -> (usize, f32, f32) {
    let (mut meetings, mut speed, mut deepest) = (0, 0.0, 0.0_f32);
    let mut last_touch: BTreeMap<[AgentId; 2], u64> = BTreeMap::new();
    let count = world.len() as f32;
    for _ in 0..2400 {
        step(&mut world);
        let frame = world.frame().0;
        for event in world.events() {
            let EventKind::Overlap(other) = event.kind else { continue };
            let pair = [event.agent.min(other), event.agent.max(other)];
            let before = last_touch.insert(pair, frame);
            meetings += usize::from(before.is_none_or(|before| frame > before + 40));
        }
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
    (meetings, speed, deepest)
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

/// Returns the length of the mean heading of the members of a flock.
fn order(world: &World, flock: &str) -> f32 {
    let ids: Vec<_> = world.ids().filter(|&id| world.kind(id).name == flock).collect();
    let sum: Vec2 = ids.iter().map(|&id| world.heading(id)).sum();
    sum.length() / ids.len() as f32
}

#[test]
fn shipped_flocks_start_in_disorder_and_find_a_common_direction() {
    for (map, flock, frames) in [("flock", "boid", 1200), ("vicsek", "bird", 400)] {
        let mut world = maps::world(map);
        assert!(order(&world, flock) < 0.3, "{map} starts with order {}", order(&world, flock));
        (0..frames).for_each(|_| step(&mut world));
        assert!(order(&world, flock) > 0.85, "{map} ends with order {}", order(&world, flock));
    }
    let predator = maps::world("predator");
    assert!(order(&predator, "boid") < 0.3, "{}", order(&predator, "boid"));
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
