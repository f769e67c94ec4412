//! The map that agents move on: tiles, edges, obstacles, walls, routes.
//!
//! A [`Map`] never changes while a world runs. It answers what may be entered, what is solid, and
//! which way is short; it knows no agents.

mod ground;
pub mod islands;
pub mod line;
pub mod obstacles;
pub(crate) mod region;
pub mod route;
pub mod search;
mod sight;
pub mod sweep;

use core::fmt;

use crate::geom::{Notch, TilePos, Vec2, Vectors, lanes};
use crate::grid::Grid;
use crate::tile::TileKind;

use ground::Ground;
pub use obstacles::{Obstacle, Obstacles};

/// What happens at the border of the map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Edges {
    /// Beyond the border everything is solid.
    #[default]
    Wall,
    /// The map is a torus; distances and directions take the short way round.
    Wrap,
}

/// Who may step diagonally past a closed tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Corners {
    /// Pattern drives may, routes may not.
    #[default]
    Patterns,
    /// Everyone may.
    Cut,
    /// No one may.
    Block,
}

/// Why a tile can't be entered, as far as the ground goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The map ends there.
    Edge,
    /// The tile can't be walked.
    Wall(TilePos),
    /// A round obstacle stands on the tile.
    Obstacle(TilePos),
    /// The diagonal step would cut the corner of this closed tile.
    Corner(TilePos),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Edge => f.write_str("the tile is outside the map"),
            Self::Wall(tile) => write!(f, "{tile} is not walkable"),
            Self::Obstacle(tile) => write!(f, "an obstacle is on {tile}"),
            Self::Corner(tile) => write!(f, "the corner of {tile} blocks the step"),
        }
    }
}

/// Tiles with their legend, edges and obstacles.
#[derive(Debug, Clone, PartialEq)]
pub struct Map {
    tiles: Grid<u8>,
    legend: Vec<TileKind>,
    /// Derived from all else.
    ground: Grid<Ground>,
    /// Derived from it.
    blocks: Grid<Ground>,
    obstacles: Obstacles,
    edges: Edges,
    corners: Corners,
}

impl Map {
    /// Puts a map together.
    ///
    /// Every cell of `tiles` is an index into `legend`. Returns `None` when one is not, when the
    /// grid is empty, or when it is larger than 4096 × 4096.
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
            Self { tiles, legend, ground, blocks, obstacles, edges, corners }
        })
    }

    /// Builds a map from rows of glyphs: `.` floor, `#` wall, `T` a tree, which is an obstacle of radius
    /// 0.35 tiles.
    ///
    /// Returns `None` if a row has another length or another glyph, or if the map is empty or too large.
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

    /// The longest side a map may have, in tiles.
    pub const MAX_SIDE: u32 = 4096;

    /// Columns.
    #[inline]
    pub fn width(&self) -> u32 {
        self.tiles.width()
    }

    /// Rows.
    #[inline]
    pub fn height(&self) -> u32 {
        self.tiles.height()
    }

    /// What happens at the border.
    pub fn edges(&self) -> Edges {
        self.edges
    }

    /// Who may cut corners.
    pub fn corners(&self) -> Corners {
        self.corners
    }

    /// The indices into [`Map::legend`], tile by tile.
    pub fn tiles(&self) -> &Grid<u8> {
        &self.tiles
    }

    /// The kinds of tiles there can be.
    pub fn legend(&self) -> &[TileKind] {
        &self.legend
    }

    /// The obstacles that stand free of tiles.
    pub fn obstacles(&self) -> &Obstacles {
        &self.obstacles
    }

    /// The tile on the map that `tile` means: itself, or on a torus the one it wraps to; `None`
    /// beyond a wall edge.
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

    /// The kind of a tile, or `None` beyond a wall edge.
    #[inline]
    pub fn kind(&self, tile: TilePos) -> Option<&TileKind> {
        let index = *self.tiles.get(self.resolve(tile)?)?;
        self.legend.get(usize::from(index))
    }

    /// Is the whole tile solid to bodies? Beyond a wall edge everything is.
    #[inline]
    pub fn is_solid(&self, tile: TilePos) -> bool {
        self.ground(tile).has(Ground::SOLID)
    }

    /// The facts of a tile, the short way on a torus.
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

    /// How much a tile slows bodies down, in 1/s.
    #[inline]
    pub fn drag(&self, tile: TilePos) -> f32 {
        if !self.ground(tile).has(Ground::DRAGS) {
            return 0.0;
        }
        self.kind(tile).map_or(0.0, |kind| kind.drag)
    }

    /// Why tile drives and routes can't enter a tile; `None` when they can.
    pub fn refusal(&self, tile: TilePos) -> Option<Refusal> {
        let Some(tile) = self.resolve(tile) else { return Some(Refusal::Edge) };
        let kind = self.kind(tile)?;
        if !kind.walk {
            Some(Refusal::Wall(tile))
        } else if self.ground(tile).has(Ground::OBSTACLE) {
            Some(Refusal::Obstacle(tile))
        } else {
            None
        }
    }

    /// May tile drives and routes enter a tile? The short form of [`Map::refusal`].
    pub fn is_open(&self, tile: TilePos) -> bool {
        !self.ground(tile).has(Ground::CLOSED)
    }

    /// Where one step leads, for a pattern drive (`routed` false) or a route.
    ///
    /// # Errors
    /// The reason, when the ground refuses the step.
    pub fn step(&self, from: TilePos, notch: Notch, routed: bool) -> Result<TilePos, Refusal> {
        let to = from.neighbour(notch);
        if let Some(refusal) = self.refusal(to) {
            return Err(refusal);
        }
        let cuts = match self.corners {
            Corners::Patterns => !routed,
            Corners::Cut => true,
            Corners::Block => false,
        };
        if notch.is_diagonal() && !cuts {
            for side in [notch.turned(-1), notch.turned(1)] {
                let beside = from.neighbour(side);
                if self.refusal(beside).is_some() {
                    return Err(Refusal::Corner(self.resolve(beside).unwrap_or(beside)));
                }
            }
        }
        Ok(self.resolve(to).unwrap_or(to))
    }

    /// The step from one tile to another next to it, the short way round; `None` when they are not
    /// next to each other.
    pub fn notch_between(&self, from: TilePos, to: TilePos) -> Option<Notch> {
        if let Some(notch) = Notch::of_step(to - from) {
            return Some(notch);
        }
        let to = self.resolve(to)?;
        Notch::ALL.into_iter().find(|&notch| self.resolve(from.neighbour(notch)) == Some(to))
    }

    /// The vector from one position to another, the short way round on a torus.
    ///
    /// Exactly half-way round, it goes the way x (and y) grows.
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

    /// [`Map::offset`] between positions on the map, several at a time.
    #[inline]
    pub(crate) fn offsets(&self, from: Vectors, to: Vectors) -> Vectors {
        let direct = to - from;
        match self.edges {
            Edges::Wall => direct,
            Edges::Wrap => Vectors {
                x: lanes::short_way(direct.x, self.width() as f32),
                y: lanes::short_way(direct.y, self.height() as f32),
            },
        }
    }

    /// The step from one tile of the map to another, the short way round on a torus.
    ///
    /// Exactly half-way round, it goes the way x (and y) grows.
    pub(crate) fn tile_offset(&self, from: TilePos, to: TilePos) -> TilePos {
        let direct = to - from;
        match self.edges {
            Edges::Wall => direct,
            Edges::Wrap => TilePos::new(
                short_step(direct.x, self.width() as i32),
                short_step(direct.y, self.height() as i32),
            ),
        }
    }

    /// The position on the map that `position` means: itself, or on a torus the one it wraps to.
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

    /// Does a disc fit here without overlapping a solid tile or an obstacle?
    pub fn fits(&self, centre: Vec2, radius: f32) -> bool {
        let tile = TilePos::containing(centre);
        !self.is_solid(tile) && !sweep::overlaps(self, centre, radius)
    }
}

