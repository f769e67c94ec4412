//! The map that agents move on: tiles, edges, obstacles, sight, routes and distances.
//!
//! A [`Map`] contains no agents and does not change while a world runs. On a map that wraps around,
//! distances are measured along the shorter way.

mod clearance;
pub mod components;
mod cover;
mod derived;
pub(crate) mod faces;
mod fan;
mod free;
mod ground;
pub mod line;
pub mod obstacles;
#[cfg(test)]
mod oracle;
pub mod route;
pub mod search;
mod sight;
mod steps;
pub mod sweep;
pub mod walls;

use core::fmt;
use std::sync::Arc;

use crate::geom::lanes::{self, Lanes, Mask};
use crate::geom::{Direction, TilePos, Vec2, Vectors};
use crate::grid::Grid;
use crate::map::cover::ObstacleTiles;
use crate::map::derived::Derived;
use crate::map::free::FreeDistances;
use crate::map::ground::Ground;
use crate::map::steps::StepTables;
use crate::tile::TileKind;

pub use crate::map::faces::FaceOwner;
pub use crate::map::obstacles::{Obstacle, Obstacles, TILE_RADIUS};
pub use crate::map::walls::{Touch, Wall, Walls};

/// Rule for the border of the map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Edges {
    /// Tiles beyond the border are solid.
    #[default]
    Wall,
    /// The map is a torus. Distances and directions follow the shorter way around.
    Wrap,
}

/// Rule for diagonal steps past the corner of a closed tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Corners {
    /// Diagonal steps of pattern drives may cut corners. Diagonal steps of routes may not.
    #[default]
    Patterns,
    /// All diagonal steps may cut corners.
    Cut,
    /// No diagonal step may cut a corner.
    Block,
}

/// Identifies a free wall: its index in [`Walls::list`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WallId(pub u32);

/// The reason why the terrain forbids a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepError {
    /// The tile to enter is outside the map.
    Edge,
    /// The tile to enter is not walkable.
    Wall(TilePos),
    /// An obstacle has its centre on the tile to enter, or a large obstacle covers the tile's
    /// centre.
    Obstacle(TilePos),
    /// A free wall prevents the step, or passes through the centre of the tile to enter.
    FreeWall(TilePos, WallId),
    /// The diagonal step would cut the corner of the given closed tile.
    Corner(TilePos),
}

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Edge => f.write_str("the tile is outside the map"),
            Self::Wall(tile) => write!(f, "{tile} is not walkable"),
            Self::Obstacle(tile) => write!(f, "an obstacle is on {tile}"),
            Self::FreeWall(tile, _) => write!(f, "a wall bars the step to {tile}"),
            Self::Corner(tile) => write!(f, "the corner of {tile} blocks the step"),
        }
    }
}

/// An immutable tile map with its legend, edges, obstacles and walls.
#[derive(Debug, Clone, PartialEq)]
pub struct Map {
    /// Maps with equal tiles can share them.
    tiles: Arc<Grid<u8>>,
    legend: Vec<TileKind>,
    /// Flags of each tile, computed from the tiles, legend, obstacles and walls.
    ground: Grid<Ground>,
    /// Combined flags of each block of tiles, computed from `ground`.
    blocks: Grid<Ground>,
    /// The tiles with obstacles, computed from `ground`.
    obstacle_tiles: ObstacleTiles,
    /// The free distance of each tile, computed from `ground` when first needed.
    free: Derived<FreeDistances>,
    obstacles: Obstacles,
    walls: Walls,
    edges: Edges,
    corners: Corners,
    /// The steps that routes can take, computed from all of the above when first needed.
    steps: StepTables,
}

