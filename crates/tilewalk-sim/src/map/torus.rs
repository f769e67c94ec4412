//! Distances and positions on a map that wraps around.

use crate::geom::{TilePos, Vec2, Vectors, lanes};

use super::{Edges, Map};

impl Map {
    /// Returns the shortest vector from one position to another, in tiles.
    ///
    /// If both directions around a torus are equally long, the vector points towards increasing x
    /// (or y).
    #[inline]
    pub fn offset(&self, from: Vec2, to: Vec2) -> Vec2 {
        let direct = to - from;
        match self.edges {
            Edges::Wall => direct,
            Edges::Wrap => Vec2::new(
                short_way(direct.x, self.width() as f32),
                short_way(direct.y, self.height() as f32),
            ),
        }
    }

    /// Iterates over the shifts from a position to its images, in tiles. On a map that wraps, these
    /// are the zero vector and the shifts to the eight adjacent copies of the map.
    ///
    /// Returns only the zero vector without wrapping, or if `distance` is less than half of the
    /// map's shorter side. All images except the nearest are at least this half side away.
    pub(crate) fn images(&self, distance: f32) -> impl Iterator<Item = Vec2> + use<> {
        let size = Vec2::new(self.width() as f32, self.height() as f32);
        let reach = i32::from(self.edges == Edges::Wrap && distance >= size.min_element() / 2.0);
        let around = move || -reach..=reach;
        around().flat_map(move |y| around().map(move |x| Vec2::new(x as f32, y as f32) * size))
    }

    /// Computes [`Map::offset`] for one pair of positions per SIMD lane. All positions must be on
    /// the map.
    #[inline]
    pub(crate) fn offsets(&self, from: Vectors, to: Vectors) -> Vectors {
        let direct = to - from;
        match self.edges {
            Edges::Wall => direct,
            Edges::Wrap => Vectors {
                x: lanes::short_way(direct.x, self.width() as f32),
                y: lanes::short_way(direct.y, self.height() as f32),
            },
        }
    }

    /// Returns the shortest vector from one tile to another, in tiles. If both directions around a
    /// torus are equally long, the vector points towards increasing x (or y).
    pub fn tile_offset(&self, from: TilePos, to: TilePos) -> TilePos {
        let direct = to - from;
        match self.edges {
            Edges::Wall => direct,
            Edges::Wrap => TilePos::new(
                short_step(direct.x, self.width() as i32),
                short_step(direct.y, self.height() as i32),
            ),
        }
    }

    /// Returns a position wrapped onto the map. Returns the position unchanged on a map without
    /// wrapping.
    #[inline]
    pub fn wrap(&self, position: Vec2) -> Vec2 {
        match self.edges {
            Edges::Wall => position,
            Edges::Wrap => Vec2::new(
                wrapped(position.x, self.width() as f32),
                wrapped(position.y, self.height() as f32),
            ),
        }
    }
}

/// Reduces a coordinate difference to the shorter way around: (−`around`/2, `around`/2].
#[inline]
fn short_way(difference: f32, around: f32) -> f32 {
    let half = around / 2.0;
    // Skips the slow remainder in the common case.
    let reduced = if difference.abs() < around { difference } else { difference % around };
    if reduced > half {
        reduced - around
    } else if reduced <= -half {
        reduced + around
    } else {
        reduced
    }
}

/// Reduces a difference of columns or rows to the shorter way around: (−`around`/2, `around`/2].
fn short_step(difference: i32, around: i32) -> i32 {
    let reduced = difference.rem_euclid(around);
    if 2 * reduced > around { reduced - around } else { reduced }
}

/// Wraps a coordinate to [0, `around`).
#[inline]
fn wrapped(coordinate: f32, around: f32) -> f32 {
    if (0.0..around).contains(&coordinate) {
        return coordinate;
    }
    let inside = coordinate.rem_euclid(around);
    // A tiny negative coordinate rounds up to `around`.
    if inside >= around { 0.0 } else { inside }
}

#[cfg(test)]
mod tests {
    use super::super::tests::drawn;
    use super::*;
    use crate::geom::Direction;

    #[test]
    fn offsets_on_a_torus_are_shortest() {
        let map = drawn(&["....", "...."], Edges::Wrap);
        let offset = |x0, x1| map.offset(Vec2::new(x0, 0.5), Vec2::new(x1, 0.5)).x;
        assert_eq!(offset(0.5, 3.5), -1.0);
        assert_eq!(offset(3.5, 0.5), 1.0);
        assert_eq!((offset(0.5, 2.5), offset(2.5, 0.5)), (2.0, 2.0), "half-way: growing x");
        assert_eq!(map.wrap(Vec2::new(-1e-9, 2.0)), Vec2::ZERO);
        assert_eq!(
            map.direction_between(TilePos::new(0, 0), TilePos::new(3, 0)),
            Some(Direction::West)
        );
    }
}
