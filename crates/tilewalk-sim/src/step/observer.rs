//! The interface through which a step reports intermediate results.
//!
//! In a normal run, the observer is [`NoObserver`], and the compiler removes the reports. `explain`
//! uses an observer that records the reports.

use crate::geom::Direction;
use crate::id::AgentId;
use crate::pattern::matrix::Choice;
use crate::steering::{ForceBreakdown, SteeringOutput};

/// The purpose of a due step on tiles.
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

/// Receives intermediate results of a step for each agent.
pub(super) trait Observer {
    /// Returns the force breakdown to fill in for an agent; `None` if the agent is not observed.
    fn breakdown(&mut self, id: AgentId) -> Option<&mut ForceBreakdown>;
    /// Receives the combined steering output of an agent.
    fn output(&mut self, id: AgentId, output: SteeringOutput);
    /// Receives the purpose of an agent's due step on tiles.
    fn due(&mut self, id: AgentId, due: Due);
    /// Receives the direction of a step on tiles, before the step is attempted.
    fn direction(&mut self, id: AgentId, direction: Direction);
    /// Receives the direction choice of a matrix walker.
    fn choice(&mut self, id: AgentId, choice: Choice);
}

/// An observer that ignores all reports. The compiler removes the calls.
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
