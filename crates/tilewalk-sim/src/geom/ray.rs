//! Ray casting on tiles.
//!
//! A ray traverses the grid tile by tile, so the cost is proportional to the number of tiles
//! passed. Source: Amanatides & Woo, "A Fast Voxel Traversal Algorithm", 1987.

use super::tile_pos::TilePos;
use super::vector::Vec2;

/// A tile on a ray, and where the ray enters it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Passed {
    pub tile: TilePos,
    /// Distance from the start of the ray to the entry point, in tiles; 0 for the first tile.
    pub distance: f32,
    /// Unit normal of the face through which the ray enters the tile; zero for the first tile.
    pub normal: Vec2,
}

/// Iterates over the tiles along a ray of `length` tiles. `direction` is a unit vector, or zero to
/// pass only the first tile.
///
/// If the ray passes exactly through a corner, the neighbour along x comes first.
pub(crate) fn passed(start: Vec2, direction: Vec2, length: f32) -> impl Iterator<Item = Passed> {
    let mut traversal = Traversal::new(start, direction);
    core::iter::from_fn(move || traversal.next(length))
}

/// Returns the first tile on a ray for which `solid` returns true, including the tile of `start`.
/// Returns `None` if no tile within `length` tiles is solid.
pub(crate) fn cast(
    start: Vec2,
    direction: Vec2,
    length: f32,
    mut solid: impl FnMut(TilePos) -> bool,
) -> Option<Passed> {
    passed(start, direction, length).find(|passed| solid(passed.tile))
}

struct Traversal {
    current: Passed,
    /// Distances from the start of the ray to the next vertical and the next horizontal tile
    /// border, in tiles.
    next: [f32; 2],
    /// Distances along the ray between adjacent vertical borders and between adjacent horizontal
    /// borders, in tiles.
    delta: [f32; 2],
    step: [i32; 2],
    started: bool,
}

impl Traversal {
    fn new(start: Vec2, direction: Vec2) -> Self {
        let tile = TilePos::containing(start);
        let (next_x, delta_x, step_x) = axis(start.x, direction.x, tile.x);
        let (next_y, delta_y, step_y) = axis(start.y, direction.y, tile.y);
        Self {
            current: Passed { tile, distance: 0.0, normal: Vec2::ZERO },
            next: [next_x, next_y],
            delta: [delta_x, delta_y],
            step: [step_x, step_y],
            started: false,
        }
    }

    fn next(&mut self, length: f32) -> Option<Passed> {
        if !self.started {
            self.started = true;
            return Some(self.current);
        }
        let along_x = self.next[0] <= self.next[1];
        let axis = usize::from(!along_x);
        let enter = self.next[axis];
        if enter > length || !enter.is_finite() {
            return None;
        }
        self.next[axis] += self.delta[axis];
        let back = -self.step[axis] as f32;
        if along_x {
            self.current.tile.x += self.step[0];
            self.current.normal = Vec2::new(back, 0.0);
        } else {
            self.current.tile.y += self.step[1];
            self.current.normal = Vec2::new(0.0, back);
        }
        self.current.distance = enter;
        Some(self.current)
    }
}

/// Returns three values for one axis: the distance along the ray to the first border, the distance
/// between borders, and the step (−1, 0 or 1). Distances are in tiles.
fn axis(start: f32, direction: f32, tile: i32) -> (f32, f32, i32) {
    if direction > 0.0 {
        ((tile as f32 + 1.0 - start) / direction, 1.0 / direction, 1)
    } else if direction < 0.0 {
        ((start - tile as f32) / -direction, -1.0 / direction, -1)
    } else {
        (f32::INFINITY, f32::INFINITY, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::unit;

    #[test]
    fn ray_hits_the_near_face() {
        let wall = |tile: TilePos| tile.x >= 4;
        let hit = cast(Vec2::new(1.5, 2.5), Vec2::X, 10.0, wall).unwrap();
        assert_eq!((hit.distance, hit.normal, hit.tile), (2.5, -Vec2::X, TilePos::new(4, 2)));
        assert_eq!(cast(Vec2::new(1.5, 2.5), Vec2::X, 2.4, wall), None);
        assert_eq!(cast(Vec2::new(1.5, 2.5), Vec2::ZERO, 10.0, wall), None);
    }

    #[test]
    fn ray_from_inside_has_no_normal() {
        let hit = cast(Vec2::new(1.5, 2.5), Vec2::X, 1.0, |_| true).unwrap();
        assert_eq!((hit.distance, hit.normal), (0.0, Vec2::ZERO));
    }

    #[test]
    fn passed_tiles_are_connected_and_contain_their_entry_points() {
        for degrees in (0..360).step_by(7) {
            let direction = crate::geom::heading::from_degrees(degrees as f32);
            let start = Vec2::new(10.3, 10.8);
            let tiles: Vec<_> = passed(start, direction, 9.0).collect();
            for pair in tiles.windows(2) {
                let step = pair[1].tile - pair[0].tile;
                assert_eq!(step.x.abs() + step.y.abs(), 1);
                let inside = start + unit(direction) * (pair[1].distance + 1e-3);
                assert!((inside - pair[1].tile.centre()).abs().max_element() < 0.51);
            }
        }
    }
}
