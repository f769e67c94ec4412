//! Claims in the comments of the shipped maps about turning, tracking and dithering.

use tilewalk_files::Options;
use tilewalk_sim::event::EventKind;
use tilewalk_sim::geom::heading;
use tilewalk_sim::id::AgentId;
use tilewalk_sim::step::step;
use tilewalk_sim::world::World;

use super::shipped::{find, gap};
use crate::support::maps;

/// Returns the angle between two headings in degrees, from 0 to 180.
fn angle_between(a: f32, b: f32) -> f32 {
    let angle = (b - a).rem_euclid(360.0);
    angle.min(360.0 - angle)
}

/// Returns the angle between the heading of an agent and the direction to its target, in degrees.
fn aiming_error(world: &World, id: AgentId, target: AgentId) -> f32 {
    let direction = world.position(target) - world.position(id);
    angle_between(world.heading_degrees(id), heading::to_degrees(direction))
}

#[test]
fn light_aims_at_the_guard_heavy_lags_behind_and_crab_moves_sideways() {
    let mut world = maps::world("turning");
    let names = ["guard", "light", "heavy", "crab", "needle"];
    let [guard, light, heavy, crab, needle] = names.map(|name| find(&world, name));
    assert!(angle_between(world.heading_degrees(needle), 270.0) > 170.0, "the needle faces south");
    (0..100).for_each(|_| step(&mut world));
    assert!(angle_between(world.heading_degrees(needle), 270.0) < 1.0);
    let (mut near, mut far, mut fast, mut sideways) = (0.0, 0.0, 0, 0);
    for _ in 0..2000 {
        step(&mut world);
        near += aiming_error(&world, light, guard) / 2000.0;
        far += aiming_error(&world, heavy, guard) / 2000.0;
        assert!(angle_between(world.heading_degrees(crab), 90.0) < 1.0);
        let velocity = world.velocity(crab);
        if velocity.length() > 0.5 {
            fast += 1;
            let angle = angle_between(world.heading_degrees(crab), heading::to_degrees(velocity));
            sideways += u32::from((60.0..120.0).contains(&angle));
        }
    }
    assert!(near < 8.0 && far > 25.0, "the light tower is {near}° off, the heavy one {far}°");
    assert!(f64::from(sideways) > 0.6 * f64::from(fast), "sideways in {sideways} of {fast} frames");
}

#[test]
fn dancers_keep_their_places_and_copy_the_heading_of_the_lady() {
    let mut world = maps::world("turning");
    let lady = find(&world, "lady");
    let dancers = ["first", "second", "third"].map(|name| find(&world, name));
    let (mut off, mut away, mut sideways) = (0.0, 0.0_f32, 0);
    (0..100).for_each(|_| step(&mut world));
    for _ in 0..2000 {
        step(&mut world);
        for id in dancers {
            off += angle_between(world.heading_degrees(id), world.heading_degrees(lady)) / 6000.0;
            away = away.max(gap(&world, id, lady));
            let velocity = world.velocity(id);
            let angle = angle_between(world.heading_degrees(id), heading::to_degrees(velocity));
            sideways += u32::from(velocity.length() > 0.3 && angle > 45.0);
        }
    }
    assert!(off < 12.0, "their headings differ by {off}° on average");
    assert!(away < 5.0, "one was {away} tiles away");
    assert!(sideways > 600, "dancers move sideways in {sideways} of 6000 frames");
}

#[test]
fn hawks_pass_the_kite_repeatedly_and_moles_find_and_lose_the_ship() {
    let mut world = maps::world("missile");
    let (kite, ship) = (find(&world, "kite"), find(&world, "ship"));
    let hawks = [1, 2, 3].map(|n| find(&world, &format!("hawk.{n}")));
    let moles = [1, 2, 3, 4, 5].map(|n| find(&world, &format!("mole.{n}")));
    let map = world.scenario().map().clone();
    let gap = |world: &World, a, b| map.offset(world.position(a), world.position(b)).length();
    let (mut hits, mut found, mut lost, mut top) = (0, 0, 0, 0.0_f32);
    for _ in 0..2400 {
        let before = world.clone();
        step(&mut world);
        for id in hawks {
            let (was, is) = (gap(&before, id, kite), gap(&world, id, kite));
            assert!(is < 12.0, "the kite is out of range");
            hits += u32::from(was >= 0.7 && is < 0.7);
            top = top.max(world.velocity(id).length());
        }
        for id in moles {
            let (was, is) = (gap(&before, id, ship), gap(&world, id, ship));
            found += u32::from(was > 3.0 && is <= 3.0);
            lost += u32::from(was <= 3.0 && is > 3.0);
        }
    }
    assert!(hits >= 30, "{hits} passes in two minutes");
    assert!(found >= 10 && lost >= 10, "found {found} times, lost {lost} times");
    assert!(top <= 4.0, "{top}");
}

#[test]
fn dithered_mice_bump_and_meet_the_cat_more_often_than_prioritized_ones() {
    let (mut bumps, mut met) = ([0; 2], [0; 2]);
    for seed in 1..=5 {
        let options = Options { seed: Some(seed), ..Options::default() };
        let mut world = World::new(maps::scenario_with("dithering", &options));
        let rooms = [("orderly", "cat"), ("dicing", "tom")].map(|(mouse, cat)| {
            let mice = (1..=6).map(|n| find(&world, &format!("{mouse}.{n}"))).collect::<Vec<_>>();
            (mice, find(&world, cat))
        });
        for _ in 0..1200 {
            let before = world.clone();
            step(&mut world);
            for (room, (mice, cat)) in rooms.iter().enumerate() {
                for &id in mice {
                    let bump = |kind: EventKind| matches!(kind, EventKind::Bump(_));
                    let mine = world.events().iter().filter(|event| event.agent == id);
                    bumps[room] += mine.filter(|event| bump(event.kind)).count();
                    let (was, is) = (gap(&before, id, *cat), gap(&world, id, *cat));
                    met[room] += u32::from(was >= 1.0 && is < 1.0);
                }
            }
        }
    }
    assert!(bumps[1] > 10 * bumps[0], "{bumps:?}");
    assert!(met[1] > 2 * met[0], "{met:?}");
}
