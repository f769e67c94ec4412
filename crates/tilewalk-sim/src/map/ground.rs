//! Flags per tile that make collision checks on open floor cheap.

use crate::geom::lanes::{Batch, Mask};
use crate::geom::{TilePos, Vec2, Vectors};
use crate::grid::Grid;
use crate::tile::TileKind;

use super::obstacles::TILE_RADIUS;
use super::{Edges, Map, Obstacle};

/// Flags that describe a tile and its surroundings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Ground(u8);

impl Ground {
    pub(crate) const SOLID: Self = Self(1);
    /// A solid tile is at Chebyshev distance 1 or less. Bodies on this tile with a radius of up to
    /// 0.5 tiles can touch the solid tile.
    pub(crate) const NEAR_SOLID: Self = Self(1 << 1);
    /// The centre of a small obstacle is at Chebyshev distance 2 or less. Also set if a body on the
    /// tile with a radius of up to 0.5 tiles can touch a large obstacle.
    pub(crate) const NEAR_OBSTACLE: Self = Self(1 << 2);
    /// The tile contains the centre of an obstacle, either from the tile kind or placed separately.
    pub(crate) const OBSTACLE: Self = Self(1 << 3);
    pub(crate) const DRAGS: Self = Self(1 << 4);
    /// A wall is on the tile or on one of its eight neighbours.
    pub(crate) const NEAR_WALL: Self = Self(1 << 5);
    /// A wall passes through the centre of the tile.
    pub(crate) const WALLED: Self = Self(1 << 6);
    /// A large obstacle contains the centre of the tile. On the map for the routes of a body, also
    /// set if the body does not fit at the centre.
    pub(crate) const COVERED: Self = Self(1 << 7);
    /// Mask of the flags that close a tile for tile drives and routes.
    pub(crate) const CLOSED: Self = Self(1 | 1 << 3 | 1 << 6 | 1 << 7);
    /// Mask of the flags for solid tiles, obstacles and walls that a body on the tile can touch.
    pub(crate) const TOUCHABLE: Self = Self(1 << 1 | 1 << 2 | 1 << 5);
    /// Mask of the flags of tiles that contain a solid tile, or may be near an obstacle or a wall.
    pub(crate) const MAY_TOUCH: Self = Self(1 | 1 << 2 | 1 << 5);
    /// Mask of the flags that affect the motion of a body.
    pub(crate) const NOT_PLAIN: Self = Self(1 << 1 | 1 << 2 | 1 << 4 | 1 << 5);
    /// Flags of tiles outside a map without wrapping.
    pub(crate) const BEYOND: Self = Self(1 | 1 << 1);

    /// Returns true if any of the given flags is set.
    #[inline]
    pub(crate) fn has(self, flag: Self) -> bool {
        self.0 & flag.0 != 0
    }

    /// Returns these flags except for the given ones.
    pub(crate) const fn without(self, flags: Self) -> Self {
        Self(self.0 & !flags.0)
    }

    /// Adds the given flags to the current flags.
    pub(crate) fn set(&mut self, flag: Self) {
        self.0 |= flag.0;
    }
}

/// Computes the flags of all tiles, except for the flags of walls.
pub(super) fn survey(
    tiles: &Grid<u8>,
    legend: &[TileKind],
    standing: &[Obstacle],
    edges: Edges,
) -> Grid<Ground> {
    let mut survey =
        Survey { ground: Grid::filled(tiles.width(), tiles.height(), Ground::default()), edges };
    let solid: Vec<bool> = legend.iter().map(TileKind::is_solid).collect();
    let drags: Vec<bool> = legend.iter().map(|kind| kind.drag != 0.0).collect();
    let has_obstacle: Vec<bool> = legend.iter().map(|kind| kind.obstacle.is_some()).collect();
    for (tile, &kind) in tiles.iter() {
        if solid[usize::from(kind)] {
            survey.mark(tile, 0, Ground::SOLID);
            survey.mark(tile, 1, Ground::NEAR_SOLID);
        }
        if drags[usize::from(kind)] {
            survey.mark(tile, 0, Ground::DRAGS);
        }
        if has_obstacle[usize::from(kind)] {
            survey.mark_obstacle(tile);
        }
    }
    for obstacle in standing {
        if obstacle.is_large() {
            survey.mark_large(obstacle);
        } else {
            survey.mark_obstacle(TilePos::containing(obstacle.centre));
        }
    }
    if edges == Edges::Wall {
        survey.mark_border();
    }
    survey.ground
}

/// Adds the flags of a wall to a tile. The wall is on the tile or on one of its neighbours.
/// `closes` is true if the wall passes through the centre of the tile.
pub(super) fn mark_wall(ground: &mut Grid<Ground>, tile: TilePos, closes: bool) {
    if let Some(ground) = ground.get_mut(tile) {
        ground.0 |= Ground::NEAR_WALL.0 | if closes { Ground::WALLED.0 } else { 0 };
    }
}

/// Side length of a block, in tiles.
const BLOCK: i32 = 1 << BLOCK_BITS;
const BLOCK_BITS: u32 = 4;

