//! Continuous collision detection for discs. A disc never passes through solid tiles or obstacles.
//!
//! The disc is reduced to its centre, and all shapes grow by its radius. Grown tiles are squares
//! with rounded corners. Grown obstacles are larger circles. Grown walls are strips with rounded
//! ends (see `walls`). The first contact along the motion is computed exactly, so nothing tunnels
//! at any speed. The remaining motion slides along the surface.
//!
//! The disc keeps a gap of `SKIN` to every surface. Faces between two solid tiles are not surfaces.
//! Corners covered by an adjacent tile are not surfaces either. A row of tiles thus acts as one
//! straight wall.
//!
//! Flags of each tile show where a disc with a radius of up to [`TILE_RADIUS`] touches nothing.
//! Larger discs always need the exact computation.

mod quick;
#[cfg(test)]
pub(super) mod tests_wide;

use crate::geom::{DVec2, TilePos, Vec2, ray, unit};

use super::ground::Ground;
use super::obstacles::TILE_RADIUS;
use super::{Map, Obstacle, WallId};

use quick::is_open;
pub(crate) use quick::{is_open_around, is_plain};

/// The gap kept to every surface, in tiles. It exceeds the rounding error of an `f32` position
/// anywhere on the largest map. Rounding thus never pushes a body into a wall.
pub(crate) const SKIN: f32 = 1e-3;

/// Largest collision radius of bodies with a radius of up to 0.5, in tiles. A body with a collision
/// radius of 0.5 would get stuck in a passage one tile wide, at the corners of side openings.
const MAX_COLLISION_RADIUS: f32 = 0.498;

/// Maximum number of contacts in one motion. The body stops after the last contact.
const MAX_CONTACTS: usize = 4;

/// A contact of a disc with a surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Contact {
    /// Unit normal of the surface, pointing towards the disc.
    pub normal: Vec2,
    /// The solid tile, the tile with the obstacle's centre, or the tile where the disc touches the
    /// wall.
    pub tile: TilePos,
    /// The touched wall; `None` if the disc touches a tile or an obstacle.
    pub wall: Option<WallId>,
}

/// The result of a motion along surfaces.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Slide {
    /// Final centre of the disc, in tiles, not wrapped.
    pub end: Vec2,
    contacts: [Option<Contact>; MAX_CONTACTS],
}

impl Slide {
    /// Iterates over the contacts in order of occurrence.
    pub(crate) fn contacts(&self) -> impl Iterator<Item = Contact> {
        self.contacts.into_iter().flatten()
    }

    /// Removes the components of a velocity that point into the touched surfaces. Without contacts,
    /// returns the velocity unchanged.
    #[inline]
    pub(crate) fn deflect(&self, velocity: Vec2) -> Vec2 {
        if self.contacts[0].is_none() {
            return velocity;
        }
        remove_inward(velocity, &self.contacts)
    }
}

/// Moves a disc of `radius` tiles from `start` by `motion`, sliding along surfaces.
#[inline]
pub(crate) fn slide(map: &Map, start: Vec2, motion: Vec2, radius: f32) -> Slide {
    if radius <= TILE_RADIUS && is_open(map, start, motion, radius) {
        return Slide { end: start + motion, contacts: [None; MAX_CONTACTS] };
    }
    slide_along(map, start, motion, radius)
}

fn slide_along(map: &Map, start: Vec2, motion: Vec2, radius: f32) -> Slide {
    let mut position = start;
    let mut remaining = motion;
    let mut contacts = [None; MAX_CONTACTS];
    for count in 0..MAX_CONTACTS {
        let Some((share, contact)) = first_contact(map, position, remaining, radius) else {
            position += remaining;
            break;
        };
        position += remaining * share;
        contacts[count] = Some(contact);
        remaining = remove_inward(remaining * (1.0 - share), &contacts);
        if remaining == Vec2::ZERO {
            break;
        }
    }
    Slide { end: settle(map, position, reach(radius)), contacts }
}

/// Moves a disc of `radius` tiles from `start` by `motion`, and stops it at the first contact.
/// Returns the final centre of the disc and the contact. The contact is `None` if nothing stopped
/// the disc.
pub(crate) fn stop(map: &Map, start: Vec2, motion: Vec2, radius: f32) -> (Vec2, Option<Contact>) {
    let (end, contact) = match first_contact(map, start, motion, radius) {
        None => (start + motion, None),
        Some((share, contact)) => (start + motion * share, Some(contact)),
    };
    (settle(map, end, reach(radius)), contact)
}

