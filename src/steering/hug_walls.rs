//! Wall hugging: along a wall at a distance, the wall always on the same hand: the opposite of
//! avoiding walls, as a timid mouse does it (Bourg & Seemann and Millington have no listing of it).

use crate::geom::{TilePos, Vec2, ray, starboard, truncate, unit};

use super::{Arrive, Note, Probe, Senses};

/// How much further than its distance a wall is noticed, in tiles.
const NOTICE: f32 = 3.0;

/// How far behind the beam of its hand a wall may be, as a cosine: one it just turns away from.
const ABAFT: f32 = 0.1;

/// The hand a wall is kept on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Hand {
    /// To port.
    #[default]
    Left,
    /// To starboard.
    Right,
}

impl Hand {
    /// Each with its word in files.
    pub const WORDS: [(&'static str, Self); 2] = [("left", Self::Left), ("right", Self::Right)];

    /// The side of a direction this hand is on. Of a wall's normal, the direction that has the wall
    /// on this hand.
    fn of(self, direction: Vec2) -> Vec2 {
        match self {
            Self::Left => -starboard(direction),
            Self::Right => starboard(direction),
        }
    }
}

/// Wall hugging's parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HugWalls {
    /// From the body's middle to the wall, in tiles; > 0.
    pub distance: f32,
    /// The hand on which the wall is kept.
    pub hand: Hand,
}

impl Default for HugWalls {
    fn default() -> Self {
        Self { distance: 0.8, hand: Hand::Left }
    }
}

/// A wall to keep to.
#[derive(Debug, Clone, Copy)]
struct Wall {
    /// Unit vector from it to the body.
    normal: Vec2,
    /// How far away it is, in tiles.
    gap: f32,
}

impl HugWalls {
    /// With n the normal of the wall and g its distance: `truncate(along·V + n·s, V) − v`, times
    /// gain, where `along` has the wall on its hand and s is arrive's speed ("fast") for the way
    /// still to go, distance − g.
    ///
    /// The wall is the nearest one on its hand, within `distance` + 3 tiles, or one that stands
    /// ahead nearer than it could stop in: an inner corner. Where there is less room than twice the
    /// distance it keeps to the middle. Without any wall it goes straight on at full speed until it
    /// meets one.
    pub fn propose(&self, senses: &Senses, probe: &mut impl Probe) -> Vec2 {
        let position = senses.motion.position;
        let top = senses.body.max_speed;
        let beside = self.wall_beside(senses);
        let along = beside.map_or(senses.motion.heading, |wall| self.hand.of(wall.normal));
        let ahead = self.wall_ahead(senses, along, beside, probe);
        let Some(wall) = ahead.or(beside) else {
            return (senses.motion.heading * top - senses.motion.velocity) * senses.gain();
        };
        let distance = self.distance_in_room(senses, wall);
        let missing = distance - wall.gap;
        let hurry = Arrive::FAST.deceleration * Arrive::FAST.tweak;
        let off = wall.normal * (missing / hurry).clamp(-top, top);
        let along = self.hand.of(wall.normal);
        probe.note(|| Note::Target(position - wall.normal * wall.gap));
        let wanted = truncate(along * top + off, top);
        (wanted - senses.motion.velocity) * senses.gain()
    }

    /// The nearest wall on the hand's side of the heading.
    fn wall_beside(&self, senses: &Senses) -> Option<Wall> {
        let position = senses.motion.position;
        let here = TilePos::containing(position);
        let side = self.hand.of(senses.motion.heading);
        let mut nearest: Option<Vec2> = None;
        let mut least = self.distance + NOTICE;
        let mut ring = 1;
        // The tiles of a ring are at least a tile nearer than its number.
        while (ring - 1) as f32 <= least {
            for tile in here.ring(ring).filter(|&tile| senses.map.is_solid(tile)) {
                let low = Vec2::new(tile.x as f32, tile.y as f32);
                let way = position.clamp(low, low + Vec2::ONE) - position;
                let distance = way.length();
                if distance < least && way.dot(side) >= -ABAFT * distance {
                    (nearest, least) = (Some(way), distance);
                }
            }
            ring += 1;
        }
        nearest.map(|way| Wall { normal: unit(-way), gap: least })
    }

    /// A wall in the way that it must turn away from by now.
    fn wall_ahead(
        &self,
        senses: &Senses,
        along: Vec2,
        beside: Option<Wall>,
        probe: &mut impl Probe,
    ) -> Option<Wall> {
        let position = senses.motion.position;
        let speed = senses.motion.velocity.length();
        // With no force to stop with it can only look as far as it notices anything.
        let stopping = speed * speed * senses.body.mass / (2.0 * senses.body.max_force);
        let distance = beside.map_or(self.distance, |wall| self.distance_in_room(senses, wall));
        let length = distance + stopping.min(NOTICE);
        let solid = |tile| senses.map.is_solid(tile);
        let hit = ray::cast(position, along, length, solid).filter(|hit| hit.distance > 0.0);
        probe.note(|| Note::Feeler {
            from: position,
            to: position + along * length,
            hit: hit.map(|hit| position + along * hit.distance),
        });
        let hit = hit?;
        Some(Wall { normal: hit.normal, gap: hit.distance * -along.dot(hit.normal) })
    }

    /// Its distance, or half the room there is between the wall and what stands opposite.
    fn distance_in_room(&self, senses: &Senses, wall: Wall) -> f32 {
        let free = (2.0 * self.distance - wall.gap).max(0.0);
        let solid = |tile| senses.map.is_solid(tile);
        match ray::cast(senses.motion.position, wall.normal, free, solid) {
            Some(hit) => {
                let room = wall.gap + hit.distance;
                self.distance.min(room / 2.0 - (room - 1.0).clamp(0.0, 1.0) / 4.0)
            }
            None => self.distance,
        }
    }
}
