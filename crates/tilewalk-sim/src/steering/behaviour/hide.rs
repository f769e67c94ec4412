//! Hide: keeps an obstacle between the agent and a hunter (Reynolds 1999; Buckland ch. 3).

use crate::geom::{TilePos, Vec2, unit};
use crate::map::{Obstacle, TILE_RADIUS};

use crate::steering::{Arrive, Evade, NoProbe, Note, Probe, Seen, Senses, Surroundings};

use super::Behaviour;
use crate::steering::spec::{
    Destination, LENGTH, Parameter, ParameterShape, Spec, TargetKeys, access,
};

/// Smallest gap between a large body and the obstacle that hides it, in tiles.
const GAP: f32 = 0.1;

/// Hide: moves to the nearest spot behind an obstacle, out of the hunter's sight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hide {
    /// Distance from the edge of the obstacle to the hiding spot, in tiles; ≥ 0.
    pub distance: f32,
    /// Whether the agent hides only while the hunter can see it.
    pub only_if_seen: bool,
    /// Search radius for obstacles, in tiles (Chebyshev distance); > 0. An agent without a hiding
    /// spot examines every obstacle within the radius in every frame.
    pub range: f32,
    /// Distance to the hunter in tiles beyond which an agent without a hiding spot does not evade;
    /// > 0.
    pub threat: f32,
}

impl Default for Hide {
    fn default() -> Self {
        Self { distance: 0.8, only_if_seen: false, range: 30.0, threat: Evade::THREAT }
    }
}

#[derive(Debug, Clone, Copy)]
struct HidingSpot {
    /// Vector from the agent to the hiding spot, in tiles.
    offset: Vec2,
    /// The tile of the obstacle that hides the agent.
    tile: TilePos,
}

impl HidingSpot {
    /// Creates the note on this hiding spot for an agent at `position`. `chosen` is true if the
    /// agent moves to the spot.
    fn note(&self, position: Vec2, chosen: bool) -> Note {
        Note::HidingSpot { at: position + self.offset, distance: self.offset.length(), chosen }
    }

    /// Returns true if this spot is nearer than `other`. If both are equally near, the spot whose
    /// obstacle tile is first in reading order wins.
    fn is_before(&self, other: &Self) -> bool {
        let (distance, other_distance) =
            (self.offset.length_squared(), other.offset.length_squared());
        distance < other_distance
            || (distance.total_cmp(&other_distance).is_eq() && self.tile < other.tile)
    }
}

impl Hide {
    /// Returns the force of arrive ("fast") to the nearest hiding spot.
    ///
    /// With f the hunter, an obstacle with centre o and radius R has its spot at `o + unit(o −
    /// f)·(R + distance)`. For a body wider than a tile, the distance is at least the body's radius
    /// plus 0.1 tile.
    ///
    /// These spots do not count:
    ///
    /// - spots in solid tiles or large obstacles, off the map, or at a wall
    /// - spots behind a wall, as seen from the obstacle
    /// - spots without room for a body wider than a tile
    ///
    /// Without a spot, the force is `evade(hunter)` with the threat distance of this behaviour. With
    /// `only_if_seen`, the force is zero while an opaque tile, wall or obstacle blocks the hunter's
    /// sight.
    ///
    /// Buckland's code never evades, since it compares with a distance that no spot exceeds. This
    /// function follows his description.
    pub(crate) fn propose(
        self,
        senses: &Senses,
        hunter: Seen,
        around: &impl Surroundings,
        probe: &mut impl Probe,
    ) -> Vec2 {
        let position = senses.motion.position;
        let eye = position + hunter.offset;
        if self.only_if_seen && !senses.map.sees(position, eye) {
            probe.note(|| Note::Target(eye));
            return Vec2::ZERO;
        }
        let Some(spot) = self.nearest_spot(senses, eye, probe) else {
            let evade = Evade { threat: Some(self.threat) };
            return evade.propose(senses, hunter, around, probe);
        };
        probe.note(|| spot.note(position, true));
        let goal = Seen::fixed(spot.offset);
        Arrive::FAST.propose(senses, goal, &mut NoProbe)
    }

    /// Returns the nearest hiding spot, if any. Searches the obstacles from the nearest tile to the
    /// farthest, until no later spot can be nearer.
    fn nearest_spot(
        self,
        senses: &Senses,
        eye: Vec2,
        probe: &mut impl Probe,
    ) -> Option<HidingSpot> {
        let (map, position) = (senses.map, senses.motion.position);
        let here = TilePos::containing(position);
        let mut nearest: Option<HidingSpot> = None;
        let mut consider = |obstacle: Obstacle, tile: TilePos, nearest: &mut Option<HidingSpot>| {
            let tile = map.resolve(tile).unwrap_or(tile);
            let Some(spot) = self.spot_behind(senses, eye, obstacle, tile) else { return };
            probe.note(|| spot.note(position, false));
            if nearest.is_none_or(|nearest| spot.is_before(&nearest)) {
                *nearest = Some(spot);
            }
        };
        for &obstacle in map.obstacles().large() {
            let offset = map.offset(position, obstacle.centre).abs().max_element();
            if offset - obstacle.radius <= self.range {
                consider(obstacle, TilePos::containing(obstacle.centre), &mut nearest);
            }
        }
        // No spot at a tile of this ring or a later ring can be nearer than this distance.
        let least = |ring: i32| (ring - 1) as f32 - TILE_RADIUS - self.clearance(senses);
        let is_over = |ring: i32, nearest: Option<HidingSpot>| {
            nearest.is_some_and(|spot| least(ring) > spot.offset.length())
        };
        let mut consider_tile = |tile: TilePos, nearest: &mut Option<HidingSpot>| {
            map.visit_obstacles_on(tile, |obstacle| {
                if !obstacle.is_large() {
                    consider(obstacle, tile, nearest);
                }
            });
        };
        if let Some(few) = map.few_obstacle_tiles(here, self.range as i32) {
            for &tile in few.tiles() {
                if is_over(here.king_distance(tile), nearest) {
                    break;
                }
                consider_tile(tile, &mut nearest);
            }
            return nearest;
        }
        for ring in 0..=self.range as i32 {
            if is_over(ring, nearest) {
                break;
            }
            // On a small torus, a ring can contain tiles that are nearer in the other direction.
            let has_obstacle = |tile: &TilePos| {
                map.has_obstacle(*tile) && map.tile_offset(here, *tile) == *tile - here
            };
            for tile in here.ring(ring).filter(has_obstacle) {
                consider_tile(tile, &mut nearest);
            }
        }
        nearest
    }

