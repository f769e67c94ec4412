//! Decide: evaluates the transitions of each agent's mode.
//!
//! Transitions are evaluated on the previous frame, in order. The first transition whose condition
//! holds changes the mode. All agents decide before any mode changes. The new mode already drives
//! the body in this frame. The signals of a change are sent in this order: that of the old mode,
//! that of the transition, and that of the new mode.

use crate::agent::SignalSource;
use crate::event::EventKind;
use crate::id::AgentId;
use crate::step::trace;
use crate::world::{Flags, Look, ModeChange, World};

/// Collects the mode changes of this frame, from the state of the previous frame.
pub(super) fn decide(world: &mut World) {
    let mut mode_changes = core::mem::take(&mut world.decisions.mode_changes);
    mode_changes.clear();
    let frame = world.frame().0;
    for kind in world.ruled_kinds() {
        if frame.is_multiple_of(kind.every.into()) {
            mode_changes.extend(kind.ids().filter_map(|id| mode_change(world, id)));
        }
    }
    trace::mode_changes(world, &mut mode_changes);
    world.decisions.mode_changes = mode_changes;
}

/// Returns the mode change of the first transition whose condition is true, if any.
fn mode_change(world: &World, id: AgentId) -> Option<ModeChange> {
    if !world.is_present(id)
        || world.flags(id).has(Flags::QUARANTINED)
        || world.scenario().is_traced(id)
    {
        return None;
    }
    let rules = &world.mode(id).rules;
    let holds = |index: &usize| {
        let look = Look { rule: *index as u32, ..Look::at(world) };
        rules[*index].when.holds(&look, Some(id))
    };
    let index = (0..rules.len()).find(holds)?;
    Some(ModeChange { agent: id, rule: Some(index as u16), to: rules[index].to })
}

/// Applies and reports the mode changes that `decide` collected.
pub(super) fn enter(world: &mut World) {
    for index in 0..world.decisions.mode_changes.len() {
        let ModeChange { agent, rule, to } = world.decisions.mode_changes[index];
        if !world.is_present(agent) {
            // The agent was removed in this frame.
            continue;
        }
        let from = world.state.mode[agent.index()];
        let Some(rule) = rule else {
            world.enter_traced_mode(agent, to);
            world.report(agent, EventKind::Mode { from, to, rule: None });
            continue;
        };
        send(world, agent, SignalSource::Leave);
        send(world, agent, SignalSource::Transition(rule));
        world.enter_mode(agent, to);
        // The frame of the transition does not count toward the first step on tiles.
        world.state.drive[agent.index()].postpone(1);
        world.report(agent, EventKind::Mode { from, to, rule: Some(rule) });
        send(world, agent, SignalSource::Enter);
    }
}

/// Reports a signal of an agent's current mode. Does nothing if the mode has no such signal.
fn send(world: &mut World, agent: AgentId, source: SignalSource) {
    if world.mode(agent).signal(source).is_some() {
        world.report(agent, EventKind::Signal(source));
    }
}
