//! Determines which steps between tiles walls bar.
//!
//! The rule is the same for agents that move on tiles, routes and flow fields. A wall bars a step
//! between two adjacent tiles if the straight line between their centres touches the wall. A
//! one-sided wall bars only steps against its normal. A tile is closed if a wall passes through its
//! centre.

use crate::geom::{Direction, TilePos};
use crate::grid::Grid;
use crate::map::Map;

use super::{Near, Segment, WallId};

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
