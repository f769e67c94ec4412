//! Finds the tiles of which shapes cover at least half.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::formats::tiled::reader::shape::{self, Point, TOLERANCE};
use crate::formats::tiled::reader::union;

/// Maximum work for all shapes of a map. The work for a shape is the number of its tiles times the
/// number of its corners.
const MAX_WORK: f64 = 3e8;

/// Maximum number of corners in all stored parts of the shapes of a layer. Limits the memory.
const MAX_CORNERS: usize = 4_000_000;

/// The tiles that the shapes of a layer cover.
#[derive(Debug)]
pub struct Cover {
    /// Number of map tiles along each axis.
    size: (u32, u32),
    /// Remaining work, in the unit of [`MAX_WORK`].
    budget: f64,
    /// Number of corners in `partial`.
    corners: usize,
    /// Parts of shapes in tiles that a shape covers partly, by column and row.
    partial: BTreeMap<(u32, u32), Parts>,
}

/// The parts of shapes that lie in one tile.
#[derive(Debug, Default)]
struct Parts {
    /// Sum of the areas of the parts, as a share of the tile. Overlapping parts count several
    /// times.
    sum: f64,
    outlines: Vec<Vec<Point>>,
}

/// Error for shapes that cover too many tiles of a map.
#[derive(Debug)]
pub struct TooLarge;

impl Cover {
    pub fn new(size: (u32, u32)) -> Self {
        Self { size, budget: MAX_WORK, corners: 0, partial: BTreeMap::new() }
    }

    /// Adds a polygon, with corners in tiles. Calls `full` with the column and row of each tile
    /// that the polygon covers completely. `is_upright` is true for a rectangle along the axes.
    ///
    /// # Errors
    /// Returns an error if the shapes together cover too many tiles.
    pub fn add(
        &mut self,
        corners: &[Point],
        is_upright: bool,
        mut full: impl FnMut(u32, u32),
    ) -> Result<(), TooLarge> {
        let rows = range(corners.iter().map(|point| point.1), self.size.1);
        let columns = range(corners.iter().map(|point| point.0), self.size.0);
        let per_tile = if is_upright { 1.0 } else { corners.len() as f64 };
        self.budget -= (rows.len() as f64) * (columns.len() as f64 + 1.0) * per_tile;
        if self.budget < 0.0 {
            return Err(TooLarge);
        }
        let sides = is_upright.then(|| bounds(corners));
        for y in rows {
            let (top, bottom) = (f64::from(y), f64::from(y) + 1.0);
            let row = match sides {
                Some(_) => Vec::new(),
                None => shape::between_y(corners, top, bottom),
            };
            for x in columns.clone() {
                let (left, right) = (f64::from(x), f64::from(x) + 1.0);
                let (upright, cut);
                let part: &[Point] = if let Some((low, high)) = sides {
                    let low = (low.0.max(left), low.1.max(top));
                    let high = (high.0.min(right), high.1.min(bottom));
                    upright = [low, (high.0, low.1), high, (low.0, high.1)];
                    &upright
                } else {
                    cut = shape::between_x(&row, left, right);
                    &cut
                };
                let share = shape::area(part);
                if share >= 1.0 - TOLERANCE {
                    full(x, y);
                } else if share > TOLERANCE {
                    self.corners += part.len();
                    let parts = self.partial.entry((x, y)).or_default();
                    parts.sum += share;
                    parts.outlines.push(part.to_vec());
                }
                if self.corners > MAX_CORNERS {
                    return Err(TooLarge);
                }
            }
        }
        Ok(())
    }

    /// Removes and returns the tiles of which the shapes cover at least half, by column and row.
    /// Omits tiles that a single shape covers completely.
    ///
    /// # Errors
    /// Returns an error if too many shapes overlap.
    pub fn take_half(&mut self) -> Result<Vec<(u32, u32)>, TooLarge> {
        self.corners = 0;
        let mut half = Vec::new();
        for (tile, parts) in core::mem::take(&mut self.partial) {
            let least = 0.5 - TOLERANCE;
            if parts.sum >= least
                && union::area(&parts.outlines, &mut self.budget).ok_or(TooLarge)? >= least
            {
                half.push(tile);
            }
        }
        Ok(half)
    }
}

/// Returns the columns or rows between the smallest and the largest number, limited to the map.
/// `side` is the width or height of the map, in tiles.
fn range(numbers: impl Iterator<Item = f64>, side: u32) -> Range<u32> {
    let (low, high) = extent(numbers);
    let limit = f64::from(side);
    low.floor().clamp(0.0, limit) as u32..high.ceil().clamp(0.0, limit) as u32
}

/// Returns the smallest and the largest of some numbers.
fn extent(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    numbers.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), it| (low.min(it), high.max(it)))
}

/// Returns the upper left and the lower right corner of the box around points.
pub fn bounds(points: &[Point]) -> (Point, Point) {
    let (left, right) = extent(points.iter().map(|point| point.0));
    let (top, bottom) = extent(points.iter().map(|point| point.1));
    ((left, top), (right, bottom))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws a 6 × 3 map, and marks the tiles that shapes cover.
    fn drawn(shapes: &[(&[Point], bool)]) -> String {
        let mut cells = ['.'; 18];
        let mut cover = Cover::new((6, 3));
        for (corners, is_upright) in shapes {
            let full = |x, y| cells[(y * 6 + x) as usize] = '#';
            cover.add(corners, *is_upright, full).unwrap();
        }
        for (x, y) in cover.take_half().unwrap() {
            cells[(y * 6 + x) as usize] = '+';
        }
        let rows: Vec<String> = cells.chunks(6).map(|row| row.iter().collect()).collect();
        rows.join("\n")
    }

    #[test]
    fn tiles_covered_at_least_half_are_found() {
        let rectangle: &[Point] = &[(-1.0, 0.5), (2.4, 0.5), (2.4, 2.0), (-1.0, 2.0)];
        assert_eq!(drawn(&[(rectangle, true)]), "++....\n##....\n......");
        let same = drawn(&[(rectangle, false)]);
        assert_eq!(same, "++....\n##....\n......");
        let triangle: &[Point] = &[(0.0, 0.0), (6.0, 3.0), (0.0, 3.0)];
        assert_eq!(drawn(&[(triangle, false)]), "+.....\n##+...\n####+.");
        let halves: [(&[Point], bool); 2] = [
            (&[(0.0, 0.0), (0.3, 0.0), (0.3, 1.0), (0.0, 1.0)], true),
            (&[(0.7, 0.0), (1.0, 0.0), (1.0, 1.0), (0.7, 1.0)], true),
        ];
        assert_eq!(drawn(&halves), "+.....\n......\n......");
        let same: [(&[Point], bool); 2] = [(halves[0].0, true), (halves[0].0, false)];
        assert_eq!(drawn(&same), "......\n......\n......", "a common part counts once");
    }

    #[test]
    fn shapes_that_cover_too_much_are_refused() {
        let mut cover = Cover::new((4096, 4096));
        let corners = [(-1e9, -1e9), (1e9, -1e9), (1e9, 1e9), (-1e9, 1e9)];
        let results = (0..20).map(|_| cover.add(&corners, true, |_, _| ()));
        assert_eq!(results.filter(Result::is_err).count(), 3);
    }
}
