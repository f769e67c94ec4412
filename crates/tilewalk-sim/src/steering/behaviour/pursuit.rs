//! Behaviours that predict their target: pursue, evade, offset pursuit, interpose (Reynolds 1999;
//! Buckland ch. 3).
//!
//! The prediction time T is the time in which agent and target could close the distance between
//! them: T = |e − p| / (V + speed of the target). T is 0 if neither can move. The prediction
//! assumes that the target keeps its velocity.
//!
//! Pursue and evade weigh all members of a group that are in range. The nearest member has weight
//! 1. A single member in range acts like a target that is no group, with the same bits.

use crate::geom::vector::to_world;
use crate::geom::{Vec2, truncate, unit};

use super::seek::velocity_error;
use crate::steering::{Arrive, NearbyAgent, NoProbe, Note, Probe, Seen, Senses, Surroundings};

use super::Behaviour;
use crate::steering::spec::{
    Destination, LENGTH, Parameter, ParameterShape, Spec, THOUSAND, TargetKeys, access,
};

/// Members of a group farther away than this multiple of the nearest member's distance have no
/// effect on pursue.
const PURSUED: f32 = 2.0;

/// Factor on the sum of the evasions of a group, before it is shortened to full speed. The agent
/// slows down only where opposite evasions cancel to less than a quarter of a single evasion.
const CANCELLED: f32 = 4.0;

/// Pursue: seeks the predicted position of the target.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pursue {
    /// Extra prediction time for turning, in seconds; ≥ 0. For a target directly behind, twice this
    /// time is added.
    ///
    /// The time should be *smaller* for bodies that turn faster, as in Buckland's code (0.5). The
    /// text of the book says the reverse.
    pub turn_time: f32,
    /// Cosine of the angle between the headings of agent and target, −1 to 1. Below this value, a
    /// target ahead counts as head-on, and the agent seeks the target's current position.
    pub head_on: f32,
}

impl Default for Pursue {
    fn default() -> Self {
        Self { turn_time: 0.0, head_on: -0.95 }
    }
}

impl Pursue {
    /// Returns `seek(e + v_e·T)`, where T is increased by `turn_time · (1 − h·unit(e − p))`. For a
    /// target that approaches head-on, returns `seek(e)`.
    ///
    /// For a group, the agent moves at full speed in the direction `Σ w_n·u_n`. Here, `u_n` is the
    /// direction to the predicted position of member n, d its current distance, and
    /// `w_n = max(0, 2 − d_n / d_nearest) · max(0, u_n·u_nearest)`.
    ///
    /// Only members beside or behind the nearest member thus have a weight, and the sum can't
    /// cancel. While the agent approaches the nearest member, the other weights decrease to 0, so
    /// the agent reaches this member and no midpoint between two members.
    pub(crate) fn propose(
        self,
        senses: &Senses,
        seen: Seen,
        around: &impl Surroundings,
        probe: &mut impl Probe,
    ) -> Vec2 {
        let ahead = self.predicted(senses, seen);
        match ahead {
            Some(ahead) => note(senses, seen, ahead, probe),
            None => probe.note(|| Note::Target(senses.motion.position + seen.offset)),
        }
        let towards = unit(ahead.unwrap_or(seen).offset);
        let least = seen.offset.length();
        let sum = sum_over_members(senses, PURSUED * least, around, probe, |member| {
            let to = unit(self.predicted(senses, member).unwrap_or(member).offset);
            let distance = member.offset.length();
            let near = if distance > least { (PURSUED - distance / least).max(0.0) } else { 1.0 };
            (to, near * to.dot(towards).max(0.0))
        });
        velocity_error(senses, sum.map_or(towards, unit))
    }

    /// Returns the target at its predicted position. Returns `None` for a target that approaches
    /// head-on, whose current position is used.
    fn predicted(self, senses: &Senses, seen: Seen) -> Option<Seen> {
        let heading = senses.motion.heading;
        let ahead = seen.offset.dot(heading) > 0.0;
        if ahead && heading.dot(seen.heading) < self.head_on {
            return None;
        }
        let turning = self.turn_time * (1.0 - heading.dot(unit(seen.offset)));
        Some(seen.in_time(closing_time(senses, seen) + turning))
    }
}

/// Evade: flees from the predicted position of the target.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Evade {
    /// Distance in tiles beyond which the output is zero; `None` for no limit.
    pub threat: Option<f32>,
}

