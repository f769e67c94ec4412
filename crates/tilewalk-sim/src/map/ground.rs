//! What bodies need to know of each tile, one byte a tile, so that moving over open floor costs
//! next to nothing.

use crate::geom::TilePos;
use crate::grid::Grid;
use crate::tile::TileKind;

use super::{Edges, Map, Obstacle};

/// Facts about a tile and its surroundings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Ground(u8);

impl Ground {
    /// The tile itself is solid.
    pub(crate) const SOLID: Self = Self(1);
    /// A solid tile is at most one king's step away: a body on this tile may touch it.
    pub(crate) const NEAR_SOLID: Self = Self(1 << 1);
    /// The middle of an obstacle is at most two king's steps away.
    pub(crate) const NEAR_OBSTACLE: Self = Self(1 << 2);
    /// An obstacle has its middle here, carried by the tile or standing free.
    pub(crate) const OBSTACLE: Self = Self(1 << 3);
    /// The tile slows bodies down.
    pub(crate) const DRAGS: Self = Self(1 << 4);
    /// Whatever keeps tile drives and routes off a tile.
    pub(crate) const CLOSED: Self = Self(1 | 1 << 3);
    /// Whatever a body on a tile may touch.
    pub(crate) const TOUCHABLE: Self = Self(1 << 1 | 1 << 2);
    /// Whatever bears on how a body moves.
    pub(crate) const NOT_PLAIN: Self = Self(1 << 1 | 1 << 2 | 1 << 4);
    /// What lies beyond a wall edge.
    pub(crate) const BEYOND: Self = Self(1 | 1 << 1);

    /// Is any of the facts true?
    #[inline]
    pub fn has(self, fact: Self) -> bool {
        self.0 & fact.0 != 0
    }
}

/// Works the facts out for a whole map.
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
    let carries: Vec<bool> = legend.iter().map(|kind| kind.obstacle.is_some()).collect();
    for (tile, &kind) in tiles.iter() {
        if solid[usize::from(kind)] {
            survey.mark(tile, 0, Ground::SOLID);
            survey.mark(tile, 1, Ground::NEAR_SOLID);
        }
        if drags[usize::from(kind)] {
            survey.mark(tile, 0, Ground::DRAGS);
        }
        if carries[usize::from(kind)] {
            survey.mark_obstacle(tile);
        }
    }
    for obstacle in standing {
        survey.mark_obstacle(TilePos::containing(obstacle.centre));
    }
    if edges == Edges::Wall {
        survey.mark_border();
    }
    survey.ground
}

/// Tiles to a side of a block.
const BLOCK: i32 = 16;

/// The facts of all tiles of a block taken together, block by block: a table so small that looking up
/// where one of very many bodies is need not wait for memory.
pub(super) fn blocks(ground: &Grid<Ground>) -> Grid<Ground> {
    let count = |tiles: u32| tiles.div_ceil(BLOCK as u32);
    let mut blocks = Grid::filled(count(ground.width()), count(ground.height()), Ground::default());
    for (tile, facts) in ground.iter() {
        if let Some(block) = blocks.get_mut(block(tile)) {
            block.0 |= facts.0;
        }
    }
    blocks
}

#[inline]
fn block(tile: TilePos) -> TilePos {
    TilePos::new(tile.x.div_euclid(BLOCK), tile.y.div_euclid(BLOCK))
}

impl Map {
    /// Are two tiles of the map in one block, in which nothing bears on how a body moves?
    #[inline]
    pub(super) fn are_in_plain_block(&self, from: TilePos, to: TilePos) -> bool {
        let both =
            block(from) == block(to) && self.ground.contains(from) && self.ground.contains(to);
        both && self.blocks.get(block(to)).is_some_and(|facts| !facts.has(Ground::NOT_PLAIN))
    }
}

struct Survey {
    ground: Grid<Ground>,
    edges: Edges,
}

impl Survey {
    /// Adds a fact to all tiles up to `reach` king's steps around one.
    fn mark(&mut self, tile: TilePos, reach: i32, fact: Ground) {
        for y in tile.y - reach..=tile.y + reach {
            for x in tile.x - reach..=tile.x + reach {
                self.add(TilePos::new(x, y), fact);
            }
        }
    }

    fn mark_obstacle(&mut self, tile: TilePos) {
        self.mark(tile, 0, Ground::OBSTACLE);
        self.mark(tile, 2, Ground::NEAR_OBSTACLE);
    }

    /// The border of the map is next to what is solid beyond it.
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

    fn add(&mut self, tile: TilePos, fact: Ground) {
        let tile = match self.edges {
            Edges::Wrap if !self.ground.contains(tile) => self.ground.wrapped(tile),
            _ => tile,
        };
        if let Some(ground) = self.ground.get_mut(tile) {
            ground.0 |= fact.0;
        }
    }
}
