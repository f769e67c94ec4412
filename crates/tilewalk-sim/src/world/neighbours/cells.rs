//! A map cut into equal cells (Buckland's cell-space partitioning).
//!
//! The cut follows from the map and a radius alone: who stands where has no say in it.

use core::ops::Range;

use crate::geom::Vec2;
use crate::map::{Edges, Map};

/// How much wider than the radius cells are: more than all rounding between a position and its cell.
const SLACK: f32 = 1.01;

/// Columns to a radius: narrow ones hold fewer who are looked at in vain.
const ACROSS: u32 = 3;

/// How many columns and rows away a neighbour may be.
pub const REACH: (u32, u32) = (ACROSS, 1);

/// The cut.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cells {
    /// Columns; 1 to 3 · 4096.
    pub columns: u32,
    /// Rows; 1 to 4096.
    pub rows: u32,
    /// Does the last column border on the first, and the last row on the first?
    pub wrap: bool,
    /// Width and height of the map, in tiles.
    pub size: Vec2,
    /// Columns and rows per tile.
    density: Vec2,
}

impl Cells {
    /// Rows at least as high as a radius, and as a tile; three columns at least as wide.
    pub fn new(map: &Map, radius: f32) -> Self {
        let side = (radius * SLACK).max(1.0);
        let size = Vec2::new(map.width() as f32, map.height() as f32);
        let fitting = |length: f32, side: f32| ((length / side) as u32).max(1);
        let (columns, rows) = (fitting(size.x, side / ACROSS as f32), fitting(size.y, side));
        let density = Vec2::new(columns as f32, rows as f32) / size;
        Self { columns, rows, wrap: map.edges() == Edges::Wrap, size, density }
    }

    /// The column of a position; beyond the edge, that at the edge.
    pub fn column(&self, x: f32) -> u32 {
        ((x * self.density.x) as u32).min(self.columns - 1)
    }

    /// The row of a position; beyond the edge, that at the edge.
    pub fn row(&self, y: f32) -> u32 {
        ((y * self.density.y) as u32).min(self.rows - 1)
    }
}

/// The cells of one axis from `reach` before `first` to `reach` after `last`: two stretches, in
/// growing order and apart from each other, either of which may be empty. On a torus they lead round
/// the edge, and name no cell twice, however small it is.
pub fn stretches(first: u32, last: u32, reach: u32, count: u32, wrap: bool) -> [Range<u32>; 2] {
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
    fn stretches_lead_round_the_edge_and_name_no_cell_twice() {
        assert_eq!(stretches(0, 0, 1, 9, false), [0..2, 0..0]);
        assert_eq!(stretches(8, 8, 1, 9, false), [7..9, 0..0]);
        assert_eq!(stretches(0, 0, 1, 9, true), [0..2, 8..9]);
        assert_eq!(stretches(7, 8, 1, 9, true), [0..1, 6..9]);
        assert_eq!(stretches(4, 5, 1, 9, true), [3..7, 0..0]);
        for count in 1..=3 {
            assert_eq!(stretches(0, 0, 1, count, true), [0..count, 0..0]);
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
