//! Shapes of objects, and the tiles of which shapes cover at least half.

use std::collections::BTreeMap;
use std::ops::Range;

use tilewalk_sim::geom::heading;

/// The coordinates x and y of a point, in pixels or tiles.
pub type Point = (f64, f64);

/// Number of corners of the polygon that stands for an ellipse.
const ELLIPSE: u16 = 64;

/// Tolerance of areas, as a share of a tile.
pub const TOLERANCE: f64 = 1e-6;

/// Returns the corners of a rectangle whose upper left corner is the origin.
pub fn rectangle(width: f64, height: f64) -> Vec<Point> {
    vec![(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)]
}

/// Returns the corners of a polygon that approximates an ellipse. The upper left corner of its
/// bounding box is the origin.
pub fn ellipse(width: f64, height: f64) -> Vec<Point> {
    let corner = |index| {
        let unit = heading::from_degrees(360.0 * f32::from(index) / f32::from(ELLIPSE));
        let along = |part: f32, side: f64| f64::midpoint(f64::from(part), 1.0) * side;
        (along(unit.x, width), along(unit.y, height))
    };
    (0..ELLIPSE).map(corner).collect()
}

/// Returns points turned clockwise around the origin by an angle in degrees.
pub fn turned(points: &[Point], degrees: f64) -> Vec<Point> {
    let unit = heading::from_degrees((degrees % 360.0) as f32);
    let (cos, sin) = (f64::from(unit.x), f64::from(unit.y));
    points.iter().map(|&(x, y)| (x * cos - y * sin, x * sin + y * cos)).collect()
}

/// Returns the area of a polygon, in the squared unit of its corners.
pub fn area(points: &[Point]) -> f64 {
    signed_area(points).abs()
}

/// Returns the area of a polygon; negative if its corners are counterclockwise as seen.
pub fn signed_area(points: &[Point]) -> f64 {
    let next = points.iter().skip(1).chain(points.first());
    let cross = |(a, b): (&Point, &Point)| a.0 * b.1 - b.0 * a.1;
    points.iter().zip(next).map(cross).sum::<f64>() / 2.0
}

/// Returns the part of a polygon with `low` ≤ x ≤ `high`, after Sutherland and Hodgman (1974).
pub fn between_x(points: &[Point], low: f64, high: f64) -> Vec<Point> {
    let right = half(points, |point| point.0 - low);
    half(&right, |point| high - point.0)
}

/// Returns the part of a polygon with `low` ≤ y ≤ `high`.
pub fn between_y(points: &[Point], low: f64, high: f64) -> Vec<Point> {
    let below = half(points, |point| point.1 - low);
    half(&below, |point| high - point.1)
}

/// Returns the part of a polygon where a linear function is not negative.
fn half(points: &[Point], inside: impl Fn(Point) -> f64) -> Vec<Point> {
    let mut part = Vec::with_capacity(points.len() + 1);
    let next = points.iter().skip(1).chain(points.first());
    for (&a, &b) in points.iter().zip(next) {
        let (from, to) = (inside(a), inside(b));
        if from >= 0.0 {
            part.push(a);
        }
        if (from >= 0.0) != (to >= 0.0) {
            let share = from / (from - to);
            part.push((a.0 + (b.0 - a.0) * share, a.1 + (b.1 - a.1) * share));
        }
    }
    part
}

/// Returns the part of a line that lies inside a rectangle; `None` if the whole line lies outside.
/// The upper left corner of the rectangle is the origin. After Liang and Barsky (1984).
pub fn clipped(from: Point, to: Point, (width, height): Point) -> Option<(Point, Point)> {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let (mut first, mut last) = (0.0_f64, 1.0_f64);
    let sides = [(-dx, from.0), (dx, width - from.0), (-dy, from.1), (dy, height - from.1)];
    for (slope, room) in sides {
        if slope == 0.0 {
            if room < 0.0 {
                return None;
            }
        } else if slope < 0.0 {
            first = first.max(room / slope);
        } else {
            last = last.min(room / slope);
        }
    }
    let at = |share: f64| (from.0 + dx * share, from.1 + dy * share);
    (first < last).then(|| (at(first), at(last)))
}

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
    /// Returns the largest part of a tile that the polygon covers, from 0 to 1.
    ///
    /// # Errors
    /// Returns an error if the shapes together cover too many tiles.
    pub fn add(
        &mut self,
        corners: &[Point],
        is_upright: bool,
        mut full: impl FnMut(u32, u32),
    ) -> Result<f64, TooLarge> {
        let mut most = 0.0_f64;
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
                None => between_y(corners, top, bottom),
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
                    cut = between_x(&row, left, right);
                    &cut
                };
                let share = area(part);
                most = most.max(share);
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
        Ok(most)
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
                && union_area(&parts.outlines, &mut self.budget).ok_or(TooLarge)? >= least
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

type Segment = (Point, Point);

/// Returns the area that polygons cover together, in the squared unit of their corners. Each step
/// reduces `budget`. Returns `None` if the budget is too small.
///
/// Vertical strips end at each corner and at each crossing of two sides. No sides cross inside a
/// strip, so its covered area is its width times the covered height in its middle.
pub fn union_area(polygons: &[Vec<Point>], budget: &mut f64) -> Option<f64> {
    if let [only] = polygons {
        return Some(area(only));
    }
    let polygons: Vec<Vec<Segment>> = polygons.iter().map(|corners| sides(corners)).collect();
    let all = polygons.concat();
    spend(budget, all.len(), all.len())?;
    let mut ends: Vec<f64> = all.iter().map(|side| side.0.0).collect();
    spend(budget, ends.len(), all.len())?;
    for (index, &side) in all.iter().enumerate() {
        let before = ends.len();
        ends.extend(all[..index].iter().filter_map(|&other| crossing(side, other)));
        spend(budget, ends.len() - before, all.len())?;
    }
    ends.sort_by(f64::total_cmp);
    let strip = |ends: &[f64]| {
        (ends[1] - ends[0]) * covered_height(&polygons, f64::midpoint(ends[0], ends[1]))
    };
    Some(ends.windows(2).map(strip).sum())
}

