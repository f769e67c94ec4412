//! Behaviours that move towards a point or away from it: seek, flee, arrive and tether.
//!
//! Seek and flee move at full speed, and arrive stops at the point (Reynolds 1999; Buckland ch. 3).
//! Tether stays near a point (`UnitySteer`).

use crate::geom::{Vec2, unit};
use crate::steering::behaviour::Behaviour;
use crate::steering::spec::{
    Destination, LENGTH, POSITIVE, Parameter, ParameterShape, Spec, THOUSAND, TargetKeys, access,
};
use crate::steering::{Note, Probe, Seen, Senses};

/// Returns `unit(t − p)·V − v`, times gain: full speed towards the target. At the target itself,
/// the force brakes the body: −v, times gain.
pub(crate) fn seek(senses: &Senses, seen: Seen, probe: &mut impl Probe) -> Vec2 {
    probe.note(|| Note::Target(senses.motion.position + seen.offset));
    velocity_error(senses, unit(seen.offset))
}

/// Returns `u·V − v`, times gain: the force towards the velocity `u·V`. The length of `direction`
/// is at most 1.
pub(crate) fn velocity_error(senses: &Senses, direction: Vec2) -> Vec2 {
    (direction * senses.body.max_speed - senses.motion.velocity) * senses.gain()
}

/// Flee: moves at full speed away from the target while the target is near.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Flee {
    /// Distance in tiles beyond which the output is zero; `None` for no limit.
    pub panic: Option<f32>,
}

impl Flee {
    /// Returns `unit(p − t)·V − v`, times gain, within the panic distance, else zero.
    pub(crate) fn propose(self, senses: &Senses, seen: Seen, probe: &mut impl Probe) -> Vec2 {
        probe.note(|| Note::Target(senses.motion.position + seen.offset));
        if self.panic.is_some_and(|panic| seen.offset.length() > panic) {
            return Vec2::ZERO;
        }
        velocity_error(senses, unit(-seen.offset))
    }
}

#[rustfmt::skip]
pub(super) const SEEK: Spec = Spec::new("seek", TargetKeys::Target("target"), "moves towards the target at full speed, without braking", || Behaviour::Seek).to(Destination::Target);

#[rustfmt::skip]
pub(super) const FLEE: Spec = Spec {
    probability: 0.6,
    parameters: &[
        Parameter::number("panic", LENGTH, "tiles", access!(Number, Behaviour::Flee(it) => it.panic), "Distance at which fleeing starts").unset("no limit"),
    ],
    ..Spec::new("flee", TargetKeys::Target("target"), "moves away from the target at full speed", || Behaviour::Flee(Flee { panic: None }))
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
        Parameter::new("deceleration", ParameterShape::NumberOrWord(POSITIVE, &[("slow", 3.0), ("normal", 2.0), ("fast", 1.0)]), access!(Number, Behaviour::Arrive(it) => it.deceleration), "Braking time in multiples of `tweak`: `slow` (3), `normal` (2), `fast` (1) or a number").details("The speed is at most distance / (`deceleration` · `tweak`)"),
        Parameter::number("tweak", POSITIVE, "s", access!(Number, Behaviour::Arrive(it) => it.tweak), "Braking time per unit of `deceleration`"),
        Parameter::number("tolerance", THOUSAND, "tiles", access!(Number, Behaviour::Arrive(it) => it.tolerance), "Distance to the target at which the agent stops"),
    ],
    ..Spec::new("arrive", TargetKeys::Target("target"), "moves to the target and stops there", || Behaviour::Arrive(Arrive::default())).to(Destination::Target)
};

/// Tether: pulls the agent back to a point if the agent is too far away.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tether {
    /// Distance from the point beyond which the agent is pulled back, in tiles; > 0.
    pub radius: f32,
}

impl Tether {
    /// Returns `seek(target)` beyond the radius, else zero.
    pub(crate) fn propose(self, senses: &Senses, seen: Seen, probe: &mut impl Probe) -> Vec2 {
        if seen.offset.length() > self.radius {
            return seek(senses, seen, probe);
        }
        probe.note(|| Note::Target(senses.motion.position + seen.offset));
        Vec2::ZERO
    }
}

#[rustfmt::skip]
pub(super) const TETHER: Spec = Spec {
    parameters: &[
        Parameter::number("radius", LENGTH, "tiles", access!(Number, Behaviour::Tether(it) => it.radius), "Distance to the target beyond which the agent seeks the target").required(),
    ],
    ..Spec::new("tether", TargetKeys::Target("to"), "moves back towards the target if the target is too far away", || Behaviour::Tether(Tether { radius: 1.0 }))
};
