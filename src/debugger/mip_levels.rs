//! Mip levels of a map, for squares of 4 × 4, 8 × 8, … tiles. For each square, a level stores the
//! number of closed tiles and one of their frequent kinds.
//!
//! The levels are computed once per map. The cost of drawing then depends on the number of screen
//! cells, not on the number of tiles. Squares smaller than 4 × 4 are read tile by tile.

use crate::geom::TilePos;
use crate::grid::Grid;
use crate::map::Map;
use crate::tile::TileKind;

/// Exponent of the smallest precomputed squares, which have 2² × 2² tiles.
const FIRST: u8 = 2;

/// The numbers of closed tiles of a map, for each square size from 4 × 4 tiles upwards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MipLevels {
    levels: Vec<Grid<Block>>,
}

/// Number of closed tiles in a square, and the legend index of one of their frequent kinds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Block {
    closed: u32,
    kind: u8,
}

/// The number of tiles in a square of the map, and how many of them are closed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Square {
    /// Number of tiles of the square that are on the map; 0 if the whole square is outside.
    pub tiles: u32,
    /// Number of tiles that walkers cannot enter.
    pub closed: u32,
    /// Legend index of a frequent kind of closed tile. Meaningless if no tile is closed.
    pub kind: u8,
}

/// Returns true if walkers cannot enter tiles of this kind.
pub fn closes(kind: &TileKind) -> bool {
    kind.is_solid() || kind.obstacle.is_some()
}

impl MipLevels {
    /// Counts the closed tiles of a map in the squares of all levels.
    pub fn of(map: &Map) -> Self {
        let mut levels = vec![smallest(map)];
        while let Some(last) = levels.last().filter(|last| last.width() > 1 || last.height() > 1) {
            levels.push(joined(last));
        }
        Self { levels }
    }

    /// Returns the counts of a square with a side of 2ⁿ tiles. n is `exponent` and at most 30. `at`
    /// is the column and row of the square in a grid of such squares.
    pub fn square(&self, map: &Map, exponent: u8, at: TilePos) -> Square {
        let side = 1_i32 << exponent;
        // The number of tiles along one axis.
        let within = |at: i32, length: u32| {
            let first = at.saturating_mul(side);
            (length.cast_signed() - first).clamp(0, side).cast_unsigned()
        };
        let tiles = if at.x < 0 || at.y < 0 {
            0
        } else {
            within(at.x, map.width()) * within(at.y, map.height())
        };
        if tiles == 0 {
            return Square::default();
        }
        let block = if exponent >= FIRST {
            // The last level is a single square, which represents all higher levels.
            let level = usize::from(exponent - FIRST).min(self.levels.len() - 1);
            self.levels[level].get(at).copied().unwrap_or_default()
        } else {
            counted(map, side, at)
        };
        Square { tiles, closed: block.closed, kind: block.kind }
    }
}

impl Block {
    fn add(&mut self, kind: u8, closed: bool) {
        if closed {
            *self = Self { closed: self.closed + 1, kind };
        }
    }
}

/// Counts the closed tiles in a square tile by tile. `side` is the side of the square in tiles.
fn counted(map: &Map, side: i32, at: TilePos) -> Block {
    let mut block = Block::default();
    for y in at.y * side..(at.y + 1) * side {
        for x in at.x * side..(at.x + 1) * side {
            if let Some(&kind) = map.tiles().get(TilePos::new(x, y)) {
                block.add(kind, closes(&map.legend()[usize::from(kind)]));
            }
        }
    }
    block
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
    use crate::map::{Edges, Map};

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
    fn squares_of_all_levels_match_a_count_of_their_tiles() {
        let map = walled();
        let levels = MipLevels::of(&map);
        for exponent in 0..=9_u8 {
            let side = 1 << exponent;
            for (x, y) in
                (-1..=100 / side + 1).flat_map(|x| (-1..=60 / side + 1).map(move |y| (x, y)))
            {
                let mut counted = Square::default();
                for (tile, &kind) in map.tiles().iter() {
                    if (tile.x.div_euclid(side), tile.y.div_euclid(side)) == (x, y) {
                        counted.tiles += 1;
                        counted.closed += u32::from(closes(&map.legend()[usize::from(kind)]));
                    }
                }
                let found = levels.square(&map, exponent, TilePos::new(x, y));
                let found = (found.tiles, found.closed);
                assert_eq!(found, (counted.tiles, counted.closed), "{exponent} {x} {y}");
            }
        }
    }

    #[test]
    fn a_square_has_the_kind_of_most_of_its_closed_tiles() {
        let map = walled();
        let levels = MipLevels::of(&map);
        assert_eq!(levels.square(&map, 0, TilePos::new(5, 3)).kind, 2, "a tree");
        assert_eq!(levels.square(&map, 2, TilePos::new(1, 0)).kind, 2, "a tree");
        assert_eq!(levels.square(&map, 10, TilePos::new(0, 0)).kind, 1, "more wall than trees");
    }
}
