//! The interface through which a step reports what it computes.
//!
//! In a normal run the observer is [`NoObserver`], and the compiler removes the reports. `explain`
//! has an observer that records them.

use crate::geom::Direction;
use crate::id::AgentId;
use crate::pattern::matrix::Choice;
use crate::steering::{ForceBreakdown, SteeringOutput};

/// The purpose for which a step on tiles is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Due {
    /// The agent continues its pattern.
    Pattern,
    /// The agent returns to its pattern.
    Join,
    /// The agent is controlled manually.
    Keys,
    /// The agent chases, flees from or travels to a target.
    Target,
}

/// Receives what a step computes for each agent.
pub(super) trait Observer {
    /// Returns the force breakdown to fill in for an agent; `None` if the agent is not observed.
    fn breakdown(&mut self, id: AgentId) -> Option<&mut ForceBreakdown>;
    /// Receives the combined steering output of an agent.
    fn output(&mut self, id: AgentId, output: SteeringOutput);
    /// Receives the purpose of a step on tiles that is due.
    fn due(&mut self, id: AgentId, due: Due);
    /// Receives the direction of a step on tiles, before the step is attempted.
    fn direction(&mut self, id: AgentId, direction: Direction);
    /// Receives the direction choice of a matrix walker.
    fn choice(&mut self, id: AgentId, choice: Choice);
}

/// Observes no agent. The compiler removes all calls.
pub(super) struct NoObserver;

impl Observer for NoObserver {
    fn breakdown(&mut self, _: AgentId) -> Option<&mut ForceBreakdown> {
        None
    }

    fn output(&mut self, _: AgentId, _: SteeringOutput) {}

    fn due(&mut self, _: AgentId, _: Due) {}

    fn direction(&mut self, _: AgentId, _: Direction) {}

    fn choice(&mut self, _: AgentId, _: Choice) {}
}
