//! Moves a disc among solid tiles and round obstacles. The disc never passes through one.
//!
//! The centre of the disc moves as a point among shapes that are grown by its radius: tiles become
//! squares with rounded corners, and obstacles become larger circles. The first contact along the
//! motion is computed exactly, so nothing tunnels at any speed. The rest of the motion slides along
//! the surface.
//!
//! The disc keeps a gap of [`SKIN`] (0.001 tiles) to every surface. The gap is wider than the
//! rounding error of an `f32` position anywhere on the largest map.
//!
//! A face between two solid tiles is not a surface, and neither is a corner covered by a
//! neighbouring tile. A body that slides along a row of tiles therefore feels one straight wall.

mod moving;

use crate::geom::{TilePos, Vec2, ray};

use super::Map;
use super::ground::Ground;
use moving::Moving;

/// The gap that is kept to every surface, in tiles: wider than the rounding of an f32 position
/// anywhere on the largest map, so that rounding can't push a body into a wall.
pub(crate) const SKIN: f32 = 1e-3;

/// The widest a body is among solid things, in tiles. With the gap it keeps, one that fills a lane
/// one tile wide would be wedged between its walls and the corners of every side opening.
const WIDEST: f32 = 0.498;

/// Touches answered in one motion; a body wedged deeper than that stops.
const MOST_CONTACTS: usize = 4;

/// A touch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Contact {
    /// Unit normal of the surface, pointing at the body.
    pub normal: Vec2,
    /// The solid tile, or the tile the obstacle stands on.
    pub tile: TilePos,
}

/// How a motion went.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Slide {
    /// Where the disc's centre ended: not wrapped.
    pub end: Vec2,
    contacts: [Option<Contact>; MOST_CONTACTS],
}

impl Slide {
    /// What was touched, in order.
    pub(crate) fn contacts(&self) -> impl Iterator<Item = Contact> {
        self.contacts.into_iter().flatten()
    }

    /// A velocity without the parts that point into what was touched.
    #[inline]
    pub(crate) fn deflect(&self, velocity: Vec2) -> Vec2 {
        if self.contacts[0].is_none() {
            return velocity;
        }
        without_parts_into(velocity, &self.contacts)
    }
}

/// Moves a disc from `start` by `motion`, sliding along what it touches.
#[inline]
pub(crate) fn slide(map: &Map, start: Vec2, motion: Vec2, radius: f32) -> Slide {
    if is_open(map, start, motion) {
        return Slide { end: start + motion, contacts: [None; MOST_CONTACTS] };
    }
    slide_along(map, start, motion, radius)
}

/// The same where something may be touched.
fn slide_along(map: &Map, start: Vec2, motion: Vec2, radius: f32) -> Slide {
    let mut position = start;
    let mut rest = motion;
    let mut contacts = [None; MOST_CONTACTS];
    for count in 0..MOST_CONTACTS {
        let Some((share, contact)) = first_contact(map, position, rest, radius) else {
            position += rest;
            break;
        };
        position += rest * share;
        contacts[count] = Some(contact);
        rest = without_parts_into(rest * (1.0 - share), &contacts);
        if rest == Vec2::ZERO {
            break;
        }
    }
    Slide { end: position, contacts }
}

/// Moves a disc from `start` by `motion` and stops where it first touches something.
///
/// Returns the end, and what was touched.
pub(crate) fn stop(map: &Map, start: Vec2, motion: Vec2, radius: f32) -> (Vec2, Option<Contact>) {
    match first_contact(map, start, motion, radius) {
        None => (start + motion, None),
        Some((share, contact)) => (start + motion * share, Some(contact)),
    }
}

/// Does a disc overlap a solid tile or an obstacle? Touching is no overlap, and a disc wider than
/// 0.498 tiles counts as that wide.
pub fn overlaps(map: &Map, centre: Vec2, radius: f32) -> bool {
    let radius = radius.min(WIDEST);
    let home = TilePos::containing(centre);
    let mut found = false;
    for tile in around(home, 1).filter(|&tile| map.is_solid(tile)) {
        let low = Vec2::new(tile.x as f32, tile.y as f32);
        let nearest = centre.clamp(low, low + Vec2::ONE);
        found |= (centre - nearest).length_squared() < radius * radius;
    }
    if map.ground(home).has(Ground::NEAR_OBSTACLE) {
        for tile in around(home, 2) {
            map.visit_obstacles_on(tile, |obstacle| {
                let reach = radius + obstacle.radius;
                found |= (centre - obstacle.centre).length_squared() < reach * reach;
            });
        }
    }
    found
}

