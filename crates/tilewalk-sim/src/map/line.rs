//! Symmetric lines of tiles, for visibility checks and line-of-sight chase.

use crate::geom::line::symmetric_tile;
use crate::geom::{Direction, TilePos};

use super::Map;

/// A straight line of tiles. On a torus, the shortest line between its ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    /// The first end, on the map. On a torus, the other end, `to`, can be outside the map.
    from: TilePos,
    to: TilePos,
}

impl Map {
    /// Returns the symmetric line between two tiles of the map. The line from A to B has the same
    /// tiles as the line from B to A.
    ///
    /// On a torus, both directions around it can be equally long. The line then leaves the end that
    /// is first in reading order towards increasing x (or y).
    pub fn line(&self, from: TilePos, to: TilePos) -> Line {
        let offset = if to < from {
            TilePos::default() - self.tile_offset(to, from)
        } else {
            self.tile_offset(from, to)
        };
        Line { from, to: from + offset }
    }
}

impl Line {
    /// Returns the number of steps between the ends. The number of tiles is one higher.
    pub fn len(self) -> u32 {
        self.from.king_distance(self.to).unsigned_abs()
    }

    /// Returns true if both ends are the same tile.
    pub fn is_empty(self) -> bool {
        self.from == self.to
    }

    /// Returns the tile after `step` steps. Returns the end if the line has fewer steps. On a
    /// torus, the tile may be outside the map.
    pub fn tile(self, step: u32) -> TilePos {
        symmetric_tile(self.from, self.to, step)
    }

    /// Returns the direction of step number `step`, counted from 0. Returns `None` if the line has
    /// fewer steps.
    pub fn direction(self, step: u32) -> Option<Direction> {
        Direction::of_step(self.tile(step.saturating_add(1)) - self.tile(step))
    }

    /// Iterates over all tiles from the start to the end, including both. On a torus, tiles may be
    /// outside the map.
    pub fn tiles(self) -> impl Iterator<Item = TilePos> {
        (0..=self.len()).map(move |step| self.tile(step))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Edges;
    use super::super::tests::drawn;
    use super::*;

    #[test]
    fn line_is_the_same_in_both_directions() {
        for (rows, edges) in [(6, Edges::Wrap), (5, Edges::Wrap), (6, Edges::Wall)] {
            let map = drawn(&vec!["......"; rows], edges);
            let all: Vec<_> = map.tiles().iter().map(|(tile, _)| tile).collect();
            for (&a, &b) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))) {
                let on_map = |from, to| -> Vec<_> {
                    map.line(from, to).tiles().map(|tile| map.resolve(tile)).collect()
                };
                let mut back = on_map(b, a);
                back.reverse();
                assert_eq!(on_map(a, b), back, "{a} to {b}");
                assert!(map.line(a, b).len() <= 5, "not the shortest line");
                assert_eq!(back.last(), Some(&Some(b)));
            }
        }
    }

    #[test]
    fn direction_is_none_at_the_end() {
        let map = drawn(&["......", "......"], Edges::Wrap);
        let line = map.line(TilePos::new(0, 0), TilePos::new(5, 1));
        assert_eq!((line.len(), line.direction(0).is_some(), line.direction(1)), (1, true, None));
        assert!(map.line(TilePos::new(2, 1), TilePos::new(2, 1)).is_empty());
    }
}
