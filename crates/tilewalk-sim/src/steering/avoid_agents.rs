//! Avoid others who are on their way to meet one: unaligned collision avoidance (Reynolds 1999;
//! `OpenSteer`; gdx-ai).

use crate::geom::{Vec2, starboard};
use crate::id::{AgentId, GroupId};

use super::{Note, Passerby, Probe, Senses, Surroundings};

use super::behaviour::Behaviour;
use super::spec::{Parameter, Shape, Spec, Subject, access};

/// Room left between two who pass, in tiles.
const MARGIN: f32 = 0.2;

/// Avoid-agents' parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AvoidAgents {
    /// How far ahead it looks, in seconds; > 0.
    pub lead: f32,
    /// Whom it avoids; `None`: everyone.
    pub of: Option<GroupId>,
}

impl Default for AvoidAgents {
    fn default() -> Self {
        Self { lead: 1.0, of: None }
    }
}

/// A meeting to come.
#[derive(Debug, Clone, Copy)]
struct Threat {
    /// Seconds until the two are nearest.
    time: f32,
    who: AgentId,
    /// From the agent to the other at that moment.
    passing: Vec2,
}

impl AvoidAgents {
    /// With `rp = p_n − p` and `rv = v_n − v`: `t = −rp·rv / |rv|²` is when the two are nearest, and
    /// `q = rp + rv·t` how they stand then. A threat has t in (0, lead) and `|q| < r + r_n + 0.2`; the
    /// one with the smallest t counts, then the lowest agent. Force:
    /// `−sign(q·s)·s·F·(1 − t/lead)`, s being starboard; straight ahead it goes to starboard.
    ///
    /// Every pair has a time of its own: with one for all, as in gdx-ai's inner loop, a threat can
    /// be measured at another's moment.
    pub fn propose(
        &self,
        senses: &Senses,
        around: &impl Surroundings,
        probe: &mut impl Probe,
    ) -> Vec2 {
        let mut first: Option<Threat> = None;
        around.visit_passing(self.of, self.lead, |other| {
            if let Some(next) = self.threat(senses, other)
                && first.is_none_or(|first| (next.time, next.who) < (first.time, first.who))
            {
                first = Some(next);
            }
        });
        let Some(Threat { time, who, passing }) = first else { return Vec2::ZERO };
        let velocity = senses.motion.velocity;
        probe.note(|| Note::Neighbour(who));
        probe.note(|| Note::Predicted(senses.motion.position + passing + velocity * time));
        let side = starboard(senses.motion.heading);
        let away = if passing.dot(side) > 0.0 { -side } else { side };
        away * (senses.body.max_force * (1.0 - time / self.lead))
    }

    fn threat(&self, senses: &Senses, other: Passerby) -> Option<Threat> {
        let Passerby { id: who, seen, radius } = other;
        let velocity = seen.velocity - senses.motion.velocity;
        let time = -seen.offset.dot(velocity) / velocity.length_squared();
        let passing = seen.offset + velocity * time;
        let near = passing.length() < senses.body.radius + radius + MARGIN;
        // Two who move alike never come nearer: their time is no number, and not within the lead.
        (time > 0.0 && time < self.lead && near).then_some(Threat { time, who, passing })
    }
}

impl AvoidAgents {
    /// How far off another may be who can still be a threat, when it moves at a speed.
    pub fn reach(lead: f32, speed: f32, radii: f32) -> f32 {
        lead * speed + radii + MARGIN
    }
}

#[rustfmt::skip]
pub(super) const AVOID_AGENTS: Spec = Spec {
    parameters: &[
        Parameter::number("lead", 0.001..=60.0, "s", access!(Number, Behaviour::AvoidAgents(it) => it.lead), "Prediction time for collisions"),
        Parameter::new("of", Shape::Group { is_own_default: false }, access!(Group, Behaviour::AvoidAgents(it) => it.of), "Group of agents to avoid").unset("all agents"),
    ],
    ..Spec::new("avoid_agents", Subject::Nothing, "moves sideways to avoid the first predicted collision with another agent", || Behaviour::AvoidAgents(AvoidAgents::default()))
};
