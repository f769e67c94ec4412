//! Saved patterns. A mode with `resume = true` continues its pattern when the agent enters the mode
//! again.

use crate::agent::Mode;
use crate::geom::TilePos;
use crate::id::AgentId;

use super::{DriveState, World};

/// The progress in a pattern that an agent left before the end of the pattern.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SavedPattern {
    /// Index of the pattern in the mode's list.
    pub pick: u16,
    /// The tile on which the agent left the pattern.
    pub tile: TilePos,
    /// The state of the drive when the agent left the pattern.
    pub drive: DriveState,
}

pub(super) fn resuming(modes: &[Mode]) -> usize {
    modes.iter().filter(|mode| mode.resume).count()
}

impl World {
    /// Iterates over an agent's modes with `resume = true`, each with its saved pattern. The saved
    /// pattern is `None` if the mode starts its pattern from the beginning.
    pub fn patterns_to_resume(
        &self,
        id: AgentId,
    ) -> impl Iterator<Item = (&Mode, Option<SavedPattern>)> {
        let kind = self.kind(id);
        let first = self.layout.saved[self.scenario.starts[id.index()].kind as usize];
        let start = first + (id.index() - kind.first.index()) * resuming(&kind.modes);
        let modes = kind.modes.iter().filter(|mode| mode.resume);
        modes.zip(start..).map(|(mode, slot)| (mode, self.state.saved_patterns[slot]))
    }
}
