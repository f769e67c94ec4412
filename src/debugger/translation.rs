//! Ids of agents in the scenarios of other frames and runs.

use crate::id::AgentId;
use crate::scenario::Scenario;

/// Translates the ids of agents from the scenario of the current frame to another scenario. Agents
/// with the same name correspond.
#[derive(Debug, Clone, Copy)]
pub struct Translation<'a> {
    from: &'a Scenario,
    /// The other scenario. `None` if its agents have the same ids.
    to: Option<&'a Scenario>,
}

impl<'a> Translation<'a> {
    pub fn new(from: &'a Scenario, to: &'a Scenario) -> Self {
        let is_same = core::ptr::eq(from, to) || from.has_agents_of(to);
        Self { from, to: (!is_same).then_some(to) }
    }

    /// Returns the id of an agent in the other scenario. Returns `None` if the other scenario does
    /// not contain the agent.
    pub fn id(&self, id: AgentId) -> Option<AgentId> {
        self.to.map_or(Some(id), |to| self.from.counterpart(id, to))
    }

    /// Returns the number of agents in the scenario of the current frame.
    pub fn count(&self) -> usize {
        self.from.starts().len()
    }
}
