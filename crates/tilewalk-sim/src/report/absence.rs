//! Explains why an agent is not in the world: it has not appeared yet, or it has left.

use crate::event::EventKind;
use crate::id::AgentId;
use crate::scenario::spawn::SpawnCause;
use crate::step::{SpawnWait, spawn_wait};
use crate::words;
use crate::world::World;

/// Describes in a sentence why the agent with this name is not in the world. Returns `None` if the
/// agent is in the world, or if no agent can have this name.
pub fn of_name(world: &World, name: &str) -> Option<String> {
    let scenario = world.scenario();
    let (id, number) = match scenario.find_instance(name) {
        Some(instance) if world.instance(instance).is_some() => return None,
        Some(instance) => (scenario.kinds[instance.kind as usize].first, instance.number),
        None => (scenario.find(name).filter(|&id| !world.is_present(id))?, 0),
    };
    let why = of(world, id, number);
    Some(format!("{name} is not in the world at frame {}: {why}", world.frame()))
}

/// Describes why an agent is not in the world. For an instance of a template, `number` is the
/// instance's number and `id` is any agent of the template. For other agents, `number` is 0.
pub fn of(world: &World, id: AgentId, number: u32) -> String {
    let kind = world.scenario().starts[id.index()].kind;
    if number > world.appeared(kind) {
        return not_yet(world, kind);
    }
    let first = world.scenario().trace_of(id).and_then(|trace| trace.first_frame(id));
    if let Some(first) = first.filter(|&first| first > world.frame()) {
        return format!("it appears at frame {first}");
    }
    let left = world.events().iter().rev().find(|event| {
        let start = world.scenario().starts.get(event.agent.index());
        let is_same = start.is_some_and(|start| start.kind == kind && event.number == number);
        let is_it = if number > 0 { is_same } else { event.agent == id };
        is_it && matches!(event.kind, EventKind::Removed(_))
    });
    match left {
        Some(event) => words::event(event, world.scenario(), world),
        None => "it left the world earlier".to_owned(),
    }
}

/// Describes when the next instance of a template can appear.
fn not_yet(world: &World, kind: u32) -> String {
    let scenario = world.scenario();
    let most = scenario.kinds[kind as usize].count;
    let appeared = match world.appeared(kind) {
        0 => "no instance has appeared yet".to_owned(),
        count => format!("only {} appeared so far", words::count(count.into(), "instance")),
    };
    let mut texts = vec![appeared];
    for (rule, spawn) in scenario.spawns.iter().enumerate().filter(|(_, it)| it.kind == kind) {
        texts.push(match (spawn_wait(world, rule), &spawn.cause) {
            (_, SpawnCause::Signal { signal, .. }) => format!("next on the signal “{signal}”"),
            (SpawnWait::Due(frames), _) => format!("next {}", words::due(frames)),
            (SpawnWait::Done, _) => "its `total` is reached".to_owned(),
            (SpawnWait::Full, _) => format!("waiting: {most} instances exist, the `max`"),
            (SpawnWait::Condition, _) => "waiting for its condition".to_owned(),
            (SpawnWait::Closed, _) => "waiting: the position is closed".to_owned(),
        });
    }
    texts.join("; ")
}
