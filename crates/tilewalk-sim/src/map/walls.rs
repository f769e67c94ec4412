//! Free walls: straight walls between any two points (Buckland ch. 3).
//!
//! Walls have no thickness. A two-sided wall stops bodies from both sides. A one-sided wall stops
//! only bodies that come from the side of its normal.
//!
//! This file contains the geometry of walls, the index of the walls near each tile, the steps
//! between tiles that walls bar, ray casts against solid tiles and walls, and lines of sight that
//! walls block.
//!
//! The index lists the walls on each tile and on its eight neighbours. All geometry is computed in
//! `f64`, because an `f32` cannot place a body beside a long wall to a thousandth of a tile.
//!
//! A wall bars a step between two adjacent tiles if the straight line between their centres touches
//! the wall. A one-sided wall bars only steps against its normal. A tile is closed if a wall passes
//! through its centre. These rules are the same for agents that move on tiles, routes and flow
//! fields.

#[cfg(test)]
pub(super) mod tests;

use crate::geom::{DVec2, Direction, TilePos, Vec2, ray};
use crate::grid::Grid;

use super::ground::{self, Ground};
use super::steps::StepTables;
use super::sweep::{self, SKIN, around, meet_circle};
use super::{Edges, Map, WallId};

/// A straight wall without thickness between two points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wall {
    /// Start of the wall, in tiles from the top left corner of the map.
    pub from: Vec2,
    /// End of the wall, in tiles. On a torus, the wall leads from its start to the nearest image of
    /// this point.
    pub to: Vec2,
    /// Whether the wall stops only bodies that come from the side of its normal.
    pub one_sided: bool,
    /// Whether the wall blocks sight, in both directions.
    pub opaque: bool,
    /// Index of the wall's `[[wall]]` entry in [`Walls::names`]. All walls of a polyline share an
    /// entry.
    pub entry: u32,
}

/// The contact of a body with a tile, an obstacle or a wall.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Touch {
    /// The solid tile, the tile with the obstacle's centre, or the tile where the body touches the
    /// wall.
    pub tile: TilePos,
    /// The touched wall; `None` if the body touches a tile or an obstacle.
    pub wall: Option<WallId>,
}

/// The free walls of a map, indexed by tile.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Walls {
    list: Vec<Wall>,
    names: Vec<String>,
    segments: Vec<Segment>,
    /// The walls near each tile, sorted by tile in reading order, then by wall.
    near: Vec<Near>,
    /// The barred steps of each tile, as one bit per direction. Bit 0 is east, and the other bits
    /// follow clockwise. `None` if no steps are barred.
    pub(super) barred: Option<Grid<u8>>,
}

impl Walls {
    /// Returns the walls in the order of the map file. A [`WallId`] is an index into this list.
    pub fn list(&self) -> &[Wall] {
        &self.list
    }

    /// Returns the memory of the walls, in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.list)
            + size_of_val(&*self.segments)
            + size_of_val(&*self.near)
            + self.barred.as_ref().map_or(0, |barred| barred.cells().len())
    }

    /// Returns the name of each `[[wall]]` entry of the map file. The name is empty if the entry
    /// has none.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns true if the map has no free walls.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns the wall with an id; `None` if the index is out of range.
    pub fn get(&self, id: WallId) -> Option<&Wall> {
        self.list.get(id.0 as usize)
    }

    pub(super) fn segments(&self) -> &[Segment] {
        &self.segments
    }

    fn on(&self, tile: TilePos) -> &[Near] {
        let begin = self.near.partition_point(|near| near.tile < tile);
        let count = self.near[begin..].partition_point(|near| near.tile == tile);
        &self.near[begin..begin + count]
    }
}

