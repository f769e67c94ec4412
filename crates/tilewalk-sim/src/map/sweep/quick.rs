//! Quick checks that nothing affects the motion of a small disc.

use crate::geom::{TilePos, Vec2};
use crate::map::Map;
use crate::map::ground::Ground;

use super::{SKIN, reach};

/// Returns true if a quick check shows that a motion of a disc touches nothing. `radius` is up to 0.5
/// tiles. Long motions are not checked and return false.
#[inline]
pub(super) fn is_open(map: &Map, start: Vec2, motion: Vec2, radius: f32) -> bool {
    is_clear(map, start, start + motion, radius, Ground::TOUCHABLE)
}

/// Returns true if a quick check shows that a motion of a disc touches nothing and crosses no tile with
/// drag. `radius` is up to 0.5 tiles. Long motions may return false without a check.
#[inline]
pub(crate) fn is_plain(map: &Map, start: Vec2, motion: Vec2, radius: f32) -> bool {
    let end = start + motion;
    map.are_in_plain_block(TilePos::containing(start), TilePos::containing(end))
        || is_clear(map, start, end, radius, Ground::NOT_PLAIN)
}

/// Returns true if no tile between two positions has one of the flags, which include
/// [`Ground::NEAR_SOLID`]. A disc can be near a solid tile if it cannot touch the tile.
#[inline]
fn is_clear(map: &Map, start: Vec2, end: Vec2, radius: f32, flags: Ground) -> bool {
    let (from, to) = (TilePos::containing(start), TilePos::containing(end));
    is_without(map, from, to, flags)
        || is_without(map, from, to, flags.without(Ground::NEAR_SOLID))
            && is_box_free(map, start, end, radius)
}

/// Returns true if the bounding box of a disc at two positions touches no solid tile.
fn is_box_free(map: &Map, start: Vec2, end: Vec2, radius: f32) -> bool {
    // Contacts end at the distance `reach`. The rest covers rounding errors.
    let margin = Vec2::splat(reach(radius) + 2.0 * SKIN);
    let low = TilePos::containing(start.min(end) - margin);
    let high = TilePos::containing(start.max(end) + margin);
    if high.x - low.x > 3 || high.y - low.y > 3 {
        return false;
    }
    let mut tiles =
        (low.y..=high.y).flat_map(|y| (low.x..=high.x).map(move |x| TilePos::new(x, y)));
    !tiles.any(|tile| map.is_solid(tile))
}

/// Returns true if a quick check shows that a small disc touches nothing on any motion of up to
/// `distance` tiles. A small disc has a radius of up to 0.5 tiles.
pub(crate) fn is_open_around(map: &Map, start: Vec2, distance: f32) -> bool {
    let far = Vec2::splat(distance);
    let [from, to] = [start - far, start + far].map(TilePos::containing);
    is_without(map, from, to, Ground::TOUCHABLE)
}

/// Returns true if no tile in the rectangle between two tiles has one of the flags. Returns false
/// if the rectangle is more than two tiles long or wide.
#[inline]
fn is_without(map: &Map, from: TilePos, to: TilePos, facts: Ground) -> bool {
    let found = |tile| map.ground(tile).has(facts);
    if from == to {
        return !found(from);
    }
    let short = (from.x - to.x).abs() <= 1 && (from.y - to.y).abs() <= 1;
    let corners = [from, TilePos::new(to.x, from.y), TilePos::new(from.x, to.y), to];
    short && !corners.into_iter().any(found)
}
