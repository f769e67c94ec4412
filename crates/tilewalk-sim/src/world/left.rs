//! Patterns that were left and go on from there when their mode is entered again (`resume = true`).

use crate::agent::Mode;
use crate::geom::TilePos;
use crate::id::AgentId;

use super::{DriveState, World};

/// What is kept of a pattern that was left before its end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Left {
    /// Which of the mode's patterns it was.
    pub pick: u16,
    /// The tile on which it was left.
    pub tile: TilePos,
    /// How far it was.
    pub drive: DriveState,
}

/// Returns the number of modes that resume.
pub(super) fn resuming(modes: &[Mode]) -> usize {
    modes.iter().filter(|mode| mode.resume).count()
}

impl World {
    /// The modes of an agent that resume, each with what is kept of its pattern.
    pub fn left_patterns(&self, id: AgentId) -> impl Iterator<Item = (&Mode, Option<Left>)> {
        let kind = self.kind(id);
        let first = self.left_firsts[self.scenario.starts[id.index()].kind as usize];
        let mine = first + (id.index() - kind.first.index()) * resuming(&kind.modes);
        let modes = kind.modes.iter().filter(|mode| mode.resume);
        modes.zip(mine..).map(|(mode, slot)| (mode, self.state.left[slot]))
    }
}
