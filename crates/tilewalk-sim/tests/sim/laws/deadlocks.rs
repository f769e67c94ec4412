//! Deadlocks of solid vehicles: their events, and what an explanation names.

use tilewalk_sim::agent::Drive;
use tilewalk_sim::body::Body;
use tilewalk_sim::command::Command;
use tilewalk_sim::event::EventKind;
use tilewalk_sim::geom::Vec2;
use tilewalk_sim::id::AgentId;
use tilewalk_sim::map::Edges;
use tilewalk_sim::report::explanation::AgentStep;
use tilewalk_sim::steering::combine::Combine;
use tilewalk_sim::steering::{Behaviour, Target};
use tilewalk_sim::step::{deadlock_of, step, step_with};
use tilewalk_sim::world::{Flags, World};

use crate::support::build;

/// A lane of one tile, in which `a` and `b` meet head-on. `c` follows `a`, and `d` follows `b`.
fn lanes() -> World {
    let rows = ["####################", "....................", "####################"];
    let mut scenario = build::scenario(build::map(&rows.map(str::to_owned), Edges::Wall));
    let body = Body { solid: true, radius: 0.45, ..Body::default() };
    for (name, from, to) in [("a", 4.5, 18.5), ("b", 15.5, 0.5), ("c", 2.5, 18.5), ("d", 17.5, 0.5)]
    {
        let target = Some(Target::Point(Vec2::new(to, 1.5)));
        let rows = vec![build::behaviour(Behaviour::arrive(), target)];
        let drive = Drive::Steer { combine: Combine::Prioritized, rows };
        build::add(&mut scenario, name, Vec2::new(from, 1.5), body, drive);
    }
    build::world(scenario)
}

const A: AgentId = AgentId(0);
const B: AgentId = AgentId(1);
const C: AgentId = AgentId(2);
const D: AgentId = AgentId(3);

#[test]
fn vehicles_that_meet_head_on_are_deadlocked_and_their_followers_are_stuck() {
    let mut world = lanes();
    let mut found = Vec::new();
    for _ in 0..600 {
        step(&mut world);
        found.extend(world.events().iter().filter_map(|event| match event.kind {
            EventKind::Deadlocked(cycle) => Some((event.agent, cycle.named().to_vec())),
            _ => None,
        }));
    }
    assert_eq!(found, [(A, vec![B, A]), (B, vec![A, B])], "one event for each agent");
    assert_eq!(deadlock_of(&world, A), [B, A]);
    let flags = |id| {
        let flags = world.flags(id);
        (flags.has(Flags::STUCK), flags.has(Flags::DEADLOCKED), flags.has(Flags::BLOCKED))
    };
    let (deadlocked, stuck) = ((true, true, false), (true, false, false));
    assert_eq!([A, B, C, D].map(flags), [deadlocked, deadlocked, stuck, stuck]);
    let about = AgentStep { agent: B, before: None, now: &world, why: None };
    let report = about.report();
    assert_eq!(report.deadlock, Some(vec!["a".to_owned(), "b".to_owned()]));
    assert_eq!(report.obstruction, None, "the vehicle is not blocked");
}

/// When `b` and `d` are moved behind the others, all of them continue.
#[test]
fn a_deadlock_ends_when_an_agent_of_the_cycle_moves_away() {
    let mut world = lanes();
    (0..600).for_each(|_| step(&mut world));
    assert!(world.flags(A).has(Flags::DEADLOCKED));
    let place = |agent, x| Command::Place { agent, at: Vec2::new(x, 1.5) };
    step_with(&mut world, &[place(B, 3.5), place(D, 5.0)]);
    (0..60).for_each(|_| step(&mut world));
    for id in [A, B, C, D] {
        let flags = world.flags(id);
        assert!(!flags.has(Flags::DEADLOCKED) && !flags.has(Flags::STUCK), "{}", id.0);
        assert_eq!(world.obstruction(id), None);
    }
}
