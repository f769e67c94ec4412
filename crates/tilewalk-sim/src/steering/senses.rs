//! The input and the output of behaviours.
//!
//! The input is the previous frame from the point of view of one agent, with its neighbourhoods and
//! the sums over its neighbours. The output is a force and an angular acceleration.

use core::ops::AddAssign;

use crate::body::{Body, Motion};
use crate::geom::{TilePos, Vec2};
use crate::id::{AgentId, GroupId, SteeringPathId};
use crate::map::Map;
use crate::map::route::{NextStep, WayAhead};
use crate::rng::RngKey;
use crate::steering::Target;
use crate::steering::path::PlacedPath;

/// Limit on speed / maximum speed, the ratio by which behaviours extend their range.
///
/// A body exceeds its maximum speed only for a frame: after it appears with the velocity of a
/// sender, or after its values change. Without the limit, a search over thousands of tiles could
/// take minutes.
const MAX_SHARE: f32 = 2.0;

/// The input of one behaviour for one agent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Senses<'a> {
    /// Position, velocity and heading of the agent.
    pub(crate) motion: Motion,
    pub body: &'a Body,
    pub map: &'a Map,
    /// Frame duration, in seconds.
    pub(crate) dt: f32,
    /// The target relative to the agent; `None` without a target, or if the target does not exist.
    pub target: Option<Seen>,
    /// The group whose nearest member is the target; `None` for targets that are no group.
    pub group: Option<GroupId>,
    /// The second target of [`super::Behaviour::Interpose`]; `None` for other behaviours.
    pub other: Option<Seen>,
    /// RNG key of this agent, frame, mode and behaviour.
    pub(crate) rng_key: RngKey,
}

impl Senses<'_> {
    /// Returns the gain of the velocity correction, in 1/s; at most 1 / `dt`.
    #[inline]
    pub(crate) fn gain(&self) -> f32 {
        self.body.gain_in(self.dt)
    }

    /// Returns the speed as a share of the maximum speed, at most [`MAX_SHARE`]. Returns 0 for a
    /// body that cannot move.
    pub(crate) fn speed_share(&self) -> f32 {
        let top = self.body.max_speed;
        let share = if top > 0.0 { self.motion.velocity.length() / top } else { 0.0 };
        share.min(MAX_SHARE)
    }
}

/// Access to the targets, neighbours and paths around an agent.
pub(crate) trait Surroundings {
    /// Returns a target relative to the agent; `None` if the target does not exist, such as a group
    /// without other members.
    fn see(&self, target: Target) -> Option<Seen>;

    /// Calls `visit` with each other member of a group within a distance, in tiles. The order of
    /// the calls depends only on the group and the positions of its members.
    fn visit_members(&self, of: GroupId, distance: f32, visit: impl FnMut(NearbyAgent));

    /// Returns the sums over the neighbours that a neighbourhood selects.
    fn crowd(&self, neighbourhood: &Neighbourhood) -> Crowd;

    /// Returns the radius of an agent's body, in tiles.
    fn radius(&self, _agent: AgentId) -> f32 {
        0.0
    }

    /// Returns the unit vector along which the agent moves away from another agent at the same
    /// position.
    fn apart(&self, _other: AgentId) -> Vec2 {
        Vec2::X
    }

    /// Calls `visit` with the cells that the search for neighbours visits, and then with each agent
    /// in these cells, except the agent itself.
    fn search_neighbours(&self, neighbourhood: &Neighbourhood, visit: impl FnMut(Searched));

    /// Calls `visit` with each member of a group that could meet the agent within `seconds`, if
    /// both keep their velocities. `None` selects all agents. The order of the calls is not
    /// defined. May also visit agents that cannot meet the agent.
    fn visit_passing(&self, of: Option<GroupId>, seconds: f32, visit: impl FnMut(NearbyAgent));

    /// Calls `visit` with each member of a group within a distance, and with the distance in tiles.
    /// `None` selects all agents. Distances are measured between centres, without the part of a
    /// radius that exceeds half a tile. The order of the calls is not defined.
    fn visit_nearby(&self, _of: Option<GroupId>, _range: f32, _visit: impl FnMut(AgentId, f32)) {}

