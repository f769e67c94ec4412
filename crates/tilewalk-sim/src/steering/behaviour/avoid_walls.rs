//! Wall avoidance with three feelers (Buckland ch. 3).

use crate::geom::vector::rotate;
use crate::geom::{Vec2, starboard};
use crate::map::walls::RayHit;

use crate::steering::{Note, Probe, Senses};

use super::Behaviour;
use crate::steering::spec::{Parameter, Spec, TargetKeys, access};

/// Smallest length of the feelers, as a share of their full length. With this minimum, slow bodies
/// still detect walls.
const SHORTEST: f32 = 0.35;

/// Cosine of the angle between push and heading. Below this value, the push counts as straight
/// back.
const STRAIGHT_BACK: f32 = -0.7;

/// Sideways force added to a push straight back, as a share of the push. With this share and
/// [`STRAIGHT_BACK`], agents in rooms with doors bump 0.3 times per minute. With a share of 0.25,
/// they bump 0.8 times; with a share of 1, 0.9 times.
const SIDEWAYS: f32 = 0.6;

/// Wall avoidance: steers away from walls that feelers detect.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AvoidWalls {
    /// Length of the centre feeler at full speed, in tiles; > 0.
    pub feeler: f32,
    /// Length of the side feelers, as a share of the centre feeler; > 0.
    pub side: f32,
    /// Angle between each side feeler and the heading, in radians; 0 to π.
    pub angle: f32,
}

impl Default for AvoidWalls {
    fn default() -> Self {
        Self { feeler: 2.5, side: 0.5, angle: core::f32::consts::FRAC_PI_4 }
    }
}

impl AvoidWalls {
    /// Returns the force away from the nearest wall that a feeler hits: `F · (overshoot / length) ·
    /// normal`. The centre feeler is `feeler · max(0.35, |v|/V)` long.
    ///
    /// For a body wider than a tile, the feelers are discs. Their radius is the part of the body's
    /// radius beyond half a tile. The body then moves like a body of radius 0.5 among walls that
    /// are thicker by this part. (Longer rays from the centre would miss walls beside the body.
    /// With rays, bodies of radius 8 bump 12 times a minute. With discs, they bump 4 times, like
    /// bodies of radius 0.5.)
    ///
    /// A push straight back would only brake, and could hold the body in a corner forever. A share
    /// of the push is therefore added sideways, towards the side feeler with more free length.
    ///
    /// If the free lengths are equal, the sideways force points to the side to which the heading
    /// leans along the wall. If the heading is perpendicular to the wall, the sideways force points
    /// to starboard. (If the force always pointed to starboard, an agent would creep away from a
    /// door on its port side. In a test, the agent then left a room after 30 s instead of 5 s.)
    pub(crate) fn propose(&self, senses: &Senses, probe: &mut impl Probe) -> Vec2 {
        let heading = senses.motion.heading;
        let ahead = self.feeler * senses.speed_share().max(SHORTEST);
        let aside = ahead * self.side;
        let wide = senses.body.excess();
        let cast = |direction: Vec2, length: f32| {
            senses.map.cast_disc(senses.motion.position, direction, length, wide)
        };
        let (cos, sin) = (libm::cosf(self.angle), libm::sinf(self.angle));
        let feelers = [
            (heading, ahead),
            (rotate(heading, cos, -sin), aside),
            (rotate(heading, cos, sin), aside),
        ];
        let hits = feelers.map(|(direction, length)| cast(direction, length));
        for ((direction, length), hit) in feelers.into_iter().zip(hits) {
            let from = senses.motion.position;
            probe.note(|| Note::Feeler {
                from,
                to: from + direction * (length + wide),
                hit: hit.map(|hit| from + direction * hit.distance - hit.normal * wide),
                wall: hit.and_then(|hit| hit.wall),
            });
        }
        let hit_feelers = feelers.into_iter().zip(hits);
        let hit_feelers = hit_feelers.filter_map(|((_, length), hit)| hit.map(|hit| (length, hit)));
        let Some((length, hit)) = nearest(hit_feelers) else { return Vec2::ZERO };
        let strength = senses.body.max_force * ((length - hit.distance) / length);
        let mut push = hit.normal * strength;
        if hit.normal.dot(heading) < STRAIGHT_BACK {
            let free = |hit: Option<RayHit>| hit.map_or(f32::INFINITY, |hit| hit.distance);
            let more_to_port = free(hits[1]).total_cmp(&free(hits[2]));
            let lean = || starboard(heading).dot(hit.normal).total_cmp(&0.0).reverse();
            let side = if more_to_port.then_with(lean).is_gt() { -1.0 } else { 1.0 };
            push += starboard(heading) * (side * SIDEWAYS * strength);
        }
        push
    }
}

/// Returns the nearest hit. If several hits are equally near, returns the first.
fn nearest(hits: impl Iterator<Item = (f32, RayHit)>) -> Option<(f32, RayHit)> {
    hits.reduce(|near, next| if next.1.distance < near.1.distance { next } else { near })
}

#[rustfmt::skip]
pub(super) const AVOID_WALLS: Spec = Spec {
    weight: 10.0,
    probability: 0.5,
    parameters: &[
        // The range limits the cost: in each frame, the feelers visit every tile that they cross.
        Parameter::number("feeler", 0.001..=1000.0, "tiles", access!(Number, Behaviour::AvoidWalls(it) => it.feeler), "Length of the front feeler at full speed").details("At lower speeds, all feelers are shorter"),
        Parameter::number("side", 0.001..=1.0, "", access!(Number, Behaviour::AvoidWalls(it) => it.side), "Length of the side feelers as a fraction of `feeler`"),
        Parameter::angle("angle", 0.0..=180.0, access!(Number, Behaviour::AvoidWalls(it) => it.angle), "Angle between each side feeler and the heading"),
    ],
    ..Spec::new("avoid_walls", TargetKeys::Nothing, "steers away from the nearest wall that one of three feelers touches", || Behaviour::AvoidWalls(AvoidWalls::default()))
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Body;
    use crate::geom::unit;
    use crate::map::{Edges, tests::drawn};
    use crate::steering::{NoProbe, tests::senses};

    #[test]
    fn with_equal_room_on_both_sides_the_agent_turns_to_the_side_of_its_heading() {
        let map = drawn(&["........"; 8], Edges::Wall);
        let body = Body::default();
        for lean in [-0.3_f32, 0.3] {
            let mut senses = senses(&map, &body, Vec2::new(6.5, 4.0), Vec2::new(4.0, 0.0));
            senses.motion.heading = unit(Vec2::new(1.0, lean));
            let push = AvoidWalls::default().propose(&senses, &mut NoProbe);
            assert!(push.y * lean > 0.0, "{push} for a lean of {lean}");
        }
    }
}
