//! Properties of behaviours with a target, for any body and place.

use proptest::prelude::*;
use tilewalk::agent::Drive;
use tilewalk::body::Body;
use tilewalk::geom::{Vec2, heading, unit};
use tilewalk::id::AgentId;
use tilewalk::map::Edges;
use tilewalk::steering::combine::Combine;
use tilewalk::steering::{
    Arrive, Behaviour, DynamicArrive, Evade, Flee, MatchVelocity, OffsetPursue, Target, Tether,
    Wander, WeightedBehaviour,
};
use tilewalk::step::{explain, step};
use tilewalk::world::World;

use crate::support::build;

const ME: AgentId = AgentId(0);
const IT: AgentId = AgentId(1);
const START: Vec2 = Vec2::splat(150.0);

fn steer(rows: Vec<WeightedBehaviour>) -> Drive {
    Drive::Steer { combine: Combine::Prioritized, rows }
}

/// A list for the agent in the middle of a wide open map, and others: where, how fast, which way.
fn world(
    rows: Vec<WeightedBehaviour>,
    body: Body,
    seed: u64,
    others: &[(Vec2, f32, f32)],
) -> World {
    let mut scenario = build::scenario(build::map(&vec![".".repeat(300); 300], Edges::Wall));
    build::edit(&mut scenario, |parts| parts.seed = seed);
    build::add(&mut scenario, "me", START, body, steer(rows));
    for (index, &(place, speed, way)) in others.iter().enumerate() {
        let far = START + place + heading::from_degrees(way) * 1000.0;
        let body = Body { max_speed: speed, max_force: 1e4, ..Body::default() };
        let drive = if speed > 0.0 { build::seek(far) } else { Drive::Stand };
        build::add(&mut scenario, &format!("it{index}"), START + place, body, drive);
    }
    build::world(scenario)
}

fn about(behaviour: Behaviour, target: Target) -> Vec<WeightedBehaviour> {
    vec![build::row(behaviour, Some(target))]
}

/// From the agent to another.
fn gap(world: &World, id: AgentId) -> f32 {
    (world.position(id) - world.position(ME)).length()
}

/// Someone more or less agile: gain, speed, force, mass.
fn bodies() -> impl Strategy<Value = Body> {
    (1.0f32..20.0, 0.5f32..6.0, 6.0f32..40.0, 0.5f32..2.0).prop_map(
        |(gain, max_speed, max_force, mass)| Body {
            // A light body with a larger one corrects almost twice its error each frame, and swings
            // about where it wants to be by a little more than it tolerates.
            gain: gain.min(30.0 * mass),
            max_speed,
            max_force,
            mass,
            ..Body::default()
        },
    )
}

/// Where something is, as seen from the agent.
fn places() -> impl Strategy<Value = Vec2> {
    (0.0f32..360.0, 3.0f32..15.0).prop_map(|(degrees, away)| heading::from_degrees(degrees) * away)
}

