//! Finds the tiles with obstacles around a tile, which can be the cover of an agent that hides.

use crate::geom::TilePos;
use crate::grid::Grid;

use super::ground::Ground;
use super::{Edges, Map};

/// Width and height of a block, in tiles. A row of a block has one bit per tile.
const BLOCK: i32 = 16;

/// Most tiles that a search sorts. Among more tiles, a search ring by ring finds the nearest one sooner.
const FEW: usize = 32;

/// The tiles with obstacles: one bit per tile. The bits of a block are next to each other, so a search
/// reads only a few bytes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ObstacleTiles(Grid<[u16; BLOCK as usize]>);

impl ObstacleTiles {
    pub(super) fn new(ground: &Grid<Ground>) -> Self {
        let count = |tiles: u32| tiles.div_ceil(BLOCK as u32);
        let mut blocks = Grid::filled(count(ground.width()), count(ground.height()), [0; 16]);
        for (tile, _) in ground.iter().filter(|(_, flags)| flags.has(Ground::OBSTACLE)) {
            if let Some(rows) = blocks.get_mut(TilePos::new(tile.x / BLOCK, tile.y / BLOCK)) {
                rows[(tile.y % BLOCK) as usize] |= 1 << (tile.x % BLOCK);
            }
        }
        Self(blocks)
    }
}

/// A few tiles, in the order of a search.
pub(crate) struct FewTiles {
    tiles: [TilePos; FEW],
    count: usize,
}

impl FewTiles {
    pub(crate) fn tiles(&self) -> &[TilePos] {
        &self.tiles[..self.count]
    }

    /// Adds a tile. Returns `None` if there are too many.
    fn add(&mut self, tile: TilePos) -> Option<()> {
        *self.tiles.get_mut(self.count)? = tile;
        self.count += 1;
        Some(())
    }
}

impl Map {
    /// Returns the tiles with obstacles at a Chebyshev distance of at most `reach`: the nearest ones
    /// first, and those at the same distance in reading order. Returns `None` if there are more than
    /// a few tiles, or if the map wraps around.
    pub(crate) fn few_obstacle_tiles(&self, here: TilePos, reach: i32) -> Option<FewTiles> {
        if self.edges == Edges::Wrap {
            return None;
        }
        let mut few = FewTiles { tiles: [here; FEW], count: 0 };
        let span = |centre: i32| (centre - reach).max(0) / BLOCK..=(centre + reach) / BLOCK;
        for y in span(here.y) {
            for x in span(here.x) {
                let Some(rows) = self.obstacle_tiles.0.get(TilePos::new(x, y)) else { break };
                if *rows == [0; BLOCK as usize] {
                    continue;
                }
                for (row, &bits) in (y * BLOCK..).zip(rows) {
                    let mut bits = bits;
                    while bits != 0 {
                        let tile = TilePos::new(x * BLOCK + bits.trailing_zeros() as i32, row);
                        if tile.king_distance(here) <= reach {
                            few.add(tile)?;
                        }
                        bits &= bits - 1;
                    }
                }
            }
        }
        let count = few.count;
        few.tiles[..count].sort_unstable_by_key(|&tile| (tile.king_distance(here), tile));
        Some(few)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn few_tiles_are_those_of_the_rings(
            trees in prop::collection::btree_set((0_usize..40, 0_usize..50), 0..40),
            (x, y, reach) in (0..40, 0..50, 0..60),
        ) {
            let mut rows = vec![vec![b'.'; 40]; 50];
            for &(x, y) in &trees {
                rows[y][x] = b'T';
            }
            let rows: Vec<_> = rows.iter().map(|row| str::from_utf8(row).unwrap()).collect();
            let map = Map::drawn(&rows, Edges::Wall).unwrap();
            let here = TilePos::new(x, y);
            let rings = (0..=reach).flat_map(|ring| here.ring(ring));
            let expected: Vec<_> = rings.filter(|&tile| map.has_obstacle(tile)).collect();
            match map.few_obstacle_tiles(here, reach) {
                Some(few) => prop_assert_eq!(few.tiles(), &expected[..]),
                None => prop_assert!(expected.len() > FEW),
            }
        }
    }
}
