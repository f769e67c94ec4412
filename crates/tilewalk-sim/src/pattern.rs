//! Movement patterns: data that is executed step by step (Bourg & Seemann, ch. 3).
//!
//! Each agent on a pattern has a small state. The pattern derives the next desired step from this
//! state. Tiles of path and matrix patterns are relative to an anchor. A [`Placement`] puts the
//! anchor on the map.

pub mod matrix;
pub mod path;
pub mod steps;
pub mod thrust;

use crate::geom::{TilePos, TileRect};
use crate::map::{Edges, Map};

pub use matrix::MatrixPattern;
pub use path::PathPattern;
pub use steps::StepsPattern;
pub use thrust::ThrustPattern;

/// Maximum number of tiles in a pattern.
pub const MAX_TILES: usize = 1_000_000;

/// A movement pattern: tiles to walk on, or commands to execute in order.
#[derive(Debug, Clone, PartialEq)]
pub enum Pattern {
    /// A patrol along tiles.
    Path(PathPattern),
    /// A random walk over allowed tiles.
    Matrix(MatrixPattern),
    /// Rows of turns and moves, executed in order.
    Steps(StepsPattern),
    /// Legs of thruster commands for a craft.
    Thrust(ThrustPattern),
}

impl Pattern {
    /// Returns the keyword for this kind of pattern in files and traces.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Path(_) => "path",
            Self::Matrix(_) => "matrix",
            Self::Steps(_) => "steps",
            Self::Thrust(_) => "thrust",
        }
    }

    /// Returns the text of the signal that an agent sends when a row or a leg of the pattern starts.
    /// Returns `None` if there is no such row, leg or signal.
    pub(crate) fn signal(&self, row: usize) -> Option<&str> {
        match self {
            Self::Path(_) | Self::Matrix(_) => None,
            Self::Steps(steps) => steps.rows.get(row)?.signal.as_deref(),
            Self::Thrust(thrust) => thrust.legs.get(row)?.signal.as_deref(),
        }
    }

    /// Iterates over the texts of the signals of all rows and legs.
    pub(crate) fn signals(&self) -> impl Iterator<Item = &str> {
        let (rows, legs) = match self {
            Self::Path(_) | Self::Matrix(_) => (&[][..], &[][..]),
            Self::Steps(steps) => (steps.rows.as_slice(), &[][..]),
            Self::Thrust(thrust) => (&[][..], thrust.legs.as_slice()),
        };
        let of_rows = rows.iter().filter_map(|row| row.signal.as_deref());
        of_rows.chain(legs.iter().filter_map(|leg| leg.signal.as_deref()))
    }

    /// Returns true if the pattern moves a body between tile centres.
    pub fn is_on_tiles(&self) -> bool {
        match self {
            Self::Path(_) | Self::Matrix(_) => true,
            Self::Steps(steps) => steps.unit != steps::Unit::Degrees,
            Self::Thrust(_) => false,
        }
    }

    /// Returns true if the pattern can end:
    ///
    /// - An open path ends at both of its ends.
    /// - A steps or thrust pattern ends after its last row or leg.
    /// - A matrix ends only if walkers stay at dead ends.
    pub fn ends(&self) -> bool {
        match self {
            Self::Path(path) => !path.is_closed(),
            Self::Matrix(matrix) => matrix.dead_end() == matrix::DeadEnd::Stay,
            Self::Steps(_) | Self::Thrust(_) => true,
        }
    }

    /// Returns the bounding rectangle of the tiles, relative to the anchor. For patterns without
    /// tiles, returns only the anchor's tile.
    pub fn bounds(&self) -> TileRect {
        match self {
            Self::Path(path) => path.bounds(),
            Self::Matrix(matrix) => matrix.bounds(),
            Self::Steps(_) | Self::Thrust(_) => {
                TileRect::new(TilePos::default(), TilePos::default())
            }
        }
    }

    /// Returns the tiles in pattern order, relative to the anchor. Empty for steps and thrust
    /// patterns.
    pub fn tiles(&self) -> &[TilePos] {
        match self {
            Self::Path(path) => path.tiles(),
            Self::Matrix(matrix) => matrix.tiles(),
            Self::Steps(_) | Self::Thrust(_) => &[],
        }
    }

    /// Returns the index of a map tile in pattern order. `anchor` is the map tile of the anchor.
    /// Returns `None` if the tile is not part of the pattern.
    ///
    /// On a torus, a pattern can extend across the edge any number of times. If several tiles of
    /// the pattern fall on the map tile, returns the lowest index.
    pub fn rank_on(&self, map: &Map, anchor: TilePos, tile: TilePos) -> Option<usize> {
        let rank = |tile: TilePos| match self {
            Self::Path(path) => path.rank(tile - anchor),
            Self::Matrix(matrix) => matrix.rank(tile - anchor),
            Self::Steps(_) | Self::Thrust(_) => None,
        };
        if map.edges() == Edges::Wall {
            return rank(tile);
        }
        let (bounds, here) = (self.bounds(), tile - anchor);
        let xs = images(here.x, map.width(), bounds.min.x, bounds.max.x);
        let at = |x| images(here.y, map.height(), bounds.min.y, bounds.max.y).map(move |y| (x, y));
        xs.flat_map(at).filter_map(|(x, y)| rank(anchor + TilePos::new(x, y))).min()
    }
}

/// Iterates over the numbers from `low` to `high` whose difference from `coordinate` is a multiple
/// of `around`.
fn images(coordinate: i32, around: u32, low: i32, high: i32) -> impl Iterator<Item = i32> {
    let around = around as i32;
    let first = low + (coordinate - low).rem_euclid(around);
    (first..=high).step_by(around as usize)
}

/// The rule for the position of a pattern's anchor on the map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Placement {
    /// The tile on which the agent started.
    #[default]
    Home,
    /// A fixed tile of the map.
    At(TilePos),
}

impl Placement {
    /// Returns the anchor's tile for an agent that started on `home`.
    pub fn anchor(self, home: TilePos) -> TilePos {
        match self {
            Self::Home => home,
            Self::At(tile) => tile,
        }
    }
}

/// A reason why a pattern cannot be built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// The pattern has more than [`MAX_TILES`] tiles.
    #[error("the pattern has more than {MAX_TILES} tiles")]
    TooManyTiles,
    /// The path never leaves its first tile, or the matrix has fewer than two tiles.
    #[error("the pattern needs at least two different tiles")]
    NowhereToGo,
}