/// Returns the radius used for collisions, in tiles. Radii above 0.498 are reduced, so that a body
/// fits through an opening of its own diameter.
fn collision_radius(radius: f32) -> f32 {
    radius.min((radius - (TILE_RADIUS - MAX_COLLISION_RADIUS)).max(MAX_COLLISION_RADIUS))
}

/// Returns true if a disc of `radius` tiles touches nothing while it moves from `start` by `motion`,
/// and `is_open` returns true for each tile under its centre.
pub(crate) fn is_free(
    map: &Map,
    start: Vec2,
    motion: Vec2,
    radius: f32,
    is_open: impl Fn(TilePos) -> bool,
) -> bool {
    let mut under = ray::passed(start, unit(motion), motion.length());
    if radius > TILE_RADIUS || !map.walls().is_empty() || !map.obstacles().large().is_empty() {
        return under.all(|passed| is_open(passed.tile))
            && first_contact(map, start, motion, radius).is_none();
    }
    let base = TilePos::containing(start);
    let origin = Vec2::new(base.x as f32, base.y as f32);
    let moving = MovingPoint { start: start - origin, motion, reach: reach(radius) };
    under.all(|passed| {
        if !is_open(passed.tile) {
            return false;
        }
        let (ground, near) = (map.ground(passed.tile), passed.tile - base);
        let mut first = None;
        if ground.has(Ground::NEAR_SOLID) {
            let ahead = TilePos::new(-passed.normal.x as i32, -passed.normal.y as i32);
            if ahead == TilePos::default() {
                moving.meet_tiles(map, base, near, &mut first);
            } else {
                // The other tiles around this one are also around the previous one.
                for side in -1..=1 {
                    let aside = TilePos::new(ahead.y * side, ahead.x * side);
                    moving.meet_tile(map, base, near + ahead + aside, &mut first);
                }
            }
        }
        if ground.has(Ground::NEAR_OBSTACLE) {
            moving.meet_obstacles(map, base, near, &mut first);
        }
        first.is_none()
    })
}

/// Returns the distance that the centre of a disc keeps from surfaces, in tiles.
pub(super) fn reach(radius: f32) -> f32 {
    collision_radius(radius) + SKIN
}

/// Returns the number of rings of tiles to search around a tile. These rings contain all tiles
/// within `reach` tiles of any point on the middle tile.
fn rings(reach: f32) -> i32 {
    reach.floor() as i32 + 1
}

/// Returns true if a disc overlaps a solid tile, an obstacle or a two-sided wall. Centre and radius
/// are in tiles. Touching does not count.
///
/// Radii from 0.498 to 0.5 tiles count as 0.498. Larger radii count as 0.002 tiles less.
pub fn overlaps(map: &Map, centre: Vec2, radius: f32) -> bool {
    let radius = collision_radius(radius);
    let home = TilePos::containing(centre);
    let mut found = false;
    for tile in around(home, rings(radius)).filter(|&tile| map.is_solid(tile)) {
        let low = Vec2::new(tile.x as f32, tile.y as f32);
        let nearest = centre.clamp(low, low + Vec2::ONE);
        found |= (centre - nearest).length_squared() < radius * radius;
    }
    let is_large = radius > TILE_RADIUS;
    if is_large || map.ground(home).has(Ground::NEAR_OBSTACLE) {
        for tile in around(home, obstacle_rings(radius)) {
            map.visit_obstacles_on(tile, |obstacle| {
                let reach = radius + obstacle.radius;
                found |= (centre - obstacle.centre).length_squared() < reach * reach;
            });
        }
        found = found || map.overlaps_large_obstacle(centre, radius);
    }
    found || map.overlaps_wall(centre, radius)
}

/// Returns what a disc of `radius` tiles meets first while it moves from `start` by `motion`, or what
/// it overlaps at the end. The disc is not stopped. Returns `None` if it meets nothing.
pub(crate) fn met(map: &Map, start: Vec2, motion: Vec2, radius: f32) -> Option<Contact> {
    let met = first_contact(map, start, motion, radius).map(|(_, contact)| contact);
    met.or_else(|| overlapped(map, start + motion, radius))
}

