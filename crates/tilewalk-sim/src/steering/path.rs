//! Paths that steering follows: points joined by straight segments.
//!
//! The scenario stores all paths. A behaviour holds only an id, so behaviours stay small and agents
//! can share a path. Path *patterns* are different: a walker enters the tiles of a pattern one by
//! one.

use crate::geom::Vec2;
use crate::map::Map;

/// Maximum number of points in a path. The limit bounds the cost of `stay_on_path`, which tests
/// every segment in every frame.
pub const MAX_POINTS: usize = 10_000;

/// Points joined by straight segments, for steering to follow.
#[derive(Debug, Clone, PartialEq)]
pub struct SteeringPath {
    /// The points in order, in tiles; at least two.
    pub points: Box<[Vec2]>,
    /// Whether a segment joins the last point to the first.
    pub closed: bool,
    /// Whether points are relative to the top-left corner of the agent's home tile. Otherwise they
    /// are relative to the top-left corner of the map.
    pub at_home: bool,
}

/// A path positioned on the map for one agent.
#[derive(Debug, Clone, Copy)]
pub struct PlacedPath<'a> {
    /// The path, whose points are relative to `origin`.
    pub path: &'a SteeringPath,
    /// Offset added to each point, in tiles.
    pub origin: Vec2,
}

impl PlacedPath<'_> {
    /// Returns the position of a point, in tiles. Returns the last point if the index is too large.
    pub fn point(&self, index: usize) -> Vec2 {
        let points = &self.path.points;
        self.origin + points[index.min(points.len() - 1)]
    }

    /// Returns the index of the next point; `None` after the last point of an open path.
    pub fn after(&self, index: usize) -> Option<usize> {
        match index + 1 {
            next if next < self.path.points.len() => Some(next),
            _ if self.path.closed => Some(0),
            _ => None,
        }
    }

    /// Returns the start position of each segment and the shortest vector from its start to its
    /// end, both in tiles. The closing segment is last.
    pub fn segments(&self, map: &Map) -> impl Iterator<Item = (Vec2, Vec2)> {
        (0..self.path.points.len()).filter_map(move |index| {
            let (from, to) = (self.point(index), self.point(self.after(index)?));
            Some((from, map.offset(from, to)))
        })
    }

    /// Returns the shortest vector from a position to the path, in tiles. If several points are
    /// equally near, chooses the point on the first of their segments.
    pub fn nearest(&self, map: &Map, from: Vec2) -> Vec2 {
        let mut nearest = Vec2::ZERO;
        let mut least = f32::INFINITY;
        for (start, along) in self.segments(map) {
            let start = map.offset(from, start);
            // The nearest image of a long segment can differ from the nearest image of its start.
            for image in map.images(f32::INFINITY) {
                let point = nearest_on_segment(start + image, along);
                if point.length_squared() < least {
                    (nearest, least) = (point, point.length_squared());
                }
            }
        }
        nearest
    }
}

/// Returns the point of a segment that is nearest to the origin. The segment extends from `start`
/// to `start + along`.
pub(crate) fn nearest_on_segment(start: Vec2, along: Vec2) -> Vec2 {
    let square = along.length_squared();
    let share = if square > 0.0 { (-start.dot(along) / square).clamp(0.0, 1.0) } else { 0.0 };
    start + along * share
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::Edges;
    use crate::map::tests::drawn;

    fn path(points: &[(f32, f32)], closed: bool) -> SteeringPath {
        let points = points.iter().map(|&(x, y)| Vec2::new(x, y)).collect();
        SteeringPath { points, closed, at_home: false }
    }

    #[test]
    fn the_closing_segment_is_part_of_a_closed_path() {
        let map = drawn(&["........"; 8], Edges::Wall);
        let nearest = |closed| {
            let path = path(&[(1.0, 1.0), (7.0, 1.0), (7.0, 7.0), (1.0, 7.0)], closed);
            let laid = PlacedPath { path: &path, origin: Vec2::ZERO };
            (laid.segments(&map).count(), laid.nearest(&map, Vec2::new(0.5, 3.0)))
        };
        assert_eq!(nearest(true), (4, Vec2::new(0.5, 0.0)));
        assert_eq!(nearest(false), (3, Vec2::new(0.5, -2.0)));
    }

    #[test]
    fn points_are_relative_to_the_origin() {
        let map = drawn(&["........"; 8], Edges::Wall);
        let path = path(&[(0.5, 0.5), (4.5, 0.5)], false);
        let laid = PlacedPath { path: &path, origin: Vec2::new(2.0, 3.0) };
        assert_eq!(laid.point(1), Vec2::new(6.5, 3.5));
        assert_eq!(laid.nearest(&map, Vec2::new(4.0, 5.0)), Vec2::new(0.0, -1.5));
    }

    #[test]
    fn nearest_considers_all_images_on_a_torus() {
        let map = drawn(&["............"; 2], Edges::Wrap);
        // On the torus, x = 8 is nearest to the end of the segment, at 6.5.
        let path = path(&[(0.5, 0.5), (6.5, 0.5)], false);
        let laid = PlacedPath { path: &path, origin: Vec2::ZERO };
        assert_eq!(laid.nearest(&map, Vec2::new(8.0, 0.5)), Vec2::new(-1.5, 0.0));
        assert_eq!(laid.nearest(&map, Vec2::new(11.5, 0.5)), Vec2::new(1.0, 0.0));
    }
}
