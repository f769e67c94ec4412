//! The NaN guard names the behaviour and the term. The bodies and rows are built in code, because no
//! valid file contains them.

use tilewalk::agent::Drive;
use tilewalk::body::Body;
use tilewalk::event::{EventKind, Term};
use tilewalk::geom::Vec2;
use tilewalk::id::AgentId;
use tilewalk::map::Edges;
use tilewalk::steering::combine::Combine;
use tilewalk::steering::{
    Align, Behaviour, DynamicArrive, Flee, Target, Track, Turning, Wander, WeightedBehaviour,
};
use tilewalk::step::{explain, step};
use tilewalk::world::{Flags, World};

use crate::support::build;

const ME: AgentId = AgentId(0);
const IT: AgentId = AgentId(1);

fn about_it(behaviour: Behaviour) -> WeightedBehaviour {
    build::row(behaviour, Some(Target::Agent(IT)))
}

/// Runs a list until its body is frozen; then who is to blame. Somebody else goes on.
#[track_caller]
fn blamed(body: Body, tick: f64, rows: Vec<WeightedBehaviour>) -> (Option<u32>, Term) {
    let mut scenario = build::scenario(build::map(&vec![".".repeat(20); 20], Edges::Wall));
    build::edit(&mut scenario, |parts| parts.tick = tick);
    let drive = Drive::Steer { combine: Combine::Weighted, rows };
    build::add(&mut scenario, "me", Vec2::splat(5.5), body, drive);
    build::add(&mut scenario, "it", Vec2::splat(9.5), Body::default(), build::wander());
    let mut world = build::world(scenario);
    for _ in 0..20 {
        let good = world.motion(ME);
        let told = explain(&world, ME);
        step(&mut world);
        let event = world.events().iter().find_map(|event| match event.kind {
            EventKind::Quarantined { row, term } if event.agent == ME => Some((row, term)),
            _ => None,
        });
        if let Some(blamed) = event {
            frozen(&mut world, good.position, good.heading);
            assert!(!told.forces.rows.is_empty(), "and it can be explained");
            return blamed;
        }
        assert!(world.motion(ME).is_finite());
    }
    panic!("nothing went wrong");
}

/// A frozen body stays in its last good state, says so once, and the others go on.
fn frozen(world: &mut World, at: Vec2, heading: Vec2) {
    assert!(world.flags(ME).has(Flags::QUARANTINED));
    let other = world.position(IT);
    for _ in 0..10 {
        step(world);
        assert_eq!((world.position(ME), world.heading(ME)), (at, heading));
        let motion = world.motion(ME);
        assert_eq!((motion.velocity, motion.angular_velocity), (Vec2::ZERO, 0.0));
        assert!(world.events().iter().all(|event| event.agent != ME));
    }
    assert!(world.position(IT) != other);
}

/// Rows that do nothing wrong.
fn harmless() -> Vec<WeightedBehaviour> {
    vec![
        about_it(Behaviour::Flee(Flee { panic: Some(0.5) })),
        WeightedBehaviour {
            weight: 0.001,
            ..build::row(Behaviour::Wander(Wander::default()), None)
        },
    ]
}

#[test]
fn a_force_that_is_no_number_names_its_row() {
    let endless = Wander { strength: f32::INFINITY, ..Wander::default() };
    let mut rows = harmless();
    rows.push(build::row(Behaviour::Wander(endless), None));
    assert_eq!(blamed(Body::default(), 0.05, rows), (Some(2), Term::Force));
    let hasty = DynamicArrive { time_to_target: 0.0, ..DynamicArrive::default() };
    let still = DynamicArrive { target_radius: 1e9, ..hasty };
    let mut rows = harmless();
    rows.insert(1, about_it(Behaviour::DynamicArrive(still)));
    // At rest 0 / 0.
    assert_eq!(blamed(Body::default(), 0.05, rows), (Some(1), Term::Force));
}

#[test]
fn a_turn_that_is_no_number_names_its_row() {
    let hasty = Turning { time_to_target: 0.0, ..Turning::default() };
    let mut rows = harmless();
    rows.push(build::row(Behaviour::Align(Align { to: Some(Vec2::X), turning: hasty }), None));
    assert_eq!(blamed(Body::default(), 0.05, rows), (Some(2), Term::Turn));
}

#[test]
fn a_velocity_without_end_names_the_row_that_pushed_hardest() {
    // Too light for any force.
    let light = Body { mass: 1e-38, ..Body::default() };
    let mut rows = harmless();
    rows.push(about_it(Behaviour::Seek));
    assert_eq!(blamed(light, 0.05, rows), (Some(2), Term::Velocity));
    // Too much force for any mass.
    let strong = Body { max_force: f32::MAX, mass: 0.01, max_speed: f32::MAX, ..Body::default() };
    let mut rows = harmless();
    rows.insert(0, about_it(Behaviour::DynamicSeek));
    assert_eq!(blamed(strong, 0.05, rows), (Some(0), Term::Velocity));
    // A tracker asks neither mass nor force.
    let rows = vec![about_it(Behaviour::Track(Track { rate: f32::MAX / 4.0, ..Track::default() }))];
    let body = Body { mass: 1e-38, max_speed: f32::MAX, ..Body::default() };
    let calm = vec![about_it(Behaviour::Track(Track::default()))];
    let mut scenario = build::scenario(build::map(&vec![".".repeat(20); 20], Edges::Wall));
    let drive = Drive::Steer { combine: Combine::Prioritized, rows: calm };
    build::add(&mut scenario, "me", Vec2::splat(5.5), body, drive);
    build::add(&mut scenario, "it", Vec2::splat(9.5), Body::default(), build::wander());
    let mut world = build::world(scenario);
    step(&mut world);
    assert!(!world.flags(ME).has(Flags::QUARANTINED));
    assert_eq!(blamed(body, 0.05, rows), (Some(0), Term::Force), "Δv/dt has no end");
}

#[test]
fn an_angular_velocity_without_end_names_the_row_that_turned_hardest() {
    let endless =
        Body { max_turn_rate: Some(f32::INFINITY), max_turn_accel: f32::MAX, ..Body::default() };
    let mut rows = harmless();
    rows.push(WeightedBehaviour {
        weight: 1e-9,
        ..build::row(Behaviour::LookAhead(Turning::default()), None)
    });
    rows.push(about_it(Behaviour::Face(Turning::default())));
    assert_eq!(blamed(endless, 1.0, rows), (Some(3), Term::AngularVelocity));
}
