//! What the comments of the maps `crossing` and `orbits` promise.

use std::sync::Arc;

use tilewalk::agent::Drive;
use tilewalk::event::EventKind;
use tilewalk::files::{self, Options};
use tilewalk::geom::Vec2;
use tilewalk::steering::Behaviour;
use tilewalk::step::step;
use tilewalk::world::World;

use super::shipped::{find, gap};
use crate::support::build;
use crate::support::maps;

/// The square with its rows of `avoid_agents`, or without.
fn crossing(seed: u64, avoiding: bool) -> World {
    let options = Options { seed: Some(seed), ..Options::default() };
    let loaded = files::load(&tilewalk::builtin::origin("crossing"), &options);
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

/// How often bodies come to overlap in two minutes, how much of their top speed they make on the way
/// they want to go, and by how much two ever overlap at the end of a frame.
fn cross(mut world: World) -> (usize, f32, f32) {
    let (mut overlaps, mut made, mut deepest) = (0, 0.0, 0.0_f32);
    let count = world.len() as f32;
    for _ in 0..2400 {
        step(&mut world);
        let overlap = |kind: EventKind| matches!(kind, EventKind::Overlap(_));
        overlaps += world.events().iter().filter(|event| overlap(event.kind)).count();
        for id in world.ids() {
            let way = if world.kind(id).name == "eastward" { Vec2::X } else { Vec2::Y };
            made += world.velocity(id).dot(way) / world.body(id).max_speed / (2400.0 * count);
            for other in world.ids().filter(|&other| other > id) {
                let map = world.scenario().map();
                let apart = map.offset(world.position(id), world.position(other)).length();
                deepest = deepest.max(0.6 - apart);
            }
        }
    }
    (overlaps, made, deepest)
}

#[test]
fn who_makes_way_jostles_far_less_and_hardly_loses_time() {
    let (mut avoided, mut jostled) = (0, 0);
    for seed in [1, 4, 7] {
        let (avoiding, made, deepest) = cross(crossing(seed, true));
        let (jostling, made_so, _) = cross(crossing(seed, false));
        (avoided, jostled) = (avoided + avoiding, jostled + jostling);
        assert!(2 * avoiding < jostling, "seed {seed}: {avoiding} to {jostling}");
        assert!(made > 0.95 && made_so > 0.95, "seed {seed}: {made}, {made_so}");
        assert!(deepest < 0.01, "seed {seed}: two overlap by {deepest}");
    }
    assert!(4 * avoided <= jostled, "{avoided} to {jostled}");
}

#[test]
fn the_shadow_draws_the_orbit_again_and_the_spark_stays_on_its_rope() {
    let mut world = maps::world("orbits");
    let names = ["free", "shadow", "spark", "moon"];
    let [free, shadow, spark, moon] = names.map(|name| find(&world, name));
    let station = Vec2::new(24.5, 7.5);
    for _ in 0..4000 {
        step(&mut world);
        let off = world.position(shadow) - world.position(free) - Vec2::new(14.0, 0.0);
        assert!(off.length() < 0.7, "the shadow is {off} off");
        assert!(gap(&world, spark, moon) > 1.0, "the moon is near the spark");
        assert!((world.position(spark) - station).length() < 5.6, "the spark strays");
    }
}
