//! Finds the first contact of a moving point with the surrounding shapes.

use crate::geom::{DVec2, TilePos, Vec2, unit};
use crate::map::{Map, Obstacle};

use super::{Contact, SKIN, around, obstacle_rings, rings};

/// Sine of the smallest angle to a round surface that counts as a contact. At smaller angles,
/// rounding would cause repeated contacts while sliding. An ignored contact moves the body towards
/// the surface by less than the gap.
const GRAZING: f64 = 1e-4;

const CANCELLED: f32 = 0.001;

/// A moving point among shapes that are grown by `reach` tiles. Positions are in tiles, relative to
/// a base tile.
pub(super) struct MovingPoint {
    pub start: Vec2,
    pub(crate) motion: Vec2,
    pub reach: f32,
}

impl MovingPoint {
    /// Finds the first contact with the solid tiles around `near`. Stores the contact in `first` if
    /// it is earlier. `near` is relative to `base`.
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

    /// Finds the first contact with the small obstacles around `near`. Stores the contact in
    /// `first` if it is earlier. `near` is relative to `base`.
    pub(crate) fn meet_obstacles(
        &self,
        map: &Map,
        base: TilePos,
        near: TilePos,
        first: &mut Option<(f32, Contact)>,
    ) {
        let origin = Vec2::new(base.x as f32, base.y as f32);
        for tile in around(base + near, obstacle_rings(self.reach)) {
            map.visit_obstacles_on(tile, |Obstacle { centre, radius, opaque: _ }| {
                if let Some((share, normal)) =
                    self.meet_circle(centre - origin, self.reach + radius)
                {
                    keep_earlier(first, Some(share), normal, tile);
                }
            });
        }
    }

    /// Finds the first contact of the motion with a large obstacle. Stores the contact in `first`
    /// if it is earlier.
    pub(crate) fn meet_large_obstacles(
        &self,
        map: &Map,
        base: TilePos,
        first: &mut Option<(f32, Contact)>,
    ) {
        let origin = Vec2::new(base.x as f32, base.y as f32);
        let (from, to) = (origin + self.start, origin + self.start + self.motion);
        let area = (from.min(to), from.max(to));
        map.visit_large_obstacles(area, self.reach, |Obstacle { centre, radius, opaque: _ }| {
            if let Some((share, normal)) = self.meet_circle(centre - origin, self.reach + radius) {
                keep_earlier(first, Some(share), normal, TilePos::containing(centre));
            }
        });
    }

    /// Finds the first contact with the walls around `near`. Stores the contact in `first` if it is
    /// earlier. `near` is relative to `base`.
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

    /// Returns the share of the motion before contact with one face of a tile. `low` is the top
    /// left corner of the tile, and `outward` is the normal of the face. Returns `None` without a
    /// contact.
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

    /// Returns the share of the motion before contact with a circle, and the contact normal.
    /// Returns `None` without a contact.
    fn meet_circle(&self, centre: Vec2, radius: f32) -> Option<(f32, Vec2)> {
        let away = self.start - centre;
        let square = self.motion.length_squared();
        let closing = away.dot(self.motion);
        let grazing = GRAZING as f32;
        if closing >= 0.0 || closing * closing < grazing * grazing * away.length_squared() * square
        {
            return None;
        }
        let excess = away.length_squared() - radius * radius;
        if excess <= 0.0 {
            return Some((0.0, unit(away)));
        }
        let root = closing * closing - square * excess;
        // The circle is small or far away, or the motion touches its edge. An inexact root could
        // let the point pass between a corner and the face beside it.
        if root.abs() < CANCELLED * closing * closing {
            let met = meet_circle(away.as_dvec2(), self.motion.as_dvec2(), radius.into());
            return met.map(|(share, normal)| (share as f32, normal.as_vec2()));
        }
        if root < 0.0 {
            return None;
        }
        // This form avoids cancellation: excess / (−closing + √root).
        let share = excess / (root.sqrt() - closing);
        (share <= 1.0).then(|| (share, (away + self.motion * share) / radius))
    }
}

/// Returns the share of a motion before contact with a circle around the origin, and the unit
/// normal of the contact. `away` is the start of the motion. Returns `None` without a contact.
pub(in crate::map) fn meet_circle(away: DVec2, motion: DVec2, radius: f64) -> Option<(f64, DVec2)> {
    let square = motion.length_squared();
    let closing = away.dot(motion);
    let grazing = GRAZING * GRAZING * away.length_squared() * square;
    if closing >= 0.0 || closing * closing < grazing {
        return None;
    }
    let excess = away.length_squared() - radius * radius;
    if excess <= 0.0 {
        return Some((0.0, away / away.length()));
    }
    let root = closing * closing - square * excess;
    if root < 0.0 {
        return None;
    }
    // This form avoids cancellation: excess / (−closing + √root).
    let share = excess / (root.sqrt() - closing);
    (share <= 1.0).then(|| (share, (away + motion * share) / radius))
}

/// Replaces the contact in `first` if `share` is smaller. If two contacts are simultaneous, keeps
/// the existing contact.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::{Edges, sweep::stop, tests::drawn};
    use crate::rng::{RngKey, Use};

    /// Returns the smallest distance between a segment and a tile. Uses the fact that the distance
    /// from a convex shape is a convex function along the segment.
    fn least_distance(from: DVec2, to: DVec2, tile: TilePos) -> f64 {
        let low = DVec2::new(tile.x.into(), tile.y.into());
        let distance = |share: f64| {
            let at = from.lerp(to, share);
            at.distance(at.clamp(low, low + DVec2::ONE))
        };
        let (mut first, mut last) = (0.0, 1.0);
        for _ in 0..120 {
            let (near, far) = ((2.0 * first + last) / 3.0, (first + 2.0 * last) / 3.0);
            if distance(near) < distance(far) { last = far } else { first = near }
        }
        distance(first)
    }

    /// Checks that a shallow motion stops where a face begins. The motion reaches the face and the
    /// corner at its end at nearly the same time.
    #[test]
    fn shallow_motions_stop_where_a_face_begins() {
        let tile = TilePos::new(14, 11);
        let mut rows = vec![".".repeat(30); 24];
        rows[11].replace_range(14..15, "#");
        let map = drawn(&rows.iter().map(String::as_str).collect::<Vec<_>>(), Edges::Wall);
        for case in 0..100_000_u64 {
            let key = RngKey { seed: 1, frame: case, agent: 0, mode: 0, behaviour: 0 };
            let mut random = key.stream(Use::Placement);
            let mut power = |low: f64, high: f64| low * libm::pow(high / low, random.unit().into());
            let radius = power(0.05, 0.49);
            let reach = radius + f64::from(SKIN);
            let angle = power(1e-4, 0.5);
            let beside = power(1e-7, 0.1) * if case % 2 == 0 { -1.0 } else { 1.0 };
            let direction = DVec2::new(libm::cos(angle), libm::sin(angle));
            let seam = DVec2::new(14.0 - beside, 11.0 - reach);
            let start = (seam - direction * power(0.01, 10.0)).as_vec2();
            let motion = (direction * power(0.1, 20.0)).as_vec2();
            let (end, contact) = stop(&map, start, motion, radius as f32);
            let from = start.as_dvec2();
            let depth = reach - least_distance(from, end.as_dvec2(), tile);
            assert!(depth < 1e-5, "{start} by {motion}, radius {radius}: {depth} too deep");
            let free = least_distance(from, from + motion.as_dvec2(), tile) - reach;
            assert!(free < 1e-5 || contact.is_none(), "{start} by {motion}: {free} away");
        }
    }
}
