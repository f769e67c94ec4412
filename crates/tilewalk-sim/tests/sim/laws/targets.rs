//! Properties of behaviours with a target, for random bodies and positions.

use proptest::prelude::*;
use tilewalk_sim::agent::Drive;
use tilewalk_sim::body::Body;
use tilewalk_sim::geom::{Vec2, heading, unit};
use tilewalk_sim::id::AgentId;
use tilewalk_sim::map::Edges;
use tilewalk_sim::steering::combine::Combine;
use tilewalk_sim::steering::{
    Arrive, Behaviour, DynamicArrive, Evade, Flee, MatchVelocity, OffsetPursue, Target, Tether,
    Wander, WeightedBehaviour,
};
use tilewalk_sim::step::{explain, step};
use tilewalk_sim::world::World;

use crate::support::build;

const ME: AgentId = AgentId(0);
const IT: AgentId = AgentId(1);
const START: Vec2 = Vec2::splat(150.0);

fn steer(rows: Vec<WeightedBehaviour>) -> Drive {
    Drive::Steer { combine: Combine::Prioritized, rows }
}

/// Returns a world with a large open map. The agent [`ME`] is in the middle and has the behaviours `rows`.
/// Each of the `others` has an offset from this agent, a speed, and a direction in degrees.
fn world(
    rows: Vec<WeightedBehaviour>,
    body: Body,
    seed: u64,
    others: &[(Vec2, f32, f32)],
) -> World {
    let mut scenario = build::scenario(build::map(&vec![".".repeat(300); 300], Edges::Wall));
    build::edit(&mut scenario, |parts| parts.seed = seed);
    build::add(&mut scenario, "me", START, body, steer(rows));
    for (index, &(offset, speed, degrees)) in others.iter().enumerate() {
        let far = START + offset + heading::from_degrees(degrees) * 1000.0;
        let body = Body { max_speed: speed, max_force: 1e4, ..Body::default() };
        let drive = if speed > 0.0 { build::seek(far) } else { Drive::Stand };
        build::add(&mut scenario, &format!("it{index}"), START + offset, body, drive);
    }
    build::world(scenario)
}

fn only(behaviour: Behaviour, target: Target) -> Vec<WeightedBehaviour> {
    vec![build::behaviour(behaviour, Some(target))]
}

/// Returns the distance between the agent [`ME`] and another agent.
fn distance(world: &World, id: AgentId) -> f32 {
    (world.position(id) - world.position(ME)).length()
}

/// Generates bodies with a random gain, speed, force and mass.
fn bodies() -> impl Strategy<Value = Body> {
    (1.0f32..20.0, 0.5f32..6.0, 6.0f32..40.0, 0.5f32..2.0).prop_map(
        |(gain, max_speed, max_force, mass)| Body {
            // With a larger gain, a light body corrects almost twice its error in each frame, and
            // oscillates about its target by a little more than the tolerance.
            gain: gain.min(30.0 * mass),
            max_speed,
            max_force,
            mass,
            ..Body::default()
        },
    )
}

/// Generates offsets of 3 to 15 tiles from the agent, in any direction.
fn offsets() -> impl Strategy<Value = Vec2> {
    (0.0f32..360.0, 3.0f32..15.0).prop_map(|(degrees, away)| heading::from_degrees(degrees) * away)
}