fn spend(budget: &mut f64, rows: usize, columns: usize) -> Option<()> {
    *budget -= rows as f64 * columns as f64;
    (*budget >= 0.0).then_some(())
}

fn sides(corners: &[Point]) -> Vec<Segment> {
    let next = corners.iter().skip(1).chain(corners.first());
    corners.iter().copied().zip(next.copied()).collect()
}

/// Returns the x coordinate where two sides cross; `None` if they do not cross.
fn crossing(a: Segment, b: Segment) -> Option<f64> {
    let cross = |left: Point, right: Point| left.0 * right.1 - left.1 * right.0;
    let minus = |to: Point, from: Point| (to.0 - from.0, to.1 - from.1);
    let (along, other, gap) = (minus(a.1, a.0), minus(b.1, b.0), minus(b.0, a.0));
    let turn = cross(along, other);
    let (at, at_other) = (cross(gap, other) / turn, cross(gap, along) / turn);
    let is_crossing = turn != 0.0 && (0.0..=1.0).contains(&at) && (0.0..=1.0).contains(&at_other);
    is_crossing.then_some(a.0.0 + along.0 * at)
}

/// Returns the length of the vertical line at `x` that lies inside the polygons. Overlapping parts
/// count once.
fn covered_height(polygons: &[Vec<Segment>], x: f64) -> f64 {
    let mut spans: Vec<(f64, f64)> = Vec::new();
    for sides in polygons {
        let met = sides.iter().filter(|(from, to)| (from.0 > x) != (to.0 > x));
        let height =
            |&(from, to): &Segment| from.1 + (to.1 - from.1) * (x - from.0) / (to.0 - from.0);
        let mut heights: Vec<f64> = met.map(height).collect();
        heights.sort_by(f64::total_cmp);
        spans.extend(heights.chunks_exact(2).map(|pair| (pair[0], pair[1])));
    }
    spans.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut sum, mut covered_to) = (0.0, f64::NEG_INFINITY);
    for (low, high) in spans {
        sum += (high - low.max(covered_to)).max(0.0);
        covered_to = covered_to.max(high);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_of_the_parts_of_a_shape_add_up_to_its_area() {
        let concave = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (2.0, 1.0), (0.0, 4.0)];
        let parts: f64 = (0..4)
            .map(|x| {
                area(&between_x(&between_y(&concave, 0.0, 4.0), f64::from(x), f64::from(x) + 1.0))
            })
            .sum();
        assert!((parts - area(&concave)).abs() < 1e-9 && (parts - 10.0).abs() < 1e-9, "{parts}");
        assert!((area(&ellipse(2.0, 4.0)) - core::f64::consts::TAU).abs() < 0.03);
        assert!((area(&turned(&rectangle(3.0, 2.0), 30.0)) - 6.0).abs() < 1e-5);
    }

    #[test]
    fn lines_are_clipped_to_the_map() {
        assert_eq!(clipped((-1.0, 1.0), (5.0, 1.0), (4.0, 2.0)), Some(((0.0, 1.0), (4.0, 1.0))));
        assert_eq!(clipped((-1.0, 3.0), (5.0, 3.0), (4.0, 2.0)), None);
        assert_eq!(clipped((1.0, 1.0), (2.0, 2.0), (4.0, 2.0)), Some(((1.0, 1.0), (2.0, 2.0))));
    }

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

    const SQUARE: [Point; 4] = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];

    fn moved(by: Point) -> Vec<Point> {
        SQUARE.map(|(x, y)| (x + by.0, y + by.1)).to_vec()
    }

    #[test]
    fn the_common_area_of_two_shapes_counts_once() {
        let of = |polygons: &[Vec<Point>]| union_area(polygons, &mut 1e6).unwrap();
        let near = |polygons: &[Vec<Point>], expected: f64| {
            let found = of(polygons);
            assert!((found - expected).abs() < 1e-12, "{found} is not {expected}");
        };
        near(&[], 0.0);
        near(&[moved((0.0, 0.0))], 1.0);
        near(&[moved((0.0, 0.0)), moved((0.0, 0.0))], 1.0);
        near(&[moved((0.0, 0.0)), moved((0.5, 0.25))], 2.0 - 0.5 * 0.75);
        near(&[moved((0.0, 0.0)), moved((3.0, 0.0)), moved((1.0, 0.0))], 3.0);
        let diamond = vec![(0.5, -0.5), (1.5, 0.5), (0.5, 1.5), (-0.5, 0.5)];
        near(&[diamond.clone(), moved((0.0, 0.0))], 2.0);
        let triangle = vec![(0.0, 0.0), (2.0, 0.0), (0.0, 2.0)];
        near(&[triangle.clone(), vec![(2.0, 2.0), (0.0, 2.0), (2.0, 0.0)]], 4.0);
        near(&[triangle, vec![(0.0, 0.0), (2.0, 0.0), (2.0, 2.0)]], 3.0);
    }

    #[test]
    fn a_union_of_too_many_shapes_is_refused() {
        assert_eq!(union_area(&vec![moved((0.0, 0.0)); 100], &mut 1e5), None);
    }
}
