//! Wall hugging: along a wall at a distance, the wall always on the same hand: the opposite of
//! avoiding walls, as a timid mouse does it (Bourg & Seemann and Millington have no listing of it).

use crate::geom::{TilePos, Vec2, ray, starboard, truncate, unit};

use super::{Arrive, Note, Probe, Senses};

use super::behaviour::Behaviour;
use super::spec::{Access, Parameter, Shape, Spec, Subject, Value, access};

/// How much further than its distance a wall is noticed, in tiles.
const NOTICE: f32 = 3.0;

/// How far behind the beam of its hand a wall may be, as a cosine: one it just turns away from.
const ABAFT: f32 = 0.1;

/// How far ahead a body that stands looks for a wall, beyond its distance, in tiles.
const SLACK: f32 = 0.1;

/// What stands opposite to a wall lies within 60° of its normal: the cosine.
const OPPOSITE: f32 = 0.5;

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
    /// A distance less than the body's radius and 0.05 tile counts as that.
    ///
    /// The wall is the nearest one on its hand, within `distance` + 3 tiles, or one that stands
    /// ahead nearer than it could stop in: an inner corner. Without any wall it goes straight on at
    /// full speed until it meets one.
    ///
    /// Where the next wall opposite leaves a room w that is narrow, its distance is at most
    /// w/2 − clamp(w − 1, 0, 1)/4: the middle of a lane one tile wide, and less than the
    /// middle of wider ones, so that it can still go round in them.
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

    /// Its distance, but never so little that the body would rub along the wall.
    fn distance_of(self, senses: &Senses) -> f32 {
        self.distance.max(senses.body.radius + SLACK / 2.0)
    }

    /// The nearest wall on the hand's side of the heading.
    fn wall_beside(self, senses: &Senses) -> Option<Wall> {
        let side = self.hand.of(senses.motion.heading);
        nearest_wall(senses, self.distance + NOTICE, |way, gap| way.dot(side) >= -ABAFT * gap)
    }

    /// A wall in the way that it must turn away from by now.
    fn wall_ahead(
        self,
        senses: &Senses,
        along: Vec2,
        beside: Option<Wall>,
        probe: &mut impl Probe,
    ) -> Option<Wall> {
        let position = senses.motion.position;
        let speed = senses.motion.velocity.length();
        let force = senses.body.max_force;
        // With no force to stop with it can only look as far as it notices anything.
        let stopping =
            if force > 0.0 { speed * speed * senses.body.mass / (2.0 * force) } else { NOTICE };
        let distance =
            beside.map_or(self.distance_of(senses), |wall| self.distance_in_room(senses, wall));
        let length = distance + stopping.clamp(SLACK, NOTICE);
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

    /// Its distance; less where what stands opposite to the wall leaves too little room for that.
    fn distance_in_room(self, senses: &Senses, wall: Wall) -> f32 {
        let opposite = |way: Vec2, gap: f32| way.dot(wall.normal) >= OPPOSITE * gap;
        let distance = self.distance_of(senses);
        match nearest_wall(senses, 2.0 * distance + 0.5 - wall.gap, opposite) {
            Some(other) => {
                let room = wall.gap + other.gap;
                distance.min(room / 2.0 - (room - 1.0).clamp(0.0, 1.0) / 4.0)
            }
            None => distance,
        }
    }
}

/// The nearest wall nearer than `least`, of those whose nearest point, as a vector and a distance, is
/// wanted; of walls equally near the first in reading order.
fn nearest_wall(
    senses: &Senses,
    mut least: f32,
    wanted: impl Fn(Vec2, f32) -> bool,
) -> Option<Wall> {
    let position = senses.motion.position;
    let here = TilePos::containing(position);
    let mut nearest: Option<Vec2> = None;
    let mut ring = 1;
    // The tiles of a ring are at least a tile nearer than its number.
    while (ring - 1) as f32 <= least {
        for tile in here.ring(ring).filter(|&tile| senses.map.is_solid(tile)) {
            let low = Vec2::new(tile.x as f32, tile.y as f32);
            let way = position.clamp(low, low + Vec2::ONE) - position;
            let gap = way.length();
            if gap < least && wanted(way, gap) {
                (nearest, least) = (Some(way), gap);
            }
        }
        ring += 1;
    }
    nearest.map(|way| Wall { normal: unit(-way), gap: least })
}

#[rustfmt::skip]
pub(super) const HUG_WALLS: Spec = Spec {
    parameters: &[
        Parameter::new("hand", Shape::Words(&[Hand::WORDS[0].0, Hand::WORDS[1].0]), HAND, "Side on which the wall is kept"),
        Parameter::number("distance", 0.001..=20.0, "tiles", access!(Number, Behaviour::HugWalls(it) => it.distance), "Distance from the body's centre to the wall").details("It is at least the body radius plus 0.05 tiles. In narrow passages, the distance is smaller"),
    ],
    ..Spec::new("hug_walls", Subject::Nothing, "moves along walls at a fixed distance", || Behaviour::HugWalls(HugWalls::default()))
};

const HAND: Access = Access {
    get: |behaviour| {
        let Behaviour::HugWalls(it) = behaviour else { return None };
        let (word, _) = Hand::WORDS.into_iter().find(|(_, hand)| *hand == it.hand)?;
        Some(Value::Word(word))
    },
    set: |behaviour, value| {
        let (Behaviour::HugWalls(it), Value::Word(word)) = (behaviour, value) else { return };
        if let Some((_, hand)) = Hand::WORDS.into_iter().find(|(each, _)| *each == word) {
            it.hand = hand;
        }
    },
};
