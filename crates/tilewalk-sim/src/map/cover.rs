//! Finds the tiles with obstacles around a tile, which can be the cover of an agent that hides.

use crate::geom::TilePos;
use crate::grid::Grid;

use super::ground::Ground;
use super::{Edges, Map};

/// Width and height of a block. A row of a block has one bit per tile, or per block.
const BLOCK: i32 = 16;

/// One bit per position, in blocks.
type Bits = Grid<[u16; BLOCK as usize]>;

/// Most tiles that a search sorts. Among more tiles, a search ring by ring finds the nearest one sooner.
const FEW: usize = 32;

/// The tiles with obstacles. A search reads only a few bytes: the blocks that have an obstacle, and the tiles
/// of these blocks.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ObstacleTiles {
    tiles: Bits,
    /// The blocks of `tiles` that are not empty.
    blocks: Bits,
}

impl ObstacleTiles {
    pub(super) fn new(ground: &Grid<Ground>) -> Self {
        let obstacles = ground.iter().filter(|(_, flags)| flags.has(Ground::OBSTACLE));
        let tiles = bits(ground.width(), ground.height(), obstacles.map(|(tile, _)| tile));
        let used = tiles.iter().filter(|(_, rows)| **rows != [0; BLOCK as usize]);
        let blocks = bits(tiles.width(), tiles.height(), used.map(|(block, _)| block));
        Self { tiles, blocks }
    }
}

fn bits(width: u32, height: u32, positions: impl Iterator<Item = TilePos>) -> Bits {
    let count = |positions: u32| positions.div_ceil(BLOCK as u32);
    let mut bits = Grid::filled(count(width), count(height), [0; BLOCK as usize]);
    for TilePos { x, y } in positions {
        if let Some(rows) = bits.get_mut(TilePos::new(x / BLOCK, y / BLOCK)) {
            rows[(y % BLOCK) as usize] |= 1 << (x % BLOCK);
        }
    }
    bits
}

/// Calls `visit` with the positions in a rectangle that are set. The corners `low` and `high` belong to the
/// rectangle; no coordinate is negative. Ends if `visit` returns `None`.
#[inline]
fn visit_set(
    bits: &Bits,
    low: TilePos,
    high: TilePos,
    mut visit: impl FnMut(TilePos) -> Option<()>,
) -> Option<()> {
    for y in low.y / BLOCK..=high.y / BLOCK {
        for x in low.x / BLOCK..=high.x / BLOCK {
            let Some(rows) = bits.get(TilePos::new(x, y)) else { break };
            let corner = TilePos::new(x * BLOCK, y * BLOCK);
            let (first, last) = (low - corner, high - corner);
            let columns =
                (u16::MAX << first.x.max(0)) & (u16::MAX >> (BLOCK - 1 - last.x.min(BLOCK - 1)));
            let inside = first.y.max(0)..last.y.min(BLOCK - 1) + 1;
            for (row, set) in inside.clone().zip(&rows[inside.start as usize..inside.end as usize])
            {
                let mut set = set & columns;
                while set != 0 {
                    visit(corner + TilePos::new(set.trailing_zeros() as i32, row))?;
                    set &= set - 1;
                }
            }
        }
    }
    Some(())
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
        let ObstacleTiles { tiles, blocks } = &self.obstacle_tiles;
        let low = TilePos::new((here.x - reach).max(0), (here.y - reach).max(0));
        let high = TilePos::new((here.x + reach).max(0), (here.y + reach).max(0));
        let block = |tile: TilePos| TilePos::new(tile.x / BLOCK, tile.y / BLOCK);
        visit_set(blocks, block(low), block(high), |block| {
            let corner = TilePos::new(block.x * BLOCK, block.y * BLOCK);
            let last = corner + TilePos::new(BLOCK - 1, BLOCK - 1);
            let (from, to) = (
                TilePos::new(low.x.max(corner.x), low.y.max(corner.y)),
                TilePos::new(high.x.min(last.x), high.y.min(last.y)),
            );
            visit_set(tiles, from, to, |tile| few.add(tile))
        })?;
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
            trees in prop::collection::btree_set((0_usize..300, 0_usize..50), 0..80),
            (x, y, reach) in (0..300, 0..50, 0..60),
        ) {
            let mut rows = vec![vec![b'.'; 300]; 50];
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
