//! Properties of steps: seeds, independent agents, explanations, the NaN guard and arriving.

use tilewalk_sim::agent::Drive;
use tilewalk_sim::body::Body;
use tilewalk_sim::event::{EventKind, Term};
use tilewalk_sim::geom::Vec2;
use tilewalk_sim::id::AgentId;
use tilewalk_sim::map::Edges;
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::steering::combine::Combine;
use tilewalk_sim::steering::{Arrive, Behaviour, Flee, Pursue, Target, Wander};
use tilewalk_sim::step::{explain, step};
use tilewalk_sim::world::{Flags, World};

use crate::support::build;

fn room() -> Scenario {
    let mut rows = vec![".".repeat(30); 20];
    for row in &mut rows[6..14] {
        row.replace_range(12..14, "##");
    }
    build::scenario(build::map(&rows, Edges::Wall))
}

fn crowd() -> Scenario {
    let mut scenario = room();
    for index in 0..20 {
        let at = Vec2::new(1.5 + index as f32 % 5.0 * 2.0, 1.5 + (index / 5) as f32 * 3.0);
        build::add(&mut scenario, &format!("w{index}"), at, Body::default(), build::wander());
    }
    let rows = vec![build::behaviour(Behaviour::Seek, Some(Target::Agent(AgentId(3))))];
    let hunt = Drive::Steer { combine: Combine::Prioritized, rows };
    build::add(&mut scenario, "hunter", Vec2::new(25.5, 18.5), Body::default(), hunt);
    scenario
}

fn state_of(world: &World, count: usize) -> Vec<(u32, u32, u32)> {
    let ids = world.ids().take(count);
    ids.map(|id| {
        let (at, heading) = (world.position(id), world.heading(id));
        (at.x.to_bits(), at.y.to_bits(), heading.x.to_bits())
    })
    .collect()
}

