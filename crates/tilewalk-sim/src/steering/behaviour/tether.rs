//! Tether: stays near a point (`UnitySteer`).

use crate::geom::Vec2;

use super::seek::seek;
use crate::steering::{Note, Probe, Seen, Senses};

use super::Behaviour;
use crate::steering::spec::{LENGTH, Parameter, Spec, Subject, access};

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
    ..Spec::new("tether", Subject::Target("to"), "moves back towards the target if the target is too far away", || Behaviour::Tether(Tether { radius: 1.0 }))
};