    /// Returns another agent relative to the agent.
    fn nearby(&self, agent: AgentId) -> NearbyAgent {
        NearbyAgent { id: agent, seen: Seen::fixed(Vec2::ZERO), radius: 0.0 }
    }

    /// Returns true if another agent avoids this agent with [`super::Behaviour::AvoidCrowd`].
    fn avoids_me(&self, _other: AgentId) -> bool {
        false
    }

    /// Returns a path positioned for the agent; `None` if the path does not exist.
    fn path(&self, _course: SteeringPathId) -> Option<PlacedPath<'_>> {
        None
    }

    /// Returns the next step from `tile` on the cheapest route to `goal`; `None` without a route.
    fn next_step(&self, _goal: TilePos, _tile: TilePos) -> Option<NextStep> {
        None
    }

    /// Calls `visit` with the tiles after `tile` on the cheapest route to `goal`, until it returns
    /// false or the route ends. `next_step` must have returned the step to `tile` in this frame.
    fn follow_route(&self, _goal: TilePos, _tile: TilePos, _visit: impl FnMut(TilePos) -> bool) {}

    /// Returns what `compute` returns for a route from `tile` to `goal`. The result may be that of
    /// an earlier call for the same tiles, also by another agent or in another frame. It must not
    /// depend on the position of the agent on the tile.
    fn way_ahead(
        &self,
        _goal: TilePos,
        _tile: TilePos,
        compute: impl FnOnce() -> WayAhead,
    ) -> WayAhead {
        compute()
    }

    /// Returns the map on which routes for the agent's body are planned: tiles and steps without
    /// room for the body are closed. Returns `None` if routes use the unchanged map.
    fn route_map(&self) -> Option<&Map> {
        None
    }
}

/// A step of the search for neighbours (Buckland's cell-space partitioning).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Searched {
    /// A block of cells that the search visits.
    Cells(CellBlock),
    /// An agent in the cells that the search visits.
    Agent {
        id: AgentId,
        /// Position of the agent, in tiles; not wrapped.
        at: Vec2,
        /// Whether the agent is in the neighbourhood.
        is_neighbour: bool,
    },
}

/// A rectangle of cells in the grid that neighbour searches use. On a map that wraps, a search
/// visits up to four blocks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CellBlock {
    /// Top left corner, in tiles.
    pub from: Vec2,
    /// Bottom right corner, in tiles.
    pub to: Vec2,
    /// Number of columns and rows of cells in the block.
    pub size: [u32; 2],
    /// Number of columns and rows of the grid, which covers the whole map.
    pub grid: [u32; 2],
}

/// A target as perceived by an agent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seen {
    /// Shortest vector from the agent to the target, in tiles.
    pub offset: Vec2,
    /// Velocity of the target, in tiles/s; zero for positions.
    pub velocity: Vec2,
    /// Heading of the target, as a unit vector; east for positions.
    pub heading: Vec2,
}

/// A nearby agent that the steered agent could collide with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct NearbyAgent {
    pub id: AgentId,
    pub seen: Seen,
    /// Radius of the nearby agent's body, in tiles.
    pub radius: f32,
}

impl Seen {
    /// Creates a target at rest, at an offset from the agent in tiles.
    pub(crate) fn fixed(offset: Vec2) -> Self {
        Self { offset, velocity: Vec2::ZERO, heading: Vec2::X }
    }

    /// Returns the target at its predicted position after `seconds` at its current velocity.
    #[must_use]
    pub(crate) fn in_time(self, seconds: f32) -> Self {
        Self { offset: self.offset + self.velocity * seconds, ..self }
    }
}

/// Selects neighbours: agents of a group within a radius, optionally in a cone around the heading.
///
/// The agent itself never counts. A neighbour at the same position has no direction and is in every
/// cone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Neighbourhood {
    /// Distance below which an agent is a neighbour, in tiles; > 0.
    pub radius: f32,
    /// Full angle of the cone around the heading, in radians; `None` for no cone.
    ///
    /// The test uses the *unit* vector to the neighbour, so the cone has the same angle at any
    /// distance.
    pub angle: Option<f32>,
    /// Group of the neighbours; `None` for all agents.
    pub of: Option<GroupId>,
    /// Whether distances are measured between the edges of bodies instead of their centres. Only
    /// separation uses this measure. It computes its own sums.
    pub by_edges: bool,
}

