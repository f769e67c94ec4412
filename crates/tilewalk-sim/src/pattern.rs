//! Movement patterns, written down once and carried out step by step (Bourg & Seemann,
//! ch. 3).
//!
//! A pattern is data with a small state per walker; it says which step it wants next and never
//! moves anybody. Tiles of path and matrix patterns are relative to an anchor, which a
//! [`Placement`] puts on the map.

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

/// The most tiles one pattern may have.
pub const MAX_TILES: usize = 1_000_000;

/// A pattern of any kind.
#[derive(Debug, Clone, PartialEq)]
pub enum Pattern {
    /// A tile patrol.
    Path(PathPattern),
    /// A random walk over allowed tiles.
    Matrix(MatrixPattern),
    /// Control rows.
    Steps(StepsPattern),
    /// Control rows of a craft.
    Thrust(ThrustPattern),
}

impl Pattern {
    /// The word for its kind in files and traces.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Path(_) => "path",
            Self::Matrix(_) => "matrix",
            Self::Steps(_) => "steps",
            Self::Thrust(_) => "thrust",
        }
    }

    /// Does it move a body from tile centre to tile centre?
    pub fn is_on_tiles(&self) -> bool {
        match self {
            Self::Path(_) | Self::Matrix(_) => true,
            Self::Steps(steps) => steps.unit != steps::Unit::Degrees,
            Self::Thrust(_) => false,
        }
    }

    /// Does it end, when others are to follow it? An open path does at either end, a program of
    /// steps or thrust after its last row or leg; a matrix only where its dead ends hold who comes there.
    pub fn ends(&self) -> bool {
        match self {
            Self::Path(path) => !path.is_closed(),
            Self::Matrix(matrix) => matrix.dead_end() == matrix::DeadEnd::Stay,
            Self::Steps(_) | Self::Thrust(_) => true,
        }
    }

    /// The rectangle that holds all tiles, relative to the anchor; without tiles, the anchor's.
    pub fn bounds(&self) -> TileRect {
        match self {
            Self::Path(path) => path.bounds(),
            Self::Matrix(matrix) => matrix.bounds(),
            Self::Steps(_) | Self::Thrust(_) => {
                TileRect::new(TilePos::default(), TilePos::default())
            }
        }
    }

    /// The tiles in the pattern's own order, relative to the anchor; none of steps and thrust.
    pub fn tiles(&self) -> &[TilePos] {
        match self {
            Self::Path(path) => path.tiles(),
            Self::Matrix(matrix) => matrix.tiles(),
            Self::Steps(_) | Self::Thrust(_) => &[],
        }
    }

    /// The rank of a tile of the map in the pattern's own order, if it belongs to the pattern when
    /// its anchor stands on `anchor`.
    ///
    /// On a torus a pattern may reach over the edge, as far as it likes.
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
        let columns = images(here.x, map.width(), bounds.min.x, bounds.max.x);
        let at = |x| images(here.y, map.height(), bounds.min.y, bounds.max.y).map(move |y| (x, y));
        columns.flat_map(at).filter_map(|(x, y)| rank(anchor + TilePos::new(x, y))).min()
    }
}

/// All numbers from `low` to `high` that are `coordinate` or whole turns of `around` away from it.
fn images(coordinate: i32, around: u32, low: i32, high: i32) -> impl Iterator<Item = i32> {
    let around = around as i32;
    let first = low + (coordinate - low).rem_euclid(around);
    (first..=high).step_by(around as usize)
}

/// Where a pattern's anchor stands on the map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Placement {
    /// On the tile where the agent started.
    #[default]
    Home,
    /// On this tile.
    At(TilePos),
}

impl Placement {
    /// The tile of the anchor, for an agent that started on `home`.
    pub fn anchor(self, home: TilePos) -> TilePos {
        match self {
            Self::Home => home,
            Self::At(tile) => tile,
        }
    }
}

/// Why the tiles of a pattern can't be built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// More than [`MAX_TILES`].
    #[error("the pattern has more than {MAX_TILES} tiles")]
    TooManyTiles,
    /// A path that never leaves its first tile, or a matrix without tiles.
    #[error("the pattern needs at least two different tiles")]
    NowhereToGo,
}