/// A difference of coordinates, the short way round a circle of length `around`.
#[inline]
fn short_way(difference: f32, around: f32) -> f32 {
    let half = around / 2.0;
    // Between two positions on the map there is nothing to take off.
    let once = if difference.abs() < around { difference } else { difference % around };
    if once > half {
        once - around
    } else if once <= -half {
        once + around
    } else {
        once
    }
}

/// A difference of columns or rows, the short way round a circle of `around` of them.
fn short_step(difference: i32, around: i32) -> i32 {
    let once = difference.rem_euclid(around);
    if 2 * once > around { once - around } else { once }
}

/// A coordinate in [0, `around`).
#[inline]
fn wrapped(coordinate: f32, around: f32) -> f32 {
    if (0.0..around).contains(&coordinate) {
        return coordinate;
    }
    let inside = coordinate.rem_euclid(around);
    // A hair below zero rounds up to `around` itself.
    if inside >= around { 0.0 } else { inside }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn drawn(rows: &[&str], edges: Edges) -> Map {
        Map::drawn(rows, edges).unwrap()
    }

    #[test]
    fn beyond_a_wall_edge_everything_is_solid() {
        let map = drawn(&["..", ".#"], Edges::Wall);
        assert!(map.is_solid(TilePos::new(-1, 0)));
        assert!(map.is_solid(TilePos::new(1, 1)));
        assert!(!map.is_solid(TilePos::new(1, 0)));
        assert_eq!(map.refusal(TilePos::new(0, 2)), Some(Refusal::Edge));
    }

    #[test]
    fn a_torus_goes_the_short_way() {
        let map = drawn(&["....", "...."], Edges::Wrap);
        let offset = |x0, x1| map.offset(Vec2::new(x0, 0.5), Vec2::new(x1, 0.5)).x;
        assert_eq!(offset(0.5, 3.5), -1.0);
        assert_eq!(offset(3.5, 0.5), 1.0);
        assert_eq!((offset(0.5, 2.5), offset(2.5, 0.5)), (2.0, 2.0), "half-way: growing x");
        assert_eq!(map.wrap(Vec2::new(-1e-9, 2.0)), Vec2::ZERO);
        assert_eq!(map.notch_between(TilePos::new(0, 0), TilePos::new(3, 0)), Some(Notch::West));
    }

    #[test]
    fn corners_are_cut_by_patterns_alone() {
        let map = drawn(&[".#", ".."], Edges::Wall);
        let from = TilePos::new(0, 0);
        assert_eq!(map.step(from, Notch::SouthEast, false), Ok(TilePos::new(1, 1)));
        let corner = Refusal::Corner(TilePos::new(1, 0));
        assert_eq!(map.step(from, Notch::SouthEast, true), Err(corner));
    }
}