/// Returns a solid tile, an obstacle or a wall that a disc overlaps. Touching does not count.
fn overlapped(map: &Map, centre: Vec2, radius: f32) -> Option<Contact> {
    if !overlaps(map, centre, radius) {
        return None;
    }
    let home = TilePos::containing(centre);
    let nearest = |tile: TilePos| {
        let low = Vec2::new(tile.x as f32, tile.y as f32);
        centre.clamp(low, low + Vec2::ONE)
    };
    let distance = |tile: &TilePos| (centre - nearest(*tile)).length_squared();
    let reach = collision_radius(radius);
    let solid = around(home, rings(reach)).filter(|&tile| map.is_solid(tile));
    let close = solid.filter(|tile| distance(tile) < reach * reach);
    if let Some(tile) = close.min_by(|a, b| distance(a).total_cmp(&distance(b))) {
        return Some(Contact { normal: unit(centre - nearest(tile)), tile, wall: None });
    }
    let mut touched = Contact { normal: Vec2::ZERO, tile: home, wall: None };
    map.visit_walls_within(centre, reach, |wall, offset| {
        if touched.wall.is_none() {
            touched.wall = Some(wall);
            touched.normal = unit(-offset);
        }
    });
    Some(touched)
}

/// Returns the number of rings of tiles to search around a tile. These rings contain all small
/// obstacles within `reach` tiles of any point on the middle tile.
fn obstacle_rings(reach: f32) -> i32 {
    rings(reach + TILE_RADIUS).max(2)
}

/// Removes the components of `u` that point into surfaces. Returns zero if `u` still points into a
/// surface after that.
fn remove_inward(u: Vec2, contacts: &[Option<Contact>]) -> Vec2 {
    let into = |u: Vec2, contact: &Contact| u.dot(contact.normal).min(0.0);
    let slid =
        contacts.iter().flatten().fold(u, |u, contact| u - contact.normal * into(u, contact));
    // At an inner corner, sliding along the last surface can point into an earlier surface.
    let wedged = contacts.iter().flatten().any(|contact| into(slid, contact) < -1e-6 * u.length());
    if wedged { Vec2::ZERO } else { slid }
}

/// Returns the first contact of a disc during a motion, and the share of the motion before the
/// contact (0 to 1). Returns `None` without a contact.
fn first_contact(map: &Map, start: Vec2, motion: Vec2, radius: f32) -> Option<(f32, Contact)> {
    if radius <= TILE_RADIUS && is_open(map, start, motion, radius) {
        return None;
    }
    first_surface(map, start, motion, reach(radius), true)
}

/// Returns the first solid tile or wall that a disc of `radius` tiles touches during a motion. Also
/// returns the share of the motion before the contact (0 to 1). Returns `None` without a contact.
/// Obstacles do not count.
pub(super) fn first_wall(
    map: &Map,
    start: Vec2,
    motion: Vec2,
    radius: f32,
) -> Option<(f32, Contact)> {
    first_surface(map, start, motion, radius, false)
}

/// Returns the first surface within `reach` tiles of a moving point, and the share of the motion
/// before the contact (0 to 1). Returns `None` without a contact. Obstacles count only if
/// `obstacles` is true.
fn first_surface(
    map: &Map,
    start: Vec2,
    motion: Vec2,
    reach: f32,
    obstacles: bool,
) -> Option<(f32, Contact)> {
    let length = motion.length();
    if length == 0.0 {
        return None;
    }
    // The flags of tiles describe the surroundings of discs up to this reach.
    let is_large = reach > TILE_RADIUS;
    // Coordinates relative to the disc's own tile lose the least precision.
    let base = TilePos::containing(start);
    let origin = Vec2::new(base.x as f32, base.y as f32);
    let moving = MovingPoint { start: start - origin, motion, reach };
    let mut first: Option<(f32, Contact)> = None;
    if obstacles {
        moving.meet_large_obstacles(map, base, &mut first);
    }
    for passed in ray::passed(moving.start, motion / length, length) {
        // A contact is always with a shape around the tile that contains the centre at that time.
        if first.is_some_and(|(share, _)| share * length < passed.distance) {
            break;
        }
        let ground = map.ground(base + passed.tile);
        if is_large || ground.has(Ground::NEAR_SOLID) {
            moving.meet_tiles(map, base, passed.tile, &mut first);
        }
        if obstacles && (is_large || ground.has(Ground::NEAR_OBSTACLE)) {
            moving.meet_obstacles(map, base, passed.tile, &mut first);
        }
        if !map.walls().is_empty() {
            moving.meet_walls(map, base, passed.tile, &mut first);
        }
    }
    first
}