impl Map {
    /// Creates a map from a grid of indices in `legend`. `standing` contains the obstacles that are
    /// not part of a tile kind.
    ///
    /// Returns `None` if an index is out of range, or if the grid is empty or larger than 4096 ×
    /// 4096 tiles.
    pub fn new(
        tiles: Grid<u8>,
        legend: Vec<TileKind>,
        standing: Vec<Obstacle>,
        edges: Edges,
        corners: Corners,
    ) -> Option<Self> {
        let largest = tiles.cells().iter().copied().max()?;
        let fits = usize::from(largest) < legend.len()
            && tiles.width() <= Self::MAX_SIDE
            && tiles.height() <= Self::MAX_SIDE;
        fits.then(|| {
            let ground = ground::survey(&tiles, &legend, &standing, edges);
            let obstacles = Obstacles::new(standing);
            let blocks = ground::blocks(&ground);
            let obstacle_tiles = ObstacleTiles::new(&ground);
            let walls = Walls::default();
            let tiles = Arc::new(tiles);
            let steps = StepTables::default();
            Self {
                tiles,
                legend,
                ground,
                blocks,
                obstacle_tiles,
                free: Derived::default(),
                obstacles,
                walls,
                edges,
                corners,
                steps,
            }
        })
    }

    /// Builds a map from rows of glyphs: `.` for floor, `#` for a wall, and `T` for a tree. A tree
    /// is an obstacle with a radius of 0.35 tiles.
    ///
    /// Returns `None` if the rows differ in length, if a glyph is unknown, or if the map is empty
    /// or too large.
    pub fn drawn(rows: &[&str], edges: Edges) -> Option<Self> {
        let tree = TileKind { obstacle: Some(0.35), ..TileKind::floor("T", "tree") };
        let wall = TileKind { walk: false, ..TileKind::floor("#", "wall") };
        let legend = vec![TileKind::floor(".", "floor"), wall, tree];
        let width = rows.first()?.len();
        let mut cells = Vec::new();
        for row in rows.iter().filter(|row| row.len() == width) {
            for glyph in row.chars() {
                cells.push(".#T".find(glyph)? as u8);
            }
        }
        let complete = cells.len() == width * rows.len();
        let tiles = Grid::from_cells(width as u32, cells).filter(|_| complete)?;
        Self::new(tiles, legend, vec![], edges, Corners::default())
    }

    /// The largest width and height of a map, in tiles.
    pub const MAX_SIDE: u32 = 4096;

    /// Returns the number of columns, 1 to [`Map::MAX_SIDE`].
    #[inline]
    pub fn width(&self) -> u32 {
        self.tiles.width()
    }

    /// Returns the number of rows, 1 to [`Map::MAX_SIDE`].
    #[inline]
    pub fn height(&self) -> u32 {
        self.tiles.height()
    }

    /// Returns whether borders are walls or wrap around.
    pub fn edges(&self) -> Edges {
        self.edges
    }

    /// Returns the rule for diagonal steps past the corners of closed tiles.
    pub fn corners(&self) -> Corners {
        self.corners
    }

    /// Returns the kind of each tile, as an index into [`Map::legend`].
    pub fn tiles(&self) -> &Grid<u8> {
        &self.tiles
    }

    /// Shares the tiles of another map if they are equal.
    pub(crate) fn share_tiles(&mut self, other: &Self) {
        if self.tiles == other.tiles {
            self.tiles = Arc::clone(&other.tiles);
        }
    }

    /// Returns true if the maps have equal tiles that they do not share.
    pub(crate) fn could_share_tiles(&self, other: &Self) -> bool {
        !Arc::ptr_eq(&self.tiles, &other.tiles) && self.tiles == other.tiles
    }

    /// Returns the address and the size of the tiles, in bytes.
    pub(crate) fn tiles_part(&self) -> (usize, usize) {
        (Arc::as_ptr(&self.tiles).addr(), self.tiles.cells().len())
    }

