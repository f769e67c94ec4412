//! Wall following: moves along a wall at a distance, with the wall always on the same side. (Bourg
//! & Seemann and Millington mention wall following without a listing.)

use crate::geom::{TilePos, Vec2, starboard, truncate, unit};

use crate::steering::{Arrive, Note, Probe, Senses};

use super::Behaviour;
use crate::steering::spec::{Parameter, ParameterShape, Spec, TargetKeys, access, word_access};

/// Range in which walls are detected, in tiles beyond `distance`.
const DETECTION_RANGE: f32 = 3.0;

/// Sine of an angle: a wall on the other side of the heading is still followed up to this angle.
/// Otherwise, a body that turns away from a wall would lose the wall.
const BEHIND_ABEAM: f32 = 0.1;

/// Minimum excess of the look-ahead over the wall distance, in tiles. Determines the look-ahead at
/// rest.
const CLEARANCE: f32 = 0.1;

/// Cosine of 60°. A wall counts as opposite if its direction is within 60° of the first wall's
/// normal.
const OPPOSITE: f32 = 0.5;

/// The side on which a wall is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Hand {
    /// The port side, which is the default.
    #[default]
    Left,
    /// The starboard side.
    Right,
}

impl Hand {
    /// Both sides of a body with their keywords in files.
    pub const WORDS: [(&'static str, Self); 2] = [("left", Self::Left), ("right", Self::Right)];

    /// Returns the unit vector that points to this side of `direction`. If `direction` is the
    /// normal of a wall, motion along the result keeps the wall on this side.
    fn of(self, direction: Vec2) -> Vec2 {
        match self {
            Self::Left => -starboard(direction),
            Self::Right => starboard(direction),
        }
    }
}

/// Wall following: moves along a wall at a fixed distance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HugWalls {
    /// Distance from the body's centre to the wall, in tiles; > 0.
    pub distance: f32,
    /// The side on which the wall is kept.
    pub hand: Hand,
}

impl Default for HugWalls {
    fn default() -> Self {
        Self { distance: 0.8, hand: Hand::Left }
    }
}

/// The nearest point of a wall.
#[derive(Debug, Clone, Copy)]
struct WallHit {
    /// Unit vector from the wall to the body.
    normal: Vec2,
    /// Distance from the body's centre to the wall, in tiles.
    gap: f32,
}

impl HugWalls {
    /// Returns the force along a wall: with n the normal of the wall and g its distance,
    /// `truncate(along·V + n·s, V) − v`, times gain. `along` is the direction that keeps the wall
    /// on the chosen side. s is the speed of arrive ("fast") for distance − g. The distance is at
    /// least the body's radius plus 0.05 tile.
    ///
    /// The wall is the nearest wall on the chosen side, within `distance` + 3 tiles. A wall ahead
    /// within the stopping distance (at an inner corner) takes precedence. Without a wall, the
    /// agent moves straight ahead at full speed.
    ///
    /// In a passage of width w, the distance is at most w/2 − clamp(w − 1, 0, 1)/4. In a passage
    /// one tile wide, the body thus moves along the centre line. In wider passages, the body stays
    /// nearer to the wall, so that it can still turn around. For a body wider than a tile, w − 1 is
    /// reduced by the part of the body's diameter beyond one tile.
    pub(crate) fn propose(self, senses: &Senses, probe: &mut impl Probe) -> Vec2 {
        let position = senses.motion.position;
        let top = senses.body.max_speed;
        let with_distance = |wall| (wall, self.clamped_distance(senses, wall));
        let beside = self.wall_beside(senses).map(with_distance);
        let (along, distance) = match beside {
            Some((wall, distance)) => (self.hand.of(wall.normal), distance),
            None => (senses.motion.heading, self.min_distance(senses)),
        };
        let ahead = wall_ahead(senses, along, distance, probe).map(with_distance);
        let Some((wall, distance)) = ahead.or(beside) else {
            return (senses.motion.heading * top - senses.motion.velocity) * senses.gain();
        };
        let error = distance - wall.gap;
        let time = Arrive::FAST.deceleration * Arrive::FAST.tweak;
        let correction = wall.normal * (error / time).clamp(-top, top);
        let along = self.hand.of(wall.normal);
        probe.note(|| Note::Target(position - wall.normal * wall.gap));
        let desired = truncate(along * top + correction, top);
        (desired - senses.motion.velocity) * senses.gain()
    }

    /// Returns `distance` in tiles, increased if necessary to keep the body off the wall.
    fn min_distance(self, senses: &Senses) -> f32 {
        self.distance.max(senses.body.radius + CLEARANCE / 2.0)
    }

    /// Returns the nearest wall on the chosen side of the heading; `None` if no wall is in range.
    fn wall_beside(self, senses: &Senses) -> Option<WallHit> {
        let side = self.hand.of(senses.motion.heading);
        let range = self.distance + DETECTION_RANGE + senses.body.excess();
        nearest_wall(senses, range, |offset, gap| offset.dot(side) >= -BEHIND_ABEAM * gap)
    }

