//! Events of a run as seen from its current frame.
//!
//! A reload can change the ids of agents and everything else that an event refers to. Each event
//! belongs to the scenario of its frame.

use std::sync::Arc;

use crate::event::Event;
use crate::history::History;
use crate::id::AgentId;
use crate::scenario::{AgentName, Scenario};
use crate::words;

/// Returns true if an event is about an agent. `id` and `number` are the id and the instance number
/// of the agent at the current frame.
pub fn is_about(event: &Event, (id, number): (AgentId, u32), history: &History) -> bool {
    let now = history.world().scenario();
    match before_reload(event, history) {
        None => (event.agent, event.number) == (id, number),
        Some(then) => then.numbered(event.agent, event.number) == now.numbered(id, number),
    }
}

/// Returns the current id of an event's agent. Returns `None` if the agent is not in the world.
pub fn agent(event: &Event, history: &History) -> Option<AgentId> {
    let world = history.world();
    match before_reload(event, history) {
        None => Some(event.agent).filter(|&id| world.is_present_as(id, event.number)),
        Some(_) => world.find_present(&name(event, history).to_string()),
    }
}

/// Returns the id of an event's agent in the current scenario, even if the agent is not in the
/// world. Returns `None` if the scenario does not contain the agent.
pub fn id(event: &Event, history: &History) -> Option<AgentId> {
    match before_reload(event, history) {
        None => Some(event.agent),
        Some(then) => then.counterpart(event.agent, history.world().scenario()),
    }
}

/// Returns the name of an event's agent. For an instance of a template, the name contains the
/// instance's number at the time of the event.
pub fn name<'a>(event: &Event, history: &'a History) -> AgentName<'a> {
    history.run().scenario_at(event.frame).numbered(event.agent, event.number)
}

/// Formats an event without its frame and agent. See [`words::event`].
pub fn text(event: &Event, history: &History) -> String {
    words::event(event, history.run().scenario_at(event.frame), history.world())
}

/// Returns the scenario of an event's frame. Returns `None` if this is the current scenario.
fn before_reload<'a>(event: &Event, history: &'a History) -> Option<&'a Arc<Scenario>> {
    let then = history.run().scenario_at(event.frame);
    (!Arc::ptr_eq(then, history.world().scenario())).then_some(then)
}