impl Map {
    /// Adds walls after the existing walls of the map, and returns the map. Each [`Wall::entry`] is
    /// an index in `names`. Walls without a length are dropped.
    #[must_use]
    pub fn with_walls(mut self, mut list: Vec<Wall>, names: Vec<String>) -> Self {
        list.retain(|wall| self.wall_span(wall) != DVec2::ZERO);
        if list.is_empty() {
            return self;
        }
        let Walls { list: before, names: mut all_names, .. } = core::mem::take(&mut self.walls);
        let entries = all_names.len() as u32;
        for wall in &mut list {
            wall.entry += entries;
        }
        list.splice(0..0, before);
        all_names.extend(names);
        let segment = |(wall, index): (&Wall, u32)| {
            let span = self.wall_span(wall);
            Segment::new(wall.from.as_dvec2(), span, wall.one_sided, WallId(index))
        };
        let segments: Vec<Segment> = list.iter().zip(0..).map(segment).collect();
        let near = near(&self, &segments);
        for entry in &near {
            let closes = segments[entry.wall.0 as usize].closes(entry.at);
            ground::mark_wall(&mut self.ground, entry.tile, closes);
        }
        let barred = Some(steps(&self, &segments, &near));
        self.walls = Walls { list, names: all_names, segments, near, barred };
        self.blocks = ground::blocks(&self.ground);
        self.steps = StepTables::default();
        self
    }

    /// Returns the free walls of the map. Wall tiles are not included.
    pub fn walls(&self) -> &Walls {
        &self.walls
    }

    /// Returns the vector from the start to the end of a wall, in tiles. On a torus, this is the
    /// vector to the nearest image of the end.
    fn wall_span(&self, wall: &Wall) -> DVec2 {
        let direct = wall.to.as_dvec2() - wall.from.as_dvec2();
        let shorter = |direct: f64, side: u32| {
            let around = f64::from(side);
            // Half of the way around points towards increasing coordinates, as in `Map::offset`.
            direct - around * (direct / around - 0.5).ceil()
        };
        match self.edges {
            Edges::Wall => direct,
            Edges::Wrap => {
                DVec2::new(shorter(direct.x, self.width()), shorter(direct.y, self.height()))
            }
        }
    }

    /// Returns the end of a wall, in tiles. On a torus, the end is not wrapped and may be outside
    /// the map.
    pub fn wall_end(&self, wall: &Wall) -> Vec2 {
        (wall.from.as_dvec2() + self.wall_span(wall)).as_vec2()
    }

    /// Returns the unit normal of a wall. The normal points to the right, looking from the start to
    /// the end.
    pub fn wall_normal(&self, wall: &Wall) -> Vec2 {
        let span = self.wall_span(wall);
        (span.perp() / span.length()).as_vec2()
    }

    /// Calls `visit` for each wall within `reach` tiles of any point on `tile`. Can also visit
    /// farther walls, and the same wall several times. If `tile` is an image outside a torus, the
    /// walls are shifted to the same image.
    pub(super) fn visit_walls_near(
        &self,
        tile: TilePos,
        reach: f32,
        mut visit: impl FnMut(&Segment),
    ) {
        if self.walls.is_empty() {
            return;
        }
        let rings = (reach.ceil() as i32 - 1).max(0);
        for tile in around(tile, rings) {
            if !self.ground(tile).has(Ground::NEAR_WALL) {
                continue;
            }
            let Some(on_map) = self.resolve(tile) else { continue };
            for near in self.walls.on(on_map) {
                visit(&self.walls.segments[near.wall.0 as usize].shifted(tile - near.at));
            }
        }
    }

    /// Calls `visit` for each wall within `reach` tiles of a position, with the vector to the
    /// nearest point of the wall. One-sided walls count only if the position is on the side of
    /// their normal. The same wall can be visited several times.
    pub(crate) fn visit_walls_within(
        &self,
        position: Vec2,
        reach: f32,
        mut visit: impl FnMut(WallId, Vec2),
    ) {
        let point = position.as_dvec2();
        self.visit_walls_near(TilePos::containing(position), reach, |wall| {
            let offset = wall.nearest(point) - point;
            if offset.length() <= f64::from(reach) && wall.is_in_front(point) {
                visit(wall.id, offset.as_vec2());
            }
        });
    }

    /// Returns the walls that cross or touch a tile, in the order of the map file.
    pub fn walls_on(&self, tile: TilePos) -> Vec<WallId> {
        let mut found = Vec::new();
        self.visit_walls_near(tile, 0.0, |wall| {
            if wall.crosses_tile(tile) && !found.contains(&wall.id) {
                found.push(wall.id);
            }
        });
        found
    }

