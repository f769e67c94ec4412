//! Round obstacles: free-standing ones, and those that tiles carry.
//!
//! Obstacles of tiles are looked up by tile and not stored one by one, so a forest of a million
//! trees costs no memory.

use crate::geom::{TilePos, Vec2};

use super::Map;
use super::ground::Ground;

/// The largest radius of an obstacle, in tiles.
pub(crate) const MAX_RADIUS: f32 = 0.5;

/// A round, solid obstacle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Obstacle {
    /// Its middle, in tiles.
    pub centre: Vec2,
    /// Its radius, 0.05 to 0.5 tiles.
    pub radius: f32,
}

/// The free-standing obstacles of a map, found by tile.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Obstacles {
    /// Sorted by the tile they stand on, in reading order; equals keep the order of the file.
    standing: Vec<Obstacle>,
}

impl Obstacles {
    /// Sorts them.
    pub fn new(mut standing: Vec<Obstacle>) -> Self {
        standing.sort_by_key(|obstacle| TilePos::containing(obstacle.centre));
        Self { standing }
    }

    /// The free-standing ones, in reading order of their tiles.
    pub fn standing(&self) -> &[Obstacle] {
        &self.standing
    }

    fn on(&self, tile: TilePos) -> &[Obstacle] {
        let key = |obstacle: &Obstacle| TilePos::containing(obstacle.centre);
        let begin = self.standing.partition_point(|obstacle| key(obstacle) < tile);
        let count = self.standing[begin..].partition_point(|obstacle| key(obstacle) == tile);
        &self.standing[begin..begin + count]
    }
}

impl Map {
    /// Calls `visit` with every obstacle whose edge is at most `reach` tiles from a position, in
    /// reading order of their tiles; each where it is the short way round.
    pub fn visit_obstacles_near(
        &self,
        position: Vec2,
        reach: f32,
        mut visit: impl FnMut(Obstacle),
    ) {
        let far = Vec2::splat(reach + MAX_RADIUS);
        let (low, high) =
            (TilePos::containing(position - far), TilePos::containing(position + far));
        for y in low.y..=high.y {
            for x in low.x..=high.x {
                self.visit_obstacles_on(TilePos::new(x, y), |obstacle| {
                    let distance = (obstacle.centre - position).length();
                    if distance <= reach + obstacle.radius {
                        visit(obstacle);
                    }
                });
            }
        }
    }

    /// Has an obstacle its middle on `tile`?
    pub(crate) fn has_obstacle(&self, tile: TilePos) -> bool {
        self.ground(tile).has(Ground::OBSTACLE)
    }

    /// Calls `visit` with every obstacle whose middle is on `tile`; its centre is moved along when
    /// the tile lies across the edge of a torus.
    pub fn visit_obstacles_on(&self, tile: TilePos, mut visit: impl FnMut(Obstacle)) {
        let Some(on_map) = self.resolve(tile) else { return };
        if !self.ground(on_map).has(Ground::OBSTACLE) {
            return;
        }
        let shift = Vec2::new((tile.x - on_map.x) as f32, (tile.y - on_map.y) as f32);
        if let Some(radius) = self.kind(on_map).and_then(|kind| kind.obstacle) {
            visit(Obstacle { centre: tile.centre(), radius });
        }
        for &Obstacle { centre, radius } in self.obstacles().on(on_map) {
            visit(Obstacle { centre: centre + shift, radius });
        }
    }
}
