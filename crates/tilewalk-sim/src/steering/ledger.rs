//! The force ledger: what each behaviour proposed and what became of it.
//!
//! Steering reports to a [`Probe`]. In a running world that is [`Silent`], and the reports are not
//! even built; to explain a frame the same code runs with a [`Ledger`].

use crate::geom::Vec2;
use crate::id::AgentId;
use crate::map::Obstacle;

use super::Wish;

/// Listens to steering.
pub(crate) trait Probe {
    /// Does anybody listen? For what takes a search to tell.
    fn listens(&self) -> bool;

    /// Something was looked at; built only if somebody listens.
    fn note(&mut self, note: impl FnOnce() -> Note);

    /// A behaviour was settled; built only if somebody listens.
    fn row(&mut self, row: impl FnOnce() -> LedgerRow);
}

/// Listens to nothing, at no cost.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Silent;

impl Probe for Silent {
    fn listens(&self) -> bool {
        false
    }

    fn note(&mut self, _: impl FnOnce() -> Note) {}
    fn row(&mut self, _: impl FnOnce() -> LedgerRow) {}
}

/// What a behaviour looked at; positions in tiles, not wrapped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Note {
    /// The point it is about.
    Target(Vec2),
    /// Where something is expected to be in a while.
    Predicted(Vec2),
    /// The unit vector it would face.
    Facing(Vec2),
    /// A place to hide at.
    HidingSpot {
        /// Where.
        at: Vec2,
        /// Is it the one that is taken?
        chosen: bool,
    },
    /// A piece of a path.
    Segment {
        /// Where it begins.
        from: Vec2,
        /// Where it ends.
        to: Vec2,
    },
    /// The point of a path it goes to.
    Waypoint(Vec2),
    /// The region in which neighbours count: all round, or a cone.
    Neighbourhood {
        /// Radius, in tiles.
        radius: f32,
        /// The whole angle of the cone about the heading, in radians; `None` all round.
        angle: Option<f32>,
    },
    /// One who counts as a neighbour.
    Neighbour(AgentId),
    /// A feeler, and where it hit.
    Feeler {
        /// Its root.
        from: Vec2,
        /// Its tip.
        to: Vec2,
        /// Where it met something.
        hit: Option<Vec2>,
    },
    /// The box in which obstacles are looked for.
    DetectionBox {
        /// Middle of its near end: the agent.
        from: Vec2,
        /// Middle of its far end.
        to: Vec2,
        /// From the middle to either side, in tiles.
        half_width: f32,
        /// The obstacle that is avoided.
        hit: Option<Obstacle>,
    },
    /// The circle of wander and the point on it.
    WanderCircle {
        /// Middle of the circle.
        centre: Vec2,
        /// Radius, in tiles.
        radius: f32,
        /// The point the agent is pulled to.
        point: Vec2,
    },
}

/// What became of a behaviour's wish.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RowState {
    /// Taken whole.
    Accepted,
    /// Shortened to the room that was left.
    Cut,
    /// Nothing was left for it.
    NoRoom,
    /// It proposed nothing.
    Zero,
    /// Its die fell too high.
    DitheredOut {
        /// The die, in [0, 1).
        die: f32,
        /// What it had to fall below.
        probability: f32,
    },
    /// It is switched off.
    Disabled,
}

impl RowState {
    /// The words for it on the screen.
    pub fn words(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Cut => "cut",
            Self::NoRoom => "no room",
            Self::Zero => "zero",
            Self::DitheredOut { .. } => "dithered out",
            Self::Disabled => "disabled",
        }
    }
}

/// The word of a last row that tells that a sum was truncated.
pub const LIMIT: &str = "limit";

/// One behaviour in the ledger.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LedgerRow {
    /// Its word.
    pub behaviour: &'static str,
    /// What it proposed; zero if it wasn't asked.
    pub raw: Wish,
    /// The factor on it: its weight; when dithered, weight / probability.
    pub weight: f32,
    /// What was taken of it.
    pub accepted: Wish,
    /// What became of it.
    pub state: RowState,
    /// The sum of all that was taken so far.
    pub total: Wish,
}

/// A probe that writes everything down.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Ledger {
    /// A row for every behaviour of the list, in its order.
    pub rows: Vec<LedgerRow>,
    /// What was looked at, each with the index of its behaviour.
    pub notes: Vec<(usize, Note)>,
}

impl Probe for Ledger {
    fn listens(&self) -> bool {
        true
    }

    fn note(&mut self, note: impl FnOnce() -> Note) {
        self.notes.push((self.rows.len(), note()));
    }

    fn row(&mut self, row: impl FnOnce() -> LedgerRow) {
        self.rows.push(row());
    }
}
