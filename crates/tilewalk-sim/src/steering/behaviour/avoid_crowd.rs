//! Collision avoidance in crowds: optimal reciprocal collision avoidance (ORCA; van den Berg, Guy,
//! Lin and Manocha 2011, and the obstacles of their library RVO2).
//!
//! The behaviour is the last stage of its list. The other behaviours determine the preferred
//! velocity, and this behaviour replaces it by the nearest velocity without a collision.

use crate::geom::Vec2;
use crate::id::GroupId;
use crate::map::sweep::SKIN;
use crate::rng::Use;

use crate::steering::orca::{Avoider, Candidate, Planes};
use crate::steering::{Note, Probe, Senses, Surroundings};

use super::Behaviour;
use crate::steering::spec::{LENGTH, Parameter, ParameterShape, Spec, TargetKeys, access};

/// Largest distance at which walls are avoided, in tiles from the edge of the body.
const WALL_REACH: f32 = 16.0;

/// Length of the largest random change of the preferred velocity, as a share of `max_speed`.
const NOISE: f32 = 1e-4;

/// Valid range of time horizons, in seconds.
const HORIZON: core::ops::RangeInclusive<f64> = 0.001..=60.0;

/// Crowd avoidance: changes the velocity so that no neighbour and no wall is hit within a time
/// horizon.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AvoidCrowd {
    /// Distance below which an agent can be a neighbour, in tiles; > 0. Measured between centres,
    /// without the part of a radius that exceeds half a tile.
    pub range: f32,
    /// Largest number of neighbours, an integer. The nearest agents are the neighbours.
    pub max_neighbours: f32,
    /// Time for which collisions with neighbours are avoided, in seconds; > 0.
    pub horizon: f32,
    /// Time for which collisions with walls and obstacles are avoided, in seconds; > 0.
    pub wall_horizon: f32,
    /// The group of the neighbours; `None` for all agents.
    pub of: Option<GroupId>,
}

impl Default for AvoidCrowd {
    fn default() -> Self {
        Self { range: 5.0, max_neighbours: 10.0, horizon: 2.0, wall_horizon: 2.0, of: None }
    }
}

impl AvoidCrowd {
    /// Returns the velocity that replaces the preferred velocity, of length `max_speed` at most.
    ///
    /// Each neighbour permits a half-plane of velocities. A neighbour that also avoids crowds takes
    /// half of the avoidance; the agent alone avoids all other neighbours. Walls and obstacles
    /// permit half-planes that are never relaxed. The result is the permitted velocity that is
    /// nearest to the preferred velocity. If no velocity is permitted, the result minimizes the
    /// largest violation of a neighbour's half-plane.
    ///
    /// If there is any half-plane, a random vector of length 1e-4 · `max_speed` at most is added to
    /// the preferred velocity. It breaks exact symmetry, such as that of agents on a circle.
    pub(crate) fn velocity(
        &self,
        preferred: Vec2,
        senses: &Senses,
        around: &impl Surroundings,
        planes: &mut Planes,
        probe: &mut impl Probe,
    ) -> Vec2 {
        let limit = senses.body.max_speed;
        let me = Avoider {
            radius: senses.body.radius,
            wall_radius: senses.body.radius + 2.0 * SKIN,
            velocity: senses.motion.velocity,
            wall_horizon: self.wall_horizon,
            horizon: self.horizon,
            dt: senses.dt,
        };
        planes.clear();
        add_walls(&me, senses, planes);
        self.add_neighbours(&me, around, planes);
        probe.note(|| Note::Neighbourhood { radius: self.range, angle: None });
        if planes.is_empty() {
            return preferred;
        }
        let noisy = preferred + noise(senses) * limit;
        let velocity = planes.solve(noisy, limit);
        if probe.listens() {
            probe.note(|| Note::PreferredVelocity(preferred));
            for (owner, plane) in planes.active(velocity) {
                probe.note(|| Note::HalfPlane {
                    owner,
                    plane,
                    relaxed: plane.is_relaxed(velocity),
                });
            }
        }
        velocity
    }

    fn add_neighbours(&self, me: &Avoider, around: &impl Surroundings, planes: &mut Planes) {
        let count = self.max_neighbours as usize;
        around.visit_nearby(self.of, self.range, |id, distance| {
            insert(&mut planes.candidates, Candidate { distance, id }, count);
        });
        for index in 0..planes.candidates.len() {
            let id = planes.candidates[index].id;
            let share = if around.avoids_me(id) { 0.5 } else { 1.0 };
            planes.add_neighbour(me, around.nearby(id), share, || around.apart(id));
        }
    }
}

/// Inserts a candidate into a list of at most `count` candidates, which is sorted by distance, then
/// by id. Drops the last candidate of a full list.
fn insert(nearest: &mut Vec<Candidate>, candidate: Candidate, count: usize) {
    let key = |it: &Candidate| (it.distance, it.id);
    let place = nearest.partition_point(|it| key(it) < key(&candidate));
    if place < count {
        nearest.truncate(count - 1);
        nearest.insert(place, candidate);
    }
}

/// Adds the walls and obstacles that the agent can reach within the horizon, up to [`WALL_REACH`].
fn add_walls(me: &Avoider, senses: &Senses, planes: &mut Planes) {
    let (map, here) = (senses.map, senses.motion.position);
    let reach = (senses.body.max_speed * me.wall_horizon).min(WALL_REACH) + me.wall_radius;
    map.visit_faces(here, reach, |face| planes.add_face(face));
    map.visit_obstacles_near(here, reach, |obstacle| {
        planes.add_obstacle(obstacle, obstacle.centre - here);
    });
    planes.avoid_shapes(me);
}

/// Returns a random vector with a uniform direction, and a uniform length up to [`NOISE`].
fn noise(senses: &Senses) -> Vec2 {
    let mut random = senses.rng_key.stream(Use::AvoidCrowd);
    let angle = random.unit() * core::f32::consts::TAU;
    Vec2::new(libm::cosf(angle), libm::sinf(angle)) * (random.unit() * NOISE)
}

#[rustfmt::skip]
pub(super) const AVOID_CROWD: Spec = Spec {
    parameters: &[
        Parameter::number("range", LENGTH, "tiles", access!(Number, Behaviour::AvoidCrowd(it) => it.range), "Distance below which another agent can be a neighbour"),
        Parameter::new("max_neighbours", ParameterShape::Count(0..=100), access!(Number, Behaviour::AvoidCrowd(it) => it.max_neighbours), "Largest number of neighbours").details("The nearest agents are the neighbours. Equally near agents count in agent order"),
        Parameter::number("horizon", HORIZON, "s", access!(Number, Behaviour::AvoidCrowd(it) => it.horizon), "Time for which collisions with neighbours are avoided"),
        Parameter::number("wall_horizon", HORIZON, "s", access!(Number, Behaviour::AvoidCrowd(it) => it.wall_horizon), "Time for which collisions with walls and obstacles are avoided"),
        Parameter::new("of", ParameterShape::Group { is_own_default: false }, access!(Group, Behaviour::AvoidCrowd(it) => it.of), "Group of the neighbours").unset("all agents"),
    ],
    ..Spec::new("avoid_crowd", TargetKeys::Nothing, "changes the velocity of the other behaviours as little as possible, so that no neighbour, wall or obstacle is hit within a time horizon. A list can contain only one `avoid_crowd`, together with other behaviours", || Behaviour::AvoidCrowd(AvoidCrowd::default()))
};
