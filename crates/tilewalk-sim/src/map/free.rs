//! The free distance of tiles, with which searches for solid tiles skip open ground.

use crate::geom::TilePos;
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
    pub(super) fn new(ground: &Grid<Ground>) -> Self {
        let (width, height) = (ground.width() as usize, ground.height() as usize);
        let mut distances = Grid::filled(ground.width(), ground.height(), 0);
        let cells = distances.cells_mut();
        for (distance, ground) in cells.iter_mut().zip(ground.cells()) {
            *distance = if ground.has(Ground::SOLID) { 0 } else { u8::MAX };
        }
        let beyond = vec![0; width];
        for y in 0..height {
            let (before, row) = cells[..(y + 1) * width].split_at_mut(y * width);
            let above = before.chunks_exact(width).next_back().unwrap_or(&beyond);
            lower(row, above);
        }
        cells.reverse();
        for y in 0..height {
            let (before, row) = cells[..(y + 1) * width].split_at_mut(y * width);
            let above = before.chunks_exact(width).next_back().unwrap_or(&beyond);
            lower(row, above);
        }
        cells.reverse();
        Self(distances)
    }
}

/// Lowers the distances of a row to those of the row above and of the tile on the left, plus 1.
fn lower(row: &mut [u8], above: &[u8]) {
    let mut left = 0;
    for (x, distance) in row.iter_mut().enumerate() {
        let corners = [x.wrapping_sub(1), x, x + 1].map(|x| above.get(x).copied().unwrap_or(0));
        let nearest = corners.into_iter().fold(left, u8::min);
        *distance = (*distance).min(nearest.saturating_add(1));
        left = *distance;
    }
}

impl Map {
    /// Returns a number of steps of a king: all tiles that fewer steps reach are not solid. Returns 0 for
    /// solid tiles only.
    #[inline]
    pub(crate) fn free_distance(&self, tile: TilePos) -> u32 {
        if let Some(&distance) = self.free.0.get(tile) {
            return distance.into();
        }
        self.free_distance_beyond(tile)
    }

    #[cold]
    fn free_distance_beyond(&self, tile: TilePos) -> u32 {
        let on_map = self.resolve(tile).and_then(|tile| self.free.0.get(tile));
        on_map.map_or(0, |&distance| distance.into())
    }

    /// Calls `visit` with each solid tile at a Chebyshev distance of `reach` from a tile, in reading order.
    /// `reach` is at least 1.
    pub(crate) fn visit_solid_ring(
        &self,
        middle: TilePos,
        reach: i32,
        mut visit: impl FnMut(TilePos),
    ) {
        let (left, right) = (middle.x - reach, middle.x + reach);
        self.visit_solid_row(middle.y - reach, left, right, &mut visit);
        // The rows up to these ones have no solid tile in the left or the right column.
        let mut free = [middle.y - reach; 2];
        for y in middle.y - reach + 1..middle.y + reach {
            for (x, free) in [left, right].into_iter().zip(&mut free) {
                if y > *free {
                    let distance = self.free_distance(TilePos::new(x, y)) as i32;
                    *free = y + distance - 1;
                    if distance == 0 {
                        visit(TilePos::new(x, y));
                    }
                }
            }
        }
        self.visit_solid_row(middle.y + reach, left, right, &mut visit);
    }

    fn visit_solid_row(&self, y: i32, first: i32, last: i32, visit: &mut impl FnMut(TilePos)) {
        let mut x = first;
        while x <= last {
            let distance = self.free_distance(TilePos::new(x, y)) as i32;
            if distance == 0 {
                visit(TilePos::new(x, y));
            }
            x += distance.max(1);
        }
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
