//! Mip levels of a map: which squares of 4 × 4, 8 × 8, … tiles are closed, and by which tile kind.
//!
//! The levels are computed once per map. The cost of drawing then depends on the number of screen
//! cells, not on the number of tiles. Squares smaller than 4 × 4 are read tile by tile.

use crate::geom::TilePos;
use crate::grid::Grid;
use crate::map::Map;
use crate::tile::TileKind;

/// Exponent of the smallest precomputed squares, which have 2² × 2² tiles.
const FIRST: u8 = 2;

/// The closed squares of a map, for each square size from 4 × 4 tiles upwards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MipLevels {
    /// For each size from 4 × 4 tiles on: the legend index of the tile kind that closes each
    /// square, or `None` if the square is open.
    levels: Vec<Grid<Option<u8>>>,
}

/// Number of closed tiles in a square, and the legend index of a frequent kind among them.
#[derive(Debug, Clone, Copy, Default)]
struct Block {
    closed: u32,
    kind: u8,
}

/// Returns true if walkers cannot enter tiles of this kind.
pub fn closes(kind: &TileKind) -> bool {
    kind.is_solid() || kind.obstacle.is_some()
}

impl MipLevels {
    /// Computes the mip levels of a map.
    pub fn of(map: &Map) -> Self {
        let mut blocks = smallest(map);
        let mut levels = Vec::new();
        for exponent in FIRST.. {
            let closed = blocks.cells().iter().map(|block| block.closing(exponent)).collect();
            levels.extend(Grid::from_cells(blocks.width(), closed));
            if blocks.width() <= 1 && blocks.height() <= 1 {
                break;
            }
            blocks = joined(&blocks);
        }
        Self { levels }
    }

    /// Returns the legend index of the tile kind that closes a square of 2ⁿ × 2ⁿ tiles, where n is
    /// `exponent`. `square` is the column and row among squares of that size. Returns `None` if the
    /// square is open or outside the map.
    pub fn at(&self, map: &Map, exponent: u8, square: TilePos) -> Option<u8> {
        if exponent >= FIRST {
            // The last level is a single square, which represents all higher levels.
            let level = usize::from(exponent - FIRST).min(self.levels.len() - 1);
            return self.levels[level].get(square).copied().flatten();
        }
        let side = 1 << exponent;
        let mut block = Block::default();
        for y in square.y * side..(square.y + 1) * side {
            for x in square.x * side..(square.x + 1) * side {
                if let Some(&kind) = map.tiles().get(TilePos::new(x, y)) {
                    block.add(kind, closes(&map.legend()[usize::from(kind)]));
                }
            }
        }
        block.closing(exponent)
    }
}

impl Block {
    fn add(&mut self, kind: u8, closed: bool) {
        if closed {
            *self = Self { closed: self.closed + 1, kind };
        }
    }

    /// Returns the closing tile kind, or `None` if the square is open. A closed square has at least
    /// as many closed tiles as a straight wall across it, and at least one sixteenth of its area.
    fn closing(self, exponent: u8) -> Option<u8> {
        let side = 1_u32 << exponent;
        (self.closed >= side.max(side * side / 16)).then_some(self.kind)
    }
}

/// Counts the closed tiles in squares of 4 × 4 tiles.
fn smallest(map: &Map) -> Grid<Block> {
    let side = 1_usize << FIRST;
    let closed: Vec<bool> = map.legend().iter().map(closes).collect();
    let (width, height) = (map.width() as usize, map.height() as usize);
    let columns = width.div_ceil(side);
    let mut blocks = vec![Block::default(); columns * height.div_ceil(side)];
    for (y, row) in map.tiles().cells().chunks(width).enumerate() {
        let blocks = &mut blocks[y / side * columns..][..columns];
        for (tiles, block) in row.chunks(side).zip(blocks) {
            for &kind in tiles {
                block.add(kind, closed[usize::from(kind)]);
            }
        }
    }
    Grid::from_cells(columns as u32, blocks).unwrap_or_else(|| Grid::filled(1, 1, Block::default()))
}

/// Merges 2 × 2 squares into each square of the next level.
fn joined(blocks: &Grid<Block>) -> Grid<Block> {
    let half = |side: u32| side.div_ceil(2);
    let mut larger = Grid::filled(half(blocks.width()), half(blocks.height()), Block::default());
    for (place, block) in blocks.iter() {
        if let Some(sum) = larger.get_mut(TilePos::new(place.x / 2, place.y / 2)) {
            // An approximation of the most frequent kind, good enough for one screen cell.
            let kind = if block.closed * 2 > sum.closed { block.kind } else { sum.kind };
            *sum = Block { closed: sum.closed + block.closed, kind };
        }
    }
    larger
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::Edges;
    use crate::map::Map;

    /// Returns a map of 100 × 60 tiles with a wall, a gate in the wall, and a single tree.
    fn walled() -> Map {
        let rows: Vec<String> = (0..60)
            .map(|y| match y {
                40 => format!("{}{}{}", "#".repeat(48), ".".repeat(16), "#".repeat(36)),
                3 => format!(".....T{}", ".".repeat(94)),
                _ => ".".repeat(100),
            })
            .collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        Map::drawn(&rows, Edges::Wall).unwrap()
    }

    #[test]
    fn a_wall_is_closed_at_all_levels_and_its_gate_is_open_while_wide_enough() {
        let map = walled();
        let levels = MipLevels::of(&map);
        for exponent in 0..=4 {
            let side = 1 << exponent;
            let row: Vec<bool> = (0..100 / side)
                .map(|x| levels.at(&map, exponent, TilePos::new(x, 40 / side)).is_some())
                .collect();
            let open = (48 / side..64 / side).all(|x| !row[x as usize]);
            let closed = (0..48 / side).all(|x| row[x as usize]);
            assert!(closed && open, "{exponent}: {row:?}");
        }
        assert_eq!(levels.at(&map, 0, TilePos::new(5, 3)), Some(2), "a tree");
        assert_eq!(levels.at(&map, 2, TilePos::new(1, 0)), None, "a single tree closes no square");
        assert_eq!(levels.at(&map, 10, TilePos::new(0, 0)), None);
        assert_eq!(levels.at(&map, 10, TilePos::new(1, 0)), None, "outside the map");
        assert_eq!(levels.at(&map, 1, TilePos::new(50, 0)), None, "outside the map");
    }

    #[test]
    fn joined_levels_equal_levels_counted_from_tiles() {
        let map = walled();
        let levels = MipLevels::of(&map);
        for exponent in 0..=7_u8 {
            let side = 1 << exponent;
            for y in 0..=60_i32.div_euclid(side) {
                for x in 0..=100_i32.div_euclid(side) {
                    let mut block = Block::default();
                    for (tile, &kind) in map.tiles().iter() {
                        if (tile.x / side, tile.y / side) == (x, y) {
                            block.add(kind, closes(&map.legend()[usize::from(kind)]));
                        }
                    }
                    let found = levels.at(&map, exponent, TilePos::new(x, y));
                    assert_eq!(
                        found.is_some(),
                        block.closing(exponent).is_some(),
                        "{exponent} {x} {y}"
                    );
                }
            }
        }
    }
}
