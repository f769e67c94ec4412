//! A set of tiles with one bit per tile. A map can have 16 million tiles.

use std::ops::RangeInclusive;

use tilewalk_sim::geom::TilePos;
use tilewalk_sim::map::Map;

#[derive(Debug, Clone)]
pub struct TileSet {
    width: usize,
    words: Vec<u64>,
}

impl TileSet {
    /// Creates an empty set of tiles of a map.
    pub fn new(map: &Map) -> Self {
        let width = map.width() as usize;
        Self { width, words: vec![0; (width * map.height() as usize).div_ceil(64)] }
    }

    /// Creates the set of all tiles for which `holds` returns true.
    pub fn of(map: &Map, holds: impl Fn(TilePos) -> bool) -> Self {
        let mut set = Self::new(map);
        for y in 0..map.height() as i32 {
            for x in 0..map.width() as i32 {
                if holds(TilePos::new(x, y)) {
                    set.insert(TilePos::new(x, y));
                }
            }
        }
        set
    }

    fn index(&self, tile: TilePos) -> usize {
        tile.y as usize * self.width + tile.x as usize
    }

    /// Adds a tile of the map. Returns false if the set already contains the tile.
    pub fn insert(&mut self, tile: TilePos) -> bool {
        let index = self.index(tile);
        let (word, bit) = (&mut self.words[index / 64], 1 << (index % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    pub fn contains(&self, tile: TilePos) -> bool {
        let index = self.index(tile);
        self.words[index / 64] & (1 << (index % 64)) != 0
    }

    /// Returns the first tile in row `y` and columns `xs` that is not in the set; `None` if the set
    /// contains all of them. Tests 64 tiles at a time.
    pub fn first_absent(&self, y: i32, xs: RangeInclusive<i32>) -> Option<TilePos> {
        let mut index = self.index(TilePos::new(*xs.start(), y));
        let end = self.index(TilePos::new(*xs.end(), y)) + 1;
        while index < end {
            // Bits before the index count as set.
            let absent = !self.words[index / 64] & (u64::MAX << (index % 64));
            if absent != 0 {
                let found = index / 64 * 64 + absent.trailing_zeros() as usize;
                let x = (found % self.width) as i32;
                return (found < end).then(|| TilePos::new(x, y));
            }
            index = (index / 64 + 1) * 64;
        }
        None
    }

    /// Counts the tiles of a row that are not in the set.
    pub fn absent_in_row(&self, y: i32) -> u32 {
        let xs = 0..self.width as i32;
        xs.filter(|&x| !self.contains(TilePos::new(x, y))).count() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilewalk_sim::map::Edges;

    #[test]
    fn first_absent_returns_the_first_absent_tile() {
        let row = "#".repeat(150) + "..#.";
        let map = Map::drawn(&[&row, &row], Edges::Wall).unwrap();
        let mut set = TileSet::of(&map, |tile| map.is_solid(tile));
        let first = |set: &TileSet, xs| set.first_absent(1, xs).map(|tile| (tile.x, tile.y));
        assert_eq!(first(&set, 0..=153), Some((150, 1)));
        assert_eq!(first(&set, 0..=149), None);
        assert_eq!(first(&set, 152..=153), Some((153, 1)));
        assert!(set.insert(TilePos::new(150, 1)) && !set.insert(TilePos::new(150, 1)));
        assert!(set.contains(TilePos::new(150, 1)) && !set.contains(TilePos::new(150, 0)));
        assert_eq!(first(&set, 3..=153), Some((151, 1)));
        assert_eq!(first(&set, 153..=153), Some((153, 1)));
        assert_eq!((set.absent_in_row(0), set.absent_in_row(1)), (3, 2));
    }
}
