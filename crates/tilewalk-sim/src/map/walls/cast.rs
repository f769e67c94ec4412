//! Ray casts against solid tiles and walls, and lines of sight that walls block.

use crate::geom::{DVec2, Vec2, ray};
use crate::map::{Map, sweep};

use super::{Segment, WallId};

/// The first surface on a ray.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RayHit {
    /// Distance from the start of the ray to the surface, in tiles.
    pub distance: f32,
    /// Unit normal of the surface, pointing towards the start of the ray. Zero if the ray starts in
    /// a solid tile.
    pub normal: Vec2,
    /// The hit wall; `None` if the ray hits a solid tile.
    pub wall: Option<WallId>,
}

impl Map {
    /// Returns the first solid tile or wall on a ray of `length` tiles. Returns `None` if the ray
    /// hits nothing. `direction` is a unit vector. One-sided walls count only from the side of
    /// their normal.
    pub(crate) fn cast(&self, start: Vec2, direction: Vec2, length: f32) -> Option<RayHit> {
        let tile = ray::cast(start, direction, length, |tile| self.is_solid(tile));
        let tile =
            tile.map(|hit| RayHit { distance: hit.distance, normal: hit.normal, wall: None });
        if self.walls.is_empty() {
            return tile;
        }
        let mut first = tile;
        let ray = direction * tile.map_or(length, |hit| hit.distance);
        self.visit_walls_along(start, ray, |wall| {
            let Some((share, normal)) = wall.meet_ray(start.as_dvec2(), ray.as_dvec2()) else {
                return;
            };
            let distance = (share * ray.as_dvec2().length()) as f32;
            if first.is_none_or(|first| distance < first.distance) {
                first = Some(RayHit { distance, normal: normal.as_vec2(), wall: Some(wall.id) });
            }
        });
        first
    }

    /// Returns the first solid tile or wall that a disc touches while its centre moves along a ray.
    /// Returns `None` if the disc touches nothing. The distance of the hit is the distance that the
    /// centre moves.
    ///
    /// `direction` is a unit vector. `length` and `radius` are in tiles. A disc of radius 0 is a
    /// ray (see [`Map::cast`]).
    pub(crate) fn cast_disc(
        &self,
        start: Vec2,
        direction: Vec2,
        length: f32,
        radius: f32,
    ) -> Option<RayHit> {
        if radius == 0.0 {
            return self.cast(start, direction, length);
        }
        let (share, contact) = sweep::first_wall(self, start, direction * length, radius)?;
        Some(RayHit { distance: share * length, normal: contact.normal, wall: contact.wall })
    }

    /// Returns the opaque wall that blocks sight between two positions. If several walls block
    /// sight, returns the first in the order of the map file. Returns `None` if no wall blocks
    /// sight. Sight is symmetric.
    pub fn wall_blocking_sight(&self, eye: Vec2, other: Vec2) -> Option<WallId> {
        let (from, line, _) = self.sight_line(eye, other);
        self.first_wall_between(from, line, |wall, a, b| {
            self.walls.list[wall.id.0 as usize].opaque && wall.is_touched(a, b)
        })
    }

    /// Returns which share of the line of sight, between 0 and 1, is in front of the wall that
    /// blocks sight. The wall is the result of [`Map::wall_blocking_sight`]. Returns `None` if no
    /// wall blocks sight.
    pub(in crate::map) fn wall_on_sight(&self, eye: Vec2, other: Vec2) -> Option<f32> {
        let id = self.wall_blocking_sight(eye, other)?;
        let (from, line, swapped) = self.sight_line(eye, other);
        let (start, whole) = (from.as_dvec2(), line.as_dvec2());
        let mut first: Option<f64> = None;
        // On a torus, only some images of the wall are on the line.
        self.visit_walls_along(from, line, |wall| {
            if wall.id != id || !wall.is_touched(start, start + whole) {
                return;
            }
            let span = wall.end() - wall.from;
            let across = whole.perp_dot(span);
            let share = ((wall.from - start).perp_dot(span) / across).clamp(0.0, 1.0);
            // A line along the wall has no single point in common with the wall.
            let share = if across == 0.0 {
                0.0
            } else if swapped {
                1.0 - share
            } else {
                share
            };
            first = Some(first.map_or(share, |first| first.min(share)));
        });
        first.map(|share| share as f32)
    }

    /// Returns true if a wall touches the straight line from `start` to `start + offset`.
    pub(crate) fn is_wall_between(&self, start: Vec2, offset: Vec2) -> bool {
        self.first_wall_between(start, offset, Segment::is_touched).is_some()
    }

    /// Returns the wall that stops a point moving from `start` by `offset`. If several walls stop
    /// the point, returns the first in the order of the map file. Returns `None` if no wall stops
    /// the point. A one-sided wall stops only motion against its normal.
    pub(crate) fn wall_barring_way(&self, start: Vec2, offset: Vec2) -> Option<WallId> {
        self.first_wall_between(start, offset, Segment::bars)
    }

    /// Returns the first wall, in the order of the map file, for which `meets` returns true.
    /// `meets` receives the wall and both ends of the line from `start` to `start + offset`.
    /// Returns `None` if no wall matches.
    fn first_wall_between(
        &self,
        start: Vec2,
        offset: Vec2,
        meets: impl Fn(&Segment, DVec2, DVec2) -> bool,
    ) -> Option<WallId> {
        let (from, to) = (start.as_dvec2(), start.as_dvec2() + offset.as_dvec2());
        let mut first: Option<WallId> = None;
        self.visit_walls_along(start, offset, |wall| {
            if first.is_none_or(|first| wall.id < first) && meets(wall, from, to) {
                first = Some(wall.id);
            }
        });
        first
    }

    /// Calls `visit` for each wall near the straight line from `start` to `start + offset`. The
    /// same wall can be visited several times.
    fn visit_walls_along(&self, start: Vec2, offset: Vec2, mut visit: impl FnMut(&Segment)) {
        if self.walls.is_empty() {
            return;
        }
        for passed in ray::passed(start, crate::geom::unit(offset), offset.length()) {
            self.visit_walls_near(passed.tile, 0.0, &mut visit);
        }
    }
}