proptest! {
    #![proptest_config(build::cases(64))]

    #[test]
    fn seek_from_rest_never_overshoots_sideways(body in bodies(), place in places()) {
        let goal = START + place;
        let mut world = world(about(Behaviour::Seek, Target::Point(goal)), body, 1, &[]);
        // The slowest needs 30 s for the longest way, and a while to get going.
        for _ in 0..800 {
            step(&mut world);
            let way = goal - world.position(ME);
            let aside = way.perp_dot(unit(place)).abs();
            prop_assert!(aside < 5e-3, "{aside} beside the straight line");
            if way.length() < body.max_speed * 0.1 {
                return Ok(());
            }
        }
        prop_assert!(false, "it never came near");
    }

    #[test]
    fn who_flees_from_what_stands_gets_away_until_it_panics_no_more(
        body in bodies(),
        place in places(),
        panic in proptest::option::of(1.0f32..20.0),
    ) {
        let flee = Behaviour::Flee(Flee { panic });
        let mut world = world(about(flee, Target::Agent(IT)), body, 1, &[(place, 0.0, 0.0)]);
        for _ in 0..200 {
            let before = gap(&world, IT);
            let force = explain(&world, ME).output.force;
            step(&mut world);
            let calm = panic.is_some_and(|panic| before > panic);
            prop_assert!(gap(&world, IT) >= before - 1e-4, "{before} to {}", gap(&world, IT));
            prop_assert!(!calm || force == Vec2::ZERO, "{force} at {before}");
        }
        let near = panic.is_none_or(|panic| place.length() < panic);
        prop_assert_eq!(gap(&world, IT) > place.length() + 0.1, near);
    }

    #[test]
    fn arrive_ends_within_its_tolerance_and_stops(
        body in bodies(),
        place in places(),
        deceleration in 0.5f32..4.0,
    ) {
        let arrive = Behaviour::Arrive(Arrive { deceleration, ..Arrive::default() });
        let target = Target::Point(START + place);
        let mut world = world(about(arrive, target), body, 1, &[]);
        (0..2000).for_each(|_| step(&mut world));
        let off = (world.position(ME) - START - place).length();
        prop_assert!(off <= 0.0201, "{off} off");
        prop_assert!(world.velocity(ME).length() < 1e-3);
    }

    #[test]
    fn dynamic_arrive_ends_within_its_radius_and_stops(
        body in bodies(),
        place in places(),
        slow_radius in 1.0f32..5.0,
    ) {
        let arrive = DynamicArrive { slow_radius, ..DynamicArrive::default() };
        let target = Target::Point(START + place);
        let rows = about(Behaviour::DynamicArrive(arrive), target);
        let mut world = world(rows, body, 1, &[]);
        (0..2000).for_each(|_| step(&mut world));
        let off = (world.position(ME) - START - place).length();
        prop_assert!(off <= 0.11, "{off} off");
        prop_assert!(world.velocity(ME).length() < 1e-3);
    }

    #[test]
    fn dynamic_flee_is_dynamic_seek_the_other_way_and_gets_away(
        body in bodies(),
        place in places(),
    ) {
        let run = |behaviour| world(about(behaviour, Target::Agent(IT)), body, 1, &[(place, 0.0, 0.0)]);
        let (mut seeks, mut flees) = (run(Behaviour::DynamicSeek), run(Behaviour::DynamicFlee));
        prop_assert_eq!(explain(&seeks, ME).output.force, -explain(&flees, ME).output.force);
        step(&mut seeks);
        prop_assert!(gap(&seeks, IT) < place.length());
        for _ in 0..200 {
            let before = gap(&flees, IT);
            step(&mut flees);
            prop_assert!(gap(&flees, IT) > before);
        }
        // Full speed, which takes a while.
        prop_assert!((flees.velocity(ME).length() - body.max_speed).abs() < 1e-3);
    }

    #[test]
    fn who_evades_a_slower_hunter_is_not_caught(
        place in places(),
        speed in 0.5f32..3.5,
        threat in 6.0f32..30.0,
    ) {
        let mut scenario = build::scenario(build::map(&vec![".".repeat(300); 300], Edges::Wall));
        let evade = Behaviour::Evade(Evade { threat: Some(threat) });
        let rows = about(evade, Target::Agent(IT));
        build::add(&mut scenario, "me", START, Body::default(), steer(rows));
        let body = Body { max_speed: speed, ..Body::default() };
        let hunt = steer(about(Behaviour::Seek, Target::Agent(ME)));
        build::add(&mut scenario, "it", START + place, body, hunt);
        let mut world = build::world(scenario);
        let mut nearest = f32::INFINITY;
        for _ in 0..600 {
            step(&mut world);
            nearest = nearest.min(gap(&world, IT));
        }
        // It starts from rest, and so does the hunter.
        let room = place.length().min(threat);
        prop_assert!(nearest > room - 1.0, "{nearest} of {room}");
    }

    #[test]
    fn who_interposes_ends_in_the_middle_of_two_who_stand(
        body in bodies(),
        a in places(),
        b in places(),
    ) {
        let row = build::row(Behaviour::Interpose, Some(Target::Agent(IT)));
        let rows = vec![WeightedBehaviour { other: Some(Target::Agent(AgentId(2))), ..row }];
        let mut world = world(rows, body, 1, &[(a, 0.0, 0.0), (b, 0.0, 0.0)]);
        (0..2000).for_each(|_| step(&mut world));
        let off = (world.position(ME) - START - (a + b) / 2.0).length();
        prop_assert!(off <= 0.021, "{off} off");
    }

    /// As `arrive` slows down in 0.3 s, it lags behind its place by what the leader moves in 0.3 s at most.
    #[test]
    fn who_keeps_an_offset_ends_beside_its_leader_and_lags_no_more_than_arrive_does(
        place in places(),
        (x, y) in (-4.0f32..4.0, -4.0f32..4.0),
        way in 0.0f32..360.0,
        speed in prop_oneof![Just(0.0f32), 0.5f32..3.0],
    ) {
        let keep = Behaviour::OffsetPursue(OffsetPursue { offset: Vec2::new(x, y) });
        let rows = about(keep, Target::Agent(IT));
        let mut world = world(rows, Body::default(), 1, &[(place, speed, way)]);
        (0..700).for_each(|_| step(&mut world));
        let ahead = world.heading(IT);
        let held = world.position(IT) + ahead * x + ahead.perp() * y;
        let off = (world.position(ME) - held).length();
        prop_assert!(off <= 0.3 * speed + 0.03, "{off} off at {speed}");
    }

    #[test]
    fn who_matches_a_velocity_ends_with_it(
        body in bodies(),
        place in places(),
        way in 0.0f32..360.0,
        share in 0.0f32..0.9,
    ) {
        let matched = Behaviour::MatchVelocity(MatchVelocity::default());
        let speed = share * body.max_speed;
        let mut world = world(about(matched, Target::Agent(IT)), body, 1, &[(place, speed, way)]);
        (0..400).for_each(|_| step(&mut world));
        let off = (world.velocity(ME) - world.velocity(IT)).length();
        prop_assert!(off < 1e-3, "{off} off");
    }

    /// Beyond its rope it is pulled with all its force: it needs V²·m / 2F to stop, and a frame to
    /// find out.
    #[test]
    fn no_tethered_wanderer_strays_further_than_it_needs_to_stop(
        body in bodies(),
        radius in 1.0f32..6.0,
        seed in 0u64..1000,
    ) {
        let tether = build::row(Behaviour::Tether(Tether { radius }), Some(Target::Home));
        let roam = build::row(Behaviour::Wander(Wander::default()), None);
        let body = Body { gain: 20.0, max_speed: body.max_speed.max(2.0), ..body };
        let mut world = world(vec![tether, roam], body, seed, &[]);
        let top = body.max_speed;
        let room = top * top * body.mass / (2.0 * body.max_force) + top * 0.15;
        let mut furthest = 0.0_f32;
        for _ in 0..1000 {
            step(&mut world);
            furthest = furthest.max((world.position(ME) - START).length());
        }
        prop_assert!(furthest <= radius + room, "{furthest} on a rope of {radius} and {room}");
        prop_assert!(furthest > radius / 2.0, "it hardly moved");
    }
}
