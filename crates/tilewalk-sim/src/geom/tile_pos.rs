//! Tile positions and rectangles of tiles.

use core::fmt;
use core::ops::{Add, Sub};

use super::vector::Vec2;

/// A tile position, or the difference between two positions. Positions are ordered by row, then by
/// column (reading order).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct TilePos {
    /// Column number, increasing to the right.
    pub x: i32,
    /// Row number, increasing downwards.
    pub y: i32,
}

impl TilePos {
    /// Creates a position from a column and a row. Both can be negative.
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }

    /// Returns the tile that contains a position. Positions beyond ±2³¹ saturate; NaN becomes 0.
    #[inline(always)]
    pub fn containing(position: Vec2) -> Self {
        Self::new(floor(position.x), floor(position.y))
    }

    /// Returns the position of the tile's centre, in tiles.
    pub fn centre(self) -> Vec2 {
        Vec2::new(self.x as f32 + 0.5, self.y as f32 + 0.5)
    }

    /// Iterates over the tiles at Chebyshev distance `reach`, in reading order. If `reach` is 0,
    /// returns only the tile itself.
    pub(crate) fn ring(self, reach: i32) -> impl Iterator<Item = Self> {
        (-reach..=reach).flat_map(move |y| {
            // The inner rows of a ring have only two tiles.
            let stride = if y.abs() == reach { 1 } else { 2 * reach };
            let columns = (-reach..=reach).step_by(stride as usize);
            columns.map(move |x| self + Self::new(x, y))
        })
    }

    /// Returns the Chebyshev distance to another tile: the larger of the column and row
    /// differences.
    pub fn king_distance(self, other: Self) -> i32 {
        (self.x - other.x).abs().max((self.y - other.y).abs())
    }
}

impl Ord for TilePos {
    fn cmp(&self, other: &Self) -> core::cmp::Ordering {
        (self.y, self.x).cmp(&(other.y, other.x))
    }
}

impl PartialOrd for TilePos {
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Add for TilePos {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y)
    }
}

impl Sub for TilePos {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y)
    }
}

impl fmt::Display for TilePos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.x, self.y)
    }
}

/// A rectangle of tiles. Both corners are inside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TileRect {
    /// The corner with the smallest column and row.
    pub min: TilePos,
    /// The corner with the largest column and row.
    pub max: TilePos,
}

impl TileRect {
    /// Creates the rectangle between two corners in any order.
    pub fn new(a: TilePos, b: TilePos) -> Self {
        Self {
            min: TilePos::new(a.x.min(b.x), a.y.min(b.y)),
            max: TilePos::new(a.x.max(b.x), a.y.max(b.y)),
        }
    }

    /// Returns the bounding rectangle of the given tiles. Returns the tile (0, 0) for an empty
    /// slice.
    pub fn around(tiles: &[TilePos]) -> Self {
        let first = tiles.first().copied().unwrap_or_default();
        tiles.iter().fold(Self::new(first, first), |rect, &tile| Self {
            min: TilePos::new(rect.min.x.min(tile.x), rect.min.y.min(tile.y)),
            max: TilePos::new(rect.max.x.max(tile.x), rect.max.y.max(tile.y)),
        })
    }

    /// Returns the number of columns, including both border columns.
    pub fn width(self) -> u64 {
        (i64::from(self.max.x) - i64::from(self.min.x) + 1) as u64
    }

    /// Returns the number of rows, including both border rows.
    pub fn height(self) -> u64 {
        (i64::from(self.max.y) - i64::from(self.min.y) + 1) as u64
    }

    /// Returns true if a tile is inside the rectangle or on its border.
    pub fn contains(self, tile: TilePos) -> bool {
        (self.min.x..=self.max.x).contains(&tile.x) && (self.min.y..=self.max.y).contains(&tile.y)
    }
}

/// Returns the largest integer that is not greater than `number`, saturated to `i32`. Returns 0 for
/// NaN.
#[inline]
fn floor(number: f32) -> i32 {
    let towards_zero = number as i32;
    towards_zero.saturating_sub(i32::from(towards_zero as f32 > number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floor_matches_libm() {
        let numbers = [0.0, -0.0, 0.99, -0.01, -1.0, 4095.999, -1e6, 3e9, -3e9, 1e-40, -1e-40];
        for number in numbers.into_iter().chain([f32::INFINITY, -f32::INFINITY, f32::NAN]) {
            assert_eq!(floor(number), libm::floorf(number) as i32, "{number}");
        }
    }

    #[test]
    fn tile_contains_its_upper_and_left_edges() {
        let at = |x: f32, y: f32| TilePos::containing(Vec2::new(x, y));
        assert_eq!(at(3.0, 4.0), TilePos::new(3, 4));
        assert_eq!(at(3.999, 4.5), TilePos::new(3, 4));
        assert_eq!(at(-0.001, -1.0), TilePos::new(-1, -1));
        assert_eq!(TilePos::containing(TilePos::new(7, -2).centre()), TilePos::new(7, -2));
    }

    #[test]
    fn ring_contains_all_tiles_at_its_distance() {
        let middle = TilePos::new(3, -2);
        for reach in 0..5 {
            let ring: Vec<_> = middle.ring(reach).collect();
            assert!(ring.iter().all(|tile| tile.king_distance(middle) == reach));
            assert!(ring.windows(2).all(|pair| pair[0] < pair[1]), "reading order");
            assert_eq!(ring.len(), if reach == 0 { 1 } else { 8 * reach as usize });
        }
    }

    #[test]
    fn tiles_sort_in_reading_order() {
        let mut tiles = [TilePos::new(0, 1), TilePos::new(5, 0), TilePos::new(1, 0)];
        tiles.sort();
        assert_eq!(tiles, [TilePos::new(1, 0), TilePos::new(5, 0), TilePos::new(0, 1)]);
    }
}