/// Iterates over the tiles within Chebyshev distance `reach` of `middle`, in reading order. Empty
/// if `reach` is negative.
pub(super) fn around(middle: TilePos, reach: i32) -> impl Iterator<Item = TilePos> {
    (-reach..=reach).flat_map(move |y| (-reach..=reach).map(move |x| middle + TilePos::new(x, y)))
}

/// Maximum depth of an overlap that is corrected, in tiles. Deeper overlaps are not rounding
/// errors. For example, a body that walks on tiles can overlap a surface. Its own motion ends the
/// overlap.
const MAX_DEPTH: f64 = 2.0 * SKIN as f64;

/// Moves the centre of a disc away from surfaces until it keeps a distance of `reach` tiles. Does
/// nothing unless the disc is too close to a wall.
///
/// Called after each motion to correct rounding errors: a position in `f32` can't follow a slanted
/// wall exactly, and the errors of many frames add up.
pub(super) fn settle(map: &Map, centre: Vec2, reach: f32) -> Vec2 {
    if map.walls().is_empty() {
        return centre;
    }
    let home = TilePos::containing(centre);
    let start = centre.as_dvec2();
    let mut at = start;
    map.visit_walls_near(home, reach, |wall| {
        if wall.is_in_front(at) {
            at = pushed(at, wall.nearest(at), reach.into());
        }
    });
    if at == start {
        return centre;
    }
    // In a corner, the correction must not press the disc into the other surface.
    for tile in around(home, reach.ceil() as i32).filter(|&tile| map.is_solid(tile)) {
        let low = DVec2::new(tile.x.into(), tile.y.into());
        at = pushed(at, at.clamp(low, low + DVec2::ONE), reach.into());
    }
    map.visit_obstacles_near(centre, reach, |obstacle| {
        let reach = f64::from(reach + obstacle.radius);
        at = pushed(at, obstacle.centre.as_dvec2(), reach);
    });
    at.as_vec2()
}

/// Returns the point `at`, moved to a distance of `reach` from the point `from`. Returns `at`
/// unchanged if it is far enough away, or if the correction exceeds [`MAX_DEPTH`].
fn pushed(at: DVec2, from: DVec2, reach: f64) -> DVec2 {
    let away = at - from;
    let distance = away.length();
    let depth = reach - distance;
    if distance > 0.0 && depth > 0.0 && depth <= MAX_DEPTH {
        at + away * (depth / distance)
    } else {
        at
    }
}

/// Sine of the smallest angle to a round surface that counts as a contact. At smaller angles,
/// rounding would cause repeated contacts while sliding. An ignored contact moves the body towards
/// the surface by less than the gap.
const GRAZING: f64 = 1e-4;

const CANCELLED: f32 = 0.001;

/// A moving point among shapes that are grown by `reach` tiles. Positions are in tiles, relative to
/// a base tile.
pub(super) struct MovingPoint {
    pub start: Vec2,
    pub(crate) motion: Vec2,
    pub reach: f32,
}

impl MovingPoint {
    /// Finds the first contact with the solid tiles around `near`. Stores the contact in `first` if
    /// it is earlier. `near` is relative to `base`.
    pub(crate) fn meet_tiles(
        &self,
        map: &Map,
        base: TilePos,
        near: TilePos,
        first: &mut Option<(f32, Contact)>,
    ) {
        for tile in around(near, rings(self.reach)) {
            self.meet_tile(map, base, tile, first);
        }
    }

