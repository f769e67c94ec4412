//! The NaN guard freezes an agent whose result is not finite. Its event names the behaviour to blame, by
//! its index in the steering list, and the term that is not finite. The bodies and behaviours are built in
//! code, because no valid file contains them.

use tilewalk_sim::agent::Drive;
use tilewalk_sim::body::Body;
use tilewalk_sim::event::{EventKind, Term};
use tilewalk_sim::geom::Vec2;
use tilewalk_sim::id::AgentId;
use tilewalk_sim::map::Edges;
use tilewalk_sim::steering::combine::Combine;
use tilewalk_sim::steering::{
    Align, Behaviour, DynamicArrive, Flee, Target, Track, Turning, Wander, WeightedBehaviour,
};
use tilewalk_sim::step::{explain, step};
use tilewalk_sim::world::{Flags, World};

use crate::support::build;

const ME: AgentId = AgentId(0);
const TARGET: AgentId = AgentId(1);

fn row_with_target(behaviour: Behaviour) -> WeightedBehaviour {
    build::behaviour(behaviour, Some(Target::Agent(TARGET)))
}

/// Steps a world until the NaN guard freezes the agent `me`. Returns the index of the behaviour, and the
/// term, from the event.
#[track_caller]
fn guarded_row(body: Body, tick: f64, rows: Vec<WeightedBehaviour>) -> (Option<u32>, Term) {
    let mut scenario = build::scenario(build::map(&vec![".".repeat(20); 20], Edges::Wall));
    build::edit(&mut scenario, |parts| parts.tick = tick);
    let drive = Drive::Steer { combine: Combine::Weighted, rows };
    build::add(&mut scenario, "me", Vec2::splat(5.5), body, drive);
    build::add(&mut scenario, "it", Vec2::splat(9.5), Body::default(), build::wander());
    let mut world = build::world(scenario);
    for _ in 0..20 {
        let valid = world.motion(ME);
        let explanation = explain(&world, ME);
        step(&mut world);
        let event = world.events().iter().find_map(|event| match event.kind {
            EventKind::Quarantined { row, term } if event.agent == ME => Some((row, term)),
            _ => None,
        });
        if let Some(cause) = event {
            assert_frozen(&mut world, valid.position, valid.heading);
            assert!(!explanation.forces.rows.is_empty(), "the frame has an explanation");
            return cause;
        }
        assert!(world.motion(ME).is_finite());
    }
    panic!("the agent was never frozen");
}

/// Checks that a frozen body keeps its last valid state and has no further events, and that the other
/// agent still moves.
fn assert_frozen(world: &mut World, at: Vec2, heading: Vec2) {
    assert!(world.flags(ME).has(Flags::QUARANTINED));
    let other = world.position(TARGET);
    for _ in 0..10 {
        step(world);
        assert_eq!((world.position(ME), world.heading(ME)), (at, heading));
        let motion = world.motion(ME);
        assert_eq!((motion.velocity, motion.angular_velocity), (Vec2::ZERO, 0.0));
        assert!(world.events().iter().all(|event| event.agent != ME));
    }
    assert!(world.position(TARGET) != other);
}

/// Returns behaviours with finite results.
fn finite_rows() -> Vec<WeightedBehaviour> {
    vec![
        row_with_target(Behaviour::Flee(Flee { panic: Some(0.5) })),
        WeightedBehaviour {
            weight: 0.001,
            ..build::behaviour(Behaviour::Wander(Wander::default()), None)
        },
    ]
}

#[test]
fn an_infinite_or_nan_force_is_blamed_on_its_behaviour() {
    let infinite = Wander { strength: f32::INFINITY, ..Wander::default() };
    let mut rows = finite_rows();
    rows.push(build::behaviour(Behaviour::Wander(infinite), None));
    assert_eq!(guarded_row(Body::default(), 0.05, rows), (Some(2), Term::Force));
    let instant = DynamicArrive { time_to_target: 0.0, ..DynamicArrive::default() };
    let still = DynamicArrive { target_radius: 1e9, ..instant };
    let mut rows = finite_rows();
    rows.insert(1, row_with_target(Behaviour::DynamicArrive(still)));
    // The agent is at rest, so its force is 0 / 0.
    assert_eq!(guarded_row(Body::default(), 0.05, rows), (Some(1), Term::Force));
}

#[test]
fn a_nan_turn_is_blamed_on_its_behaviour() {
    let instant = Turning { time_to_target: 0.0, ..Turning::default() };
    let mut rows = finite_rows();
    rows.push(build::behaviour(
        Behaviour::Align(Align { to: Some(Vec2::X), turning: instant }),
        None,
    ));
    assert_eq!(guarded_row(Body::default(), 0.05, rows), (Some(2), Term::Turn));
}

#[test]
fn infinite_velocity_is_blamed_on_the_behaviour_with_the_largest_force() {
    // The mass is so small that a usual force produces an infinite velocity.
    let light = Body { mass: 1e-38, ..Body::default() };
    let mut rows = finite_rows();
    rows.push(row_with_target(Behaviour::Seek));
    assert_eq!(guarded_row(light, 0.05, rows), (Some(2), Term::Velocity));
    // The force is so large that even a larger mass gets an infinite velocity.
    let strong = Body { max_force: f32::MAX, mass: 0.01, max_speed: f32::MAX, ..Body::default() };
    let mut rows = finite_rows();
    rows.insert(0, row_with_target(Behaviour::DynamicSeek));
    assert_eq!(guarded_row(strong, 0.05, rows), (Some(0), Term::Velocity));
    // The result of `track` depends neither on the mass nor on the maximum force.
    let rows =
        vec![row_with_target(Behaviour::Track(Track { rate: f32::MAX / 4.0, ..Track::default() }))];
    let body = Body { mass: 1e-38, max_speed: f32::MAX, ..Body::default() };
    let calm = vec![row_with_target(Behaviour::Track(Track::default()))];
    let mut scenario = build::scenario(build::map(&vec![".".repeat(20); 20], Edges::Wall));
    let drive = Drive::Steer { combine: Combine::Prioritized, rows: calm };
    build::add(&mut scenario, "me", Vec2::splat(5.5), body, drive);
    build::add(&mut scenario, "it", Vec2::splat(9.5), Body::default(), build::wander());
    let mut world = build::world(scenario);
    step(&mut world);
    assert!(!world.flags(ME).has(Flags::QUARANTINED));
    assert_eq!(guarded_row(body, 0.05, rows), (Some(0), Term::Force), "Δv/dt is infinite");
}

#[test]
fn infinite_angular_velocity_is_blamed_on_the_behaviour_that_turns_most() {
    let infinite =
        Body { max_turn_rate: Some(f32::INFINITY), max_turn_accel: f32::MAX, ..Body::default() };
    let mut rows = finite_rows();
    rows.push(WeightedBehaviour {
        weight: 1e-9,
        ..build::behaviour(Behaviour::LookAhead(Turning::default()), None)
    });
    rows.push(row_with_target(Behaviour::Face(Turning::default())));
    assert_eq!(guarded_row(infinite, 1.0, rows), (Some(3), Term::AngularVelocity));
}
