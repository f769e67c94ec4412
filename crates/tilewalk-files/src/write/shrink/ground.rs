//! The tiles of a map: a grid of glyphs, and the rectangle that remains after cropping.

use std::collections::BTreeSet;
use std::sync::Arc;

use tilewalk_sim::geom::TilePos;
use tilewalk_sim::map::Map;

/// A side of a map from which shrinking removes rows or columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Left side: the columns with the smallest x.
    Left,
    /// Top side: the rows with the smallest y.
    Top,
    /// Right side: the columns with the largest x.
    Right,
    /// Bottom side: the rows with the largest y.
    Bottom,
}

impl Side {
    /// All sides, in the order in which a reduction crops them.
    pub const ALL: [Self; 4] = [Self::Right, Self::Bottom, Self::Left, Self::Top];
}

/// Glyph of the plain walkable tile in the built-in legend.
const FLOOR: &str = ".";

/// The tiles of a map. Cells keep their coordinates when the map is cropped.
#[derive(Debug, Clone)]
pub struct Ground {
    width: usize,
    /// Index of the glyph of each tile, in reading order.
    cells: Vec<u8>,
    glyphs: Arc<[String]>,
    /// First column, first row, end column and end row, in tiles of the original map. The end
    /// column and the end row are exclusive.
    crop: [usize; 4],
}

impl Ground {
    pub fn new(map: &Map) -> Self {
        let tiles = map.tiles();
        let (width, height) = (tiles.width() as usize, tiles.height() as usize);
        let mut glyphs: Vec<String> = map.legend().iter().map(|kind| kind.glyph.clone()).collect();
        if !glyphs.iter().any(|glyph| glyph == FLOOR) {
            glyphs.push(FLOOR.to_owned());
        }
        let crop = [0, 0, width, height];
        Self { width, cells: tiles.cells().to_vec(), glyphs: glyphs.into(), crop }
    }

    /// Returns the first column, first row, end column and end row, in tiles of the original map.
    /// The end column and the end row are exclusive.
    pub fn crop(&self) -> [i64; 4] {
        self.crop.map(|side| side as i64)
    }

    /// Returns the width and the height of the cropped map, in tiles.
    pub fn size(&self) -> (usize, usize) {
        let [left, top, right, bottom] = self.crop;
        (right - left, bottom - top)
    }

    /// Returns the tiles without `count` columns or rows at a side. Returns `None` if nothing would
    /// remain.
    pub fn without(&self, side: Side, count: usize) -> Option<Self> {
        let [mut left, mut top, mut right, mut bottom] = self.crop;
        match side {
            Side::Left => left += count,
            Side::Top => top += count,
            Side::Right => right = right.saturating_sub(count),
            Side::Bottom => bottom = bottom.saturating_sub(count),
        }
        let crop = [left, top, right, bottom];
        (left < right && top < bottom).then(|| Self { crop, ..self.clone() })
    }

    /// Returns the tiles of the cropped map that are not floor, in reading order.
    pub fn obstructed(&self) -> Vec<TilePos> {
        let [left, top, right, bottom] = self.crop;
        let tiles = (top..bottom).flat_map(|y| (left..right).map(move |x| (x, y)));
        let is_floor = |(x, y)| self.glyphs[usize::from(self.cells[y * self.width + x])] == FLOOR;
        let tiles = tiles.filter(|&tile| !is_floor(tile));
        tiles.map(|(x, y)| TilePos::new(x as i32, y as i32)).collect()
    }

    /// Replaces tiles with floor. Tiles outside the original map are ignored.
    pub fn clear(&mut self, tiles: &[TilePos]) {
        let floor = self.glyphs.iter().position(|glyph| glyph == FLOOR).unwrap_or(0) as u8;
        for tile in tiles {
            let (Ok(x), Ok(y)) = (usize::try_from(tile.x), usize::try_from(tile.y)) else {
                continue;
            };
            let row = self.cells.chunks_mut(self.width).nth(y);
            if let Some(cell) = row.and_then(|row| row.get_mut(x)) {
                *cell = floor;
            }
        }
    }

    /// Returns the glyphs that occur on the cropped map.
    pub fn used(&self) -> BTreeSet<&str> {
        self.rows().flatten().map(|&cell| self.glyphs[usize::from(cell)].as_str()).collect()
    }

    fn rows(&self) -> impl Iterator<Item = &[u8]> {
        let [left, top, right, bottom] = self.crop;
        let rows = self.cells.chunks(self.width).take(bottom).skip(top);
        rows.map(move |row| &row[left..right])
    }

    /// Formats the cropped map as rows of glyphs, the value of the key `tiles`.
    pub fn text(&self) -> String {
        let mut rows = String::with_capacity(self.cells.len());
        for row in self.rows() {
            rows.extend(row.iter().map(|&cell| self.glyphs[usize::from(cell)].as_str()));
            rows.push('\n');
        }
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilewalk_sim::map::Edges;

    #[test]
    fn tiles_beside_the_map_are_not_cleared() {
        let map = Map::drawn(&["##", "##"], Edges::Wall).unwrap();
        let mut ground = Ground::new(&map);
        let beside = [(-1, 0), (0, -1), (-1, 1), (2, 0), (3, -1), (0, 2), (i32::MIN, i32::MAX)];
        ground.clear(&beside.map(|(x, y)| TilePos::new(x, y)));
        assert_eq!(ground.text(), "##\n##\n");
        ground.clear(&[TilePos::new(1, 0)]);
        assert_eq!(ground.text(), "#.\n##\n");
    }
}
