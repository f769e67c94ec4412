//! The input of behaviours: the previous frame from the point of view of one agent.

use crate::body::{Body, Motion};
use crate::geom::{TilePos, Vec2};
use crate::id::{AgentId, GroupId, SteeringPathId};
use crate::map::Map;
use crate::map::route::NextStep;
use crate::rng::RngKey;

use super::path::PlacedPath;
use super::{Crowd, Neighbourhood, Target};

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

    /// Returns a path positioned for the agent; `None` if the path does not exist.
    fn path(&self, _course: SteeringPathId) -> Option<PlacedPath<'_>> {
        None
    }

    /// Returns the next step from `tile` on the cheapest route to `goal`; `None` without a route.
    fn next_step(&self, _goal: TilePos, _tile: TilePos) -> Option<NextStep> {
        None
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::{Edges, tests::drawn};

    #[test]
    fn speed_share_of_a_body_that_is_too_fast_is_limited() {
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
            Senses { motion, body, map: &map, dt: 0.05, target, other, rng_key }.speed_share()
        };
        assert_eq!([10.0, 5.0, 1e-4, 0.0].map(share), [0.5, 1.0, 2.0, 0.0]);
    }
}
