//! The straight line of tiles between two tiles, the same from both ends: what is seen along, and
//! what is chased along.

use crate::geom::line::symmetric_tile;
use crate::geom::{Notch, TilePos};

use super::Map;

/// A straight line of tiles, the short way round on a torus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    /// Its ends, the far one beyond the edge of the map where that is the short way.
    from: TilePos,
    to: TilePos,
}

impl Map {
    /// The symmetric line between two tiles of the map.
    ///
    /// From A to B it has the tiles of the line from B to A: its ends are ordered by (y, x) before
    /// it is drawn, and exactly half-way round a torus it goes the way x (and y) grows from the
    /// first of them.
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
    /// Steps from end to end.
    pub fn len(self) -> u32 {
        self.from.king_distance(self.to).unsigned_abs()
    }

    /// Are its ends one tile?
    pub fn is_empty(self) -> bool {
        self.from == self.to
    }

    /// The tile so many steps from its beginning, which on a torus may lie beyond the edge.
    pub fn tile(self, step: u32) -> TilePos {
        symmetric_tile(self.from, self.to, step)
    }

    /// The direction of a step, counted from 0; `None` beyond the end.
    pub fn way(self, step: u32) -> Option<Notch> {
        Notch::of_step(self.tile(step.saturating_add(1)) - self.tile(step))
    }

    /// All its tiles, both ends included.
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
    fn the_line_between_any_two_tiles_of_a_torus_is_the_same_both_ways() {
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
                assert!(map.line(a, b).len() <= 5, "the short way");
                assert_eq!(back.last(), Some(&Some(b)));
            }
        }
    }

    #[test]
    fn a_step_has_a_direction_and_the_end_has_none() {
        let map = drawn(&["......", "......"], Edges::Wrap);
        let line = map.line(TilePos::new(0, 0), TilePos::new(5, 1));
        assert_eq!((line.len(), line.way(0).is_some(), line.way(1)), (1, true, None));
        assert!(map.line(TilePos::new(2, 1), TilePos::new(2, 1)).is_empty());
    }
}