impl Default for Evade {
    fn default() -> Self {
        Self { threat: Some(Self::THREAT) }
    }
}

impl Evade {
    /// Default of `threat`, in tiles.
    pub(crate) const THREAT: f32 = 6.0;

    /// Returns `flee(e + v_e·T)` within the threat distance, else zero.
    ///
    /// For a group, the desired velocity is `4·V·Σ w_n·u_n`, shortened to V. The sum covers all
    /// members within the threat distance. Here, `u_n` is the direction away from the predicted
    /// position of member n, d its current distance, and `w_n = (d_nearest / d_n)²`. Members on
    /// opposite sides cancel, so the agent comes to rest between them instead of rocking, and it
    /// leaves to the side as soon as it is beside the line between them.
    pub(crate) fn propose(
        self,
        senses: &Senses,
        seen: Seen,
        around: &impl Surroundings,
        probe: &mut impl Probe,
    ) -> Vec2 {
        if self.threat.is_some_and(|threat| seen.offset.length() > threat) {
            probe.note(|| Note::Target(senses.motion.position + seen.offset));
            return Vec2::ZERO;
        }
        let ahead = seen.in_time(closing_time(senses, seen));
        note(senses, seen, ahead, probe);
        let least = seen.offset.length();
        let threat = self.threat.unwrap_or(f32::INFINITY);
        let sum = sum_over_members(senses, threat, around, probe, |member| {
            let distance = member.offset.length();
            let share = if distance > least { least / distance } else { 1.0 };
            (unit(-member.in_time(closing_time(senses, member)).offset), share * share)
        });
        let away = unit(-ahead.offset);
        velocity_error(senses, sum.map_or(away, |sum| truncate(sum * CANCELLED, 1.0)))
    }
}

/// Returns the sum of the weighted directions of all members of the target group within a distance
/// in tiles. `weigh` returns the direction and the weight of a member. Returns `None` if the target
/// is no group, or if fewer than two members have a weight.
fn sum_over_members(
    senses: &Senses,
    distance: f32,
    around: &impl Surroundings,
    probe: &mut impl Probe,
    weigh: impl Fn(Seen) -> (Vec2, f32),
) -> Option<Vec2> {
    let (mut sum, mut count) = (Vec2::ZERO, 0);
    around.visit_members(senses.group?, distance, |NearbyAgent { id, seen, .. }| {
        let (direction, weight) = weigh(seen);
        if weight > 0.0 {
            probe.note(|| Note::Member { agent: id, weight });
            sum += direction * weight;
            count += 1;
        }
    });
    (count > 1).then_some(sum)
}

/// Offset pursuit: keeps a position relative to a leader, for formations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OffsetPursue {
    /// The position in the leader's frame, in tiles: x ahead, y to starboard.
    pub offset: Vec2,
}

impl OffsetPursue {
    /// Returns `arrive(o + v_l·T, fast)`, where o is the position in the world and `T = |o − p| /
    /// (V + speed_l)`.
    pub(crate) fn propose(self, senses: &Senses, leader: Seen, probe: &mut impl Probe) -> Vec2 {
        let place =
            Seen { offset: leader.offset + to_world(self.offset, leader.heading), ..leader };
        let ahead = place.in_time(closing_time(senses, place));
        note(senses, place, ahead, probe);
        Arrive::FAST.propose(senses, ahead, &mut NoProbe)
    }
}

/// Returns `arrive((a + v_a·T + b + v_b·T)/2, fast)`, which moves the agent between two targets.
/// Here, T = |mid − p| / V and mid = (a + b)/2.
pub(crate) fn interpose(senses: &Senses, a: Seen, b: Seen, probe: &mut impl Probe) -> Vec2 {
    let middle = (a.offset + b.offset) / 2.0;
    let top = senses.body.max_speed;
    let time = if top > 0.0 { middle.length() / top } else { 0.0 };
    let (a, b) = (a.in_time(time), b.in_time(time));
    let between = Seen { offset: (a.offset + b.offset) / 2.0, ..a };
    note(senses, Seen { offset: middle, ..a }, between, probe);
    Arrive::FAST.propose(senses, between, &mut NoProbe)
}

