//! Measurable claims in the comments of the shipped maps.

use tilewalk_files::Options;
use tilewalk_sim::event::EventKind;
use tilewalk_sim::geom::{Vec2, heading};
use tilewalk_sim::id::AgentId;
use tilewalk_sim::step::step;
use tilewalk_sim::world::World;

use crate::support::maps;

pub fn find(world: &World, name: &str) -> AgentId {
    world.scenario().find(name).expect("an agent of that name")
}

pub fn gap(world: &World, a: AgentId, b: AgentId) -> f32 {
    (world.position(a) - world.position(b)).length()
}

/// Counts catches over 20 seeds, because a single chase depends on chance.
#[test]
fn the_pursuing_hound_catches_the_hare_more_often_than_the_seeking_one() {
    let (mut seeker_caught, mut pursuer_caught) = (0, 0);
    for seed in 1..=20 {
        let mut world = World::new(maps::scenario_with(
            "pursuit",
            &Options { seed: Some(seed), ..Options::default() },
        ));
        let [hare, seeker, pursuer] = ["hare", "seeker", "pursuer"].map(|name| find(&world, name));
        for _ in 0..2000 {
            let before = [gap(&world, hare, seeker), gap(&world, hare, pursuer)];
            step(&mut world);
            let near = |before: f32, now: f32| u32::from(now < 0.5 && before >= 0.5);
            seeker_caught += near(before[0], gap(&world, hare, seeker));
            pursuer_caught += near(before[1], gap(&world, hare, pursuer));
        }
    }
    assert!(pursuer_caught >= 2 * seeker_caught, "{pursuer_caught} times to {seeker_caught}");
    assert!(pursuer_caught >= 20, "{pursuer_caught} times in {} seconds", 20 * 100);
}

#[test]
fn no_deer_of_the_forest_map_touches_a_tree() {
    let mut world = maps::world("forest");
    let mut nearest = f32::INFINITY;
    for _ in 0..4000 {
        step(&mut world);
        for id in world.ids() {
            let (at, radius) = (world.position(id), world.body(id).radius);
            world.scenario().map().visit_obstacles_near(at, 2.0, |obstacle| {
                nearest = nearest.min((obstacle.centre - at).length() - obstacle.radius - radius);
            });
        }
    }
    assert!(nearest >= 0.05, "a gap of {nearest}");
}

#[test]
fn guard_and_pages_keep_their_places_around_the_king() {
    let mut world = maps::world("bodyguard");
    let names = ["king", "stranger", "guard", "left", "right"];
    let [king, stranger, guard, left, right] = names.map(|name| find(&world, name));
    let (mut off, mut away) = (0.0_f32, 0.0);
    for frame in 0..2000 {
        step(&mut world);
        if frame < 100 {
            continue;
        }
        let middle = (world.position(king) + world.position(stranger)) / 2.0;
        off = off.max((world.position(guard) - middle).length());
        for (page, y) in [(left, -1.0), (right, 1.0)] {
            let place = heading::to_degrees(world.heading(king));
            let ahead = heading::from_degrees(place);
            let place = world.position(king) - ahead + ahead.perp() * y;
            away += (world.position(page) - place).length() / (2.0 * 1900.0);
        }
    }
    assert!(off < 0.5, "the guard is {off} tiles off");
    assert!(away < 0.6, "the pages are {away} tiles off on average");
}

#[test]
fn one_comet_keeps_its_orbit_and_the_other_falls_into_the_sun() {
    let mut world = maps::world("orbits");
    let [free, slowed, probe] = ["free", "slowed", "probe"].map(|name| find(&world, name));
    let (sun, station) = (Vec2::new(10.5, 7.5), Vec2::new(24.5, 7.5));
    let distance = |world: &World, id| (world.position(id) - sun).length();
    let mut extent = |frames: u32| {
        let (mut least, mut most, mut bumps) = (f32::INFINITY, 0.0_f32, 0);
        for _ in 0..frames {
            step(&mut world);
            least = least.min(distance(&world, free));
            most = most.max(distance(&world, free));
            let bump =
                |event: &&tilewalk_sim::event::Event| matches!(event.kind, EventKind::Bump(_));
            bumps += world.events().iter().filter(bump).count();
        }
        assert_eq!(bumps, 0);
        (least, most, distance(&world, slowed))
    };
    extent(100);
    let first = extent(400);
    extent(3000);
    let later = extent(400);
    assert!(first.0 > 1.5 && (later.0 - first.0).abs() < 0.05, "{first:?} {later:?}");
    assert!((later.1 - first.1).abs() < 0.05, "{first:?} {later:?}");
    assert!(later.2 < 0.3, "{later:?}");
    assert!((world.position(probe) - station).length() < 0.15);
}

/// Returns the polarisation of the boids: the length of their mean heading.
fn polarisation(world: &World) -> f32 {
    let boids = world.ids().filter(|&id| world.kind(id).name == "boid");
    let (sum, count) =
        boids.fold((Vec2::ZERO, 0), |(sum, count), id| (sum + world.heading(id), count + 1));
    sum.length() / count as f32
}

/// Returns the mean polarisation of a shipped flock from second 20 to second 100, and the root mean square
/// of the turn rates of its boids, in degrees/s.
fn flight(name: &str, seed: u64) -> (f32, f32) {
    let mut world =
        World::new(maps::scenario_with(name, &Options { seed: Some(seed), ..Options::default() }));
    (0..400).for_each(|_| step(&mut world));
    let (mut polarised, mut squares, mut count) = (0.0, 0.0, 0);
    for _ in 400..2000 {
        let before: Vec<Vec2> = world.ids().map(|id| world.heading(id)).collect();
        step(&mut world);
        polarised += polarisation(&world);
        for (id, before) in world.ids().zip(before) {
            let turn = libm::asinf(before.perp_dot(world.heading(id)).clamp(-1.0, 1.0))
                .to_degrees()
                / 0.05;
            squares += turn * turn;
            count += 1;
        }
    }
    (polarised / 1600.0, (squares / count as f32).sqrt())
}

#[test]
fn the_flock_flies_in_one_direction_and_turns_slowly() {
    for seed in 1..=3 {
        let (polarisation, turning) = flight("flock", seed);
        assert!(polarisation >= 0.9, "seed {seed}: {polarisation}");
        assert!(turning < 40.0, "seed {seed}: {turning} degrees/s");
    }
}

#[test]
fn the_hawk_changes_its_prey_and_the_flock_stays_polarised() {
    let (polarisation, _) = flight("predator", 5);
    assert!(polarisation >= 0.7, "{polarisation}");
    let mut world = maps::world("predator");
    let hawk = find(&world, "hawk");
    let boids = world.kind(AgentId(0)).group.expect("an agent with a count is a group");
    let (mut prey, mut changes) = (None, 0);
    for _ in 0..2000 {
        step(&mut world);
        let nearest = world.nearest_member(hawk, boids);
        changes += u32::from(nearest != prey);
        prey = nearest;
    }
    assert!(changes > 20, "{changes}");
}