#[test]
fn runs_with_equal_seeds_are_equal_and_runs_with_other_seeds_differ() {
    let run = |seed| {
        let mut scenario = crowd();
        build::edit(&mut scenario, |parts| parts.seed = seed);
        let mut world = build::world(scenario);
        (0..200).for_each(|_| step(&mut world));
        world.hash()
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}

#[test]
fn an_additional_agent_does_not_change_the_motion_of_the_others() {
    let alone = crowd();
    let mut with_bystander = alone.clone();
    build::add(
        &mut with_bystander,
        "bystander",
        Vec2::new(20.5, 2.5),
        Body::default(),
        build::wander(),
    );
    let (mut alone, mut with_bystander) = (build::world(alone), build::world(with_bystander));
    for _ in 0..300 {
        step(&mut alone);
        step(&mut with_bystander);
        assert_eq!(state_of(&alone, 21), state_of(&with_bystander, 21), "frame {}", alone.frame());
    }
}

#[test]
fn explaining_an_agent_changes_nothing_and_reports_the_applied_force() {
    let mut world = build::world(crowd());
    for _ in 0..100 {
        let before = world.clone();
        let explanations: Vec<_> = world.ids().map(|id| explain(&before, id)).collect();
        assert_eq!(before.hash(), world.hash());
        step(&mut world);
        for explanation in explanations {
            let rows = &explanation.forces.rows;
            let sum = rows.iter().fold(Vec2::ZERO, |sum, row| sum + row.accepted.force);
            assert_eq!(rows.last().map(|row| row.total.force), Some(explanation.output.force));
            assert_eq!(sum, explanation.output.force, "the accepted forces add up exactly");
            // Away from walls and below the maximum speed, only the force changes the velocity.
            let id = explanation.agent;
            let change = (world.velocity(id) - before.velocity(id)) / world.scenario().dt();
            let free = world.touches(id).is_none() && world.velocity(id).length() < 3.9;
            assert!(!free || (change - explanation.output.force).length() < 1e-3);
        }
    }
}

#[test]
fn an_agent_with_an_infinite_force_is_frozen_and_the_others_continue() {
    let mut scenario = crowd();
    let endless = Wander { strength: f32::INFINITY, ..Wander::default() };
    let rows = vec![
        build::behaviour(
            Behaviour::Flee(Flee { panic: Some(1.0) }),
            Some(Target::Agent(AgentId(0))),
        ),
        build::behaviour(Behaviour::Wander(endless), None),
    ];
    let drive = Drive::Steer { combine: Combine::Prioritized, rows };
    let at = Vec2::new(22.5, 4.5);
    let invalid = build::add(&mut scenario, "mad", at, Body::default(), drive);
    let mut world = build::world(scenario);
    let mut others = build::world(crowd());
    step(&mut world);
    step(&mut others);
    assert!(world.flags(invalid).has(Flags::QUARANTINED));
    let expected = EventKind::Quarantined { row: Some(1), term: Term::Force };
    assert!(world.events().iter().any(|event| event.agent == invalid && event.kind == expected));
    for _ in 0..50 {
        step(&mut world);
        step(&mut others);
        assert_eq!(world.position(invalid), at);
        assert_eq!(state_of(&world, 21), state_of(&others, 21));
    }
}

#[test]
fn a_frozen_agent_looks_the_same_to_agents_before_and_after_it() {
    let goal = Some(Target::Point(Vec2::new(25.5, 2.5)));
    let endless = Wander { strength: f32::INFINITY, ..Wander::default() };
    // At full speed, seek leaves room for the infinite force.
    let rows = vec![
        build::behaviour(Behaviour::Seek, goal),
        build::behaviour(Behaviour::Wander(endless), None),
    ];
    let mad = Drive::Steer { combine: Combine::Prioritized, rows };
    let hunt = |prey| {
        let pursue =
            build::behaviour(Behaviour::Pursue(Pursue::default()), Some(Target::Agent(prey)));
        Drive::Steer { combine: Combine::Prioritized, rows: vec![pursue] }
    };
    let run = |prey: u32| {
        let mut scenario = room();
        let mut agents = [
            ("mad", Vec2::new(3.5, 2.5), mad.clone()),
            ("hunter", Vec2::new(9.5, 17.5), hunt(AgentId(prey))),
        ];
        agents.rotate_left(prey as usize);
        for (name, at, drive) in agents {
            build::add(&mut scenario, name, at, Body::default(), drive);
        }
        let mut world = build::world(scenario);
        let mut speed = 0.0;
        while !world.flags(AgentId(prey)).has(Flags::QUARANTINED) {
            speed = world.velocity(AgentId(prey)).length();
            step(&mut world);
        }
        assert!(speed > 1.0 && world.frame().0 > 5);
        let hunter = AgentId(1 - prey);
        (world.frame(), world.velocity(hunter), world.position(hunter))
    };
    assert_eq!(run(0), run(1));
}

#[test]
fn arrive_stops_an_agent_at_its_target_without_overshooting() {
    let mut scenario = room();
    let rows = vec![build::behaviour(
        Behaviour::Arrive(Arrive::default()),
        Some(Target::Point(Vec2::new(11.5, 2.5))),
    )];
    let drive = Drive::Steer { combine: Combine::Prioritized, rows };
    let id = build::add(&mut scenario, "cat", Vec2::new(1.5, 2.5), Body::default(), drive);
    let mut world = build::world(scenario);
    let mut furthest = 0.0_f32;
    for _ in 0..200 {
        step(&mut world);
        furthest = furthest.max(world.position(id).x);
    }
    assert!(furthest < 11.52, "overshot to {furthest}");
    assert!((world.position(id).x - 11.5).abs() <= 0.02);
    assert!(world.velocity(id).length() < 1e-3);
}

#[test]
fn an_agent_without_mass_is_frozen() {
    let mut scenario = room();
    let at = Vec2::new(1.5, 2.5);
    let body = Body { mass: 0.0, ..Body::default() };
    let id = build::add(&mut scenario, "ghost", at, body, build::seek(at));
    let mut world = build::world(scenario);
    step(&mut world);
    assert!(world.flags(id).has(Flags::QUARANTINED) && world.position(id) == at);
}