    /// Returns the memory of the map without its tiles, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let flags = self.ground.cells().len() + self.blocks.cells().len();
        size_of::<Self>()
            + flags * size_of::<Ground>()
            + self.legend.len() * size_of::<TileKind>()
            + size_of_val(self.obstacles.standing())
            + self.walls.bytes()
            + self.free.computed().map_or(0, FreeDistances::bytes)
            + self.steps.bytes()
    }

    /// Returns the tile kinds of the map. [`Map::tiles`] contains indices into this list.
    pub fn legend(&self) -> &[TileKind] {
        &self.legend
    }

    /// Returns the obstacles that are not part of a tile kind.
    pub fn obstacles(&self) -> &Obstacles {
        &self.obstacles
    }

    /// Returns the position of a tile, wrapped onto the map. Returns `None` for a tile outside a
    /// map without wrapping.
    #[inline]
    pub fn resolve(&self, tile: TilePos) -> Option<TilePos> {
        if self.tiles.contains(tile) {
            return Some(tile);
        }
        match self.edges {
            Edges::Wall => None,
            Edges::Wrap => Some(self.tiles.wrapped(tile)),
        }
    }

    /// Returns the kind of a tile. Returns `None` for a tile outside a map without wrapping.
    #[inline]
    pub fn kind(&self, tile: TilePos) -> Option<&TileKind> {
        let index = *self.tiles.get(self.resolve(tile)?)?;
        self.legend.get(usize::from(index))
    }

    /// Returns true if bodies cannot enter a tile. Tiles outside a map without wrapping are solid.
    #[inline]
    pub fn is_solid(&self, tile: TilePos) -> bool {
        self.ground(tile).has(Ground::SOLID)
    }

    #[inline]
    fn ground(&self, tile: TilePos) -> Ground {
        match self.ground.get(tile) {
            Some(&ground) => ground,
            None => self.ground_beyond(tile),
        }
    }

    fn ground_beyond(&self, tile: TilePos) -> Ground {
        let on_map = self.resolve(tile).and_then(|tile| self.ground.get(tile));
        on_map.copied().unwrap_or(Ground::BEYOND)
    }

    /// Returns true if a tile contains the centre of an obstacle. Returns false for tiles outside a
    /// map without wrapping.
    pub(crate) fn has_obstacle(&self, tile: TilePos) -> bool {
        self.ground(tile).has(Ground::OBSTACLE)
    }

    /// Returns the drag that a tile exerts on bodies, in 1/s. Tiles outside a map without wrapping
    /// have no drag.
    #[inline]
    pub fn drag(&self, tile: TilePos) -> f32 {
        if !self.ground(tile).has(Ground::DRAGS) {
            return 0.0;
        }
        self.kind(tile).map_or(0.0, |kind| kind.drag)
    }

    /// Returns the reason why tile drives and routes can't enter a tile. Returns `None` if they can
    /// enter it.
    pub fn refusal(&self, tile: TilePos) -> Option<StepError> {
        let Some(tile) = self.resolve(tile) else { return Some(StepError::Edge) };
        let kind = self.kind(tile)?;
        if !kind.walk {
            Some(StepError::Wall(tile))
        } else if self.has_obstacle(tile) || self.ground(tile).has(Ground::COVERED) {
            Some(StepError::Obstacle(tile))
        } else {
            self.closing_wall(tile).map(|wall| StepError::FreeWall(tile, wall))
        }
    }

    /// Returns true if tile drives and routes can enter a tile. Faster than [`Map::refusal`].
    pub fn is_open(&self, tile: TilePos) -> bool {
        !self.ground(tile).has(Ground::CLOSED)
    }

    /// Returns the tile that a step enters, wrapped onto the map. `routed` is true for routes and
    /// false for pattern drives. Their rules for corners can differ (see [`Corners`]).
    ///
    /// # Errors
    /// Returns an error if the terrain forbids the step.
    pub fn step(
        &self,
        from: TilePos,
        direction: Direction,
        routed: bool,
    ) -> Result<TilePos, StepError> {
        let to = from.neighbour(direction);
        if let Some(refusal) = self.refusal(to) {
            return Err(refusal);
        }
        let landing = self.resolve(to).unwrap_or(to);
        if let Some(wall) = self.barring_wall(from, direction) {
            return Err(StepError::FreeWall(landing, wall));
        }
        let can_cut = match self.corners {
            Corners::Patterns => !routed,
            Corners::Cut => true,
            Corners::Block => false,
        };
        if direction.is_diagonal() && !can_cut {
            for side in [direction.turned(-1), direction.turned(1)] {
                let beside = from.neighbour(side);
                if self.refusal(beside).is_some() {
                    return Err(StepError::Corner(self.resolve(beside).unwrap_or(beside)));
                }
            }
        }
        Ok(landing)
    }

    /// Returns the direction of the step from a tile to an adjacent tile. On a torus, the step can
    /// cross the edge. Returns `None` if the tiles are not adjacent.
    pub fn direction_between(&self, from: TilePos, to: TilePos) -> Option<Direction> {
        if let Some(direction) = Direction::of_step(to - from) {
            return Some(direction);
        }
        let to = self.resolve(to)?;
        Direction::ALL
            .into_iter()
            .find(|&direction| self.resolve(from.neighbour(direction)) == Some(to))
    }

    /// Returns true if a disc overlaps no solid tile, no obstacle and no two-sided wall. Centre and
    /// radius are in tiles. Touching does not count as an overlap.
    pub fn fits(&self, centre: Vec2, radius: f32) -> bool {
        let tile = TilePos::containing(centre);
        !self.is_solid(tile) && !sweep::overlaps(self, centre, radius)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn drawn(rows: &[&str], edges: Edges) -> Map {
        Map::drawn(rows, edges).unwrap()
    }

    #[test]
    fn tiles_outside_the_map_are_solid() {
        let map = drawn(&["..", ".#"], Edges::Wall);
        assert!(map.is_solid(TilePos::new(-1, 0)));
        assert!(map.is_solid(TilePos::new(1, 1)));
        assert!(!map.is_solid(TilePos::new(1, 0)));
        assert_eq!(map.refusal(TilePos::new(0, 2)), Some(StepError::Edge));
    }

    #[test]
    fn only_patterns_cut_corners_by_default() {
        let map = drawn(&[".#", ".."], Edges::Wall);
        let from = TilePos::new(0, 0);
        assert_eq!(map.step(from, Direction::SouthEast, false), Ok(TilePos::new(1, 1)));
        let corner = StepError::Corner(TilePos::new(1, 0));
        assert_eq!(map.step(from, Direction::SouthEast, true), Err(corner));
    }
}

