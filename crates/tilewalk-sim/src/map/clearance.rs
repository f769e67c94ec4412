//! Maps for the routes of large bodies, or of bodies among large obstacles. Tiles and steps without
//! room for the body are closed.
//!
//! Routes lead over the centres of tiles. A tile is open if the body fits at its centre. A step is
//! open if the body passes from centre to centre without touching anything.
//!
//! Solid tiles never touch the body between open centres: if a diagonal step cuts no corner, the
//! distance to a tile is smallest at one of the two centres. Obstacles and walls can touch the
//! body, so each step near them is tested.

#[cfg(test)]
mod tests;

use core::f32::consts::SQRT_2;

use crate::geom::{Direction, TilePos, Vec2, ray};
use crate::grid::Grid;

use super::ground::Ground;
use super::obstacles::TILE_RADIUS;
use super::sweep::{self, around};
use super::walls::Segment;
use super::{Corners, Edges, Map, Obstacle};

/// Upper bound of the length of a step, in tiles. If something touches a body on a step, its
/// distance from both tile centres is less than the body's reach plus this length.
const STEP: f32 = 1.5;

impl Map {
    /// Returns true if a body of `radius` tiles needs its own map for routes. This is the case if
    /// the body or any obstacle is wider than a tile.
    pub(crate) fn needs_clearance(&self, radius: f32) -> bool {
        radius > TILE_RADIUS || !self.obstacles.large().is_empty()
    }

    /// Returns the map for the routes of a body of `radius` tiles. Routes of a body wider than a
    /// tile never cut corners.
    ///
    /// The time grows with the area of the body and with the number of solid tiles beside open
    /// tiles.
    #[must_use]
    pub fn cleared(&self, radius: f32) -> Self {
        let mut cleared = self.clone();
        if radius > TILE_RADIUS {
            cleared.corners = Corners::Block;
        }
        let reach = sweep::reach(radius);
        self.close_near_tiles(&mut cleared, reach);
        let bars = Grid::filled(self.width(), self.height(), 0);
        cleared.walls.barred.get_or_insert(bars);
        self.visit_all_obstacles(|obstacle| cleared.close_near_obstacle(obstacle, reach));
        for segment in self.walls.segments() {
            cleared.close_near_wall(segment, reach);
        }
        cleared
    }

