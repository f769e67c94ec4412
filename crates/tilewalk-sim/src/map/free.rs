//! The free distance of tiles, with which searches for solid tiles skip open ground.

use core::ops::RangeInclusive;

use crate::geom::ray::{self, Passed};
use crate::geom::{TilePos, Vec2};
use crate::grid::Grid;

use super::Map;
use super::ground::Ground;

/// For each tile, a distance within which all tiles are free, in steps of a king; at most 255. It is 0 for
/// solid tiles, and 1 for other tiles at the map's edges, also if the map wraps.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FreeDistances(Grid<u8>);

impl FreeDistances {
    /// Computes the distances in two passes. Each pass takes the minimum over four of the eight
    /// neighbours (Rosenfeld & Pfaltz 1966).
    fn new(ground: &Grid<Ground>) -> Self {
        let mut distances = Grid::filled(ground.width(), ground.height(), 0);
        let cells = distances.cells_mut();
        for (distance, ground) in cells.iter_mut().zip(ground.cells()) {
            *distance = if ground.has(Ground::SOLID) { 0 } else { u8::MAX };
        }
        for _ in 0..2 {
            lower(cells, ground.width() as usize);
            cells.reverse();
        }
        Self(distances)
    }

    /// Returns the memory of the distances, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.0.cells().len()
    }

    /// Returns the distance of a tile of the map.
    #[inline]
    fn of(&self, map: &Map, tile: TilePos) -> u32 {
        if let Some(&distance) = self.0.get(tile) {
            return distance.into();
        }
        self.beyond(map, tile)
    }

    #[cold]
    fn beyond(&self, map: &Map, tile: TilePos) -> u32 {
        let on_map = map.resolve(tile).and_then(|tile| self.0.get(tile));
        on_map.map_or(0, |&distance| distance.into())
    }

    fn visit_solid_row(
        &self,
        map: &Map,
        y: i32,
        columns: RangeInclusive<i32>,
        visit: &mut impl FnMut(TilePos),
    ) {
        let mut x = *columns.start();
        while x <= *columns.end() {
            let distance = self.of(map, TilePos::new(x, y)) as i32;
            if distance == 0 {
                visit(TilePos::new(x, y));
            }
            x += distance.max(1);
        }
    }
}

/// Lowers the distance of each tile to the smallest of the tile on the left and the three tiles above,
/// plus 1. The distance beyond the grid is 0.
fn lower(cells: &mut [u8], width: usize) {
    let beyond = vec![0; width];
    for start in (0..cells.len()).step_by(width) {
        let (before, rest) = cells.split_at_mut(start);
        let above = before.chunks_exact(width).next_back().unwrap_or(&beyond);
        let mut left = 0;
        for (x, distance) in rest[..width].iter_mut().enumerate() {
            let corners = [x.wrapping_sub(1), x, x + 1].map(|x| above.get(x).copied().unwrap_or(0));
            let nearest = corners.into_iter().fold(left, u8::min);
            *distance = (*distance).min(nearest.saturating_add(1));
            left = *distance;
        }
    }
}

impl Map {
    fn free_distances(&self) -> &FreeDistances {
        self.free.get(|| FreeDistances::new(&self.ground))
    }

    /// Returns a number of steps of a king: all tiles that fewer steps reach are not solid. Returns 0 for
    /// solid tiles only.
    pub(crate) fn free_distance(&self, tile: TilePos) -> u32 {
        self.free_distances().of(self, tile)
    }

    /// Returns the first solid tile on a ray of `length` tiles. `direction` is a unit vector.
    pub(super) fn cast_on_tiles(
        &self,
        start: Vec2,
        direction: Vec2,
        length: f32,
    ) -> Option<Passed> {
        let distances = self.free_distances();
        // A ray from any point of a tile ends at most this many columns and rows away. The margin covers
        // rounding errors.
        let farthest = libm::ceilf(length * (1.0 + 1e-4) + 1e-3);
        if distances.of(self, TilePos::containing(start)) as f32 > farthest {
            return None;
        }
        // Number of tiles on the ray that are certainly not solid. Each tile is one step of a king from
        // the tile before.
        let mut free = 0;
        ray::cast(start, direction, length, |tile| {
            if free > 0 {
                free -= 1;
                return false;
            }
            let distance = distances.of(self, tile);
            free = distance.saturating_sub(1);
            distance == 0
        })
    }

    /// Calls `visit` with each solid tile at a Chebyshev distance of `reach` from a tile, in reading order.
    /// `reach` is at least 1.
    pub(crate) fn visit_solid_ring(
        &self,
        middle: TilePos,
        reach: i32,
        mut visit: impl FnMut(TilePos),
    ) {
        let distances = self.free_distances();
        let (left, right) = (middle.x - reach, middle.x + reach);
        distances.visit_solid_row(self, middle.y - reach, left..=right, &mut visit);
        // The rows up to these ones have no solid tile in the left or the right column.
        let mut free = [middle.y - reach; 2];
        for y in middle.y - reach + 1..middle.y + reach {
            for (x, free) in [left, right].into_iter().zip(&mut free) {
                if y > *free {
                    let distance = distances.of(self, TilePos::new(x, y)) as i32;
                    *free = y + distance - 1;
                    if distance == 0 {
                        visit(TilePos::new(x, y));
                    }
                }
            }
        }
        distances.visit_solid_row(self, middle.y + reach, left..=right, &mut visit);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::tests::drawn;
    use super::super::{Edges, Map};

    fn map() -> impl Strategy<Value = Map> {
        let side = || 1_usize..14;
        let edges = prop_oneof![Just(Edges::Wall), Just(Edges::Wrap)];
        (side(), side(), edges, 1_u32..40).prop_flat_map(|(width, height, edges, rarity)| {
            let glyph = prop_oneof![1 => Just('#'), rarity => Just('.')];
            let row = proptest::collection::vec(glyph, width);
            proptest::collection::vec(row, height).prop_map(move |rows| {
                let rows: Vec<String> = rows.into_iter().map(String::from_iter).collect();
                drawn(&rows.iter().map(String::as_str).collect::<Vec<_>>(), edges)
            })
        })
    }

    proptest! {
        #[test]
        fn tiles_within_the_free_distance_are_not_solid(map in map()) {
            for (tile, _) in map.tiles().iter() {
                let distance = map.free_distance(tile) as i32;
                prop_assert_eq!(distance == 0, map.is_solid(tile));
                for reach in 0..distance {
                    prop_assert!(!tile.ring(reach).any(|tile| map.is_solid(tile)), "{}", tile);
                }
            }
        }

        /// On a map without wrapping, the distance is the largest possible one.
        #[test]
        fn a_solid_tile_is_at_the_free_distance(map in map()) {
            for (tile, _) in map.tiles().iter().filter(|_| map.edges() == Edges::Wall) {
                let distance = map.free_distance(tile) as i32;
                prop_assert!(tile.ring(distance).any(|tile| map.is_solid(tile)), "{}", tile);
            }
        }

        #[test]
        fn solid_tiles_of_a_ring_are_in_reading_order(map in map(), reach in 1..9) {
            for (tile, _) in map.tiles().iter() {
                let expected: Vec<_> = tile.ring(reach).filter(|&tile| map.is_solid(tile)).collect();
                let mut found = Vec::new();
                map.visit_solid_ring(tile, reach, |tile| found.push(tile));
                prop_assert_eq!(found, expected);
            }
        }
    }
}