    /// Returns true if a disc overlaps a two-sided wall. Touching does not count. Centre and radius
    /// are in tiles.
    pub(crate) fn overlaps_wall(&self, centre: Vec2, radius: f32) -> bool {
        let point = centre.as_dvec2();
        let mut found = false;
        self.visit_walls_near(TilePos::containing(centre), radius, |wall| {
            let distance = (wall.nearest(point) - point).length();
            found |= !wall.one_sided && distance < f64::from(radius);
        });
        found
    }
}

/// Extra width of the searched rows and columns, in tiles. Without it, rounding could omit a tile.
const MARGIN: f64 = 1e-6;

/// An entry of the index: a tile, and a wall on this tile or on one of its eight neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Near {
    /// The tile, wrapped onto the map.
    pub tile: TilePos,
    pub wall: WallId,
    /// The tile before wrapping, in the coordinates of the wall.
    pub at: TilePos,
}

/// Lists the walls near each tile of a map, sorted by tile in reading order, then by wall.
pub(super) fn near(map: &Map, segments: &[Segment]) -> Vec<Near> {
    let mut near = Vec::new();
    for segment in segments {
        let (from, to) = (segment.from.y, segment.end().y);
        let rows = (from.min(to).floor() as i32 - 1)..=(from.max(to).floor() as i32 + 1);
        for y in rows {
            let (top, bottom) = (f64::from(y) - 1.0 - MARGIN, f64::from(y) + 2.0 + MARGIN);
            let Some((left, right)) = segment.columns_between(top, bottom) else { continue };
            let columns = (left - MARGIN).floor() as i32 - 1..=(right + MARGIN).floor() as i32 + 1;
            for x in columns {
                let at = TilePos::new(x, y);
                near.extend(map.resolve(at).map(|tile| Near { tile, wall: segment.id, at }));
            }
        }
    }
    near.sort_unstable();
    near
}

/// Returns the barred directions of each tile, as bits. Bit 0 is east, and the other bits follow
/// clockwise.
pub(super) fn steps(map: &Map, segments: &[Segment], near: &[Near]) -> Grid<u8> {
    let mut barred = Grid::filled(map.width(), map.height(), 0);
    for entry in near {
        let Some(bits) = barred.get_mut(entry.tile) else { continue };
        for direction in Direction::ALL {
            if bars(&segments[entry.wall.0 as usize], entry.at, direction) {
                *bits |= 1 << direction as u8;
            }
        }
    }
    barred
}

fn bars(wall: &Segment, from: TilePos, direction: Direction) -> bool {
    let centres = [from, from.neighbour(direction)].map(|tile| tile.centre().as_dvec2());
    wall.bars(centres[0], centres[1])
}

impl Map {
    /// Returns true if the step from a tile in a direction is barred.
    #[inline]
    pub(in crate::map) fn is_barred(&self, from: TilePos, direction: Direction) -> bool {
        self.barred_directions(from) & 1 << direction as u8 != 0
    }

    /// Returns the directions of the barred steps from a tile, as bits. Bit 0 is east, and the
    /// other bits follow clockwise.
    #[inline]
    pub(in crate::map) fn barred_directions(&self, from: TilePos) -> u8 {
        let Some(barred) = &self.walls.barred else { return 0 };
        self.resolve(from).and_then(|tile| barred.get(tile)).copied().unwrap_or(0)
    }

    /// Returns the wall that bars a step from a tile. If several walls bar it, returns the first in
    /// the order of the map file. Returns `None` if no wall bars the step.
    pub(in crate::map) fn barring_wall(
        &self,
        from: TilePos,
        direction: Direction,
    ) -> Option<WallId> {
        if !self.is_barred(from, direction) {
            return None;
        }
        let mut first: Option<WallId> = None;
        self.visit_walls_near(from, 0.0, |wall| {
            if first.is_none_or(|first| wall.id < first) && bars(wall, from, direction) {
                first = Some(wall.id);
            }
        });
        first
    }

    /// Returns the wall that passes through the centre of a tile. If there are several, returns the
    /// first in the order of the map file. Returns `None` if no wall closes the tile.
    pub(in crate::map) fn closing_wall(&self, tile: TilePos) -> Option<WallId> {
        let mut first: Option<WallId> = None;
        self.visit_walls_near(tile, 0.0, |wall| {
            if first.is_none_or(|first| wall.id < first) && wall.closes(tile) {
                first = Some(wall.id);
            }
        });
        first
    }
}

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
        let tile = self.cast_on_tiles(start, direction, length);
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