impl Neighbourhood {
    /// The default of [`Neighbourhood::radius`], in tiles.
    pub const RADIUS: f32 = 4.0;

    /// Returns the cosine of half the cone's angle; `None` without a cone.
    pub(crate) fn cone(&self) -> Option<f32> {
        let angle = self.angle.filter(|&angle| angle < core::f32::consts::TAU);
        angle.map(|angle| libm::cosf(angle / 2.0))
    }
}

/// Sums over the neighbours of an agent, in a fixed order. Batches of agents load and store them as rows
/// of eight numbers.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Crowd {
    /// Number of neighbours.
    pub count: f32,
    /// Σ (p − n) / |p − n|²: repulsion that grows with proximity, in 1/tiles.
    pub(crate) apart: Vec2,
    /// Sum of the neighbours' headings, which are unit vectors.
    pub(crate) headings: Vec2,
    /// Sum of the shortest vectors to the neighbours, in tiles.
    pub(crate) offsets: Vec2,
}

impl From<Crowd> for [f32; 8] {
    #[inline(always)]
    fn from(crowd: Crowd) -> Self {
        let Crowd { count, apart, headings, offsets } = crowd;
        [count, apart.x, apart.y, headings.x, headings.y, offsets.x, offsets.y, 0.0]
    }
}

impl From<[f32; 8]> for Crowd {
    #[inline(always)]
    fn from(row: [f32; 8]) -> Self {
        let [count, apart_x, apart_y, headings_x, headings_y, offsets_x, offsets_y, _] = row;
        Self {
            count,
            apart: Vec2::new(apart_x, apart_y),
            headings: Vec2::new(headings_x, headings_y),
            offsets: Vec2::new(offsets_x, offsets_y),
        }
    }
}

/// Minimum distance in the computation of repulsion, in tiles. Nearer agents count as being at this
/// distance.
pub(crate) const TOUCHING: f32 = 0.01;

/// The desired force and angular acceleration of a body.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SteeringOutput {
    /// The desired force, in tiles/s² · mass.
    pub force: Vec2,
    /// The desired angular acceleration, in radians/s²; positive turns right.
    pub turn: f32,
}

impl SteeringOutput {
    /// An output with neither a force nor a turn.
    pub const NONE: Self = Self { force: Vec2::ZERO, turn: 0.0 };

    /// Creates an output with a force and no turn.
    #[inline]
    pub fn force(force: Vec2) -> Self {
        Self { force, turn: 0.0 }
    }

    /// Creates an output with a turn and no force.
    #[inline]
    pub fn turn(turn: f32) -> Self {
        Self { force: Vec2::ZERO, turn }
    }

    #[inline]
    pub(crate) fn is_finite(self) -> bool {
        self.force.is_finite() && self.turn.is_finite()
    }
}

impl AddAssign for SteeringOutput {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        self.force += other.force;
        self.turn += other.turn;
    }
}

impl core::ops::Mul<f32> for SteeringOutput {
    type Output = Self;

    #[inline]
    fn mul(self, factor: f32) -> Self {
        Self { force: self.force * factor, turn: self.turn * factor }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::{Edges, tests::drawn};

    #[test]
    fn the_speed_share_of_a_body_above_its_maximum_speed_is_1() {
        let map = drawn(&["."], Edges::Wall);
        let share = |max_speed: f32| {
            let motion = Motion {
                position: Vec2::ZERO,
                velocity: Vec2::new(3.0, -4.0),
                heading: Vec2::X,
                angular_velocity: 0.0,
            };
            let body = &Body { max_speed, ..Body::default() };
            let rng_key = RngKey { seed: 0, frame: 0, agent: 0, mode: 0, behaviour: 0 };
            let (target, other) = (None, None);
            Senses { motion, body, map: &map, dt: 0.05, target, group: None, other, rng_key }
                .speed_share()
        };
        assert_eq!([10.0, 5.0, 1e-4, 0.0].map(share), [0.5, 1.0, 2.0, 0.0]);
    }
}
