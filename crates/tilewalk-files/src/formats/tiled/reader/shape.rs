//! Geometry of object shapes.

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
    let next = points.iter().skip(1).chain(points.first());
    let cross = |(a, b): (&Point, &Point)| a.0 * b.1 - b.0 * a.1;
    points.iter().zip(next).map(cross).sum::<f64>().abs() / 2.0
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_of_parts_add_up() {
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
}
