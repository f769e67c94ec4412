//! The state of a drive with its initial value, the flags of an agent, and the progress of a chase
//! or a route on tiles.
//!
//! The progress is the start, the target, and the number of steps taken. The tiles in between are
//! not stored. The line of a chase depends only on its ends (`Map::line`) and is also the line of
//! sight. A* computes a route from its ends and from the neighbouring tiles that were occupied at
//! planning time. A restored frame therefore continues with the same lines and routes.

use crate::agent::{Drive, Mode, Placed};
use crate::geom::{Direction, TilePos, Vec2};
use crate::map::Map;
use crate::pattern::matrix::MatrixState;
use crate::pattern::path::PathState;
use crate::pattern::steps::{StepsState, Unit};
use crate::pattern::thrust::ThrustState;
use crate::pattern::{Pattern, Placement};
use crate::steering::Memory;

/// The values that an agent's current drive remembers between frames.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum DriveState {
    /// The drive does not move the agent, so there is nothing to remember.
    Stand,
    /// The state of an agent that steers: values that its behaviours remember.
    Steer(Memory),
    /// The state of an agent that follows a path pattern.
    Path {
        /// Progress along the path.
        at: PathState,
        /// Frames until the next step along the path.
        timer: StepTimer,
    },
    /// The state of an agent that walks on a matrix pattern.
    Matrix {
        /// Direction of the agent's previous step on the pattern.
        at: MatrixState,
        /// Frames until the next step on the matrix.
        timer: StepTimer,
    },
    /// The state of an agent that runs a steps pattern.
    Steps {
        /// Current row of the pattern, and the progress in that row.
        at: StepsState,
        /// Frames until the next step of the pattern.
        timer: StepTimer,
    },
    /// The state of an agent that runs a thrust pattern.
    Thrust {
        /// Current leg of the pattern, and the progress in that leg.
        at: ThrustState,
    },
    /// The state of a drive that only accepts manual control.
    Keys {
        /// Frames until the agent can take a step on tiles. `None` for a vehicle.
        timer: Option<StepTimer>,
    },
    /// The state of an agent that chases a target on tiles.
    Chase {
        /// Straight line of tiles to the target. `None` without a target.
        aim: Option<ChaseLine>,
        /// Frames until the next step towards the target.
        timer: StepTimer,
    },
    /// The state of an agent that flees on tiles.
    FleeTiles {
        /// Tile of the target that the agent flees from. `None` without a target.
        from: Option<TilePos>,
        /// Frames until the next step away from the target.
        timer: StepTimer,
    },
    /// The state of an agent that follows a route to a target.
    Travel {
        /// The route and the progress along the route. `None` without a target.
        progress: Option<RouteProgress>,
        /// Frames until the next step along the route.
        timer: StepTimer,
    },
}

/// A countdown to the next step of an agent that moves on tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StepTimer {
    /// Number of frames until the next step is due. At least 1 at the end of a frame.
    pub due_in: u32,
}

/// The initial state of a drive when an agent enters a mode.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct InitialState {
    pub state: DriveState,
    /// Whether the agent must first walk to its pattern.
    pub joining: bool,
}

impl DriveState {
    /// Returns the index of the current row of a steps pattern, or of the current leg of a thrust
    /// pattern. Returns `None` for other drives.
    pub fn row(&self) -> Option<usize> {
        match self {
            Self::Steps { at, .. } => Some(at.row as usize),
            Self::Thrust { at } => Some(at.leg as usize),
            Self::Stand
            | Self::Steer(_)
            | Self::Path { .. }
            | Self::Matrix { .. }
            | Self::Keys { .. }
            | Self::Chase { .. }
            | Self::FleeTiles { .. }
            | Self::Travel { .. } => None,
        }
    }