impl Map {
    /// Returns the shortest vector from one position to another, in tiles.
    ///
    /// If both directions around a torus are equally long, the vector points towards increasing x
    /// (or y).
    #[inline]
    pub fn offset(&self, from: Vec2, to: Vec2) -> Vec2 {
        let direct = to - from;
        match self.edges {
            Edges::Wall => direct,
            Edges::Wrap => Vec2::new(
                short_way(direct.x, self.width() as f32),
                short_way(direct.y, self.height() as f32),
            ),
        }
    }

    /// Calls `visit` with the shifts from a position to its images, in tiles. On a map that wraps,
    /// these are the zero vector and the shifts to the eight adjacent copies of the map.
    ///
    /// Visits only the zero vector without wrapping, or if `distance` is less than half of the
    /// map's shorter side. All images except the nearest are at least this half side away.
    #[inline]
    pub(crate) fn visit_images(&self, distance: f32, mut visit: impl FnMut(Vec2)) {
        let size = Vec2::new(self.width() as f32, self.height() as f32);
        if self.edges == Edges::Wall || distance < size.min_element() / 2.0 {
            return visit(Vec2::ZERO);
        }
        for (x, y) in (-1..=1).flat_map(|y| (-1..=1).map(move |x| (x, y))) {
            visit(Vec2::new(x as f32, y as f32) * size);
        }
    }

