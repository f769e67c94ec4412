//! A grid of equal cells over a map.

use core::ops::Range;

use crate::geom::Vec2;
use crate::map::{Edges, Map};
use crate::steering::CellBlock;

/// Ratio of cell size to radius. The margin above 1 covers rounding errors in the cell of a
/// position.
const SLACK: f32 = 1.01;

/// Columns per radius. With narrow columns, a search visits fewer agents that are not neighbours.
const COLUMNS_PER_RADIUS: u32 = 3;

/// Largest distance between an agent's cell and a neighbour's cell, in columns and rows.
pub const REACH: (u32, u32) = (COLUMNS_PER_RADIUS, 1);

/// A grid of equal cells over a map (Buckland's cell-space partitioning). The cells depend only on
/// the map and a radius, not on the agents.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cells {
    /// Number of columns, from 1 to 3 · 4096.
    pub columns: u32,
    /// Number of rows, from 1 to 4096.
    pub rows: u32,
    pub wrap: bool,
    /// Width and height of the map, in tiles.
    pub size: Vec2,
    /// Grid cells per tile, along x and y.
    density: Vec2,
}

impl Cells {
    /// Creates a grid for a radius in tiles. The height of a row is at least the radius, and at
    /// least one tile. The width of three columns has the same lower bound.
    pub fn new(map: &Map, radius: f32) -> Self {
        let side = (radius * SLACK).max(1.0);
        let size = Vec2::new(map.width() as f32, map.height() as f32);
        let fitting = |length: f32, side: f32| ((length / side) as u32).max(1);
        let (columns, rows) =
            (fitting(size.x, side / COLUMNS_PER_RADIUS as f32), fitting(size.y, side));
        let density = Vec2::new(columns as f32, rows as f32) / size;
        Self { columns, rows, wrap: map.edges() == Edges::Wrap, size, density }
    }

    /// Returns the largest distance between the cells of two positions, in columns and rows.
    /// `distance` is the largest distance between the positions, in tiles. It may be infinite.
    pub fn within(&self, distance: f32) -> (u32, u32) {
        let cells = Vec2::splat(distance * SLACK) * self.density;
        let reach = |cells: f32, count: u32| (cells as u32).min(count) + 1;
        (reach(cells.x, self.columns), reach(cells.y, self.rows))
    }

    /// Returns the columns and the rows within `reach` of a range of columns in one row. Columns
    /// and rows are each given as two disjoint ranges. `columns` are the first and the last column
    /// of the range.
    #[inline(always)]
    pub fn around(&self, row: u32, columns: (u32, u32), reach: (u32, u32)) -> [[Range<u32>; 2]; 2] {
        let across = ranges(columns.0, columns.1, reach.0, self.columns, self.wrap);
        [across, ranges(row, row, reach.1, self.rows, self.wrap)]
    }

    /// Returns a block of cells, with its corners in tiles and its size in cells.
    pub fn block(&self, columns: &Range<u32>, rows: &Range<u32>) -> CellBlock {
        let corner = |column: u32, row: u32| Vec2::new(column as f32, row as f32) / self.density;
        CellBlock {
            from: corner(columns.start, rows.start),
            to: corner(columns.end, rows.end),
            size: [columns.end - columns.start, rows.end - rows.start],
            grid: [self.columns, self.rows],
        }
    }

    /// Returns the column of the cell that contains an x coordinate in tiles. Coordinates outside
    /// the map are clamped.
    #[inline(always)]
    pub fn column(&self, x: f32) -> u32 {
        ((x * self.density.x) as u32).min(self.columns - 1)
    }

    /// Returns the row of the cell that contains a y coordinate in tiles. Coordinates outside the
    /// map are clamped.
    #[inline(always)]
    pub fn row(&self, y: f32) -> u32 {
        ((y * self.density.y) as u32).min(self.rows - 1)
    }
}

/// Returns the cells of one axis from `reach` before `first` to `reach` after `last`, as two
/// disjoint ranges in ascending order.
///
/// Each range can be empty. On a map that wraps, the ranges continue across the edge and contain
/// each cell at most once.
pub fn ranges(first: u32, last: u32, reach: u32, count: u32, wrap: bool) -> [Range<u32>; 2] {
    let (low, end) = (i64::from(first) - i64::from(reach), last + reach + 1);
    let inside = low.max(0) as u32..end.min(count);
    if !wrap {
        return [inside, 0..0];
    }
    if i64::from(end) - low >= i64::from(count) {
        [0..count, 0..0]
    } else if low < 0 {
        [inside, (low + i64::from(count)) as u32..count]
    } else if end > count {
        [0..end - count, inside]
    } else {
        [inside, 0..0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::tests::drawn;

    #[test]
    fn ranges_wrap_without_duplicate_cells() {
        assert_eq!(ranges(0, 0, 1, 9, false), [0..2, 0..0]);
        assert_eq!(ranges(8, 8, 1, 9, false), [7..9, 0..0]);
        assert_eq!(ranges(0, 0, 1, 9, true), [0..2, 8..9]);
        assert_eq!(ranges(7, 8, 1, 9, true), [0..1, 6..9]);
        assert_eq!(ranges(4, 5, 1, 9, true), [3..7, 0..0]);
        for count in 1..=3 {
            assert_eq!(ranges(0, 0, 1, count, true), [0..count, 0..0]);
        }
    }

    #[test]
    fn cells_are_higher_than_the_radius_and_at_least_a_tile() {
        let map = drawn(&[".........."; 10], Edges::Wrap);
        let cells = [0.05, 1.0, 2.5, 4.0, 40.0].map(|radius| Cells::new(&map, radius));
        assert_eq!(cells.map(|cells| cells.rows), [10, 9, 3, 2, 1]);
        assert_eq!(cells.map(|cells| cells.columns), [30, 29, 11, 7, 1]);
    }
}
