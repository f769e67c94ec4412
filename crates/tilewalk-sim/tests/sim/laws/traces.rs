//! Properties of agents that follow a trace. The traces are recorded from runs of the shipped maps.

use std::sync::Arc;

use tilewalk_sim::condition::{Condition, ConditionContext};
use tilewalk_sim::id::AgentId;
use tilewalk_sim::scenario::{Scenario, TakenOver, Traced};
use tilewalk_sim::step::step;
use tilewalk_sim::time::Frame;
use tilewalk_sim::trace::{Row, RunTable, Segment, Trace, TraceParts};
use tilewalk_sim::world::{Flags, Look, World};
use tilewalk_test_support::builtin;

use crate::support::maps;

const FRAMES: u32 = 300;

fn names() -> Vec<String> {
    builtin::maps().into_iter().map(|map| map.name).filter(|name| name != "big").collect()
}

/// Returns the frames of a run.
fn run(scenario: &Arc<Scenario>) -> Vec<World> {
    let mut world = World::new(Arc::clone(scenario));
    let mut frames = vec![world.clone()];
    for _ in 1..FRAMES {
        step(&mut world);
        frames.push(world.clone());
    }
    frames
}

/// Records the motions of all agents.
fn record(frames: &[World]) -> Trace {
    let mut table = RunTable { frames: frames.len() as u32, ..RunTable::default() };
    let mut lists = Vec::new();
    let agents = frames[0].scenario().starts().len() as u32;
    for id in (0..agents).map(AgentId) {
        let mut segments: Vec<Segment> = Vec::new();
        for (frame, world) in (0..).zip(frames).filter(|(_, world)| world.is_present(id)) {
            let number = world.number(id);
            match segments.last_mut() {
                Some(last) if last.first + last.count == frame && last.number == number => {
                    last.count += 1;
                }
                _ => {
                    let row = table.rows.len() as u32;
                    segments.push(Segment { first: frame, count: 1, row, number });
                }
            }
            table.rows.push(Row {
                frame,
                position: world.position(id),
                velocity: world.velocity(id),
                heading: world.heading(id),
                mode: mode(world, id),
            });
        }
        lists.push(segments);
    }
    let table = Arc::new(table);
    Trace::new(TraceParts { table, segments: lists, ..TraceParts::default() }).unwrap()
}

fn mode(world: &World, id: AgentId) -> u16 {
    let modes = &world.kind(id).modes;
    modes.iter().position(|mode| mode.name == world.mode(id).name).unwrap() as u16
}

/// Returns the scenario with agents that follow a trace, except for some agents.
fn traced(scenario: &Scenario, trace: Trace, taken_over: Vec<TakenOver>) -> Arc<Scenario> {
    let mut parts = scenario.clone().into_parts();
    parts.spawns.clear();
    for (start, id) in parts.starts.iter_mut().zip((0..).map(AgentId)) {
        start.absent = trace.row(id, Frame(0)).is_none();
    }
    parts.traced = Some(Traced { trace: Arc::new(trace), taken_over });
    Arc::new(parts.build().unwrap())
}

/// Returns conditions about the agents of a scenario: sight, distance, touch and direction.
fn conditions(scenario: &Scenario) -> Vec<Condition> {
    let agents: Vec<String> =
        scenario.kinds().iter().map(|kind| scenario.name(kind.first).to_string()).collect();
    let mut texts = Vec::new();
    for (index, agent) in agents.iter().enumerate().take(6) {
        let other = &agents[(index + 1) % agents.len()];
        texts.push(format!("exists({agent})"));
        texts.push(format!("in({agent}, [2, 2], [9, 9])"));
        texts.push(format!("changed({agent}.x)"));
        texts.push(format!("{agent}.time_in_mode > 1"));
        if other != agent {
            texts.push(format!("sees({agent}, {other})"));
            texts.push(format!("distance({agent}, {other}) < 4"));
            texts.push(format!("touching({agent}, {other})"));
        }
    }
    for group in scenario.groups() {
        texts.push(format!("polarisation({}) > 0.5", group.name));
    }
    let read = |text: &String| Condition::read(text, scenario, ConditionContext::Global).ok();
    texts.iter().filter_map(read).collect()
}