/// Takes from `u` its parts into the contacts' surfaces; zero when it is wedged between them.
fn without_parts_into(u: Vec2, contacts: &[Option<Contact>]) -> Vec2 {
    let into = |u: Vec2, contact: &Contact| u.dot(contact.normal).min(0.0);
    let slid =
        contacts.iter().flatten().fold(u, |u, contact| u - contact.normal * into(u, contact));
    // Leaving the last surface may have led back into an earlier one: an inner corner.
    let wedged = contacts.iter().flatten().any(|contact| into(slid, contact) < -1e-6 * u.length());
    if wedged { Vec2::ZERO } else { slid }
}

/// The first touch of a disc's motion: the share of it that is free (0 to 1), and the contact.
fn first_contact(map: &Map, start: Vec2, motion: Vec2, radius: f32) -> Option<(f32, Contact)> {
    let length = motion.length();
    if length == 0.0 {
        return None;
    }
    if is_open(map, start, motion) {
        return None;
    }
    // Near the origin of its own tile an f32 is most exact.
    let base = TilePos::containing(start);
    let origin = Vec2::new(base.x as f32, base.y as f32);
    let moving = Moving { start: start - origin, motion, reach: radius.min(WIDEST) + SKIN };
    let mut first: Option<(f32, Contact)> = None;
    for passed in ray::passed(moving.start, motion / length, length) {
        // Whatever is touched at a moment lies around the tile the centre is in at that moment.
        if first.is_some_and(|(share, _)| share * length < passed.enter) {
            break;
        }
        let ground = map.ground(base + passed.tile);
        if ground.has(Ground::NEAR_SOLID) {
            moving.meet_tiles(map, base, passed.tile, &mut first);
        }
        if ground.has(Ground::NEAR_OBSTACLE) {
            moving.meet_obstacles(map, base, passed.tile, &mut first);
        }
    }
    first
}

/// Is a motion so short, and the ground about it so open, that nothing can be touched?
#[inline]
fn is_open(map: &Map, start: Vec2, motion: Vec2) -> bool {
    let (from, to) = (TilePos::containing(start), TilePos::containing(start + motion));
    is_without(map, from, to, Ground::TOUCHABLE)
}

/// Is a motion so short, and the ground about it so plain, that nothing can be touched, nor slows a
/// body down?
#[inline]
pub fn is_plain(map: &Map, start: Vec2, motion: Vec2) -> bool {
    let (from, to) = (TilePos::containing(start), TilePos::containing(start + motion));
    map.are_in_plain_block(from, to) || is_without(map, from, to, Ground::NOT_PLAIN)
}

/// Looks at all tiles between two, the corners of a rectangle: one to four.
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

/// The square of tiles up to `reach` king's steps around one, in reading order.
fn around(middle: TilePos, reach: i32) -> impl Iterator<Item = TilePos> {
    (-reach..=reach).flat_map(move |y| (-reach..=reach).map(move |x| middle + TilePos::new(x, y)))
}

#[cfg(test)]
mod tests {
    use super::super::Edges;
    use super::super::tests::drawn;
    use super::*;

    #[test]
    fn a_disc_stops_at_a_wall_and_slides_along_it() {
        let map = drawn(&["#####", "#...#", "#...#", "#####"], Edges::Wall);
        let slid = slide(&map, Vec2::new(2.0, 2.0), Vec2::new(1.0, 5.0), 0.3);
        assert!((slid.end - Vec2::new(3.0, 2.699)).length() < 1e-5, "{}", slid.end);
        assert_eq!(slid.deflect(Vec2::new(1.0, 5.0)), Vec2::new(1.0, 0.0));
        assert_eq!(slid.contacts().next().map(|c| c.tile), Some(TilePos::new(2, 3)));
    }

    #[test]
    fn nothing_tunnels_at_any_speed() {
        let map =
            drawn(&["....#...................................................."], Edges::Wall);
        let slid = slide(&map, Vec2::new(0.5, 0.5), Vec2::new(50.0, 0.0), 0.05);
        assert!((slid.end.x - 3.949).abs() < 1e-4, "{}", slid.end);
    }

