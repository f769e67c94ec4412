//! Hide: keep an obstacle between oneself and a hunter (Reynolds 1999; Buckland ch. 3).

use crate::geom::{TilePos, Vec2, unit};
use crate::map::obstacles::MAX_RADIUS;

use super::{Arrive, Evade, Note, Probe, Seen, Senses, Silent};

use super::behaviour::Behaviour;
use super::spec::{Parameter, Shape, Spec, Subject, access};

/// How far away cover is looked for, in tiles: obstacles on tiles further off than that (in king's
/// steps) are none. Whoever has no cover looks at each of these tiles in every frame.
pub const FAR: i32 = 30;

/// Hide's parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hide {
    /// From the edge of the obstacle to the hiding spot, in tiles; ≥ 0.
    pub distance: f32,
    /// Does it hide only while the hunter sees it?
    pub only_if_seen: bool,
}

impl Default for Hide {
    fn default() -> Self {
        Self { distance: 0.8, only_if_seen: false }
    }
}

/// A place to hide at.
#[derive(Debug, Clone, Copy)]
struct Spot {
    /// From the agent to it.
    way: Vec2,
    /// The tile of its obstacle.
    tile: TilePos,
}

impl Spot {
    /// Is it nearer than another? Of spots equally near, the one whose obstacle comes first in
    /// reading order.
    fn is_before(&self, other: &Self) -> bool {
        let (mine, its) = (self.way.length_squared(), other.way.length_squared());
        mine < its || (mine.total_cmp(&its).is_eq() && self.tile < other.tile)
    }
}

impl Hide {
    /// With f the hunter, every obstacle (middle o, radius R) gives a spot behind it:
    /// `o + unit(o − f)·(R + distance)`. Then `arrive(nearest spot, fast)`. A spot in a solid tile
    /// or off the map is none. Without any spot: `evade(hunter)` with its default threat.
    ///
    /// With `only_if_seen`, nothing while something opaque stands between the two.
    ///
    /// The program that the source ships can never evade, as its test compares with a distance no
    /// spot exceeds; its prose is what is done here.
    pub fn propose(&self, senses: &Senses, hunter: Seen, probe: &mut impl Probe) -> Vec2 {
        let position = senses.motion.position;
        let eye = position + hunter.offset;
        if self.only_if_seen && !senses.map.sees(position, eye) {
            probe.note(|| Note::Target(eye));
            return Vec2::ZERO;
        }
        let Some(spot) = self.nearest_spot(senses, eye, probe) else {
            return Evade::default().propose(senses, hunter, probe);
        };
        probe.note(|| Note::HidingSpot { at: position + spot.way, chosen: true });
        let goal = Seen { offset: spot.way, velocity: Vec2::ZERO, heading: Vec2::X };
        Arrive::FAST.propose(senses, goal, &mut Silent)
    }

    /// Looks at obstacles ring by ring, from the agent outward, until no spot can be nearer.
    fn nearest_spot(self, senses: &Senses, eye: Vec2, probe: &mut impl Probe) -> Option<Spot> {
        let (map, position) = (senses.map, senses.motion.position);
        let here = TilePos::containing(position);
        let mut nearest: Option<Spot> = None;
        for ring in 0..=FAR {
            // The obstacles of a ring are at least a tile nearer than its number, and their spots
            // nearer still by what lies between the two.
            let least = (ring - 1) as f32 - MAX_RADIUS - self.distance;
            if nearest.is_some_and(|spot| least > spot.way.length()) {
                break;
            }
            // On a small torus a ring meets tiles again that are nearer the other way round.
            let counts = |tile: &TilePos| {
                map.has_obstacle(*tile) && map.tile_offset(here, *tile) == *tile - here
            };
            for tile in here.ring(ring).filter(counts) {
                map.visit_obstacles_on(tile, |obstacle| {
                    let behind = unit(map.offset(eye, obstacle.centre));
                    let at = obstacle.centre + behind * (obstacle.radius + self.distance);
                    if map.is_solid(TilePos::containing(at)) {
                        return;
                    }
                    let way = map.offset(position, at);
                    let spot = Spot { way, tile: map.resolve(tile).unwrap_or(tile) };
                    probe.note(|| Note::HidingSpot { at: position + way, chosen: false });
                    if nearest.is_none_or(|nearest| spot.is_before(&nearest)) {
                        nearest = Some(spot);
                    }
                });
            }
        }
        nearest
    }
}