    /// Finds the first contact with a tile, if it is solid. Stores the contact in `first` if it is
    /// earlier. `tile` is relative to `base`.
    fn meet_tile(
        &self,
        map: &Map,
        base: TilePos,
        tile: TilePos,
        first: &mut Option<(f32, Contact)>,
    ) {
        let solid = |tile: TilePos| map.is_solid(base + tile);
        if !solid(tile) {
            return;
        }
        let low = Vec2::new(tile.x as f32, tile.y as f32);
        let open = |x, y| !solid(tile + TilePos::new(x, y));
        for (x, y) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
            if open(x, y) {
                let outward = Vec2::new(x as f32, y as f32);
                keep_earlier(first, self.meet_face(low, outward), outward, base + tile);
            }
        }
        for (x, y) in [(-1, -1), (1, -1), (-1, 1), (1, 1)] {
            if open(x, 0) && open(0, y) {
                let quadrant = Vec2::new(x as f32, y as f32);
                let corner = low + (quadrant + Vec2::ONE) / 2.0;
                // Tests the whole circle, not only the quarter outside the faces. The rest of the
                // circle lies inside the shape, and rounding would leave gaps at the ends of the
                // quarter.
                if let Some((share, normal)) = self.meet_circle(corner, self.reach) {
                    keep_earlier(first, Some(share), normal, base + tile);
                }
            }
        }
    }

    /// Finds the first contact with the small obstacles around `near`. Stores the contact in
    /// `first` if it is earlier. `near` is relative to `base`.
    pub(crate) fn meet_obstacles(
        &self,
        map: &Map,
        base: TilePos,
        near: TilePos,
        first: &mut Option<(f32, Contact)>,
    ) {
        let origin = Vec2::new(base.x as f32, base.y as f32);
        for tile in around(base + near, obstacle_rings(self.reach)) {
            map.visit_obstacles_on(tile, |Obstacle { centre, radius, opaque: _ }| {
                if let Some((share, normal)) =
                    self.meet_circle(centre - origin, self.reach + radius)
                {
                    keep_earlier(first, Some(share), normal, tile);
                }
            });
        }
    }

    /// Finds the first contact of the motion with a large obstacle. Stores the contact in `first`
    /// if it is earlier.
    pub(crate) fn meet_large_obstacles(
        &self,
        map: &Map,
        base: TilePos,
        first: &mut Option<(f32, Contact)>,
    ) {
        let origin = Vec2::new(base.x as f32, base.y as f32);
        let (from, to) = (origin + self.start, origin + self.start + self.motion);
        let area = (from.min(to), from.max(to));
        map.visit_large_obstacles(area, self.reach, |Obstacle { centre, radius, opaque: _ }| {
            if let Some((share, normal)) = self.meet_circle(centre - origin, self.reach + radius) {
                keep_earlier(first, Some(share), normal, TilePos::containing(centre));
            }
        });
    }

    /// Finds the first contact with the walls around `near`. Stores the contact in `first` if it is
    /// earlier. `near` is relative to `base`.
    pub(crate) fn meet_walls(
        &self,
        map: &Map,
        base: TilePos,
        near: TilePos,
        first: &mut Option<(f32, Contact)>,
    ) {
        let start = self.start.as_dvec2() + DVec2::new(base.x.into(), base.y.into());
        let motion = self.motion.as_dvec2();
        map.visit_walls_near(base + near, self.reach, |wall| {
            let Some((share, normal)) = wall.meet(start, motion, self.reach.into()) else { return };
            if first.is_none_or(|(earlier, _)| (share as f32) < earlier) {
                let (centre, normal) = ((start + motion * share).as_vec2(), normal.as_vec2());
                // The body's side of the wall, which is on the map.
                let tile = TilePos::containing(centre - normal * (self.reach - SKIN));
                *first = Some((share as f32, Contact { normal, tile, wall: Some(wall.id) }));
            }
        });
    }

    /// Returns the share of the motion before contact with one face of a tile. `low` is the top
    /// left corner of the tile, and `outward` is the normal of the face. Returns `None` without a
    /// contact.
    fn meet_face(&self, low: Vec2, outward: Vec2) -> Option<f32> {
        let speed = -self.motion.dot(outward);
        if speed <= 0.0 {
            return None;
        }
        let centre = low + Vec2::splat(0.5);
        let height = (self.start - centre).dot(outward) - 0.5;
        if height < 0.0 {
            return None;
        }
        let share = ((height - self.reach) / speed).max(0.0);
        let along = (self.start + self.motion * share - centre) * Vec2::new(outward.y, outward.x);
        (share <= 1.0 && along.abs().max_element() <= 0.5).then_some(share)
    }

    /// Returns the share of the motion before contact with a circle, and the contact normal.
    /// Returns `None` without a contact.
    fn meet_circle(&self, centre: Vec2, radius: f32) -> Option<(f32, Vec2)> {
        let away = self.start - centre;
        let square = self.motion.length_squared();
        let closing = away.dot(self.motion);
        let grazing = GRAZING as f32;
        if closing >= 0.0 || closing * closing < grazing * grazing * away.length_squared() * square
        {
            return None;
        }
        let excess = away.length_squared() - radius * radius;
        if excess <= 0.0 {
            return Some((0.0, unit(away)));
        }
        let root = closing * closing - square * excess;
        // The circle is small or far away, or the motion touches its edge. An inexact root could
        // let the point pass between a corner and the face beside it.
        if root.abs() < CANCELLED * closing * closing {
            let met = meet_circle(away.as_dvec2(), self.motion.as_dvec2(), radius.into());
            return met.map(|(share, normal)| (share as f32, normal.as_vec2()));
        }
        if root < 0.0 {
            return None;
        }
        // This form avoids cancellation: excess / (−closing + √root).
        let share = excess / (root.sqrt() - closing);
        (share <= 1.0).then(|| (share, (away + self.motion * share) / radius))
    }
}

