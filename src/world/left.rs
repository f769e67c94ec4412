//! Patterns that were left and go on from there when their mode is entered again (`resume = true`).

use crate::geom::TilePos;
use crate::scenario::Scenario;

use super::DriveState;

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

/// How many modes of all agents resume.
pub(super) fn slots(scenario: &Scenario) -> usize {
    scenario.kinds.iter().map(|kind| kind.count as usize * resuming(&kind.modes)).sum()
}

/// How many of some modes resume.
pub(super) fn resuming(modes: &[crate::agent::Mode]) -> usize {
    modes.iter().filter(|mode| mode.resume).count()
}
