//! Round obstacles: separate obstacles, and obstacles that are part of a tile kind.
//!
//! Obstacles of tile kinds are looked up by tile and not stored one by one, so a forest of a
//! million trees takes no memory.

use crate::geom::{TilePos, Vec2};

use super::Map;

pub(crate) const MAX_RADIUS: f32 = 0.5;

/// A round, solid obstacle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Obstacle {
    /// Position of the centre, in tiles.
    pub centre: Vec2,
    /// Radius in tiles; 0.05 to 0.5.
    pub radius: f32,
}

/// The obstacles of a map that do not belong to a tile kind, indexed by tile.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Obstacles {
    /// The obstacles, sorted by tile in reading order. Obstacles on the same tile keep the file
    /// order.
    standing: Vec<Obstacle>,
}

impl Obstacles {
    /// Creates the index by sorting the obstacles by tile.
    pub fn new(mut standing: Vec<Obstacle>) -> Self {
        standing.sort_by_key(|obstacle| TilePos::containing(obstacle.centre));
        Self { standing }
    }

    /// Returns the obstacles, sorted by tile in reading order.
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
    /// Calls `visit` for each obstacle whose edge is at most `reach` tiles from a position, in
    /// reading order of the obstacles' tiles. On a torus, centres are shifted to the nearest image.
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

    /// Calls `visit` for each obstacle with its centre on `tile`. For a tile outside a torus, the
    /// centre is shifted by the same vector as the tile.
    pub fn visit_obstacles_on(&self, tile: TilePos, mut visit: impl FnMut(Obstacle)) {
        let Some(on_map) = self.resolve(tile) else { return };
        if !self.has_obstacle(on_map) {
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