/// Reports the current and the predicted position of the target.
fn note(senses: &Senses, seen: Seen, ahead: Seen, probe: &mut impl Probe) {
    probe.note(|| Note::Target(senses.motion.position + seen.offset));
    probe.note(|| Note::Predicted(senses.motion.position + ahead.offset));
}

/// Returns the time in seconds until agent and target would meet if they moved straight towards
/// each other. The agent moves at full speed, and the target at its current speed.
fn closing_time(senses: &Senses, seen: Seen) -> f32 {
    let speed = senses.body.max_speed + seen.velocity.length();
    if speed > 0.0 { seen.offset.length() / speed } else { 0.0 }
}

#[rustfmt::skip]
pub(super) const PURSUE: Spec = Spec {
    parameters: &[
        Parameter::number("turn_time", THOUSAND, "s", access!(Number, Behaviour::Pursue(it) => it.turn_time), "Additional prediction time for targets that are not straight ahead").details("The time is `turn_time` · (1 − cosine of the angle to the target)"),
        Parameter::number("head_on", -1.0..=1.0, "", access!(Number, Behaviour::Pursue(it) => it.head_on), "Cosine of the angle between the headings below which the target counts as head-on").details("The agent moves to the current position of a head-on target ahead, without prediction"),
    ],
    ..Spec::new("pursue", TargetKeys::Target("target"), "moves towards the predicted position of the target", || Behaviour::Pursue(Pursue::default())).to(Destination::Target)
};

#[rustfmt::skip]
pub(super) const EVADE: Spec = Spec {
    probability: 1.0,
    parameters: &[
        Parameter::number("threat", LENGTH, "tiles", access!(Number, Behaviour::Evade(it) => it.threat), "Distance at which evading starts"),
    ],
    ..Spec::new("evade", TargetKeys::Target("target"), "moves away from the predicted position of the target", || Behaviour::Evade(Evade::default()))
};

#[rustfmt::skip]
pub(super) const INTERPOSE: Spec = Spec::new("interpose", TargetKeys::Pair("between"), "moves to the predicted midpoint between two targets", || Behaviour::Interpose).to(Destination::BesideTarget);

#[rustfmt::skip]
pub(super) const OFFSET_PURSUE: Spec = Spec {
    parameters: &[
        Parameter { unit: "tiles", ..Parameter::new("offset", ParameterShape::Offset(-10_000.0..=10_000.0), access!(Offset, Behaviour::OffsetPursue(it) => it.offset), "Position relative to the leader: [ahead, to starboard]") }.required().details("Integers are read as floats"),
    ],
    ..Spec::new("offset_pursue", TargetKeys::Target("leader"), "keeps a fixed position relative to a leader", || Behaviour::OffsetPursue(OffsetPursue { offset: Vec2::ZERO })).to(Destination::BesideTarget)
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Body;
    use crate::map::{Edges, tests::drawn};
    use crate::steering::ForceBreakdown;
    use crate::steering::tests::{Empty, senses};

    /// Checks the notes from which overlays draw the current and the predicted position.
    #[test]
    fn target_and_prediction_are_reported() {
        let map = drawn(&["...."], Edges::Wall);
        let body = Body::default();
        let senses = senses(&map, &body, Vec2::ONE, Vec2::ZERO);
        let velocity = Vec2::new(0.0, 4.0);
        let seen = Seen { offset: Vec2::new(8.0, 0.0), velocity, heading: Vec2::Y };
        let notes = |propose: &dyn Fn(&mut ForceBreakdown)| {
            let mut breakdown = ForceBreakdown::default();
            propose(&mut breakdown);
            breakdown.notes.into_iter().map(|(_, note)| note).collect::<Vec<_>>()
        };
        let both = [Note::Target(Vec2::new(9.0, 1.0)), Note::Predicted(Vec2::new(9.0, 5.0))];
        let pursue = notes(&|breakdown| {
            Pursue::default().propose(&senses, seen, &Empty, breakdown);
        });
        assert_eq!(pursue, both);
        let evade = Evade { threat: Some(9.0) };
        let evading = notes(&|breakdown| {
            evade.propose(&senses, seen, &Empty, breakdown);
        });
        assert_eq!(evading, both);
        let out_of_reach = notes(&|breakdown| {
            Evade::default().propose(&senses, seen, &Empty, breakdown);
        });
        assert_eq!(out_of_reach, both[..1]);
    }
}
