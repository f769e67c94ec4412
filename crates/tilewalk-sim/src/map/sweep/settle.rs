//! Corrects rounding errors of bodies that slide along walls.
//!
//! A position in `f32` can't follow a slanted wall exactly, and the errors of many frames add up.
//! After each motion, a disc is therefore moved back if its gap to a wall became too small.

use crate::geom::{DVec2, TilePos, Vec2};
use crate::map::Map;

use super::{SKIN, around};

/// Maximum depth of an overlap that is corrected, in tiles. Deeper overlaps are not rounding
/// errors. For example, a body that walks on tiles can overlap a surface. Its own motion ends the
/// overlap.
const MAX_DEPTH: f64 = 2.0 * SKIN as f64;

/// Moves the centre of a disc away from surfaces until it keeps a distance of `reach` tiles. Does
/// nothing unless the disc is too close to a wall.
pub(super) fn settle(map: &Map, centre: Vec2, reach: f32) -> Vec2 {
    if map.walls().is_empty() {
        return centre;
    }
    let home = TilePos::containing(centre);
    let start = centre.as_dvec2();
    let mut at = start;
    map.visit_walls_near(home, reach, |wall| {
        if wall.is_in_front(at) {
            at = pushed(at, wall.nearest(at), reach.into());
        }
    });
    if at == start {
        return centre;
    }
    // In a corner, the correction must not press the disc into the other surface.
    for tile in around(home, reach.ceil() as i32).filter(|&tile| map.is_solid(tile)) {
        let low = DVec2::new(tile.x.into(), tile.y.into());
        at = pushed(at, at.clamp(low, low + DVec2::ONE), reach.into());
    }
    map.visit_obstacles_near(centre, reach, |obstacle| {
        let reach = f64::from(reach + obstacle.radius);
        at = pushed(at, obstacle.centre.as_dvec2(), reach);
    });
    at.as_vec2()
}

/// Returns the point `at`, moved to a distance of `reach` from the point `from`. Returns `at`
/// unchanged if it is far enough away, or if the correction exceeds [`MAX_DEPTH`].
fn pushed(at: DVec2, from: DVec2, reach: f64) -> DVec2 {
    let away = at - from;
    let distance = away.length();
    let depth = reach - distance;
    if distance > 0.0 && depth > 0.0 && depth <= MAX_DEPTH {
        at + away * (depth / distance)
    } else {
        at
    }
}