    /// Returns the distance from the edge of an obstacle to the hiding spot, in tiles.
    fn clearance(self, senses: &Senses) -> f32 {
        match senses.body.excess() {
            0.0 => self.distance,
            _ => self.distance.max(senses.body.radius + GAP),
        }
    }

    /// Returns the hiding spot behind an obstacle. Returns `None` if the agent can't occupy the
    /// spot. `tile` is the tile of the obstacle on the map.
    fn spot_behind(
        self,
        senses: &Senses,
        eye: Vec2,
        obstacle: Obstacle,
        tile: TilePos,
    ) -> Option<HidingSpot> {
        let (map, body) = (senses.map, senses.body);
        let behind = unit(map.offset(eye, obstacle.centre));
        let at = obstacle.centre + behind * (obstacle.radius + self.clearance(senses));
        let beyond = map.is_wall_between(obstacle.centre, at - obstacle.centre);
        let has_room = body.excess() == 0.0 || map.fits(at, body.radius);
        let in_wall = map.is_solid(TilePos::containing(at))
            || map.overlaps_wall(at, body.radius)
            || map.overlaps_large_obstacle(at, 0.0);
        let offset = map.offset(senses.motion.position, at);
        (has_room && !beyond && !in_wall).then_some(HidingSpot { offset, tile })
    }
}

#[rustfmt::skip]
pub(super) const HIDE: Spec = Spec {
    parameters: &[
        Parameter::number("distance", 0.0..=100.0, "tiles", access!(Number, Behaviour::Hide(it) => it.distance), "Distance from the obstacle edge to the hiding spot"),
        Parameter::new("only_if_seen", ParameterShape::Flag, access!(Flag, Behaviour::Hide(it) => it.only_if_seen), "Whether the agent hides only while it is visible to the target").details("The agent is visible while no opaque tile, wall or obstacle separates it from the target"),
        Parameter::number("range", 1.0..=200.0, "tiles", access!(Number, Behaviour::Hide(it) => it.range), "Distance up to which the agent searches for obstacles, in rows and in columns"),
        Parameter::number("threat", LENGTH, "tiles", access!(Number, Behaviour::Hide(it) => it.threat), "Distance at which an agent without a hiding spot starts to evade"),
    ],
    ..Spec::new("hide", TargetKeys::Target("from"), "moves behind an obstacle, out of sight of the target. Without a hiding spot, the agent evades the target", || Behaviour::Hide(Hide::default())).to(Destination::HidingSpot)
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Body;
    use crate::map::{Edges, Map, Wall, tests::drawn};
    use crate::steering::ForceBreakdown;
    use crate::steering::tests::{Empty, senses};

    /// Returns the hiding spot of an agent, if any.
    fn spot(map: &Map, at: Vec2, hunter: Vec2) -> Option<Vec2> {
        let body = Body::default();
        let mut breakdown = ForceBreakdown::default();
        let seen = Seen::fixed(map.offset(at, hunter));
        Hide::default().propose(&senses(map, &body, at, Vec2::ZERO), seen, &Empty, &mut breakdown);
        breakdown.notes.into_iter().find_map(|(_, note)| {
            let Note::HidingSpot { at, chosen: true, .. } = note else { return None };
            Some(at)
        })
    }

    #[test]
    fn hiding_spots_in_walls_or_off_the_map_are_ignored() {
        let map = drawn(&[".....#", "...T#.", "....#."], Edges::Wall);
        assert_eq!(spot(&map, Vec2::new(1.5, 1.5), Vec2::new(0.5, 1.5)), None);
        let map = drawn(&["....", "....", "...T"], Edges::Wall);
        assert_eq!(spot(&map, Vec2::new(1.5, 1.5), Vec2::new(0.5, 2.5)), None);
    }

    #[test]
    fn hiding_spots_at_or_behind_a_free_wall_are_ignored() {
        let rows = ["..........", "....T.....", ".........."];
        let hunter = Vec2::new(0.5, 1.5);
        let at = Vec2::new(2.5, 1.5);
        assert!(spot(&drawn(&rows, Edges::Wall), at, hunter).is_some());
        for x in [5.0, 5.5, 5.9] {
            let (from, to) = (Vec2::new(x, 0.0), Vec2::new(x, 3.0));
            let wall = Wall { from, to, one_sided: false, opaque: false, entry: 0 };
            let map = drawn(&rows, Edges::Wall).with_walls(vec![wall], Vec::new());
            assert_eq!(spot(&map, at, hunter), None, "a wall at {x}");
        }
    }

    #[test]
    fn hiding_spots_across_the_edge_of_a_torus_are_found() {
        let map = drawn(&["............", ".T..........", "............"], Edges::Wrap);
        let found = spot(&map, Vec2::new(11.5, 1.5), Vec2::new(4.5, 1.5)).unwrap();
        assert!((found - Vec2::new(12.35, 1.5)).length() < 1e-5, "{found}");
    }
}
