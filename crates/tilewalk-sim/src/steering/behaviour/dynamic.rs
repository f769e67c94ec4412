//! Millington's dynamic movement: behaviours that return an acceleration, not a velocity error.
//!
//! Dynamic seek does not stop at its target: the body orbits the target, and only drag turns the
//! orbit into a spiral.

use crate::geom::{Vec2, truncate, unit};

use crate::steering::{Note, Probe, Seen, Senses};

use super::Behaviour;
use crate::steering::spec::{
    Destination, LENGTH, POSITIVE, Parameter, ParameterShape, REACH, Spec, TargetKeys, access,
};

/// Returns `unit(t − p)·F`: full force towards the target.
pub(crate) fn seek(senses: &Senses, seen: Seen, probe: &mut impl Probe) -> Vec2 {
    probe.note(|| Note::Target(senses.motion.position + seen.offset));
    unit(seen.offset) * senses.body.max_force
}

/// Returns `unit(p − t)·F`: full force away from the target. Millington also calls this behaviour
/// "leave".
pub(crate) fn flee(senses: &Senses, seen: Seen, probe: &mut impl Probe) -> Vec2 {
    -seek(senses, seen, probe)
}

/// Dynamic arrive: accelerates to a target velocity that decreases near the target.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DynamicArrive {
    /// Distance to the target in tiles within which the body brakes; ≥ 0.
    pub target_radius: f32,
    /// Distance to the target in tiles within which the body slows down; > 0.
    pub slow_radius: f32,
    /// Time in which the velocity error is corrected, in seconds; > 0.
    pub time_to_target: f32,
}

impl Default for DynamicArrive {
    fn default() -> Self {
        Self { target_radius: 0.1, slow_radius: 2.0, time_to_target: 0.1 }
    }
}

impl DynamicArrive {
    /// Returns the force `m·(unit(t − p)·goal − v)/time`, truncated to F, where
    /// `goal = V·min(1, d/slow_radius)` and `d = |t − p|`. Within the target radius, `goal` is 0,
    /// so the body brakes. (Millington's code returns no force there and lets the body coast.)
    pub(crate) fn propose(&self, senses: &Senses, seen: Seen, probe: &mut impl Probe) -> Vec2 {
        probe.note(|| Note::Target(senses.motion.position + seen.offset));
        let distance = seen.offset.length();
        let goal = if distance < self.target_radius {
            0.0
        } else {
            senses.body.max_speed * (distance / self.slow_radius).min(1.0)
        };
        let desired = unit(seen.offset) * goal;
        let force = (desired - senses.motion.velocity) * (senses.body.mass / self.time_to_target);
        truncate(force, senses.body.max_force)
    }
}

/// Velocity matching: accelerates to the velocity of the target.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MatchVelocity {
    /// Time in which the velocity error is corrected, in seconds; > 0.
    pub time_to_target: f32,
    /// Whether the body accelerates to the opposite of the target's velocity.
    pub opposite: bool,
}

impl Default for MatchVelocity {
    fn default() -> Self {
        Self { time_to_target: 0.1, opposite: false }
    }
}

impl MatchVelocity {
    /// Returns the force `m·(v_t − v)/time`; with `opposite`, `m·(−v_t − v)/time`.
    pub(crate) fn propose(self, senses: &Senses, seen: Seen, probe: &mut impl Probe) -> Vec2 {
        probe.note(|| Note::Target(senses.motion.position + seen.offset));
        let desired = if self.opposite { -seen.velocity } else { seen.velocity };
        let error = desired - senses.motion.velocity;
        error * (senses.body.mass / self.time_to_target)
    }
}

#[rustfmt::skip]
pub(super) const DYNAMIC_SEEK: Spec = Spec::new("dynamic_seek", TargetKeys::Target("target"), "accelerates towards the target with the force F", || Behaviour::DynamicSeek).to(Destination::Target);

#[rustfmt::skip]
pub(super) const DYNAMIC_FLEE: Spec = Spec::new("dynamic_flee", TargetKeys::Target("target"), "accelerates away from the target with the force F", || Behaviour::DynamicFlee);

#[rustfmt::skip]
pub(super) const DYNAMIC_ARRIVE: Spec = Spec {
    parameters: &[
        Parameter::number("target_radius", REACH, "tiles", access!(Number, Behaviour::DynamicArrive(it) => it.target_radius), "Distance to the target at which the agent stops"),
        Parameter::number("slow_radius", LENGTH, "tiles", access!(Number, Behaviour::DynamicArrive(it) => it.slow_radius), "Distance to the target at which the agent slows down"),
        Parameter::number("time_to_target", POSITIVE, "s", access!(Number, Behaviour::DynamicArrive(it) => it.time_to_target), "Velocity correction time"),
    ],
    ..Spec::new("dynamic_arrive", TargetKeys::Target("target"), "accelerates towards the target, then brakes and stops there", || Behaviour::DynamicArrive(DynamicArrive::default())).to(Destination::Target)
};

#[rustfmt::skip]
pub(super) const MATCH_VELOCITY: Spec = Spec {
    parameters: &[
        Parameter::number("time_to_target", POSITIVE, "s", access!(Number, Behaviour::MatchVelocity(it) => it.time_to_target), "Velocity correction time"),
        Parameter::new("opposite", ParameterShape::Flag, access!(Flag, Behaviour::MatchVelocity(it) => it.opposite), "Whether the agent matches the opposite of the target's velocity"),
    ],
    ..Spec::new("match_velocity", TargetKeys::Target("target"), "matches the velocity of the target", || Behaviour::MatchVelocity(MatchVelocity::default()))
};
