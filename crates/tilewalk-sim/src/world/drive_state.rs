//! What a drive remembers from frame to frame, and how it begins.

use crate::agent::{Drive, Mode, PatternUse};
use crate::geom::{Notch, TilePos, Vec2};
use crate::map::Map;
use crate::pattern::matrix::MatrixState;
use crate::pattern::path::PathState;
use crate::pattern::steps::{StepsState, Unit};
use crate::pattern::thrust::ThrustState;
use crate::pattern::{Pattern, Placement};
use crate::steering::Memory;

use super::quarry::{Aim, Trip};

/// The memory of an agent's present drive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum DriveState {
    /// Standing needs none.
    Stand,
    /// Steering.
    Steer(Memory),
    /// A path pattern.
    Path {
        /// How far it is.
        at: PathState,
        /// When it steps.
        walk: Walk,
    },
    /// A matrix pattern.
    Matrix {
        /// Whence it came.
        at: MatrixState,
        /// When it steps.
        walk: Walk,
    },
    /// A steps pattern.
    Steps {
        /// How far it is.
        at: StepsState,
        /// When it steps.
        walk: Walk,
    },
    /// A thrust pattern.
    Thrust {
        /// How far it is.
        at: ThrustState,
    },
    /// Waiting for a person to drive it.
    Keys {
        /// When a walker on tiles may step; a vehicle needs no memory.
        walk: Option<Walk>,
    },
    /// A chase on tiles.
    Chase {
        /// The line it walks along; `None` as long as there is no target.
        aim: Option<Aim>,
        /// When it steps.
        walk: Walk,
    },
    /// A flight on tiles.
    FleeTiles {
        /// The tile it flees from; `None` as long as there is no target.
        from: Option<TilePos>,
        /// When it steps.
        walk: Walk,
    },
    /// A journey.
    Travel {
        /// Where it goes and how far it is; `None` as long as there is no target.
        trip: Option<Trip>,
        /// When it steps.
        walk: Walk,
    },
}

/// The clock of a walk on tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Walk {
    /// Frames until the next step is due; ≥ 1 between frames.
    pub due_in: u32,
}

/// How an agent begins a drive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Entry {
    pub state: DriveState,
    /// Must it first travel to its pattern?
    pub joining: bool,
}

impl DriveState {
    /// The row of its program that is carried out, of a pattern that has rows.
    pub fn row(&self) -> Option<usize> {
        match self {
            Self::Steps { at, .. } => Some(at.row as usize),
            Self::Thrust { at } => Some(at.leg as usize),
            _ => None,
        }
    }

    /// The beginning of a mode's drive, at the pattern of its list that is `pick`ed. `place` gives the
    /// tile of the pattern's anchor and the tile the agent is on.
    pub(crate) fn enter(
        mode: &Mode,
        pick: u16,
        map: &Map,
        place: impl Fn(Placement) -> (TilePos, TilePos),
    ) -> Entry {
        let walk = Walk { due_in: mode.pace };
        let Some(PatternUse { pattern, placement, .. }) = mode.drive.pattern(pick) else {
            let state = match mode.drive {
                Drive::Steer { .. } => Self::Steer(Memory::default()),
                Drive::Keys { on_tiles } => {
                    Self::Keys { walk: on_tiles.then_some(Walk { due_in: 1 }) }
                }
                Drive::Chase { .. } => Self::Chase { aim: None, walk },
                Drive::FleeTiles { .. } => Self::FleeTiles { from: None, walk },
                Drive::Travel { .. } => Self::Travel { trip: None, walk },
                Drive::Stand | Drive::Pattern { .. } | Drive::Patterns { .. } => Self::Stand,
            };
            return Entry { state, joining: false };
        };
        let (anchor, tile) = place(placement);
        let rank = pattern.rank_on(map, anchor, tile);
        match pattern.as_ref() {
            Pattern::Path(_) => {
                let at = PathState { index: rank.unwrap_or(0) as u32, back: false };
                Entry { state: Self::Path { at, walk }, joining: rank.is_none() }
            }
            Pattern::Matrix(_) => {
                let at = MatrixState::default();
                Entry { state: Self::Matrix { at, walk }, joining: rank.is_none() }
            }
            Pattern::Steps(steps) => {
                let at = steps.start(mode.pace);
                let walk = Walk { due_in: at.pace };
                Entry { state: Self::Steps { at, walk }, joining: false }
            }
            Pattern::Thrust(_) => {
                Entry { state: Self::Thrust { at: ThrustState::default() }, joining: false }
            }
        }
    }
}

impl DriveState {
    /// A walk on tiles waits some frames longer.
    pub(crate) fn postpone(&mut self, frames: u32) {
        if let Some(walk) = self.walk_mut() {
            walk.due_in += frames;
        }
    }

    /// The clock of a walk on tiles.
    pub(crate) fn walk_mut(&mut self) -> Option<&mut Walk> {
        match self {
            Self::Path { walk, .. }
            | Self::Matrix { walk, .. }
            | Self::Steps { walk, .. }
            | Self::Chase { walk, .. }
            | Self::FleeTiles { walk, .. }
            | Self::Travel { walk, .. } => Some(walk),
            Self::Keys { walk } => walk.as_mut(),
            Self::Stand | Self::Steer(_) | Self::Thrust { .. } => None,
        }
    }

    /// Frames until a walker on tiles may step; 1 for any other.
    pub(crate) fn due_in(mut self) -> u32 {
        self.walk_mut().map_or(1, |walk| walk.due_in)
    }
}

/// The direction a steps walker on tiles turns to at the start: the notch nearest its heading.
pub(crate) fn first_notch(pattern: &Pattern, heading: Vec2) -> Option<Notch> {
    match pattern {
        Pattern::Steps(steps) if steps.unit != Unit::Degrees => {
            Some(Notch::nearest(heading, steps.unit == Unit::RightAngles))
        }
        _ => None,
    }
}
