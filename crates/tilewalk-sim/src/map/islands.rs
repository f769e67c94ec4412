//! Islands: which tiles can be walked to from which, as far as the ground goes.
//!
//! Made once, when somebody first looks far for a way: so that nobody looks all over a huge map for
//! a way to where none leads.

use crate::geom::{Notch, TilePos};
use crate::grid::Grid;

use super::Map;

/// The island every tile belongs to.
#[derive(Debug, Clone)]
pub struct Islands(Grid<u32>);

/// What can't be entered belongs to none.
const NONE: u32 = 0;

impl Islands {
    /// Finds the islands of a map: flooded one after the other, in reading order.
    pub fn of(map: &Map) -> Self {
        let mut islands = Self(Grid::filled(map.width(), map.height(), NONE));
        let mut shore = Vec::new();
        let mut count = NONE;
        for (tile, _) in map.tiles().iter() {
            if map.is_open(tile) && islands.at(tile) == NONE {
                count += 1;
                islands.claim(tile, count, &mut shore);
                while let Some(tile) = shore.pop() {
                    for way in map.open_ways(tile) {
                        if let Some(next) = map.resolve(tile.neighbour(way)) {
                            islands.claim(next, count, &mut shore);
                        }
                    }
                }
            }
        }
        islands
    }

    /// Does a way lead from one tile to another? From a closed tile, one over any neighbour.
    pub(crate) fn connect(&self, map: &Map, from: TilePos, to: TilePos) -> bool {
        let to = self.at(to);
        let shares = |tile: TilePos| map.resolve(tile).is_some_and(|tile| self.at(tile) == to);
        let mut beside = Notch::ALL.into_iter().map(|way| from.neighbour(way));
        to != NONE && (shares(from) || !map.is_open(from) && beside.any(shares))
    }

    fn at(&self, tile: TilePos) -> u32 {
        self.0.get(tile).copied().unwrap_or(NONE)
    }

    fn claim(&mut self, tile: TilePos, island: u32, shore: &mut Vec<TilePos>) {
        if let Some(slot) = self.0.get_mut(tile).filter(|slot| **slot == NONE) {
            *slot = island;
            shore.push(tile);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Edges;
    use super::super::tests::drawn;
    use super::*;

    #[test]
    fn walls_and_corners_part_islands() {
        let map = drawn(&["..#..", "..##.", "##...", "....."], Edges::Wall);
        let islands = Islands::of(&map);
        let connect = |a: (i32, i32), b: (i32, i32)| {
            islands.connect(&map, TilePos::new(a.0, a.1), TilePos::new(b.0, b.1))
        };
        assert!(connect((0, 0), (1, 1)) && connect((3, 0), (0, 3)));
        assert!(!connect((1, 1), (2, 2)), "only past two corners");
        assert!(!connect((0, 0), (2, 0)) && !connect((2, 0), (9, 9)), "a wall is on no island");
        assert!(connect((2, 0), (4, 0)), "a body on a closed tile may leave it");
    }
}