    #[test]
    fn a_row_of_tiles_is_one_straight_wall() {
        let map = drawn(&["........", "########"], Edges::Wall);
        let mut at = Vec2::new(0.5, 0.5);
        for _ in 0..60 {
            let slid = slide(&map, at, Vec2::new(0.1, 0.05), 0.3);
            assert!(slid.contacts().all(|contact| contact.normal == -Vec2::Y), "{slid:?}");
            at = slid.end;
        }
        assert!(at.x > 6.4, "it slid freely: {at}");
    }

    #[test]
    fn a_corner_turns_a_disc_round_and_a_wedge_stops_it() {
        let map = drawn(&["....", "..#.", "...."], Edges::Wall);
        let slid = slide(&map, Vec2::new(1.5, 0.5), Vec2::new(1.0, 1.0), 0.3);
        assert!(slid.contacts().next().is_some());
        assert!(!overlaps(&map, slid.end, 0.3));
        let inner = slide(&map, Vec2::new(0.5, 0.5), Vec2::new(-3.0, -3.0), 0.3);
        assert!((inner.end - Vec2::splat(0.301)).length() < 1e-5, "{}", inner.end);
        assert_eq!(inner.deflect(Vec2::new(-3.0, -3.0)), Vec2::ZERO);
    }

    #[test]
    fn a_body_as_wide_as_its_corridor_passes() {
        let map = drawn(&["######", "......", "######"], Edges::Wrap);
        let slid = slide(&map, Vec2::new(0.5, 1.5), Vec2::new(4.0, 0.0), 0.5);
        assert_eq!(slid.end, Vec2::new(4.5, 1.5));
    }

    #[test]
    fn a_body_as_wide_as_its_corridor_passes_a_side_opening() {
        let map = drawn(&["#######", ".......", "###.###", "###.###"], Edges::Wrap);
        for radius in [0.45, 0.499, 0.4995, 0.5] {
            let slid = slide(&map, Vec2::new(0.5, 1.5), Vec2::new(6.0, 0.0), radius);
            assert_eq!(slid.end, Vec2::new(6.5, 1.5), "radius {radius}");
        }
    }

    /// Where a face ends its rounded corner begins: a long motion to that very point must be stopped
    /// by one of them, however it is rounded.
    #[test]
    fn there_is_no_gap_between_a_face_and_its_corner() {
        let rows: Vec<String> = (0..24)
            .map(|y| (0..24).map(|x| if (x, y) == (20, 11) { '#' } else { '.' }).collect())
            .collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let map = drawn(&rows, Edges::Wall);
        let radius = 0.09;
        let seam = Vec2::new(20.0 - radius - SKIN, 12.0);
        for index in 0..20_000 {
            let share = index as f32 / 20_000.0;
            let direction = Vec2::new(0.2 + 0.8 * share, 0.95 - 0.9 * share);
            let length = 3.0 + 8.0 * (share * 17.0).fract();
            let slid = slide(&map, seam - direction * length, direction * (length + 0.1), radius);
            assert!(!overlaps(&map, slid.end, radius), "along {direction}: {}", slid.end);
        }
    }

    /// Who slides round a pillar must not touch it again and again by rounding, and come to a stop.
    #[test]
    fn nobody_stops_at_what_is_round() {
        let mut rows = vec![".".repeat(30); 30];
        rows[11].replace_range(11..12, "T");
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let map = drawn(&rows, Edges::Wall);
        let pillar = Vec2::splat(11.5);
        for index in 0..20_000 {
            let share = index as f32 / 20_000.0;
            let direction = Vec2::new(libm::cosf(share * 6.3), libm::sinf(share * 6.3));
            let aside = direction.perp() * (0.55 * ((share * 97.0).fract() * 2.0 - 1.0));
            let motion = direction * 0.2;
            let start = pillar + aside - direction * (0.4 + (share * 31.0).fract() * 0.2);
            if overlaps(&map, start, 0.3) {
                continue;
            }
            let slid = slide(&map, start, motion, 0.3);
            let touches = slid.contacts().count();
            assert!(touches < 3, "from {start} by {motion} it touches {touches} times: {slid:?}");
        }
    }

    #[test]
    fn obstacles_are_solid_across_the_edge_of_a_torus() {
        let map = drawn(&["T......"], Edges::Wrap);
        let slid = slide(&map, Vec2::new(5.5, 0.5), Vec2::new(5.0, 0.0), 0.3);
        assert!((slid.end.x - (7.5 - 0.651)).abs() < 1e-4, "{}", slid.end);
    }
}
