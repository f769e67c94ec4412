//! Round obstacles: separate obstacles, and obstacles that are part of a tile kind.
//!
//! Obstacles of tile kinds are looked up by tile and not stored one by one. A forest of a million
//! trees thus takes no memory.
//!
//! Obstacles with a radius above [`TILE_RADIUS`] are *large*. Their own index divides the map into
//! bands of rows and sorts the obstacles of each band by x.

use core::ops::RangeInclusive;

use crate::geom::{TilePos, Vec2};
use crate::sort::SmallSort;

use super::{Edges, Map};

/// Largest radius of a body or an obstacle that fits on a tile, in tiles.
pub const TILE_RADIUS: f32 = 0.5;

/// Height of a band of large obstacles, in tiles.
const BAND: f32 = 16.0;

/// A round, solid obstacle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Obstacle {
    /// Position of the centre, in tiles.
    pub centre: Vec2,
    /// Radius in tiles, from 0.05 to 64. The limit for obstacles of tile kinds is 0.5.
    pub radius: f32,
    /// Whether the obstacle blocks sight. False for the obstacles of tile kinds, because their
    /// tiles can be opaque themselves.
    pub opaque: bool,
}

impl Obstacle {
    /// Returns true if the radius is above [`TILE_RADIUS`].
    pub(crate) fn is_large(&self) -> bool {
        self.radius > TILE_RADIUS
    }

    fn band(&self) -> i32 {
        band(self.centre.y)
    }
}

fn band(y: f32) -> i32 {
    (y / BAND).floor() as i32
}

/// The obstacles of a map that are not part of a tile kind, indexed by tile.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Obstacles {
    /// The obstacles, sorted by tile in reading order. Obstacles on the same tile keep the file
    /// order.
    standing: Vec<Obstacle>,
    /// The large obstacles of `standing`, sorted by band, then by x.
    large: Vec<Obstacle>,
    /// Largest radius in `large`, in tiles; 0 if there are no large obstacles.
    largest: f32,
    /// Whether at least one obstacle is opaque.
    block_sight: bool,
}

impl Obstacles {
    /// Creates the index of the given obstacles. Obstacles on the same tile keep their order.
    pub fn new(mut standing: Vec<Obstacle>) -> Self {
        standing.small_sort_by_key(|obstacle| TilePos::containing(obstacle.centre));
        let is_large = |obstacle: &&Obstacle| obstacle.is_large();
        let mut large: Vec<Obstacle> = standing.iter().filter(is_large).copied().collect();
        large.small_sort_by(|a, b| a.band().cmp(&b.band()).then(a.centre.x.total_cmp(&b.centre.x)));
        let largest = large.iter().map(|obstacle| obstacle.radius).fold(0.0, f32::max);
        let block_sight = standing.iter().any(|obstacle| obstacle.opaque);
        Self { standing, large, largest, block_sight }
    }

    /// Returns the obstacles, sorted by tile in reading order. Obstacles on the same tile are in
    /// file order.
    pub fn standing(&self) -> &[Obstacle] {
        &self.standing
    }

    /// Returns the obstacles with a radius above 0.5 tiles, sorted by bands of 16 rows, then by x.
    pub fn large(&self) -> &[Obstacle] {
        &self.large
    }

    /// Returns true if at least one obstacle is opaque.
    pub(super) fn block_sight(&self) -> bool {
        self.block_sight
    }

    /// Returns the large obstacles of a band whose centres have x from `left` to `right`, in tiles.
    fn in_band(&self, band: i32, (left, right): (f32, f32)) -> &[Obstacle] {
        let begin = self.large.partition_point(|it| (it.band(), it.centre.x) < (band, left));
        let rest = &self.large[begin..];
        &rest[..rest.partition_point(|it| it.band() == band && it.centre.x <= right)]
    }

    fn on(&self, tile: TilePos) -> &[Obstacle] {
        let key = |obstacle: &Obstacle| TilePos::containing(obstacle.centre);
        let begin = self.standing.partition_point(|obstacle| key(obstacle) < tile);
        let count = self.standing[begin..].partition_point(|obstacle| key(obstacle) == tile);
        &self.standing[begin..begin + count]
    }
}

