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
use crate::map::{Edges, Map};

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

    /// The rank of a tile of the map in the pattern's own order, if it belongs to the pattern when
    /// its anchor stands on `anchor`.
    ///
    /// On a torus a pattern may reach over the edge, by less than the map's size.
    pub fn rank_on(&self, map: &Map, anchor: TilePos, tile: TilePos) -> Option<usize> {
        let rank = |tile: TilePos| match self {
            Self::Path(path) => path.rank(tile - anchor),
            Self::Matrix(matrix) => matrix.rank(tile - anchor),
            Self::Steps(_) => None,
        };
        if map.edges() == Edges::Wall {
            return rank(tile);
        }
        let images = |size: u32| [0, -(size as i32), size as i32];
        let rounds = images(map.height())
            .into_iter()
            .flat_map(|y| images(map.width()).into_iter().map(move |x| TilePos::new(x, y)));
        rounds.filter_map(|round| rank(tile + round)).min()
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
