//! Collision avoidance between moving agents: Reynolds' unaligned collision avoidance (Reynolds
//! 1999; `OpenSteer`; gdx-ai).

use crate::geom::{Vec2, starboard};
use crate::id::{AgentId, GroupId};

use crate::steering::{NearbyAgent, Note, Probe, Senses, Surroundings};

use super::Behaviour;
use crate::steering::spec::{Parameter, ParameterShape, Spec, TargetKeys, access};

/// Minimum gap between two passing bodies, in tiles.
const MARGIN: f32 = 0.2;

/// Collision avoidance: steers around other agents on a collision course.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AvoidAgents {
    /// Prediction time for collisions, in seconds; > 0.
    pub lead: f32,
    /// The group to avoid; `None` for all agents.
    pub of: Option<GroupId>,
}

impl Default for AvoidAgents {
    fn default() -> Self {
        Self { lead: 1.0, of: None }
    }
}

/// A predicted collision with another agent.
#[derive(Debug, Clone, Copy)]
struct ApproachingAgent {
    /// Time until the closest approach, in seconds.
    time: f32,
    id: AgentId,
    /// Vector from the agent to the other agent at the closest approach, in tiles.
    closest: Vec2,
}

impl AvoidAgents {
    /// Returns a sideways force away from the first predicted collision, or zero.
    ///
    /// With `rp = p_n − p` and `rv = v_n − v`, the closest approach is at `t = −rp·rv / |rv|²`, at
    /// the offset `q = rp + rv·t`. A threat has t in (0, lead) and `|q| < r + r_n + 0.2`. Only the
    /// threat with the smallest t counts. If several threats have this t, the threat with the
    /// lowest agent id counts.
    ///
    /// The force is `−sign(q·s)·s·F·(1 − t/lead)`, where s is starboard. For a threat straight
    /// ahead, the force points to starboard.
    ///
    /// Each pair of agents has its own t. The inner loop of gdx-ai shares one t between all pairs,
    /// and can evaluate a threat at the time of another threat.
    pub(crate) fn propose(
        &self,
        senses: &Senses,
        around: &impl Surroundings,
        probe: &mut impl Probe,
    ) -> Vec2 {
        let mut first: Option<ApproachingAgent> = None;
        around.visit_passing(self.of, self.lead, |other| {
            if let Some(next) = self.threat(senses, other)
                && first.is_none_or(|first| (next.time, next.id) < (first.time, first.id))
            {
                first = Some(next);
            }
        });
        let Some(ApproachingAgent { time, id, closest }) = first else { return Vec2::ZERO };
        let velocity = senses.motion.velocity;
        probe.note(|| Note::Neighbour(id));
        probe.note(|| Note::Predicted(senses.motion.position + closest + velocity * time));
        let side = starboard(senses.motion.heading);
        let away = if closest.dot(side) > 0.0 { -side } else { side };
        away * (senses.body.max_force * (1.0 - time / self.lead))
    }

    fn threat(&self, senses: &Senses, other: NearbyAgent) -> Option<ApproachingAgent> {
        let NearbyAgent { id, seen, radius } = other;
        let velocity = seen.velocity - senses.motion.velocity;
        let time = -seen.offset.dot(velocity) / velocity.length_squared();
        let closest = seen.offset + velocity * time;
        let near = closest.length() < senses.body.radius + radius + MARGIN;
        // With equal velocities the time is NaN, so the comparison fails.
        (time > 0.0 && time < self.lead && near).then_some(ApproachingAgent { time, id, closest })
    }
}

impl AvoidAgents {
    /// Returns the distance in tiles within which another agent can be a threat. `speed` is the sum
    /// of both speeds, and `radii` the sum of both radii.
    pub(crate) fn reach(lead: f32, speed: f32, radii: f32) -> f32 {
        lead * speed + radii + MARGIN
    }
}

#[rustfmt::skip]
pub(super) const AVOID_AGENTS: Spec = Spec {
    parameters: &[
        Parameter::number("lead", 0.001..=60.0, "s", access!(Number, Behaviour::AvoidAgents(it) => it.lead), "Prediction time for collisions"),
        Parameter::new("of", ParameterShape::Group { is_own_default: false }, access!(Group, Behaviour::AvoidAgents(it) => it.of), "Group of agents to avoid").unset("all agents"),
    ],
    ..Spec::new("avoid_agents", TargetKeys::Nothing, "moves sideways to avoid the first predicted collision with another agent", || Behaviour::AvoidAgents(AvoidAgents::default()))
};