impl Map {
    /// Calls `visit` for each obstacle whose edge is at most `reach` tiles from a position. Visits
    /// small obstacles in reading order of their tiles, then large obstacles. On a torus, centres
    /// are shifted to the images near the position.
    pub fn visit_obstacles_near(
        &self,
        position: Vec2,
        reach: f32,
        mut visit: impl FnMut(Obstacle),
    ) {
        let far = Vec2::splat(reach + TILE_RADIUS);
        let (low, high) =
            (TilePos::containing(position - far), TilePos::containing(position + far));
        for y in low.y..=high.y {
            for x in low.x..=high.x {
                self.visit_obstacles_on(TilePos::new(x, y), |obstacle| {
                    let distance = (obstacle.centre - position).length();
                    if distance <= reach + obstacle.radius && !obstacle.is_large() {
                        visit(obstacle);
                    }
                });
            }
        }
        self.visit_large_obstacles((position, position), reach, |obstacle| {
            if (obstacle.centre - position).length() <= reach + obstacle.radius {
                visit(obstacle);
            }
        });
    }

    /// Calls `visit` for each large obstacle whose edge is within `reach` tiles of a box. Can also
    /// visit farther obstacles. `low` and `high` are the top left and bottom right corners of the
    /// box. On a torus, centres are shifted to each image near the box.
    pub(crate) fn visit_large_obstacles(
        &self,
        (low, high): (Vec2, Vec2),
        reach: f32,
        mut visit: impl FnMut(Obstacle),
    ) {
        if self.obstacles.large.is_empty() {
            return;
        }
        let far = Vec2::splat(reach + self.obstacles.largest);
        let (low, high) = (low - far, high + far);
        for row in self.shifts(low.y, high.y, self.height()) {
            for column in self.shifts(low.x, high.x, self.width()) {
                let shift = Vec2::new(column, row);
                let (first, last) = (band(low.y - row), band(high.y - row));
                let lowest = band(self.height() as f32);
                for band in first.max(0)..=last.min(lowest) {
                    let columns = (low.x - column, high.x - column);
                    for obstacle in self.obstacles.in_band(band, columns) {
                        visit(Obstacle { centre: obstacle.centre + shift, ..*obstacle });
                    }
                }
            }
        }
    }

    /// Iterates over the shifts of the map's images along one axis, in tiles. Only images that
    /// contain coordinates from `low` to `high` count. Returns only 0 on a map without wrapping.
    fn shifts(&self, low: f32, high: f32, side: u32) -> impl Iterator<Item = f32> + use<> {
        let side = side as f32;
        let images: RangeInclusive<i32> = match self.edges {
            Edges::Wall => 0..=0,
            Edges::Wrap => (low / side).floor() as i32..=(high / side).floor() as i32,
        };
        images.map(move |image| image as f32 * side)
    }

    /// Returns true if a disc overlaps a large obstacle. Centre and radius are in tiles. Touching
    /// does not count.
    pub(crate) fn overlaps_large_obstacle(&self, centre: Vec2, radius: f32) -> bool {
        let mut found = false;
        self.visit_large_obstacles((centre, centre), radius, |obstacle| {
            let reach = radius + obstacle.radius;
            found |= (centre - obstacle.centre).length_squared() < reach * reach;
        });
        found
    }

    /// Calls `visit` for each obstacle with its centre on `tile`. If `tile` is an image outside a
    /// torus, the centre is shifted to the same image.
    pub fn visit_obstacles_on(&self, tile: TilePos, mut visit: impl FnMut(Obstacle)) {
        let Some(on_map) = self.resolve(tile) else { return };
        if !self.has_obstacle(on_map) {
            return;
        }
        let shift = Vec2::new((tile.x - on_map.x) as f32, (tile.y - on_map.y) as f32);
        if let Some(radius) = self.kind(on_map).and_then(|kind| kind.obstacle) {
            visit(Obstacle { centre: tile.centre(), radius, opaque: false });
        }
        for obstacle in self.obstacles().on(on_map) {
            visit(Obstacle { centre: obstacle.centre + shift, ..*obstacle });
        }
    }
}
