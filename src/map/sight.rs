//! Sight: may one point be seen from another?

use crate::geom::line::{self, LineKind};
use crate::geom::{TilePos, Vec2};

use super::Map;

impl Map {
    /// Does no opaque tile lie between two points, on the symmetric line of tiles from one to the
    /// other? The end tiles are left out. On a torus `to` may lie beyond the edge.
    pub fn is_clear(&self, from: Vec2, to: Vec2) -> bool {
        let (from, to) = (TilePos::containing(from), TilePos::containing(to));
        let line = line::tiles(LineKind::Symmetric, from, to);
        let between = line.iter().filter(|&&tile| tile != from && tile != to);
        !between.into_iter().any(|&tile| self.kind(tile).is_none_or(|kind| kind.opaque))
    }
}