/// Returns the share of a motion before contact with a circle around the origin, and the unit
/// normal of the contact. `away` is the start of the motion. Returns `None` without a contact.
pub(in crate::map) fn meet_circle(away: DVec2, motion: DVec2, radius: f64) -> Option<(f64, DVec2)> {
    let square = motion.length_squared();
    let closing = away.dot(motion);
    let grazing = GRAZING * GRAZING * away.length_squared() * square;
    if closing >= 0.0 || closing * closing < grazing {
        return None;
    }
    let excess = away.length_squared() - radius * radius;
    if excess <= 0.0 {
        return Some((0.0, away / away.length()));
    }
    let root = closing * closing - square * excess;
    if root < 0.0 {
        return None;
    }
    // This form avoids cancellation: excess / (−closing + √root).
    let share = excess / (root.sqrt() - closing);
    (share <= 1.0).then(|| (share, (away + motion * share) / radius))
}

/// Replaces the contact in `first` if `share` is smaller. If two contacts are simultaneous, keeps
/// the existing contact.
fn keep_earlier(
    first: &mut Option<(f32, Contact)>,
    share: Option<f32>,
    normal: Vec2,
    tile: TilePos,
) {
    if let Some(share) = share
        && first.is_none_or(|(earlier, _)| share < earlier)
    {
        *first = Some((share, Contact { normal, tile, wall: None }));
    }
}

#[cfg(test)]
mod tests {
    use super::super::Edges;
    use super::super::tests::drawn;
    use super::*;

    #[test]
    fn disc_stops_at_a_wall_and_slides() {
        let map = drawn(&["#####", "#...#", "#...#", "#####"], Edges::Wall);
        let slid = slide(&map, Vec2::new(2.0, 2.0), Vec2::new(1.0, 5.0), 0.3);
        assert!((slid.end - Vec2::new(3.0, 2.699)).length() < 1e-5, "{}", slid.end);
        assert_eq!(slid.deflect(Vec2::new(1.0, 5.0)), Vec2::new(1.0, 0.0));
        assert_eq!(slid.contacts().next().map(|c| c.tile), Some(TilePos::new(2, 3)));
    }

    #[test]
    fn discs_do_not_tunnel_through_walls_at_any_speed() {
        let map =
            drawn(&["....#...................................................."], Edges::Wall);
        let slid = slide(&map, Vec2::new(0.5, 0.5), Vec2::new(50.0, 0.0), 0.05);
        assert!((slid.end.x - 3.949).abs() < 1e-4, "{}", slid.end);
    }

