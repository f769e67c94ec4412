//! The geometry of one wall.

use crate::geom::{DVec2, TilePos};
use crate::map::sweep::{SKIN, meet_circle};

use super::WallId;

/// Sine of the smallest angle to the face of a wall that counts as a contact. It exceeds the
/// rounding error of a motion along the wall, which would otherwise cause repeated contacts. The
/// disc comes nearer by at most a millionth of the motion, and `settle` moves it back.
const GRAZING_FACE: f64 = 1e-6;

/// A wall, or an image of a wall on a torus. Coordinates are in tiles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::map) struct Segment {
    pub(in crate::map) id: WallId,
    pub(super) from: DVec2,
    /// Vector from the start to the end.
    span: DVec2,
    /// Unit vector from the start to the end.
    direction: DVec2,
    length: f64,
    pub(super) one_sided: bool,
}

impl Segment {
    /// Creates a wall from its start and its span, in tiles. `span` must not be zero.
    pub(super) fn new(from: DVec2, span: DVec2, one_sided: bool, id: WallId) -> Self {
        let length = span.length();
        Self { id, from, span, direction: span / length, length, one_sided }
    }

    /// Returns a copy of the wall, shifted by a whole number of tiles.
    pub(super) fn shifted(&self, by: TilePos) -> Self {
        Self { from: self.from + DVec2::new(by.x.into(), by.y.into()), ..*self }
    }

    pub(super) fn end(&self) -> DVec2 {
        self.from + self.span
    }

    /// Returns the start and the end of the wall, in tiles. On a torus, the end is not wrapped.
    pub(in crate::map) fn ends(&self) -> [DVec2; 2] {
        [self.from, self.end()]
    }

    /// Returns true if the wall stops only bodies that come from the side of its normal.
    pub(in crate::map) fn one_sided(&self) -> bool {
        self.one_sided
    }

    /// Returns the unit normal of the wall. The normal points to the right, looking from the start
    /// to the end.
    pub(super) fn normal(&self) -> DVec2 {
        self.direction.perp()
    }

    /// Returns the signed distance of a point from the infinite line through the wall, in tiles.
    /// Positive on the side of the normal.
    fn height(&self, point: DVec2) -> f64 {
        (point - self.from).dot(self.normal())
    }

    /// Returns true if the wall can stop a body at a point. A two-sided wall always can. A
    /// one-sided wall stops only bodies on the side of its normal.
    pub(in crate::map) fn is_in_front(&self, point: DVec2) -> bool {
        !self.one_sided || self.height(point) >= 0.0
    }

    /// Returns the point of the wall that is nearest to `point`.
    pub(in crate::map) fn nearest(&self, point: DVec2) -> DVec2 {
        let along = (point - self.from).dot(self.direction);
        // The end is exact, so that walls that share an end have no gap.
        if along >= self.length { self.end() } else { self.from + self.direction * along.max(0.0) }
    }

    /// Returns the share of a motion before a disc touches the wall, from 0 to 1, and the unit
    /// normal of the contact. `reach` is the radius of the disc, in tiles. Returns `None` if the
    /// wall does not stop the disc.
    pub(in crate::map) fn meet(
        &self,
        start: DVec2,
        motion: DVec2,
        reach: f64,
    ) -> Option<(f64, DVec2)> {
        let normal = self.normal();
        if self.one_sided && (self.height(start) < 0.0 || motion.dot(normal) >= 0.0) {
            return None;
        }
        let ends = [self.from, self.end()].map(|end| {
            let met = meet_circle(start - end, motion, reach);
            // The rounded end of a one-sided wall is only a half.
            met.filter(|(_, contact)| !self.one_sided || contact.dot(normal) >= 0.0)
        });
        let contacts = [self.meet_face(start, motion, reach), ends[0], ends[1]];
        contacts
            .into_iter()
            .flatten()
            .reduce(|first, next| if next.0 < first.0 { next } else { first })
    }