    /// Returns the initial state of the drive of a mode.
    ///
    /// `pick` is the index of the pattern in the mode's list. `place` returns the anchor tile of
    /// the pattern and the agent's tile, in this order.
    pub(crate) fn enter(
        mode: &Mode,
        pick: u16,
        map: &Map,
        place: impl Fn(Placement) -> (TilePos, TilePos),
    ) -> InitialState {
        let timer = StepTimer { due_in: mode.pace };
        let Some(Placed { pattern, placement, .. }) = mode.drive.pattern(pick) else {
            let state = match mode.drive {
                Drive::Steer { .. } => Self::Steer(Memory::default()),
                Drive::Keys { on_tiles } => {
                    Self::Keys { timer: on_tiles.then_some(StepTimer { due_in: 1 }) }
                }
                Drive::Chase { .. } => Self::Chase { aim: None, timer },
                Drive::FleeTiles { .. } => Self::FleeTiles { from: None, timer },
                Drive::Travel { .. } => Self::Travel { progress: None, timer },
                Drive::Stand | Drive::Pattern(_) | Drive::Patterns { .. } => Self::Stand,
            };
            return InitialState { state, joining: false };
        };
        let (anchor, tile) = place(*placement);
        let rank = pattern.rank_on(map, anchor, tile);
        match pattern.as_ref() {
            Pattern::Path(_) => {
                let at = PathState { index: rank.unwrap_or(0) as u32, back: false };
                InitialState { state: Self::Path { at, timer }, joining: rank.is_none() }
            }
            Pattern::Matrix(_) => {
                let at = MatrixState::default();
                InitialState { state: Self::Matrix { at, timer }, joining: rank.is_none() }
            }
            Pattern::Steps(steps) => {
                let at = steps.start(mode.pace);
                let timer = StepTimer { due_in: at.pace };
                InitialState { state: Self::Steps { at, timer }, joining: false }
            }
            Pattern::Thrust(_) => {
                InitialState { state: Self::Thrust { at: ThrustState::default() }, joining: false }
            }
        }
    }
}

impl DriveState {
    /// Delays the next step on tiles by a number of frames. Has no effect on drives without a step
    /// timer.
    pub(crate) fn postpone(&mut self, frames: u32) {
        if let Some(timer) = self.timer_mut() {
            timer.due_in += frames;
        }
    }

    pub(crate) fn timer_mut(&mut self) -> Option<&mut StepTimer> {
        match self {
            Self::Path { timer, .. }
            | Self::Matrix { timer, .. }
            | Self::Steps { timer, .. }
            | Self::Chase { timer, .. }
            | Self::FleeTiles { timer, .. }
            | Self::Travel { timer, .. } => Some(timer),
            Self::Keys { timer } => timer.as_mut(),
            Self::Stand | Self::Steer(_) | Self::Thrust { .. } => None,
        }
    }

    /// Returns the number of frames until the next step on tiles. Returns 1 if the drive has no
    /// step timer.
    pub(crate) fn due_in(mut self) -> u32 {
        self.timer_mut().map_or(1, |timer| timer.due_in)
    }
}

/// Returns the initial direction of a steps pattern on tiles. This is the direction nearest to the
/// heading. Returns `None` for other patterns.
pub(crate) fn first_direction(pattern: &Pattern, heading: Vec2) -> Option<Direction> {
    let Pattern::Steps(steps) = pattern else { return None };
    (steps.unit != Unit::Degrees)
        .then(|| Direction::nearest(heading, steps.unit == Unit::RightAngles))
}

/// A set of an agent's status flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flags(u16);

impl Flags {
    /// The agent is blocked: it could not take its last step on tiles, or has no route.
    pub const BLOCKED: Self = Self(1);
    /// The agent has arrived at its travel target.
    pub const ARRIVED: Self = Self(1 << 1);
    /// The pattern of the mode has ended. Never set for a list of patterns, which starts over.
    pub const FINISHED: Self = Self(1 << 2);
    /// The agent is returning to its pattern.
    pub const JOINING: Self = Self(1 << 3);
    /// The agent's body touches a solid tile, an obstacle or a wall.
    pub(crate) const COLLIDED: Self = Self(1 << 4);
    /// The agent wants to move, but has made no headway for 3 s, and does not merely wait.
    pub const STUCK: Self = Self(1 << 5);
    /// A value was not finite, so the NaN guard froze the agent in its last valid state.
    pub const QUARANTINED: Self = Self(1 << 6);
    /// The agent's solid body met another solid body. Without the contact, the bodies would
    /// overlap.
    pub const IN_CONTACT: Self = Self(1 << 7);

