//! Commands: external changes to a run.
//!
//! A run is a function of its scenario and its commands: the same scenario and commands produce
//! bit-identical frames. Each command belongs to one frame and is passed to `step::step_with`.
//! Explaining that frame requires the same commands. Commands are small plain values that can be
//! logged, saved and replayed.

use std::sync::Arc;

use crate::geom::{Direction, Vec2};
use crate::id::AgentId;
use crate::scenario::Scenario;

/// A change that applies at the beginning of a frame. A command for an agent that does not exist
/// has no effect.
#[derive(Debug, Clone)]
pub enum Command {
    /// Controls an agent manually in this frame, in place of its mode. Transitions are still
    /// evaluated. If there are several commands for one agent, the last one applies.
    Drive {
        /// The agent to control.
        agent: AgentId,
        /// The direction in which to move; `None` to stand still.
        direction: Option<Direction>,
    },
    /// Moves an agent to a position and stops it. Has no effect if the terrain has no room for the
    /// body.
    Place {
        /// The agent to move.
        agent: AgentId,
        /// The new position, in tiles. An agent that moves on tiles is placed at the centre of the
        /// tile.
        at: Vec2,
    },
    /// Replaces the scenario after a value or a file has changed. Agents present in both scenarios
    /// (matched by name) continue.
    Reload(Arc<Scenario>),
}

impl Command {
    /// Converts a command for scenario `old` to a command for scenario `new`. The agents are
    /// matched by name. Returns `None` if `new` does not have the agent, and for
    /// [`Command::Reload`].
    pub fn for_agents_of(&self, old: &Scenario, new: &Scenario) -> Option<Self> {
        let there = |agent: AgentId| old.counterpart(agent, new);
        match self {
            &Self::Drive { agent, direction } => {
                Some(Self::Drive { agent: there(agent)?, direction })
            }
            &Self::Place { agent, at } => Some(Self::Place { agent: there(agent)?, at }),
            // A reload belongs to a scenario, not to an agent.
            Self::Reload(_) => None,
        }
    }
}

impl PartialEq for Command {
    /// Compares the scenarios of two reloads by identity, not by content.
    fn eq(&self, other: &Self) -> bool {
        match self {
            Self::Drive { agent, direction } => {
                matches!(other, Self::Drive { agent: a, direction: d } if a == agent && d == direction)
            }
            Self::Place { agent, at } => {
                matches!(other, Self::Place { agent: a, at: b } if a == agent && b == at)
            }
            Self::Reload(scenario) => {
                matches!(other, Self::Reload(other) if Arc::ptr_eq(scenario, other))
            }
        }
    }
}