proptest! {
    #![proptest_config(build::cases(64))]

    #[test]
    fn seek_from_rest_moves_in_a_straight_line_to_its_goal(body in bodies(), offset in offsets()) {
        let goal = START + offset;
        let mut world = world(only(Behaviour::Seek, Target::Point(goal)), body, 1, &[]);
        // The slowest body needs 30 s for the longest distance, and some time to accelerate.
        for _ in 0..800 {
            step(&mut world);
            let rest = goal - world.position(ME);
            let aside = rest.perp_dot(unit(offset)).abs();
            prop_assert!(aside < 5e-3, "{aside} beside the straight line");
            if rest.length() < body.max_speed * 0.1 {
                return Ok(());
            }
        }
        prop_assert!(false, "it never reached the goal");
    }

    #[test]
    fn flee_moves_away_from_a_standing_target_within_the_panic_distance(
        body in bodies(),
        offset in offsets(),
        panic in proptest::option::of(1.0f32..20.0),
    ) {
        let flee = Behaviour::Flee(Flee { panic });
        let mut world = world(only(flee, Target::Agent(IT)), body, 1, &[(offset, 0.0, 0.0)]);
        for _ in 0..200 {
            let before = distance(&world, IT);
            let force = explain(&world, ME).output.force;
            step(&mut world);
            let calm = panic.is_some_and(|panic| before > panic);
            prop_assert!(distance(&world, IT) >= before - 1e-4, "{before} to {}", distance(&world, IT));
            prop_assert!(!calm || force == Vec2::ZERO, "{force} at {before}");
        }
        let near = panic.is_none_or(|panic| offset.length() < panic);
        prop_assert_eq!(distance(&world, IT) > offset.length() + 0.1, near);
    }

    #[test]
    fn arrive_stops_the_agent_within_its_tolerance(
        body in bodies(),
        offset in offsets(),
        deceleration in 0.5f32..4.0,
    ) {
        let arrive = Behaviour::Arrive(Arrive { deceleration, ..Arrive::default() });
        let target = Target::Point(START + offset);
        let mut world = world(only(arrive, target), body, 1, &[]);
        (0..2000).for_each(|_| step(&mut world));
        let off = (world.position(ME) - START - offset).length();
        prop_assert!(off <= 0.0201, "{off} off");
        prop_assert!(world.velocity(ME).length() < 1e-3);
    }

    #[test]
    fn dynamic_arrive_stops_the_agent_within_its_radius(
        body in bodies(),
        offset in offsets(),
        slow_radius in 1.0f32..5.0,
    ) {
        let arrive = DynamicArrive { slow_radius, ..DynamicArrive::default() };
        let target = Target::Point(START + offset);
        let rows = only(Behaviour::DynamicArrive(arrive), target);
        let mut world = world(rows, body, 1, &[]);
        (0..2000).for_each(|_| step(&mut world));
        let off = (world.position(ME) - START - offset).length();
        prop_assert!(off <= 0.11, "{off} off");
        prop_assert!(world.velocity(ME).length() < 1e-3);
    }

    #[test]
    fn dynamic_flee_is_the_opposite_of_dynamic_seek_and_gets_away(
        body in bodies(),
        offset in offsets(),
    ) {
        let run = |behaviour| world(only(behaviour, Target::Agent(IT)), body, 1, &[(offset, 0.0, 0.0)]);
        let (mut seeks, mut flees) = (run(Behaviour::DynamicSeek), run(Behaviour::DynamicFlee));
        prop_assert_eq!(explain(&seeks, ME).output.force, -explain(&flees, ME).output.force);
        step(&mut seeks);
        prop_assert!(distance(&seeks, IT) < offset.length());
        for _ in 0..200 {
            let before = distance(&flees, IT);
            step(&mut flees);
            prop_assert!(distance(&flees, IT) > before);
        }
        // After 200 frames, the fleeing agent moves at its maximum speed.
        prop_assert!((flees.velocity(ME).length() - body.max_speed).abs() < 1e-3);
    }

    #[test]
    fn evade_keeps_an_agent_away_from_a_slower_hunter(
        offset in offsets(),
        speed in 0.5f32..3.5,
        threat in 6.0f32..30.0,
    ) {
        let mut scenario = build::scenario(build::map(&vec![".".repeat(300); 300], Edges::Wall));
        let evade = Behaviour::Evade(Evade { threat: Some(threat) });
        let rows = only(evade, Target::Agent(IT));
        build::add(&mut scenario, "me", START, Body::default(), steer(rows));
        let body = Body { max_speed: speed, ..Body::default() };
        let hunt = steer(only(Behaviour::Seek, Target::Agent(ME)));
        build::add(&mut scenario, "it", START + offset, body, hunt);
        let mut world = build::world(scenario);
        let mut nearest = f32::INFINITY;
        for _ in 0..600 {
            step(&mut world);
            nearest = nearest.min(distance(&world, IT));
        }
        // Both agents start at rest, so the hunter can come a little closer at first.
        let room = offset.length().min(threat);
        prop_assert!(nearest > room - 1.0, "{nearest} of {room}");
    }

    #[test]
    fn interpose_ends_midway_between_two_standing_agents(
        body in bodies(),
        a in offsets(),
        b in offsets(),
    ) {
        let row = build::behaviour(Behaviour::Interpose, Some(Target::Agent(IT)));
        let rows = vec![WeightedBehaviour { other: Some(Target::Agent(AgentId(2))), ..row }];
        let mut world = world(rows, body, 1, &[(a, 0.0, 0.0), (b, 0.0, 0.0)]);
        (0..2000).for_each(|_| step(&mut world));
        let off = (world.position(ME) - START - (a + b) / 2.0).length();
        prop_assert!(off <= 0.021, "{off} off");
    }

    /// `arrive` slows down within 0.3 s, so the agent lags behind by at most the distance that the leader
    /// moves in 0.3 s.
    #[test]
    fn offset_pursue_lags_behind_its_offset_by_at_most_0_3_seconds(
        offset in offsets(),
        (x, y) in (-4.0f32..4.0, -4.0f32..4.0),
        degrees in 0.0f32..360.0,
        speed in prop_oneof![Just(0.0f32), 0.5f32..3.0],
    ) {
        let keep = Behaviour::OffsetPursue(OffsetPursue { offset: Vec2::new(x, y) });
        let rows = only(keep, Target::Agent(IT));
        let mut world = world(rows, Body::default(), 1, &[(offset, speed, degrees)]);
        (0..700).for_each(|_| step(&mut world));
        let ahead = world.heading(IT);
        let held = world.position(IT) + ahead * x + ahead.perp() * y;
        let off = (world.position(ME) - held).length();
        prop_assert!(off <= 0.3 * speed + 0.03, "{off} off at {speed}");
    }

    #[test]
    fn match_velocity_ends_with_the_velocity_of_the_target(
        body in bodies(),
        offset in offsets(),
        degrees in 0.0f32..360.0,
        share in 0.0f32..0.9,
    ) {
        let matched = Behaviour::MatchVelocity(MatchVelocity::default());
        let speed = share * body.max_speed;
        let mut world = world(only(matched, Target::Agent(IT)), body, 1, &[(offset, speed, degrees)]);
        (0..400).for_each(|_| step(&mut world));
        let off = (world.velocity(ME) - world.velocity(IT)).length();
        prop_assert!(off < 1e-3, "{off} off");
    }

    /// Beyond the radius, the tether pulls with full force. The agent needs V²·m / 2F tiles to stop, and
    /// one frame to react.
    #[test]
    fn a_tethered_agent_exceeds_the_radius_by_at_most_its_stopping_distance(
        body in bodies(),
        radius in 1.0f32..6.0,
        seed in 0u64..1000,
    ) {
        let tether = build::behaviour(Behaviour::Tether(Tether { radius }), Some(Target::Home));
        let roam = build::behaviour(Behaviour::Wander(Wander::default()), None);
        let body = Body { gain: 20.0, max_speed: body.max_speed.max(2.0), ..body };
        let mut world = world(vec![tether, roam], body, seed, &[]);
        let top = body.max_speed;
        let stopping = top * top * body.mass / (2.0 * body.max_force) + top * 0.15;
        let mut furthest = 0.0_f32;
        for _ in 0..1000 {
            step(&mut world);
            furthest = furthest.max((world.position(ME) - START).length());
        }
        prop_assert!(furthest <= radius + stopping, "{furthest}, radius {radius}, stopping {stopping}");
        prop_assert!(furthest > radius / 2.0, "it hardly moved");
    }
}