    fn meet_face(&self, start: DVec2, motion: DVec2, reach: f64) -> Option<(f64, DVec2)> {
        let height = self.height(start);
        let outward = if height < 0.0 { -self.normal() } else { self.normal() };
        let speed = -motion.dot(outward);
        if speed <= GRAZING_FACE * motion.length() {
            return None;
        }
        let share = ((height.abs() - reach) / speed).max(0.0);
        let along = (start + motion * share - self.from).dot(self.direction);
        (share <= 1.0 && (0.0..=self.length).contains(&along)).then_some((share, outward))
    }

    /// Returns the share of a ray before it hits the wall, from 0 to 1, and the unit normal of the
    /// hit side. Returns `None` if the ray misses the wall or comes from behind a one-sided wall.
    pub(super) fn meet_ray(&self, start: DVec2, ray: DVec2) -> Option<(f64, DVec2)> {
        let rise = ray.dot(self.normal());
        if rise == 0.0 || (self.one_sided && rise > 0.0) {
            return None;
        }
        let share = -self.height(start) / rise;
        let along = (start + ray * share - self.from).dot(self.direction);
        let hits = (0.0..=1.0).contains(&share) && (0.0..=self.length).contains(&along);
        hits.then(|| (share, if rise > 0.0 { -self.normal() } else { self.normal() }))
    }

    /// Returns true if the line segment from `a` to `b` crosses or touches the wall.
    pub(super) fn is_touched(&self, a: DVec2, b: DVec2) -> bool {
        let line = b - a;
        let sides = [a, b].map(|end| self.span.perp_dot(end - self.from));
        let own_sides = [self.from, self.end()].map(|end| line.perp_dot(end - a));
        if sides == [0.0; 2] {
            // All points are on one line.
            let along = [a, b].map(|end| (end - self.from).dot(self.direction));
            let (low, high) = (along[0].min(along[1]), along[0].max(along[1]));
            return low <= self.length && high >= 0.0;
        }
        sides[0] * sides[1] <= 0.0 && own_sides[0] * own_sides[1] <= 0.0
    }

    /// Returns true if the wall bars a step on tiles from `a` to `b`. The step must touch the wall.
    /// If the wall is one-sided, the step must also go against the normal.
    pub(super) fn bars(&self, a: DVec2, b: DVec2) -> bool {
        let inward = !self.one_sided || (b - a).dot(self.normal()) < 0.0;
        inward && self.is_touched(a, b)
    }

    /// Returns true if the wall passes through the centre of a tile. The tolerance is [`SKIN`].
    pub(super) fn closes(&self, tile: TilePos) -> bool {
        let centre = tile.centre().as_dvec2();
        (self.nearest(centre) - centre).length() < f64::from(SKIN)
    }

    /// Returns true if the wall crosses or touches the square of a tile.
    pub(super) fn crosses_tile(&self, tile: TilePos) -> bool {
        let low = DVec2::new(tile.x.into(), tile.y.into());
        let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
        let corners = corners.map(|(x, y)| low + DVec2::new(x, y));
        let inside = (self.from - low).clamp(DVec2::ZERO, DVec2::ONE) == self.from - low;
        inside || (0..4).any(|side| self.is_touched(corners[side], corners[(side + 1) % 4]))
    }

    /// Returns the smallest and the largest x of the wall between two y coordinates. Returns `None`
    /// if the wall does not reach this band.
    pub(super) fn columns_between(&self, top: f64, bottom: f64) -> Option<(f64, f64)> {
        let (mut first, mut last) = (0.0_f64, 1.0_f64);
        if self.span.y == 0.0 {
            if !(top..=bottom).contains(&self.from.y) {
                return None;
            }
        } else {
            let shares = [top, bottom].map(|y| (y - self.from.y) / self.span.y);
            first = first.max(shares[0].min(shares[1]));
            last = last.min(shares[0].max(shares[1]));
        }
        let [a, b] = [first, last].map(|share| self.from.x + self.span.x * share);
        (first <= last).then(|| (a.min(b), a.max(b)))
    }
}