    #[test]
    fn a_row_of_tiles_acts_as_one_wall() {
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
    fn disc_slides_around_corners_and_stops_in_wedges() {
        let map = drawn(&["....", "..#.", "...."], Edges::Wall);
        let slid = slide(&map, Vec2::new(1.5, 0.5), Vec2::new(1.0, 1.0), 0.3);
        assert!(slid.contacts().next().is_some());
        assert!(!overlaps(&map, slid.end, 0.3));
        let inner = slide(&map, Vec2::new(0.5, 0.5), Vec2::new(-3.0, -3.0), 0.3);
        assert!((inner.end - Vec2::splat(0.301)).length() < 1e-5, "{}", inner.end);
        assert_eq!(inner.deflect(Vec2::new(-3.0, -3.0)), Vec2::ZERO);
    }

    #[test]
    fn widest_body_passes_a_corridor() {
        let map = drawn(&["######", "......", "######"], Edges::Wrap);
        let slid = slide(&map, Vec2::new(0.5, 1.5), Vec2::new(4.0, 0.0), 0.5);
        assert_eq!(slid.end, Vec2::new(4.5, 1.5));
    }

    #[test]
    fn widest_body_passes_side_openings() {
        let map = drawn(&["#######", ".......", "###.###", "###.###"], Edges::Wrap);
        for radius in [0.45, 0.499, 0.4995, 0.5] {
            let slid = slide(&map, Vec2::new(0.5, 1.5), Vec2::new(6.0, 0.0), radius);
            assert_eq!(slid.end, Vec2::new(6.5, 1.5), "radius {radius}");
        }
    }

    /// Checks that a long motion stops at the point where a face meets its rounded corner, despite
    /// rounding.
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

    /// Checks that a body slides around a pillar. Rounding must not cause repeated contacts that
    /// stop it.
    #[test]
    fn body_does_not_stop_at_a_pillar() {
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
    fn obstacles_are_solid_across_a_torus_edge() {
        let map = drawn(&["T......"], Edges::Wrap);
        let slid = slide(&map, Vec2::new(5.5, 0.5), Vec2::new(5.0, 0.0), 0.3);
        assert!((slid.end.x - (7.5 - 0.651)).abs() < 1e-4, "{}", slid.end);
    }
}

#[cfg(test)]
mod moving_tests {
    use super::*;
    use crate::map::{Edges, sweep::stop, tests::drawn};
    use crate::rng::{RngKey, Use};

    /// Returns the smallest distance between a segment and a tile. Uses the fact that the distance
    /// from a convex shape is a convex function along the segment.
    fn least_distance(from: DVec2, to: DVec2, tile: TilePos) -> f64 {
        let low = DVec2::new(tile.x.into(), tile.y.into());
        let distance = |share: f64| {
            let at = from.lerp(to, share);
            at.distance(at.clamp(low, low + DVec2::ONE))
        };
        let (mut first, mut last) = (0.0, 1.0);
        for _ in 0..120 {
            let (near, far) = ((2.0 * first + last) / 3.0, (first + 2.0 * last) / 3.0);
            if distance(near) < distance(far) { last = far } else { first = near }
        }
        distance(first)
    }

    /// Checks that a shallow motion stops where a face begins. The motion reaches the face and the
    /// corner at its end at nearly the same time.
    #[test]
    fn shallow_motions_stop_where_a_face_begins() {
        let tile = TilePos::new(14, 11);
        let mut rows = vec![".".repeat(30); 24];
        rows[11].replace_range(14..15, "#");
        let map = drawn(&rows.iter().map(String::as_str).collect::<Vec<_>>(), Edges::Wall);
        for case in 0..100_000_u64 {
            let key = RngKey { seed: 1, frame: case, agent: 0, mode: 0, behaviour: 0 };
            let mut random = key.stream(Use::Placement);
            let mut power = |low: f64, high: f64| low * libm::pow(high / low, random.unit().into());
            let radius = power(0.05, 0.49);
            let reach = radius + f64::from(SKIN);
            let angle = power(1e-4, 0.5);
            let beside = power(1e-7, 0.1) * if case % 2 == 0 { -1.0 } else { 1.0 };
            let direction = DVec2::new(libm::cos(angle), libm::sin(angle));
            let seam = DVec2::new(14.0 - beside, 11.0 - reach);
            let start = (seam - direction * power(0.01, 10.0)).as_vec2();
            let motion = (direction * power(0.1, 20.0)).as_vec2();
            let (end, contact) = stop(&map, start, motion, radius as f32);
            let from = start.as_dvec2();
            let depth = reach - least_distance(from, end.as_dvec2(), tile);
            assert!(depth < 1e-5, "{start} by {motion}, radius {radius}: {depth} too deep");
            let free = least_distance(from, from + motion.as_dvec2(), tile) - reach;
            assert!(free < 1e-5 || contact.is_none(), "{start} by {motion}: {free} away");
        }
    }
}