    /// Returns the distance to keep from a wall, in tiles. The distance is reduced in narrow
    /// passages.
    fn clamped_distance(self, senses: &Senses, wall: WallHit) -> f32 {
        let opposite = |offset: Vec2, gap: f32| offset.dot(wall.normal) >= OPPOSITE * gap;
        let distance = self.min_distance(senses);
        match nearest_wall(senses, 2.0 * distance + 0.5 - wall.gap, opposite) {
            Some(other) => {
                let room = wall.gap + other.gap;
                let spare = room - 1.0 - 2.0 * senses.body.excess();
                distance.min(room / 2.0 - spare.clamp(0.0, 1.0) / 4.0)
            }
            None => distance,
        }
    }
}

/// Returns the first wall in the direction `along`, up to the stopping distance beyond `distance` tiles.
fn wall_ahead(
    senses: &Senses,
    along: Vec2,
    distance: f32,
    probe: &mut impl Probe,
) -> Option<WallHit> {
    let position = senses.motion.position;
    let speed = senses.motion.velocity.length();
    let force = senses.body.max_force;
    // Without force there is no stopping distance.
    let stopping = if force > 0.0 {
        speed * speed * senses.body.mass / (2.0 * force)
    } else {
        DETECTION_RANGE
    };
    let length = distance + stopping.clamp(CLEARANCE, DETECTION_RANGE);
    let wide = senses.body.excess();
    let hit = senses.map.cast_disc(position, along, (length - wide).max(0.0), wide);
    let hit = hit.filter(|hit| hit.distance > 0.0);
    probe.note(|| Note::Feeler {
        from: position,
        to: position + along * length,
        hit: hit.map(|hit| position + along * hit.distance - hit.normal * wide),
        wall: hit.and_then(|hit| hit.wall),
    });
    let hit = hit?;
    Some(WallHit { normal: hit.normal, gap: hit.distance * -along.dot(hit.normal) + wide })
}

/// Returns the nearest wall closer than `limit` tiles for which `accept` is true. `accept` receives
/// the vector to the nearest point of the wall, and the length of the vector. Of equally near
/// walls, the first tile in search order wins, then a free wall. A wall that the position touches
/// has no normal and does not count.
fn nearest_wall(
    senses: &Senses,
    mut limit: f32,
    accept: impl Fn(Vec2, f32) -> bool,
) -> Option<WallHit> {
    let position = senses.motion.position;
    let here = TilePos::containing(position);
    let mut nearest: Option<Vec2> = None;
    let mut ring = senses.map.free_distance(here).max(1) as i32;
    // A tile of ring n can be as near as n − 1 tiles.
    while (ring - 1) as f32 <= limit {
        senses.map.visit_solid_ring(here, ring, |tile| {
            let low = Vec2::new(tile.x as f32, tile.y as f32);
            let offset = position.clamp(low, low + Vec2::ONE) - position;
            let gap = offset.length();
            if gap > 0.0 && gap < limit && accept(offset, gap) {
                (nearest, limit) = (Some(offset), gap);
            }
        });
        ring += 1;
    }
    senses.map.visit_walls_within(position, limit, |_, offset| {
        let gap = offset.length();
        if gap > 0.0 && gap < limit && accept(offset, gap) {
            (nearest, limit) = (Some(offset), gap);
        }
    });
    nearest.map(|offset| WallHit { normal: unit(-offset), gap: limit })
}

#[rustfmt::skip]
pub(super) const HUG_WALLS: Spec = Spec {
    parameters: &[
        Parameter::new("hand", ParameterShape::Words(&[Hand::WORDS[0].0, Hand::WORDS[1].0]), word_access!(Behaviour::HugWalls(it) => it.hand, Hand::WORDS), "Side on which the wall is kept"),
        Parameter::number("distance", 0.001..=20.0, "tiles", access!(Number, Behaviour::HugWalls(it) => it.distance), "Distance from the body's centre to the wall").details("It is at least the body radius plus 0.05 tiles. In narrow passages, the distance is smaller"),
    ],
    ..Spec::new("hug_walls", TargetKeys::Nothing, "moves along walls at a fixed distance", || Behaviour::HugWalls(HugWalls::default()))
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Body;
    use crate::map::{Edges, tests::drawn};
    use crate::steering::{NoProbe, tests::senses};

    #[test]
    fn a_tile_that_the_centre_touches_has_no_side() {
        let map = drawn(&["#.......", "#......."], Edges::Wall);
        let body = Body::default();
        let senses = senses(&map, &body, Vec2::new(1.0, 1.0), Vec2::ZERO);
        let found = nearest_wall(&senses, 0.5, |_, _| true);
        assert!(found.is_none(), "{found:?}");
        let force = HugWalls::default().propose(&senses, &mut NoProbe);
        assert!(force.length() > 0.0);
    }
}