    /// The agent moves back and forth without headway, or its direction of motion jitters.
    pub const OSCILLATING: Self = Self(1 << 8);
    /// The agent is stuck in a cycle in which each agent is held by the next one.
    pub const DEADLOCKED: Self = Self(1 << 9);

    /// The vehicle is solid, and was at its place when its intent was last checked. It has made no
    /// headway since then.
    pub(crate) const AT_PLACE: Self = Self(1 << 10);

    /// The flags shown to the user and their words, in display order.
    pub const WORDS: [(Self, &'static str); 9] = [
        (Self::QUARANTINED, "quarantined"),
        (Self::STUCK, "stuck"),
        (Self::BLOCKED, "blocked"),
        (Self::COLLIDED, "collided"),
        (Self::JOINING, "joining"),
        (Self::ARRIVED, "arrived"),
        (Self::FINISHED, "finished"),
        (Self::OSCILLATING, "oscillating"),
        (Self::DEADLOCKED, "deadlocked"),
    ];

    /// Returns true if all of `flags` are set.
    pub fn has(self, flags: Self) -> bool {
        self.0 & flags.0 == flags.0
    }

    /// Sets or clears `flags`.
    pub(crate) fn set(&mut self, flags: Self, on: bool) {
        if on {
            self.0 |= flags.0;
        } else {
            self.0 &= !flags.0;
        }
    }

    /// Iterates over the words of the flags that are set, in display order.
    pub fn words(self) -> impl Iterator<Item = &'static str> {
        Self::WORDS.into_iter().filter(move |&(flag, _)| self.has(flag)).map(|(_, word)| word)
    }

    /// Returns the set as a number with one bit per flag, for the state hash.
    pub(crate) fn bits(self) -> u16 {
        self.0
    }
}

#[cfg(test)]
mod flags_tests {
    use super::*;

    #[test]
    fn setting_a_flag_keeps_the_others() {
        let mut flags = Flags::default();
        flags.set(Flags::BLOCKED, true);
        flags.set(Flags::JOINING, true);
        flags.set(Flags::BLOCKED, false);
        assert!(flags.has(Flags::JOINING) && !flags.has(Flags::BLOCKED));
        assert_eq!(flags.words().collect::<Vec<_>>(), ["joining"]);
    }
}

/// The straight line of tiles on which an agent chases a target, and the progress along the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ChaseLine {
    /// The tile on which the agent planned the line.
    pub from: TilePos,
    /// The target's tile when the line was planned.
    pub to: TilePos,
    /// Number of steps taken along the line so far.
    pub done: u32,
}

/// The cheapest route between two tiles, and the agent's progress along the route.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RouteProgress {
    /// The tile on which the agent planned the route.
    pub from: TilePos,
    /// The target's tile when the route was planned.
    pub to: TilePos,
    /// The tile that the agent last reached on the route. If the agent is on another tile, it was
    /// moved and must plan a new route.
    pub at: TilePos,
    /// Whether the target is known to stay on `to`. True if the target is fixed, or if it was
    /// already on `to` in the previous frame. An agent that closely follows a moving target reaches
    /// the tile that the target has just left. This is not an arrival.
    pub stands: bool,
    /// Neighbours of `from` that solid agents occupied when the route was planned, one bit per
    /// direction. Bit 0 is east, and the other bits follow clockwise. The route avoids these tiles.
    pub held: u8,
    /// Number of steps taken along the route so far.
    pub done: u32,
}