#[test]
fn a_recorded_run_moves_as_before() {
    for name in names() {
        let scenario = maps::scenario(&name);
        let frames = run(&scenario);
        let replayed = run(&traced(&scenario, record(&frames), Vec::new()));
        let [tests, again] = [&scenario, replayed[0].scenario()].map(|it| conditions(it));
        assert_eq!(tests.len(), again.len());
        for (frame, (world, copy)) in frames.iter().zip(&replayed).enumerate() {
            let at = format!("{name}, frame {frame}");
            assert!(world.ids().eq(copy.ids()), "{at}: the agents");
            for id in world.ids() {
                let agent = world.name(id).to_string();
                assert_eq!(agent, copy.name(id).to_string(), "{at}: the name");
                let facts = |world: &World| {
                    let motion = (world.position(id), world.velocity(id), world.heading(id));
                    (motion, world.tile(id), mode(world, id), world.frames_in_mode(id))
                };
                assert_eq!(facts(world), facts(copy), "{at}: {agent}");
            }
            let before = frame.checked_sub(1).map(|before| (&frames[before], &replayed[before]));
            let before = before.map(|(world, copy)| (Look::at(world), Look::at(copy)));
            let before = before.as_ref();
            let look = Look { before: before.map(|pair| &pair.0), ..Look::at(world) };
            let again_look = Look { before: before.map(|pair| &pair.1), ..Look::at(copy) };
            for (test, copied) in tests.iter().zip(&again) {
                let [held, holds] = [test.holds(&look, None), copied.holds(&again_look, None)];
                assert_eq!(held, holds, "{at}: {}", test.text());
            }
        }
    }
}

/// Maps with differences of `collided` and of contacts with bodies between a run and its trace: the number of
/// agents and frames at which the field is true
///
/// - `collided` only in the run, for bodies that touch no other body, and for bodies that touch one;
/// - `collided` only in the trace, in the same two cases;
/// - contact with a body only in the run, and only in the trace.
const DIFFERENCES: [(&str, [[u32; 2]; 3]); 6] = [
    ("crossing", [[0, 0], [0, 0], [209, 0]]),
    ("dithering", [[34, 0], [0, 0], [0, 0]]),
    ("elephant", [[98, 47], [0, 1], [190, 0]]),
    ("evacuation", [[3, 177], [0, 13], [15292, 0]]),
    ("turning", [[6, 0], [0, 0], [0, 0]]),
    ("wanderers", [[1, 0], [0, 0], [0, 0]]),
];

/// The page docs/traces.md gives the reasons of the differences.
#[test]
fn contacts_of_a_recorded_run_differ_only_as_documented() {
    let mut found = Vec::new();
    for name in names() {
        let scenario = maps::scenario(&name);
        let frames = run(&scenario);
        let replayed = run(&traced(&scenario, record(&frames), Vec::new()));
        let mut counts = [[0; 2]; 3];
        for (world, copy) in frames.iter().zip(&replayed) {
            for id in world.ids() {
                let collided = [world, copy].map(|world| world.touches(id).is_some());
                let touches = [world, copy].map(|world| world.flags(id).has(Flags::IN_CONTACT));
                let with_body = usize::from(touches[0]);
                counts[0][with_body] += u32::from(collided == [true, false]);
                counts[1][with_body] += u32::from(collided == [false, true]);
                counts[2][0] += u32::from(touches == [true, false]);
                counts[2][1] += u32::from(touches == [false, true]);
            }
        }
        if counts != [[0; 2]; 3] {
            found.push((name, counts));
        }
    }
    assert_eq!(found, DIFFERENCES.map(|(name, counts)| (name.to_owned(), counts)));
}

/// The random numbers of an agent depend on its name, the frame and its mode, but on no other agent. A
/// contact with a solid body is an exception, because bodies that follow a trace cannot be pushed.
#[test]
fn an_agent_taken_over_at_frame_0_moves_as_in_the_recorded_run() {
    for name in names() {
        let scenario = maps::scenario(&name);
        if !scenario.spawns().is_empty() {
            continue;
        }
        let frames = run(&scenario);
        let agents = (0..scenario.starts().len() as u32).map(AgentId);
        let step = (agents.len() / 3).max(1);
        for agent in agents.step_by(step) {
            let taken = TakenOver { agent, mode: 0 };
            let replayed = run(&traced(&scenario, record(&frames), vec![taken]));
            for (frame, (world, copy)) in frames.iter().zip(&replayed).enumerate() {
                if world.flags(agent).has(Flags::IN_CONTACT) {
                    break;
                }
                let motions = [world, copy].map(|world| world.motion(agent));
                let agent = world.name(agent);
                assert_eq!(motions[0], motions[1], "{name}, frame {frame}: {agent}");
            }
        }
    }
}