    /// Iterates over substitute goals: tiles beside `goal` that a body can reach. Empty if the body
    /// fits at the goal, or if the goal is solid.
    ///
    /// `cleared` is the map for the routes of the body, and `radius` is the body's radius in tiles.
    /// The body fits on each of these tiles, and nothing lies between the tile and the goal.
    pub(crate) fn goals_beside<'a>(
        &'a self,
        cleared: &'a Self,
        goal: TilePos,
        radius: f32,
    ) -> impl Iterator<Item = TilePos> + 'a {
        // In a corner between two walls, the centre of the body is this far from the goal.
        let most = SQRT_2 * (radius + TILE_RADIUS);
        let reach = if cleared.is_open(goal) || self.is_solid(goal) { -1 } else { most as i32 };
        let is_beside = move |&tile: &TilePos| {
            let line = goal.centre() - tile.centre();
            let length = line.length();
            let closes = |passed| passed != goal && !self.is_open(passed);
            cleared.is_open(tile)
                && length <= most
                && ray::cast(tile.centre(), line / length, length, closes).is_none()
                && !self.is_wall_between(tile.centre(), line)
        };
        around(goal, reach).filter(is_beside).filter_map(|tile| self.resolve(tile))
    }

    /// Closes the tiles of `cleared` whose centres are closer than `reach` tiles to solid tiles or
    /// to the map edge.
    fn close_near_tiles(&self, cleared: &mut Self, reach: f32) {
        // Distance from the centre of a tile to the nearest point of a tile some columns away.
        let gap = |tiles: i32| (tiles.abs() as f32 - TILE_RADIUS).max(0.0);
        let offsets: Vec<TilePos> = around(TilePos::default(), reach.ceil() as i32)
            .filter(|offset| Vec2::new(gap(offset.x), gap(offset.y)).length() < reach)
            .collect();
        for (tile, _) in self.tiles.iter() {
            let is_open = |offset: TilePos| !self.is_solid(tile + offset);
            if self.is_solid(tile) && around(TilePos::default(), 1).any(is_open) {
                for &offset in &offsets {
                    cleared.close(tile + offset);
                }
            }
            if self.edges == Edges::Wall && self.distance_to_edge(tile.centre()) < reach {
                cleared.close(tile);
            }
        }
    }

    fn distance_to_edge(&self, at: Vec2) -> f32 {
        let size = Vec2::new(self.width() as f32, self.height() as f32);
        at.min(size - at).min_element()
    }

    fn visit_all_obstacles(&self, mut visit: impl FnMut(Obstacle)) {
        for (tile, _) in self.tiles.iter() {
            if let Some(radius) = self.kind(tile).and_then(|kind| kind.obstacle) {
                visit(Obstacle { centre: tile.centre(), radius, opaque: false });
            }
        }
        self.obstacles.standing().iter().for_each(|&obstacle| visit(obstacle));
    }

    fn close_near_obstacle(&mut self, obstacle: Obstacle, reach: f32) {
        let Obstacle { centre, radius, opaque: _ } = obstacle;
        let near = reach + radius;
        let far = Vec2::splat(near + STEP);
        let (low, high) = (TilePos::containing(centre - far), TilePos::containing(centre + far));
        for tile in tiles_between(low, high) {
            let from = tile.centre() - centre;
            let distance = from.length();
            if distance < near {
                self.close(tile);
            } else if distance < near + STEP {
                self.bar_steps(tile, |step| distance_to_line(from, step) < near);
            }
        }
    }

    fn close_near_wall(&mut self, wall: &Segment, reach: f32) {
        let far = Vec2::splat(reach + STEP);
        let [from, to] = wall.ends();
        let ends = [from.as_vec2(), to.as_vec2()];
        let low = TilePos::containing(ends[0].min(ends[1]) - far);
        let high = TilePos::containing(ends[0].max(ends[1]) + far);
        for tile in tiles_between(low, high) {
            let centre = tile.centre().as_dvec2();
            let distance = (wall.nearest(centre) - centre).length();
            if distance < reach.into() && !wall.one_sided() {
                self.close(tile);
            } else if distance < (reach + STEP).into() {
                self.bar_steps(tile, |step| {
                    wall.meet(centre, step.as_dvec2(), reach.into()).is_some()
                });
            }
        }
    }

    fn close(&mut self, tile: TilePos) {
        if let Some(ground) = self.resolve(tile).and_then(|tile| self.ground.get_mut(tile)) {
            ground.set(Ground::COVERED);
        }
    }

    /// Closes the steps from a tile for which `touches` returns true. The argument of `touches` is
    /// the vector to the centre of the next tile.
    fn bar_steps(&mut self, tile: TilePos, touches: impl Fn(Vec2) -> bool) {
        let Some(on_map) = self.resolve(tile) else { return };
        let Some(bars) = self.walls.barred.as_mut().and_then(|bars| bars.get_mut(on_map)) else {
            return;
        };
        for direction in Direction::ALL {
            let step = direction.step();
            if touches(Vec2::new(step.x as f32, step.y as f32)) {
                *bars |= 1 << direction as u8;
            }
        }
    }
}

/// Iterates over the tiles of a rectangle in reading order, including both corners.
fn tiles_between(low: TilePos, high: TilePos) -> impl Iterator<Item = TilePos> {
    (low.y..=high.y).flat_map(move |y| (low.x..=high.x).map(move |x| TilePos::new(x, y)))
}

/// Returns the distance from the origin to the segment from `start` to `start + offset`.
fn distance_to_line(start: Vec2, offset: Vec2) -> f32 {
    let share = (-start.dot(offset) / offset.length_squared()).clamp(0.0, 1.0);
    (start + offset * share).length()
}
