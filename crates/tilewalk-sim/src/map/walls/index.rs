//! The index of the walls near each tile.

use crate::geom::TilePos;
use crate::map::Map;

use super::{Segment, WallId};

/// Extra width of the searched rows and columns, in tiles. Without it, rounding could omit a tile.
const MARGIN: f64 = 1e-6;

/// An entry of the index: a tile, and a wall on this tile or on one of its eight neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Near {
    /// The tile, wrapped onto the map.
    pub tile: TilePos,
    pub wall: WallId,
    /// The tile before wrapping, in the coordinates of the wall.
    pub at: TilePos,
}

/// Lists the walls near each tile of a map, sorted by tile in reading order, then by wall.
pub(super) fn near(map: &Map, segments: &[Segment]) -> Vec<Near> {
    let mut near = Vec::new();
    for segment in segments {
        let (from, to) = (segment.from.y, segment.end().y);
        let rows = (from.min(to).floor() as i32 - 1)..=(from.max(to).floor() as i32 + 1);
        for y in rows {
            let (top, bottom) = (f64::from(y) - 1.0 - MARGIN, f64::from(y) + 2.0 + MARGIN);
            let Some((left, right)) = segment.columns_between(top, bottom) else { continue };
            let columns = (left - MARGIN).floor() as i32 - 1..=(right + MARGIN).floor() as i32 + 1;
            for x in columns {
                let at = TilePos::new(x, y);
                near.extend(map.resolve(at).map(|tile| Near { tile, wall: segment.id, at }));
            }
        }
    }
    near.sort_unstable();
    near
}
