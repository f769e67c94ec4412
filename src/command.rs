//! Rung 5: changes from outside, as values: what a person does to a run.
//!
//! A run is a function of its scenario and of the commands of each frame: the same commands give the
//! same bits. So they are small and plain, to be kept and given again.

use crate::geom::Notch;
use crate::id::AgentId;

/// One change, for one frame; one about an agent that does not exist changes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    /// For this frame somebody drives an agent in place of its mode, whose rules are still tried. Of
    /// two commands for one agent the last counts.
    Drive {
        /// Whom.
        agent: AgentId,
        /// Which way; `None` holds it still.
        way: Option<Notch>,
    },
}
