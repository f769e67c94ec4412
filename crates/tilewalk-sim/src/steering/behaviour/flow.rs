//! Flow field following: moves along the cheapest route to a target (Reynolds 1999; gdx-ai), and
//! straight over open ground.

use crate::geom::{Direction, TilePos, Vec2};
use crate::map::route::{NextStep, WayAhead};
use crate::map::{Map, sweep};

use super::seek::seek;
use crate::steering::{Arrive, Memory, NoProbe, Note, Probe, Seen, Senses, Surroundings};

use super::Behaviour;
use crate::steering::spec::{Destination, Parameter, Spec, THOUSAND, TargetKeys, access};

/// Flow field following: moves along the cheapest route to a target.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Flow {
    /// Prediction time for the agent's position, in seconds; ≥ 0.
    pub predict: f32,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum NextGoal {
    /// The target itself: the agent is on the target's tile, or no walkable tile is nearer to the
    /// target.
    Target,
    /// Vector to the centre of a tile on the route.
    Centre(Vec2),
}

/// Number of tiles of the route among which the agent selects the tile that it moves to.
const LOOK_AHEAD: u32 = 16;

impl Flow {
    /// Returns the force along the cheapest path: `gain · (unit(c − p)·V − v)`. Here p is the
    /// position of the body, v its velocity, V its maximum speed, and c the centre of a tile on the
    /// path. On the target's tile, returns `arrive(target)`. Without a path, returns zero, and the
    /// agent is `blocked`.
    ///
    /// c is in the next tile, or up to [`LOOK_AHEAD`] tiles ahead if the body can move there in a
    /// straight line, and if no tile under this line is closed or costs more than any tile of the
    /// path up to c. So the motion is never longer or more expensive than the path. In a crowd,
    /// agents do not return to a tile that they have been pushed past, and they use the whole width
    /// of a door.
    ///
    /// The path leads from the tile of p + v·predict to the target's tile, in steps to the 8
    /// neighbours without cutting corners. A step costs its length times the cost of the tile it
    /// enters.
    ///
    /// If p + v·predict is in a wall or cut off from the target, the path starts at the agent's own
    /// tile. No path enters the tile of an obstacle. An agent on such a tile moves to the nearest
    /// adjacent tile with a path.
    ///
    /// Paths leave room for a body wider than a tile. If obstacles are wider than a tile, paths
    /// leave room for all bodies (see [`crate::map::Map::cleared`]).
    ///
    /// c is not always the neighbour nearest to the target, because that tile may be expensive to
    /// enter.
    pub(crate) fn propose(
        self,
        senses: &Senses,
        target: Seen,
        memory: &mut Memory,
        around: &impl Surroundings,
        probe: &mut impl Probe,
    ) -> Vec2 {
        let position = senses.motion.position;
        let next = self.next_goal(senses, target, around);
        memory.no_route = next.is_none();
        // Also reported without a path, so that overlays show the unreachable target.
        probe.note(|| Note::Target(position + target.offset));
        if around.route_map().is_some() {
            probe.note(|| Note::Clearance { radius: senses.body.radius });
        }
        let offset = match next {
            None => return Vec2::ZERO,
            Some(NextGoal::Target) => {
                return Arrive::default().propose(senses, target, &mut NoProbe);
            }
            Some(NextGoal::Centre(offset)) => offset,
        };
        probe.note(|| Note::Waypoint(position + offset));
        seek(senses, Seen::fixed(offset), &mut NoProbe)
    }

    fn next_goal(
        self,
        senses: &Senses,
        target: Seen,
        around: &impl Surroundings,
    ) -> Option<NextGoal> {
        let map = around.route_map().unwrap_or(senses.map);
        let position = senses.motion.position;
        let tile_of = |point: Vec2| map.resolve(TilePos::containing(map.wrap(point)));
        let goal = tile_of(position + target.offset)?;
        let own = tile_of(position)?;
        let from = |tile: TilePos| match around.next_step(goal, tile)? {
            NextStep::Here => Some(NextGoal::Target),
            NextStep::Step(direction) => {
                let next = map.resolve(tile.neighbour(direction))?;
                let way = Way { senses, map, around, goal, next };
                Some(NextGoal::Centre(way.offset(Some(tile).filter(|&tile| tile == own))))
            }
        };
        let predicted = senses.motion.velocity * self.predict;
        let ahead = tile_of(position + predicted).filter(|&ahead| {
            ahead != own
                && map.is_open(ahead)
                && map.wall_barring_way(position, predicted).is_none()
        });
        if let Some(goal) = ahead.and_then(from) {
            return Some(goal);
        }
        // A wall can cut the agent's tile, with the agent and the centre on different sides.
        let barred = |offset: Vec2| map.wall_barring_way(position, offset).is_some();
        if map.is_open(own) && !barred(map.offset(position, own.centre())) {
            return from(own);
        }
        let mut nearest: Option<Vec2> = None;
        for direction in Direction::ALL {
            let Some(beside) = map.resolve(own.neighbour(direction)) else { continue };
            let offset = map.offset(position, beside.centre());
            let nearer = nearest.is_none_or(|nearest| offset.length() < nearest.length());
            let nearer = nearer && !barred(offset);
            if nearer && map.is_open(beside) && around.next_step(goal, beside).is_some() {
                nearest = Some(offset);
            }
        }
        nearest.map(NextGoal::Centre)
    }
}

