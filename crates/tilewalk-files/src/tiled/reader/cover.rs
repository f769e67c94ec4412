//! Finds the tiles that shapes cover at least half.

use std::collections::BTreeMap;
use std::ops::Range;

use super::shape::{self, Point, TOLERANCE};

/// Maximum work for all shapes of a map: tiles times corners.
const MAX_WORK: f64 = 3e8;

/// The tiles that the shapes of a layer cover.
#[derive(Debug)]
pub struct Cover {
    /// Number of map tiles along each axis.
    size: (u32, u32),
    work: f64,
    /// Covered share of the tiles that are not covered completely, by column and row.
    partial: BTreeMap<(u32, u32), f64>,
}

/// The shapes of a map cover too many tiles.
#[derive(Debug)]
pub struct TooLarge;

impl Cover {
    pub fn new(size: (u32, u32)) -> Self {
        Self { size, work: 0.0, partial: BTreeMap::new() }
    }

    /// Adds a polygon, with corners in tiles. Passes each tile that it covers completely to `full`.
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
        self.work += (rows.len() as f64) * (columns.len() as f64 + 1.0) * per_tile;
        if self.work > MAX_WORK {
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
                let share = match sides {
                    Some((low, high)) => {
                        let wide = high.0.min(right) - low.0.max(left);
                        let tall = high.1.min(bottom) - low.1.max(top);
                        wide.max(0.0) * tall.max(0.0)
                    }
                    None => shape::area(&shape::between_x(&row, left, right)),
                };
                if share >= 1.0 - TOLERANCE {
                    full(x, y);
                } else if share > TOLERANCE {
                    *self.partial.entry((x, y)).or_default() += share;
                }
            }
        }
        Ok(())
    }

    /// Removes and returns the tiles that the shapes cover at least half, but none of them
    /// completely.
    pub fn take_half(&mut self) -> Vec<(u32, u32)> {
        let partial = core::mem::take(&mut self.partial);
        let half = partial.into_iter().filter(|(_, share)| *share >= 0.5 - TOLERANCE);
        half.map(|(tile, _)| tile).collect()
    }
}

/// Returns the tiles of a side of the map that numbers span.
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

    /// Draws the tiles of a 6 × 3 map that shapes cover.
    fn drawn(shapes: &[(&[Point], bool)]) -> String {
        let mut cells = ['.'; 18];
        let mut cover = Cover::new((6, 3));
        for (corners, is_upright) in shapes {
            let full = |x, y| cells[(y * 6 + x) as usize] = '#';
            cover.add(corners, *is_upright, full).unwrap();
        }
        for (x, y) in cover.take_half() {
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
    }

    #[test]
    fn shapes_that_cover_too_much_are_refused() {
        let mut cover = Cover::new((4096, 4096));
        let corners = [(-1e9, -1e9), (1e9, -1e9), (1e9, 1e9), (-1e9, 1e9)];
        let results = (0..20).map(|_| cover.add(&corners, true, |_, _| ()));
        assert_eq!(results.filter(Result::is_err).count(), 3);
    }
}
