//! Optimal reciprocal collision avoidance (ORCA; van den Berg, Guy, Lin and Manocha 2011,
//! "Reciprocal n-Body Collision Avoidance").
//!
//! Each neighbour and each wall permits a half-plane of velocities. `tangent` computes these
//! half-planes, and `program` finds the permitted velocity nearest to the preferred velocity.
//!
//! The half-planes of walls and obstacles come first, and are never relaxed. Each of them permits
//! standing still.

pub(crate) mod program;
pub(crate) mod tangent;

use crate::geom::Vec2;
use crate::id::AgentId;
use crate::map::faces::Face;
use crate::map::{FaceOwner, Obstacle};
use crate::steering::NearbyAgent;

use program::{Goal, relax, solve};
use tangent::Shape;

/// Distance to the boundary of a half-plane within which a velocity counts as on the boundary, in
/// tiles/s.
const ACTIVE: f32 = 1e-4;

/// A half-plane of permitted velocities: those with `normal · velocity ≥ offset`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HalfPlane {
    /// Unit normal of the boundary. It points into the half-plane.
    pub normal: Vec2,
    /// Distance of the boundary from velocity zero along the normal, in tiles/s. Negative if the
    /// half-plane permits standing still.
    pub offset: f32,
}

impl HalfPlane {
    /// Returns the distance from a velocity to the half-plane, in tiles/s. Negative inside the
    /// half-plane.
    #[inline]
    pub fn violation(&self, velocity: Vec2) -> f32 {
        self.offset - self.normal.dot(velocity)
    }

    /// Returns true if the half-plane helps to determine a velocity: if the velocity is on its
    /// boundary or outside.
    pub(crate) fn is_active(&self, velocity: Vec2) -> bool {
        self.violation(velocity) >= -ACTIVE
    }

    /// Returns true if a velocity is outside the half-plane, and not only because of rounding.
    pub(crate) fn is_relaxed(&self, velocity: Vec2) -> bool {
        self.violation(velocity) > ACTIVE
    }
}

/// The cause of a half-plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PlaneOwner {
    /// Another agent.
    Agent(AgentId),
    /// A row of solid tiles, or a free wall.
    Face(FaceOwner),
    /// A round obstacle.
    Obstacle(Obstacle),
}

/// The agent that avoids collisions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Avoider {
    /// Radius of the body, in tiles.
    pub radius: f32,
    /// Radius of the body for walls and obstacles, in tiles. It is a little larger, so that a body
    /// that passes a wall does not touch it.
    pub wall_radius: f32,
    /// Current velocity, in tiles/s.
    pub velocity: Vec2,
    /// Time for which collisions with walls are avoided, in seconds.
    pub wall_horizon: f32,
    /// Time for which collisions with neighbours are avoided, in seconds.
    pub horizon: f32,
    /// Frame duration, in seconds.
    pub dt: f32,
}

/// A candidate in the search for the nearest neighbours.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate {
    /// Distance in tiles.
    pub distance: f32,
    pub id: AgentId,
}

/// The half-planes of one agent. Keeps its allocations from agent to agent.
#[derive(Debug, Default)]
pub(crate) struct Planes {
    /// The nearest neighbours found so far, nearest first.
    pub candidates: Vec<Candidate>,
    /// Walls and obstacles, nearest first. Then neighbours, nearest first.
    permitted: Vec<HalfPlane>,
    /// The owner of each half-plane.
    owners: Vec<PlaneOwner>,
    /// Number of half-planes of walls and obstacles.
    hard: usize,
    /// The walls and obstacles in reach.
    shapes: Vec<Shape>,
    /// Scratch space of [`relax`].
    projected: Vec<HalfPlane>,
}

impl Clone for Planes {
    /// Creates an empty list.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Planes {
    /// Removes everything that belongs to the previous agent.
    pub(crate) fn clear(&mut self) {
        self.candidates.clear();
        self.permitted.clear();
        self.owners.clear();
        self.shapes.clear();
        self.hard = 0;
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.permitted.is_empty()
    }

    pub(crate) fn add_face(&mut self, face: Face) {
        self.shapes.push(Shape::face(face, self.shapes.len()));
    }

    /// Adds a round obstacle. `offset` is the vector from the agent to its centre, in tiles.
    pub(crate) fn add_obstacle(&mut self, obstacle: Obstacle, offset: Vec2) {
        self.shapes.push(Shape::disc(obstacle, offset, self.shapes.len()));
    }

    /// Computes the half-planes of all added walls and obstacles. Skips those that nearer walls and
    /// obstacles make superfluous. Must precede [`Planes::add_neighbour`].
    pub(crate) fn avoid_shapes(&mut self, me: &Avoider) {
        let Self { permitted, owners, shapes, .. } = self;
        shapes.sort_unstable_by(Shape::order);
        for shape in shapes.iter() {
            let is_implied = permitted.iter().any(|plane| shape.is_behind(plane, me));
            if let Some(HalfPlane { normal, offset }) = shape.plane(me)
                && !is_implied
            {
                // Rounding must not forbid standing still.
                permitted.push(HalfPlane { normal, offset: offset.min(0.0) });
                owners.push(shape.owner);
            }
        }
        self.hard = self.permitted.len();
    }

    /// Adds the half-plane of a neighbour.
    ///
    /// Let u be the least change of the relative velocity that avoids a collision within the
    /// horizon. The half-plane begins at `v + share · u`, and its normal has the direction of u, or
    /// the opposite direction if the agents are not on a collision course. `share` is ½ if the
    /// neighbour avoids the agent too, and 1 if not. `apart` returns the unit vector along which the
    /// agent moves away from a neighbour at the same position.
    pub(crate) fn add_neighbour(
        &mut self,
        me: &Avoider,
        other: NearbyAgent,
        share: f32,
        apart: impl FnOnce() -> Vec2,
    ) {
        let relative = me.velocity - other.seen.velocity;
        let reach = me.radius + other.radius;
        let HalfPlane { normal, offset } =
            tangent::moving_disc(other.seen.offset, reach, relative, me, apart);
        let change = offset - normal.dot(relative);
        let offset = normal.dot(me.velocity) + share * change;
        self.permitted.push(HalfPlane { normal, offset });
        self.owners.push(PlaneOwner::Agent(other.id));
    }

    /// Returns the permitted velocity that is nearest to a preferred velocity, of length `limit` at
    /// most. If no velocity is permitted, returns the one that minimizes the largest violation of a
    /// neighbour's half-plane.
    pub(crate) fn solve(&mut self, preferred: Vec2, limit: f32) -> Vec2 {
        let unsolved = match solve(&self.permitted, limit, Goal::Near(preferred)) {
            Ok(velocity) => return velocity,
            Err(unsolved) => unsolved,
        };
        // Only rounding can leave no velocity that all walls permit.
        let (first, start) = if unsolved.plane < self.hard {
            (self.hard, Vec2::ZERO)
        } else {
            (unsolved.plane, unsolved.velocity)
        };
        relax(&self.permitted, self.hard, first, limit, start, &mut self.projected)
    }

    /// Iterates over the half-planes that determine a velocity.
    pub(crate) fn active(&self, velocity: Vec2) -> impl Iterator<Item = (PlaneOwner, HalfPlane)> {
        let planes = self.owners.iter().copied().zip(self.permitted.iter().copied());
        planes.filter(move |(_, plane)| plane.is_active(velocity))
    }
}
