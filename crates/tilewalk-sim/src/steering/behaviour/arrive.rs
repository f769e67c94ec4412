//! Arrive: moves to a point and stops there (Reynolds 1999; Buckland ch. 3).

use crate::geom::Vec2;

use crate::steering::{Note, Probe, Seen, Senses};

use super::Behaviour;
use crate::steering::spec::{
    Destination, POSITIVE, Parameter, Shape, Spec, Subject, THOUSAND, access,
};

/// Arrive: moves to the target, slows down on approach, and stops there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Arrive {
    /// Factor of the braking time; > 0. "slow" is 3, "normal" is 2, and "fast" is 1.
    pub deceleration: f32,
    /// Braking time per unit of `deceleration`, in seconds; > 0.
    pub tweak: f32,
    /// Distance to the target in tiles within which the agent only brakes; ≥ 0.
    pub tolerance: f32,
}

impl Default for Arrive {
    fn default() -> Self {
        Self { deceleration: 2.0, tweak: 0.3, tolerance: 0.02 }
    }
}

impl Arrive {
    /// The parameters for deceleration "fast".
    pub(crate) const FAST: Self = Self { deceleration: 1.0, tweak: 0.3, tolerance: 0.02 };

    /// Returns the force `(t − p)·speed/d − v`, times gain, where `d = |t − p|` and
    /// `speed = min(d / (deceleration · tweak), V)`. Within the tolerance, the force is −v, times
    /// gain.
    pub(crate) fn propose(&self, senses: &Senses, seen: Seen, probe: &mut impl Probe) -> Vec2 {
        probe.note(|| Note::Target(senses.motion.position + seen.offset));
        let distance = seen.offset.length();
        let desired = if distance <= self.tolerance {
            Vec2::ZERO
        } else {
            let speed = (distance / (self.deceleration * self.tweak)).min(senses.body.max_speed);
            seen.offset * (speed / distance)
        };
        (desired - senses.motion.velocity) * senses.gain()
    }
}

#[rustfmt::skip]
pub(super) const ARRIVE: Spec = Spec {
    probability: 0.5,
    parameters: &[
        Parameter::new("deceleration", Shape::NumberOrWord(POSITIVE, &[("slow", 3.0), ("normal", 2.0), ("fast", 1.0)]), access!(Number, Behaviour::Arrive(it) => it.deceleration), "Braking time in multiples of `tweak`: `slow` (3), `normal` (2), `fast` (1) or a number").details("The speed is at most distance / (`deceleration` · `tweak`)"),
        Parameter::number("tweak", POSITIVE, "s", access!(Number, Behaviour::Arrive(it) => it.tweak), "Braking time per unit of `deceleration`"),
        Parameter::number("tolerance", THOUSAND, "tiles", access!(Number, Behaviour::Arrive(it) => it.tolerance), "Distance to the target at which the agent stops"),
    ],
    ..Spec::new("arrive", Subject::Target("target"), "moves to the target and stops there", || Behaviour::Arrive(Arrive::default())).to(Destination::Target)
};
