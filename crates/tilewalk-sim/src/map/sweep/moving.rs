//! Finds the first contact of a moving point with the surrounding shapes.

use crate::geom::{DVec2, TilePos, Vec2, unit};
use crate::map::{Map, Obstacle};

use super::{Contact, SKIN, around, obstacle_rings, rings};

/// Sine of the smallest angle to a round surface that counts as a contact. At smaller angles,
/// rounding would cause repeated contacts while sliding; the error is less than the gap between
/// body and surface.
const GRAZING: f32 = 1e-4;

/// Length of a long motion, in tiles.
const LONG: f32 = 8.0;

/// A point that moves among shapes grown by `reach`, in tiles relative to a base tile.
pub(super) struct MovingPoint {
    pub start: Vec2,
    pub(crate) motion: Vec2,
    pub reach: f32,
}

impl MovingPoint {
    /// Replaces `first` if a contact with a tile around `near` is earlier.
    pub(crate) fn meet_tiles(
        &self,
        map: &Map,
        base: TilePos,
        near: TilePos,
        first: &mut Option<(f32, Contact)>,
    ) {
        let solid = |tile: TilePos| map.is_solid(base + tile);
        for tile in around(near, rings(self.reach)).filter(|&tile| solid(tile)) {
            let low = Vec2::new(tile.x as f32, tile.y as f32);
            let open = |x, y| !solid(tile + TilePos::new(x, y));
            for (x, y) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
                if open(x, y) {
                    let outward = Vec2::new(x as f32, y as f32);
                    keep_earlier(first, self.meet_face(low, outward), outward, base + tile);
                }
            }
            for (x, y) in [(-1, -1), (1, -1), (-1, 1), (1, 1)] {
                if open(x, 0) && open(0, y) {
                    let quadrant = Vec2::new(x as f32, y as f32);
                    let corner = low + (quadrant + Vec2::ONE) / 2.0;
                    // Tests the whole circle, not only the quarter outside the faces. The rest of
                    // the circle lies inside the shape, and rounding would leave gaps at the ends
                    // of the quarter.
                    if let Some((share, normal)) = self.meet_circle(corner, self.reach) {
                        keep_earlier(first, Some(share), normal, base + tile);
                    }
                }
            }
        }
    }

    /// Replaces `first` if a contact with a small obstacle around `near` is earlier.
    pub(crate) fn meet_obstacles(
        &self,
        map: &Map,
        base: TilePos,
        near: TilePos,
        first: &mut Option<(f32, Contact)>,
    ) {
        let origin = Vec2::new(base.x as f32, base.y as f32);
        for tile in around(base + near, obstacle_rings(self.reach)) {
            map.visit_obstacles_on(tile, |Obstacle { centre, radius }| {
                if let Some((share, normal)) =
                    self.meet_circle(centre - origin, self.reach + radius)
                {
                    keep_earlier(first, Some(share), normal, tile);
                }
            });
        }
    }

    /// Replaces `first` if a contact of the whole motion with a large obstacle is earlier.
    pub(crate) fn meet_large_obstacles(
        &self,
        map: &Map,
        base: TilePos,
        first: &mut Option<(f32, Contact)>,
    ) {
        let origin = Vec2::new(base.x as f32, base.y as f32);
        let (from, to) = (origin + self.start, origin + self.start + self.motion);
        let area = (from.min(to), from.max(to));
        map.visit_large_obstacles(area, self.reach, |Obstacle { centre, radius }| {
            if let Some((share, normal)) = self.meet_circle(centre - origin, self.reach + radius) {
                keep_earlier(first, Some(share), normal, TilePos::containing(centre));
            }
        });
    }

    /// Replaces `first` if a contact with a wall near `near` is earlier.
    pub(crate) fn meet_walls(
        &self,
        map: &Map,
        base: TilePos,
        near: TilePos,
        first: &mut Option<(f32, Contact)>,
    ) {
        let start = self.start.as_dvec2() + DVec2::new(base.x.into(), base.y.into());
        let motion = self.motion.as_dvec2();
        map.visit_walls_near(base + near, self.reach, |wall| {
            let Some((share, normal)) = wall.meet(start, motion, self.reach.into()) else { return };
            if first.is_none_or(|(earlier, _)| (share as f32) < earlier) {
                let (centre, normal) = ((start + motion * share).as_vec2(), normal.as_vec2());
                // The body's side of the wall, which is on the map.
                let tile = TilePos::containing(centre - normal * (self.reach - SKIN));
                *first = Some((share as f32, Contact { normal, tile, wall: Some(wall.id) }));
            }
        });
    }

    /// Returns the share of the motion before contact with a face of the tile at `low`; `None`
    /// without a contact.
    fn meet_face(&self, low: Vec2, outward: Vec2) -> Option<f32> {
        let speed = -self.motion.dot(outward);
        if speed <= 0.0 {
            return None;
        }
        let centre = low + Vec2::splat(0.5);
        let height = (self.start - centre).dot(outward) - 0.5;
        if height < 0.0 {
            return None;
        }
        let share = ((height - self.reach) / speed).max(0.0);
        let along = (self.start + self.motion * share - centre) * Vec2::new(outward.y, outward.x);
        (share <= 1.0 && along.abs().max_element() <= 0.5).then_some(share)
    }

    /// Returns the share of the motion before contact with a circle, and the contact normal; `None`
    /// without a contact.
    fn meet_circle(&self, centre: Vec2, radius: f32) -> Option<(f32, Vec2)> {
        let away = self.start - centre;
        let square = self.motion.length_squared();
        let closing = away.dot(self.motion);
        if closing >= 0.0 || closing * closing < GRAZING * GRAZING * away.length_squared() * square
        {
            return None;
        }
        let excess = away.length_squared() - radius * radius;
        if excess <= 0.0 {
            return Some((0.0, unit(away)));
        }
        // Both forms are equal. The difference of two large squares would be too inexact for long
        // motions: at 80 tiles, the error is 0.4 thousandths of a tile.
        let root = if square < LONG * LONG {
            closing * closing - square * excess
        } else {
            let beside = away.perp_dot(self.motion);
            square * radius * radius - beside * beside
        };
        if root < 0.0 {
            return None;
        }
        // This form avoids cancellation: excess / (−closing + √root).
        let share = excess / (root.sqrt() - closing);
        (share <= 1.0).then(|| (share, (away + self.motion * share) / radius))
    }
}

/// Replaces the contact by an earlier one. Of simultaneous contacts, the first one found is kept.
fn keep_earlier(
    first: &mut Option<(f32, Contact)>,
    share: Option<f32>,
    normal: Vec2,
    tile: TilePos,
) {
    if let Some(share) = share
        && first.is_none_or(|(earlier, _)| share < earlier)
    {
        *first = Some((share, Contact { normal, tile, wall: None }));
    }
}
