//! Fans: all straight lines from the positions on a tile to one point. If a fan is free, every body
//! on the tile can move straight to the point. If it is closed, none can.
//!
//! A fan covers the squares that shrink from the tile to the point. In a row of tiles, these
//! squares cover a range of columns.

use core::ops::RangeInclusive;

use crate::geom::{TilePos, Vec2};

use super::ground::Ground;
use super::{Edges, Map, TILE_RADIUS, sweep};

/// Extra width of a fan, in tiles. It exceeds the rounding errors of motions and rays.
const MARGIN: f32 = 0.01;

impl Map {
    /// Returns whether bodies of up to `radius` tiles can move straight to a point, from any
    /// position on a tile. Returns `None` if this depends on the position or is not known.
    ///
    /// `offset` is the vector from the centre of the tile to the point, in tiles. Besides surfaces,
    /// the tiles for which `is_closed` returns true stop the bodies.
    pub(crate) fn is_fan_free(
        &self,
        tile: TilePos,
        offset: Vec2,
        radius: f32,
        is_closed: impl Fn(TilePos) -> bool,
    ) -> Option<bool> {
        let size = Vec2::new(self.width() as f32, self.height() as f32);
        // On a torus, the point can have an image that is nearer to other positions on the tile.
        if self.edges == Edges::Wrap && offset.abs().cmpgt(size / 2.0 - 1.0).any() {
            return None;
        }
        let reach = sweep::reach(radius.max(TILE_RADIUS)) + MARGIN;
        let is_closed = |x: i32, y: i32| is_closed(tile + TilePos::new(x, y));
        let is_free = |x: i32, y: i32| {
            let ground = self.ground(tile + TilePos::new(x, y));
            !ground.has(Ground::MAY_TOUCH) && !is_closed(x, y)
        };
        let rows = offset.y.min(0.0) - reach..=offset.y.max(0.0) + reach;
        let mut rows = rows.start().floor() as i32..=rows.end().ceil() as i32;
        if rows.all(|y| columns(offset, y, reach).all(|x| is_free(x, y))) {
            return Some(true);
        }
        let transposed = Vec2::new(offset.y, offset.x);
        let end = TilePos::containing(tile.centre() + offset) - tile;
        let closed = is_closed(0, 0)
            || is_closed(end.x, end.y)
            || is_row_closed(offset, is_closed)
            || is_row_closed(transposed, |y, x| is_closed(x, y));
        closed.then_some(false)
    }
}

/// Returns true if a row between the tile and the point is closed in all columns of the fan.
fn is_row_closed(offset: Vec2, is_closed: impl Fn(i32, i32) -> bool) -> bool {
    let last = offset.y.round() as i32;
    let mut between = last.min(0) + 1..last.max(0);
    between.any(|y| columns(offset, y, MARGIN).all(|x| is_closed(x, y)))
}

/// Returns the columns of a fan in a row of tiles, both relative to the tile where the fan begins.
/// The columns contain all tiles within `reach` tiles of the fan, and can contain tiles beside it.
fn columns(offset: Vec2, row: i32, reach: f32) -> RangeInclusive<i32> {
    let half = |share: f32| 0.5 * (1.0 - share) + reach;
    // The square at a share of the way is in the row if its centre is this far from the row:
    // |offset.y · share − row| ≤ half(share) + 0.5.
    let (mut first, mut last) = (0.0_f32, 1.0_f32);
    for sign in [1.0, -1.0] {
        // slope · share ≤ limit
        let (slope, limit) = (sign * offset.y + 0.5, sign * row as f32 + 1.0 + reach);
        if slope > 0.0 {
            last = last.min(limit / slope);
        } else if slope < 0.0 {
            first = first.max(limit / slope);
        }
    }
    if first > last {
        return RangeInclusive::new(1, 0);
    }
    let [a, b] = [first, last].map(|share| (offset.x * share, half(share)));
    let (low, high) = ((a.0 - a.1).min(b.0 - b.1), (a.0 + a.1).max(b.0 + b.1));
    (low + 0.5).floor() as i32..=(high + 0.5).floor() as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::{ray, unit};
    use crate::map::tests::drawn;
    use crate::map::{Wall, sweep};
    use crate::rng::{RngKey, Use};

    /// Checks that a fan has the result of every line from the tile to the point, on random maps
    /// with walls, obstacles and closed tiles.
    #[test]
    fn fan_agrees_with_all_of_its_lines() {
        let mut counts = [0; 3];
        for case in 0..6000_u64 {
            let key = RngKey { seed: 1, frame: case, agent: 0, mode: 0, behaviour: 0 };
            let mut random = key.stream(Use::Placement);
            let mut below = |limit: f32| random.unit() * limit;
            let share = below(0.3);
            let rows: Vec<String> = (0..24)
                .map(|_| {
                    let glyph = |share| match below(1.0) {
                        drawn if drawn < share => '#',
                        drawn if drawn < share * 1.2 => 'T',
                        _ => '.',
                    };
                    (0..24).map(|_| share * share).map(glyph).collect()
                })
                .collect();
            let edges = if case % 3 == 0 { Edges::Wrap } else { Edges::Wall };
            let mut map = drawn(&rows.iter().map(String::as_str).collect::<Vec<_>>(), edges);
            if case % 4 == 0 {
                let [from, to] = [(); 2].map(|()| Vec2::new(below(24.0), below(24.0)));
                let wall = Wall { from, to, one_sided: false, opaque: false, entry: 0 };
                map = map.with_walls(vec![wall], vec![String::new()]);
            }
            let radius = [0.05, 0.3, 0.5, 0.9, 1.4][case as usize % 5];
            let dear = 1 + below(40.0) as i32;
            let is_closed = |tile: TilePos| {
                let tile = map.resolve(tile);
                tile.is_none_or(|at| !map.is_open(at) || (at.x * 7 + at.y * 5) % 41 > 41 - dear / 8)
            };
            let [tile, end] =
                [(); 2].map(|()| TilePos::new(below(24.0) as i32, below(24.0) as i32));
            let offset = map.offset(tile.centre(), end.centre());
            let verdict = map.is_fan_free(tile, offset, radius, is_closed);
            counts[verdict.map_or(2, usize::from)] += 1;
            for number in 0..24 {
                // Some positions are in the corners and at the borders of the tile.
                let mut inside = || match below(4.0) {
                    drawn if drawn < 1.0 => 0.0,
                    drawn if drawn < 2.0 => 1.0 - f32::EPSILON,
                    drawn => (drawn - 2.0) / 2.0,
                };
                let [x, y] = [inside(), inside()];
                let low = Vec2::new(tile.x as f32, tile.y as f32);
                let mut start = low + Vec2::new(x, y);
                if TilePos::containing(start) != tile {
                    start = tile.centre();
                }
                let motion = map.offset(start, end.centre());
                let mut under = ray::passed(start, unit(motion), motion.length());
                let is_free = !under.any(|passed| is_closed(passed.tile))
                    && sweep::stop(&map, start, motion, radius).1.is_none();
                let is_open = |passed| !is_closed(passed);
                assert_eq!(sweep::is_free(&map, start, motion, radius, is_open), is_free);
                assert!(
                    verdict.is_none_or(|verdict| verdict == is_free),
                    "case {case}.{number}: {verdict:?} from {start} by {motion}"
                );
            }
        }
        assert!(counts.iter().all(|&count| count > 500), "closed, free, unknown: {counts:?}");
    }
}