#[rustfmt::skip]
pub(super) const HIDE: Spec = Spec {
    parameters: &[
        Parameter::number("distance", 0.0..=100.0, "tiles", access!(Number, Behaviour::Hide(it) => it.distance), "Distance from the obstacle edge to the hiding spot"),
        Parameter::new("only_if_seen", Shape::Flag, access!(Flag, Behaviour::Hide(it) => it.only_if_seen), "Whether the agent hides only while it is visible to the target").details("The agent is visible while no opaque tile separates it from the target"),
    ],
    ..Spec::new("hide", Subject::Target("from"), "moves behind an obstacle, out of sight of the target. Obstacles more than 30 tiles away are ignored. Without a hiding spot, the agent evades the target", || Behaviour::Hide(Hide::default()))
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Body;
    use crate::map::{Edges, Map, tests::drawn};
    use crate::steering::{Ledger, tests::senses};

    /// Where somebody hides from a hunter, if anywhere.
    fn spot(map: &Map, at: Vec2, hunter: Vec2) -> Option<Vec2> {
        let body = Body::default();
        let mut ledger = Ledger::default();
        let seen = Seen { offset: map.offset(at, hunter), velocity: Vec2::ZERO, heading: Vec2::X };
        Hide::default().propose(&senses(map, &body, at, Vec2::ZERO), seen, &mut ledger);
        ledger.notes.into_iter().find_map(|(_, note)| match note {
            Note::HidingSpot { at, chosen: true } => Some(at),
            _ => None,
        })
    }

    #[test]
    fn the_spot_lies_behind_the_nearest_tree() {
        let map = drawn(&["..........", "..T...T...", ".........."], Edges::Wall);
        let found = spot(&map, Vec2::new(4.5, 0.5), Vec2::new(0.5, 1.5)).unwrap();
        assert!((found - Vec2::new(3.65, 1.5)).length() < 1e-5, "{found}");
        let found = spot(&map, Vec2::new(5.5, 0.5), Vec2::new(0.5, 1.5)).unwrap();
        assert!((found - Vec2::new(3.65, 1.5)).length() < 1e-5, "{found}");
        let found = spot(&map, Vec2::new(7.5, 0.5), Vec2::new(0.5, 1.5)).unwrap();
        assert!((found - Vec2::new(7.65, 1.5)).length() < 1e-5, "{found}");
    }

    #[test]
    fn a_spot_in_a_wall_or_off_the_map_is_none() {
        let map = drawn(&[".....#", "...T#.", "....#."], Edges::Wall);
        assert_eq!(spot(&map, Vec2::new(1.5, 1.5), Vec2::new(0.5, 1.5)), None);
        let map = drawn(&["....", "....", "...T"], Edges::Wall);
        assert_eq!(spot(&map, Vec2::new(1.5, 1.5), Vec2::new(0.5, 2.5)), None);
    }

    #[test]
    fn with_no_cover_it_evades() {
        let map = drawn(&["........"; 3], Edges::Wall);
        let body = Body::default();
        let senses = senses(&map, &body, Vec2::new(4.5, 1.5), Vec2::ZERO);
        let hunter = Seen { offset: Vec2::new(-2.0, 0.0), velocity: Vec2::ZERO, heading: Vec2::X };
        let force = Hide::default().propose(&senses, hunter, &mut Silent);
        assert_eq!(force, Vec2::new(32.0, 0.0));
    }

    #[test]
    fn on_a_torus_cover_is_sought_across_the_edge() {
        let map = drawn(&["............", ".T..........", "............"], Edges::Wrap);
        let found = spot(&map, Vec2::new(11.5, 1.5), Vec2::new(4.5, 1.5)).unwrap();
        assert!((found - Vec2::new(12.35, 1.5)).length() < 1e-5, "{found}");
    }
}