/// Combines the flags of each block of tiles. The table of blocks fits in the CPU cache. Checks of
/// very many bodies therefore do not wait for memory.
pub(super) fn blocks(ground: &Grid<Ground>) -> Grid<Ground> {
    let count = |tiles: u32| tiles.div_ceil(BLOCK as u32);
    let mut blocks = Grid::filled(count(ground.width()), count(ground.height()), Ground::default());
    for (tile, flags) in ground.iter() {
        if let Some(block) = blocks.get_mut(block(tile)) {
            block.0 |= flags.0;
        }
    }
    blocks
}

#[inline(always)]
fn block(tile: TilePos) -> TilePos {
    TilePos::new(tile.x.div_euclid(BLOCK), tile.y.div_euclid(BLOCK))
}

impl Map {
    /// Returns true if both tiles are on the map and in the same block, and nothing in the block
    /// affects motion.
    #[inline(always)]
    pub(super) fn are_in_plain_block(&self, from: TilePos, to: TilePos) -> bool {
        let both =
            block(from) == block(to) && self.ground.contains(from) && self.ground.contains(to);
        both && self.blocks.get(block(to)).is_some_and(|flags| !flags.has(Ground::NOT_PLAIN))
    }

    /// Returns true if a quick check shows that nothing affects the motion of any of several small bodies.
    /// Both ends of each motion are then on the map and in the same block.
    #[inline(always)]
    pub(crate) fn are_in_plain_blocks<L: Batch>(&self, from: Vectors<L>, to: Vectors<L>) -> bool {
        if !(self.contains(from) & self.contains(to)).all() {
            return false;
        }
        let across = self.blocks.width();
        let start = L::cells(from.x, from.y, BLOCK_BITS, across);
        let end = L::cells(to.x, to.y, BLOCK_BITS, across);
        let blocks = self.blocks.cells();
        let mut flags = Ground::default();
        for block in end {
            flags.set(blocks.get(block as usize).copied().unwrap_or(Ground::NOT_PLAIN));
        }
        start == end && !flags.has(Ground::NOT_PLAIN)
    }

    /// Returns false if no tile of a rectangle has a flag. Can return true without such a tile. The
    /// arguments are the top left and the bottom right tile.
    pub(super) fn may_have(&self, low: TilePos, high: TilePos, flag: Ground) -> bool {
        if !self.ground.contains(low) || !self.ground.contains(high) {
            return true;
        }
        let (first, last) = (block(low), block(high));
        let mut blocks =
            (first.y..=last.y).flat_map(|y| (first.x..=last.x).map(move |x| TilePos::new(x, y)));
        blocks.any(|block| self.blocks.get(block).is_some_and(|flags| flags.has(flag)))
    }
}

struct Survey {
    ground: Grid<Ground>,
    edges: Edges,
}

impl Survey {
    /// Sets a flag on all tiles within Chebyshev distance `reach` of `tile`.
    fn mark(&mut self, tile: TilePos, reach: i32, flag: Ground) {
        for y in tile.y - reach..=tile.y + reach {
            for x in tile.x - reach..=tile.x + reach {
                self.add(TilePos::new(x, y), flag);
            }
        }
    }

    fn mark_obstacle(&mut self, tile: TilePos) {
        self.mark(tile, 0, Ground::OBSTACLE);
        self.mark(tile, 2, Ground::NEAR_OBSTACLE);
    }

    fn mark_large(&mut self, obstacle: &Obstacle) {
        let Obstacle { centre, radius, opaque: _ } = *obstacle;
        self.add(TilePos::containing(centre), Ground::OBSTACLE);
        // More than the radius of a small body and half the diagonal of a tile.
        let near = radius + TILE_RADIUS + 1.0;
        let far = Vec2::splat(near);
        let (low, high) = (TilePos::containing(centre - far), TilePos::containing(centre + far));
        for y in low.y..=high.y {
            for x in low.x..=high.x {
                let tile = TilePos::new(x, y);
                let distance = (tile.centre() - centre).length();
                if distance < near {
                    self.add(tile, Ground::NEAR_OBSTACLE);
                }
                if distance < radius {
                    self.add(tile, Ground::COVERED);
                }
            }
        }
    }

    /// Sets [`Ground::NEAR_SOLID`] on the border tiles, since the tiles outside the map are solid.
    fn mark_border(&mut self) {
        let max = self.ground.bounds().max;
        for x in 0..=max.x {
            self.add(TilePos::new(x, 0), Ground::NEAR_SOLID);
            self.add(TilePos::new(x, max.y), Ground::NEAR_SOLID);
        }
        for y in 0..=max.y {
            self.add(TilePos::new(0, y), Ground::NEAR_SOLID);
            self.add(TilePos::new(max.x, y), Ground::NEAR_SOLID);
        }
    }

    fn add(&mut self, tile: TilePos, flag: Ground) {
        let wraps = self.edges == Edges::Wrap && !self.ground.contains(tile);
        let tile = if wraps { self.ground.wrapped(tile) } else { tile };
        if let Some(ground) = self.ground.get_mut(tile) {
            ground.0 |= flag.0;
        }
    }
}
