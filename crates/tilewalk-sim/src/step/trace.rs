//! Moves the agents that follow a trace.
//!
//! The trace decides which agents are in the world, and their modes and motions. Transitions,
//! removal conditions, spawn rules and contacts do not act on these agents. Walls and bodies that
//! they touch are only reported.

use std::sync::Arc;

use crate::event::{EventKind, Removal};
use crate::id::AgentId;
use crate::map::sweep;
use crate::step::aim;
use crate::step::contact::{note_contact, occupy_tile};
use crate::step::progress::{self, DetectorSetup};
use crate::trace::Trace;
use crate::world::{Flags, ModeChange, World};

/// Collects the mode changes of the next frame, in agent order.
pub(super) fn mode_changes(world: &World, changes: &mut Vec<ModeChange>) {
    let next = world.frame().next();
    if world.scenario().traced.is_none() {
        return;
    }
    changes.extend(world.ids().filter_map(|agent| {
        let trace = world.scenario().trace_of(agent)?;
        let to = trace.row(agent, next)?.mode;
        (trace.continues(agent, next) && to != world.state.mode[agent.index()])
            .then_some(ModeChange { agent, rule: None, to })
    }));
}

/// Removes the agents whose segment ended in the previous frame.
pub(super) fn leave(world: &mut World) {
    let scenario = Arc::clone(world.scenario());
    if scenario.traced.is_none() {
        return;
    }
    for id in world.all_ids() {
        let Some(trace) = scenario.trace_of(id).filter(|_| world.is_present(id)) else { continue };
        if !trace.continues(id, world.frame()) {
            world.remove(id, Removal::Trace);
        }
    }
}

/// Adds the agents whose segment begins in this frame, and reports the events of the trace.
pub(super) fn arrive(world: &mut World) {
    let scenario = Arc::clone(world.scenario());
    let Some(traced) = &scenario.traced else { return };
    for id in world.all_ids() {
        let Some(trace) = scenario.trace_of(id) else { continue };
        if !world.is_present(id) && trace.row(id, world.frame()).is_some() {
            world.add_traced(id);
            world.report(id, EventKind::Spawned { by: None });
        }
    }
    for event in traced.trace.events(world.frame()) {
        if world.is_present(event.agent) {
            world.report(event.agent, EventKind::Trace(event.text));
        }
    }
}

/// Moves an agent to its row of the current frame, and reports the tile or wall that it touches.
pub(super) fn follow(world: &mut World, trace: &Trace, id: AgentId, setup: DetectorSetup) {
    let Some(row) = trace.row(id, world.frame()) else { return };
    let before = world.motion(id);
    let from = world.position(id);
    let tile = world.tile(id);
    world.set_traced_motion(id, row);
    occupy_tile(world, id, tile);
    let (map, radius) = (&world.scenario().map, world.body(id).radius);
    let contact = if world.is_on_tiles(id) {
        None
    } else {
        sweep::met(map, from, map.offset(from, row.position), radius)
    };
    note_contact(world, id, contact);
    if !trace.has_aims() {
        progress::note_driven(world, id);
        return;
    }
    let is_free = contact.is_none() && !world.flags(id).has(Flags::IN_CONTACT);
    let turns = progress::reverses(before, world.motion(id), true, world.body(id));
    progress::note_traced(world, id, aim::intent_of(world, trace, id), is_free && turns, setup);
}
