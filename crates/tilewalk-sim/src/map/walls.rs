//! Free walls: straight walls between any two points (Buckland ch. 3).
//!
//! Walls have no thickness. A two-sided wall stops bodies from both sides. A one-sided wall stops
//! only bodies that come from the side of its normal.
//!
//! The index lists the walls on each tile and on its eight neighbours. All geometry is computed in
//! `f64`, because an `f32` cannot place a body beside a long wall to a thousandth of a tile.

mod barred;
mod cast;
mod index;
mod segment;
#[cfg(test)]
pub(super) mod tests;

use crate::geom::{DVec2, TilePos, Vec2};
use crate::grid::Grid;

use super::ground::{self, Ground};
use super::sweep::around;
use super::{Edges, Map};

pub(crate) use cast::RayHit;
use index::Near;
pub(super) use segment::Segment;

/// Identifies a wall: its index in [`Walls::list`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WallId(pub u32);

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
        let near = index::near(&self, &segments);
        for entry in &near {
            let closes = segments[entry.wall.0 as usize].closes(entry.at);
            ground::mark_wall(&mut self.ground, entry.tile, closes);
        }
        let barred = Some(barred::steps(&self, &segments, &near));
        self.walls = Walls { list, names: all_names, segments, near, barred };
        self.blocks = ground::blocks(&self.ground);
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
