//! Area that polygons cover together.

use crate::formats::tiled::reader::shape::{self, Point};

type Side = (Point, Point);

/// Returns the area that polygons cover together, in the squared unit of their corners. Each step
/// reduces `budget`. Returns `None` if the budget is too small.
///
/// Vertical strips end at each corner and at each crossing of two sides. No sides cross inside a
/// strip, so its covered area is its width times the covered height in its middle.
pub fn area(polygons: &[Vec<Point>], budget: &mut f64) -> Option<f64> {
    if let [only] = polygons {
        return Some(shape::area(only));
    }
    let polygons: Vec<Vec<Side>> = polygons.iter().map(|corners| sides(corners)).collect();
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

fn sides(corners: &[Point]) -> Vec<Side> {
    let next = corners.iter().skip(1).chain(corners.first());
    corners.iter().copied().zip(next.copied()).collect()
}

/// Returns the x coordinate where two sides cross; `None` if they do not cross.
fn crossing(a: Side, b: Side) -> Option<f64> {
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
fn covered_height(polygons: &[Vec<Side>], x: f64) -> f64 {
    let mut spans: Vec<(f64, f64)> = Vec::new();
    for sides in polygons {
        let met = sides.iter().filter(|(from, to)| (from.0 > x) != (to.0 > x));
        let height = |&(from, to): &Side| from.1 + (to.1 - from.1) * (x - from.0) / (to.0 - from.0);
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

    const SQUARE: [Point; 4] = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];

    fn moved(by: Point) -> Vec<Point> {
        SQUARE.map(|(x, y)| (x + by.0, y + by.1)).to_vec()
    }

    #[test]
    fn common_parts_count_once() {
        let of = |polygons: &[Vec<Point>]| area(polygons, &mut 1e6).unwrap();
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
    fn too_much_work_is_refused() {
        assert_eq!(area(&vec![moved((0.0, 0.0)); 100], &mut 1e5), None);
    }
}