    /// Computes [`Map::offset`] for one pair of positions per SIMD lane. All positions must be on
    /// the map.
    #[inline(always)]
    pub(crate) fn offsets<L: Lanes>(&self, from: Vectors<L>, to: Vectors<L>) -> Vectors<L> {
        let direct = to - from;
        match self.edges {
            Edges::Wall => direct,
            Edges::Wrap => Vectors {
                x: lanes::short_way(direct.x, self.width() as f32),
                y: lanes::short_way(direct.y, self.height() as f32),
            },
        }
    }

    /// Returns the shortest vector from one tile to another, in tiles. If both directions around a
    /// torus are equally long, the vector points towards increasing x (or y).
    pub fn tile_offset(&self, from: TilePos, to: TilePos) -> TilePos {
        let direct = to - from;
        match self.edges {
            Edges::Wall => direct,
            Edges::Wrap => TilePos::new(
                short_step(direct.x, self.width() as i32),
                short_step(direct.y, self.height() as i32),
            ),
        }
    }

    /// Returns a mask of the lanes with positions on the map.
    #[inline(always)]
    pub(crate) fn contains<L: Lanes>(&self, positions: Vectors<L>) -> L::Mask {
        let Vectors { x, y } = positions;
        let size = positions.like(Vec2::new(self.width() as f32, self.height() as f32));
        x.ge(x.like(0.0)) & y.ge(y.like(0.0)) & x.lt(size.x) & y.lt(size.y)
    }

    /// Computes [`Map::wrap`] for one position per lane.
    #[inline(always)]
    pub(crate) fn wrap_all<L: Lanes>(&self, positions: Vectors<L>) -> Vectors<L> {
        if self.edges == Edges::Wall || self.contains(positions).all() {
            return positions;
        }
        positions.each(&|position| self.wrap(position))
    }

    /// Returns a position wrapped onto the map. Returns the position unchanged on a map without
    /// wrapping.
    #[inline]
    pub fn wrap(&self, position: Vec2) -> Vec2 {
        match self.edges {
            Edges::Wall => position,
            Edges::Wrap => Vec2::new(
                wrapped(position.x, self.width() as f32),
                wrapped(position.y, self.height() as f32),
            ),
        }
    }
}

/// Reduces a coordinate difference to the shorter way around: (−`around`/2, `around`/2].
#[inline]
fn short_way(difference: f32, around: f32) -> f32 {
    let half = around / 2.0;
    // Skips the slow remainder in the common case.
    let reduced = if difference.abs() < around { difference } else { difference % around };
    if reduced > half {
        reduced - around
    } else if reduced <= -half {
        reduced + around
    } else {
        reduced
    }
}

/// Reduces a difference of columns or rows to the shorter way around: (−`around`/2, `around`/2].
fn short_step(difference: i32, around: i32) -> i32 {
    let reduced = difference.rem_euclid(around);
    if 2 * reduced > around { reduced - around } else { reduced }
}

/// Wraps a coordinate to [0, `around`).
#[inline]
fn wrapped(coordinate: f32, around: f32) -> f32 {
    if (0.0..around).contains(&coordinate) {
        return coordinate;
    }
    let inside = coordinate.rem_euclid(around);
    // A tiny negative coordinate rounds up to `around`.
    if inside >= around { 0.0 } else { inside }
}

#[cfg(test)]
mod torus_tests {
    use super::tests::drawn;
    use super::*;
    use crate::geom::Direction;

    #[test]
    fn offsets_on_a_torus_are_shortest() {
        let map = drawn(&["....", "...."], Edges::Wrap);
        let offset = |x0, x1| map.offset(Vec2::new(x0, 0.5), Vec2::new(x1, 0.5)).x;
        assert_eq!(offset(0.5, 3.5), -1.0);
        assert_eq!(offset(3.5, 0.5), 1.0);
        assert_eq!((offset(0.5, 2.5), offset(2.5, 0.5)), (2.0, 2.0), "half-way: growing x");
        assert_eq!(map.wrap(Vec2::new(-1e-9, 2.0)), Vec2::ZERO);
        assert_eq!(
            map.direction_between(TilePos::new(0, 0), TilePos::new(3, 0)),
            Some(Direction::West)
        );
    }
}
