//! Rung 3: movement patterns, written down once and carried out step by step (Bourg & Seemann,
//! ch. 3).
//!
//! A pattern is data with a small state per walker; it says which step it wants next and never
//! moves anybody. Tiles of path and matrix patterns are relative to an anchor, which a
//! [`Placement`] puts on the map.

pub mod matrix;
pub mod path;
pub mod steps;

use crate::geom::TilePos;

pub use matrix::MatrixPattern;
pub use path::PathPattern;
pub use steps::StepsPattern;

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
}

impl Pattern {
    /// The word for its kind in files and traces.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Path(_) => "path",
            Self::Matrix(_) => "matrix",
            Self::Steps(_) => "steps",
        }
    }

    /// The rank of a tile (relative to the anchor) in the pattern's own order, if it belongs to it.
    pub fn rank(&self, tile: TilePos) -> Option<usize> {
        match self {
            Self::Path(path) => path.tiles().iter().position(|&each| each == tile),
            Self::Matrix(matrix) => matrix.rank(tile),
            Self::Steps(_) => None,
        }
    }
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
    #[error("the pattern has nowhere to go: it needs two different tiles at least")]
    NowhereToGo,
}
