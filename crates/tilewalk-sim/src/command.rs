//! Commands: changes from outside a run.
//!
//! A run is a function of its scenario and its commands: the same commands give the same bits. Each
//! command belongs to one frame and is passed to `step::step_with`. To explain that frame, the same
//! commands are needed. Commands are small plain values that can be logged, saved and replayed.

use std::sync::Arc;

use crate::geom::{Notch, Vec2};
use crate::id::AgentId;
use crate::scenario::Scenario;

/// One change, at the beginning of one frame; one about an agent that does not exist changes nothing.
#[derive(Debug, Clone)]
pub enum Command {
    /// For this frame somebody drives an agent in place of its mode, whose rules are still tried. Of
    /// two commands for one agent the last counts.
    Drive {
        /// Whom.
        agent: AgentId,
        /// Which way; `None` holds it still.
        way: Option<Notch>,
    },
    /// Puts an agent elsewhere, at rest; where its body doesn't fit it stays where it is.
    Place {
        /// Whom.
        agent: AgentId,
        /// Where, in tiles; one that walks from tile to tile comes to the tile's centre.
        at: Vec2,
    },
    /// From here on the run has another scenario: a value was changed, or the files. Everyone who is
    /// in both goes on from where they are.
    Reload(Arc<Scenario>),
}

impl Command {
    /// The same command for the same agent in another scenario, found by name; `None` if it isn't
    /// there.
    pub fn for_agents_of(&self, old: &Scenario, new: &Scenario) -> Option<Self> {
        let there = |agent: AgentId| {
            if agent.index() >= old.starts.len() {
                return None;
            }
            new.find(&old.name(agent).to_string())
        };
        match self {
            &Self::Drive { agent, way } => Some(Self::Drive { agent: there(agent)?, way }),
            &Self::Place { agent, at } => Some(Self::Place { agent: there(agent)?, at }),
            // It is about a scenario, not about an agent.
            Self::Reload(_) => None,
        }
    }
}

impl PartialEq for Command {
    /// Two scenarios are one if they are the very same.
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Drive { agent, way }, Self::Drive { agent: other, way: its }) => {
                (agent, way) == (other, its)
            }
            (Self::Place { agent, at }, Self::Place { agent: other, at: its }) => {
                (agent, at) == (other, its)
            }
            (Self::Reload(scenario), Self::Reload(other)) => Arc::ptr_eq(scenario, other),
            _ => false,
        }
    }
}
