//! Obstacle avoidance with a detection box (Reynolds 1999; Buckland ch. 3).

use crate::geom::Vec2;
use crate::geom::vector::{to_local, to_world};
use crate::map::{Obstacle, TILE_RADIUS};

use crate::steering::{Note, Probe, Senses};

use super::Behaviour;
use crate::steering::spec::{Parameter, Spec, THOUSAND, TargetKeys, access};

/// Obstacle avoidance: steers around round obstacles in a detection box ahead of the agent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AvoidObstacles {
    /// Length of the detection box at rest, in tiles; > 0. The length doubles at full speed. For a
    /// body wider than a tile, the box is longer by the part of the radius beyond half a tile.
    pub box_length: f32,
    /// Largest braking force, as a share of `max_force`; ≥ 0.
    pub brake: f32,
    /// Minimum gap between body and obstacle, in tiles; ≥ 0.
    pub margin: f32,
}

impl Default for AvoidObstacles {
    fn default() -> Self {
        Self { box_length: 2.0, brake: 0.2, margin: 0.2 }
    }
}

/// An obstacle that overlaps the detection box.
#[derive(Debug, Clone, Copy)]
struct ObstacleAhead {
    obstacle: Obstacle,
    /// Centre of the obstacle relative to the body, in tiles: x ahead, y to starboard.
    local: Vec2,
    /// Sum of the obstacle's radius, the body's radius and the margin, in tiles.
    reach: f32,
    /// Distance ahead, in tiles, at which the body's path enters the circle of radius `reach`. The
    /// distance is negative if the body is inside the circle.
    enters: f32,
    /// Distance ahead, in tiles, at which the body's path first crosses the circle of radius
    /// `reach`. If the body is inside the circle, this is the distance at which the path leaves it.
    meets: f32,
}

impl AvoidObstacles {
    /// Returns the force away from the first obstacle in a detection box of length
    /// L = box·(1 + s) + max(0, r − 0.5). Here s is the [share](Senses::speed_share) of the maximum
    /// speed.
    ///
    /// R and r are the radii of the obstacle and of the body, and (lx, ly) is the obstacle's centre
    /// in the body's frame. With E = R + r + margin and n = clamp((L − lx)/L, 0, 1), the force in
    /// the body's frame is
    /// `F · (−brake·n, −sign(ly) · min(1, (E − |ly|)/e) · (1 + n))`. Here e is E with both radii
    /// limited to 0.5. For an obstacle straight ahead, the agent's name decides the side.
    ///
    /// The centre of an obstacle with R > 0.5 is far behind its edge. For this obstacle, n does not
    /// use lx, but the distance at which the body would come within the margin.
    ///
    /// Up to a radius of 0.5, e = E. For larger radii, a push in proportion to (E − |ly|)/E would
    /// be too weak: a body must move aside by E − |ly| within the same length L. (With that push,
    /// 21 of 24 bodies that seek a point behind a rock of radius 16 hit the rock. With this push,
    /// none does.)
    ///
    /// Buckland prints R − ly, which pushes *towards* an obstacle to starboard, and a brake that
    /// grows with the distance. This formula follows his description: away from the obstacle, and
    /// stronger near the obstacle.
    pub(crate) fn propose(&self, senses: &Senses, probe: &mut impl Probe) -> Vec2 {
        let length = self.box_length * (1.0 + senses.speed_share()) + senses.body.excess();
        let heading = senses.motion.heading;
        let threat = self.first_threat(senses, length);
        probe.note(|| Note::DetectionBox {
            from: senses.motion.position,
            to: senses.motion.position + heading * length,
            half_width: senses.body.radius + self.margin,
            hit: threat.map(|threat| threat.obstacle),
        });
        let Some(threat) = threat else { return Vec2::ZERO };
        let ahead =
            if threat.obstacle.is_large() { threat.enters.max(0.0) } else { threat.local.x };
        let near = ((length - ahead) / length).clamp(0.0, 1.0);
        let side = match threat.local.y {
            0.0 if senses.rng_key.agent.is_multiple_of(2) => 1.0,
            0.0 => -1.0,
            y => y.signum(),
        };
        let [obstacle, body] =
            [threat.obstacle.radius, senses.body.radius].map(|radius| radius.min(TILE_RADIUS));
        let overlap = threat.reach - threat.local.y.abs();
        let depth = (overlap / (obstacle + body + self.margin)).min(1.0);
        let push = Vec2::new(-self.brake * near, -side * depth * (1.0 + near));
        to_world(push, heading) * senses.body.max_force
    }

    fn first_threat(&self, senses: &Senses, length: f32) -> Option<ObstacleAhead> {
        let mut first: Option<ObstacleAhead> = None;
        let position = senses.motion.position;
        // The corners of the box of a wide body are farther away than its end.
        let far = length + senses.body.excess();
        senses.map.visit_obstacles_near(position, far, |obstacle| {
            let local = to_local(obstacle.centre - position, senses.motion.heading);
            let reach = obstacle.radius + senses.body.radius + self.margin;
            if local.x < 0.0 || local.y.abs() >= reach {
                return;
            }
            let half_chord = (reach * reach - local.y * local.y).sqrt();
            let enters = local.x - half_chord;
            let meets = if enters > 0.0 { enters } else { local.x + half_chord };
            let in_box = !obstacle.is_large() && senses.body.excess() == 0.0 || enters < length;
            if in_box && first.is_none_or(|first| meets < first.meets) {
                first = Some(ObstacleAhead { obstacle, local, reach, enters, meets });
            }
        });
        first
    }
}

#[rustfmt::skip]
pub(super) const AVOID_OBSTACLES: Spec = Spec {
    weight: 10.0,
    probability: 0.5,
    parameters: &[
        // The range limits the cost: in each frame, the detection box visits every tile that it
        // crosses.
        Parameter::number("box", 0.001..=100.0, "tiles", access!(Number, Behaviour::AvoidObstacles(it) => it.box_length), "Length of the detection box at rest").details("At full speed, the length is doubled"),
        Parameter::number("brake", THOUSAND, "", access!(Number, Behaviour::AvoidObstacles(it) => it.brake), "Maximum braking force as a fraction of `max_force`"),
        Parameter::number("margin", THOUSAND, "tiles", access!(Number, Behaviour::AvoidObstacles(it) => it.margin), "Distance kept from obstacles"),
    ],
    ..Spec::new("avoid_obstacles", TargetKeys::Nothing, "moves around round obstacles in a detection box ahead of the agent", || Behaviour::AvoidObstacles(AvoidObstacles::default()))
};
