//! Seek and flee: full speed towards a point or away from a point (Reynolds 1999; Buckland ch. 3).

use crate::geom::{Vec2, unit};

use crate::steering::{Note, Probe, Seen, Senses};

use super::Behaviour;
use crate::steering::spec::{Destination, LENGTH, Parameter, Spec, Subject, access};

/// Returns `unit(t − p)·V − v`, times gain: full speed towards the target. At the target itself,
/// the force brakes the body: −v, times gain.
pub(crate) fn seek(senses: &Senses, seen: Seen, probe: &mut impl Probe) -> Vec2 {
    probe.note(|| Note::Target(senses.motion.position + seen.offset));
    (unit(seen.offset) * senses.body.max_speed - senses.motion.velocity) * senses.gain()
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
        (unit(-seen.offset) * senses.body.max_speed - senses.motion.velocity) * senses.gain()
    }
}

#[rustfmt::skip]
pub(super) const SEEK: Spec = Spec::new("seek", Subject::Target("target"), "moves towards the target at full speed, without braking", || Behaviour::Seek).to(Destination::Target);

#[rustfmt::skip]
pub(super) const FLEE: Spec = Spec {
    probability: 0.6,
    parameters: &[
        Parameter::number("panic", LENGTH, "tiles", access!(Number, Behaviour::Flee(it) => it.panic), "Distance at which fleeing starts").unset("no limit"),
    ],
    ..Spec::new("flee", Subject::Target("target"), "moves away from the target at full speed", || Behaviour::Flee(Flee { panic: None }))
};