/// The rest of a route, behind the next step of an agent.
struct Way<'a, S> {
    senses: &'a Senses<'a>,
    /// The map for the routes of the agent's body.
    map: &'a Map,
    around: &'a S,
    goal: TilePos,
    /// The tile that the next step enters.
    next: TilePos,
}

impl<S: Surroundings> Way<'_, S> {
    /// Returns the vector to the farthest centre on the route that the agent can move to in a
    /// straight line. If no other centre is free, returns the vector to the centre of the next
    /// tile. `own` is the agent's tile; `None` if the route starts on another tile.
    ///
    /// Most lines are free or closed for all positions on the agent's tile. Agents on this tile
    /// share these results in all frames.
    fn offset(&self, own: Option<TilePos>) -> Vec2 {
        let Senses { motion, body, map, .. } = *self.senses;
        let first =
            WayAhead { tile: self.next, steps: 0, cheapest: self.cost(self.next), is_final: false };
        let mut way = own.map_or(first, |own| {
            self.around.way_ahead(self.goal, own, || {
                self.extended(first, |tile, highest| {
                    let offset = self.map.offset(own.centre(), tile.centre());
                    let is_dear = |passed| self.cost(passed) > highest;
                    map.is_fan_free(own, offset, body.radius, is_dear)
                })
            })
        });
        let offset = |tile: TilePos| self.map.offset(motion.position, tile.centre());
        if !way.is_final {
            way = self.extended(way, |tile, highest| {
                // On a closed tile, the agent would turn back to the nearest open tile.
                let is_cheap = |passed| self.cost(passed) <= highest;
                let ahead = offset(tile);
                Some(sweep::is_free(map, motion.position, ahead, body.radius, is_cheap))
            });
        }
        offset(way.tile)
    }

    /// Extends a way to the farthest tile that is free in a straight line. Every second tile and
    /// the goal are checked, up to the first one that is not free.
    ///
    /// The arguments of `is_free` are the tile to check, and the highest cost of tiles under the
    /// line. If it returns `None`, the result is not final.
    fn extended(&self, from: WayAhead, is_free: impl Fn(TilePos, f32) -> Option<bool>) -> WayAhead {
        let mut way = WayAhead { is_final: true, ..from };
        let (mut steps, mut cheapest) = (from.steps, from.cheapest);
        self.around.follow_route(self.goal, from.tile, |tile| {
            steps += 1;
            cheapest = self.cost(tile).min(cheapest);
            if steps % 2 == 0 || tile == self.goal {
                let free = is_free(tile, cheapest);
                way.is_final = free.is_some();
                if free != Some(true) {
                    return false;
                }
                way = WayAhead { tile, steps, cheapest, ..way };
            }
            steps + 1 < LOOK_AHEAD
        });
        way
    }

    /// Returns the cost of a tile. The cost of a closed tile is infinite.
    fn cost(&self, tile: TilePos) -> f32 {
        match self.map.kind(tile) {
            Some(kind) if self.map.is_open(tile) => kind.cost,
            Some(_) | None => f32::INFINITY,
        }
    }
}

#[rustfmt::skip]
pub(super) const FLOW: Spec = Spec {
    parameters: &[
        Parameter::number("predict", THOUSAND, "s", access!(Number, Behaviour::Flow(it) => it.predict), "Prediction time for the agent's position").details("The route starts at the predicted position"),
    ],
    ..Spec::new("flow", TargetKeys::Target("to"), "moves along the cheapest route to the target, straight over open ground. Without a route, the agent is `blocked`", || Behaviour::Flow(Flow::default())).to(Destination::Target)
};
