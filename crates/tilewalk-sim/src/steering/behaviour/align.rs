//! Align: turns the body to a heading, independent of its velocity (Millington's orientation
//! matching). Face and look-ahead are built on align.
//!
//! A list with one of these behaviours drives an *oriented* body, whose heading and angular
//! velocity ω are part of its state.

use core::f32::consts::PI;

use crate::geom::{Vec2, unit};

use crate::steering::{Note, Probe, Seen, Senses};

use super::Behaviour;
use crate::steering::spec::{POSITIVE, Parameter, ParameterShape, Spec, TargetKeys, access};

/// Speed below which a body counts as at rest, in tiles/s.
const STANDSTILL: f32 = 1e-4;

/// Largest rounding error of an angle of half a turn, in radians.
const ROUNDING: f32 = 1e-6;

/// Parameters of a turn to a heading, shared by [`Align`], `face` and `look_ahead`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Turning {
    /// Angle to the goal below which the body stops turning, in radians; ≥ 0.
    pub target_angle: f32,
    /// Angle to the goal below which the turn slows down, in radians; > 0.
    pub slow_angle: f32,
    /// Time in which the error of the angular velocity is corrected, in seconds; > 0.
    pub time_to_target: f32,
    /// Whether the body turns to the direction opposite to the goal.
    pub opposite: bool,
}

impl Default for Turning {
    fn default() -> Self {
        Self {
            target_angle: PI / 180.0,
            slow_angle: core::f32::consts::FRAC_PI_2,
            time_to_target: 0.1,
            opposite: false,
        }
    }
}

impl Turning {
    /// Returns the angular acceleration, in radians/s², that turns the body towards a unit vector,
    /// or away from it if `opposite` is true.
    ///
    /// ρ is the angle from the heading to the goal in (−180°, 180°], and R is the body's
    /// `max_turn_rate` (one turn per second if unset). The target rate is `R · min(1,
    /// |ρ|/slow_angle) · sign ρ`, or 0 if |ρ| < `target_angle`. The result is `(rate − ω) /
    /// time_to_target`, limited to ±`max_turn_accel`. Millington's code limits only positive
    /// values.
    ///
    /// If the goal is exactly behind the body, the body turns right. If the goal is the zero
    /// vector, the body stops turning. (In Millington's code, the body keeps spinning.)
    pub(crate) fn towards(&self, goal: Vec2, senses: &Senses, probe: &mut impl Probe) -> f32 {
        let goal = if self.opposite { -goal } else { goal };
        probe.note(|| Note::Facing(goal));
        let angle = angle_to(goal, senses.motion.heading);
        let rate = if angle.abs() < self.target_angle || angle == 0.0 {
            0.0
        } else {
            let share = (angle.abs() / self.slow_angle).min(1.0);
            (senses.body.top_turn_rate() * share).copysign(angle)
        };
        let limit = senses.body.max_turn_accel;
        ((rate - senses.motion.angular_velocity) / self.time_to_target).clamp(-limit, limit)
    }

    /// Returns the angular acceleration, in radians/s², that turns the body towards the target. If
    /// target and agent coincide, the body stops turning.
    pub(crate) fn face(&self, seen: Seen, senses: &Senses, probe: &mut impl Probe) -> f32 {
        probe.note(|| Note::Target(senses.motion.position + seen.offset));
        self.towards(unit(seen.offset), senses, probe)
    }

    /// Returns the angular acceleration, in radians/s², that turns the body towards its velocity. A
    /// body at rest stops turning.
    pub(crate) fn look_ahead(&self, senses: &Senses, probe: &mut impl Probe) -> f32 {
        let velocity = senses.motion.velocity;
        let ahead = if velocity.length() > STANDSTILL { unit(velocity) } else { Vec2::ZERO };
        self.towards(ahead, senses, probe)
    }
}

/// Returns the angle from a heading to a goal in radians, in (−π, π]. Positive angles are to the
/// right. Returns 0 if the goal is the zero vector.
fn angle_to(goal: Vec2, heading: Vec2) -> f32 {
    if goal == Vec2::ZERO {
        return 0.0;
    }
    let angle = libm::atan2f(heading.perp_dot(goal), heading.dot(goal));
    // Rounding can turn +π into −π.
    if angle <= ROUNDING - PI { PI } else { angle }
}

/// Align: turns the body to a fixed heading, or to the heading of the target.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Align {
    /// The unit vector to turn to; `None` for the heading of the target.
    pub to: Option<Vec2>,
    /// Tolerances and correction time of the turn.
    pub turning: Turning,
}

impl Align {
    /// Returns the angular acceleration, in radians/s²; 0 without a fixed heading and without a
    /// target.
    pub(crate) fn propose(&self, senses: &Senses, probe: &mut impl Probe) -> f32 {
        let goal = self.to.or(senses.target.map(|seen| seen.heading));
        goal.map_or(0.0, |goal| self.turning.towards(goal, senses, probe))
    }
}

#[rustfmt::skip]
const TURNING: &[Parameter] = &[
    Parameter::angle("target_angle", 0.0..=180.0, access!(Number, (Behaviour::Align(Align { turning: it, .. }) | Behaviour::Face(it) | Behaviour::LookAhead(it)) => it.target_angle), "Heading error at which turning stops"),
    Parameter::angle("slow_angle", 0.001..=180.0, access!(Number, (Behaviour::Align(Align { turning: it, .. }) | Behaviour::Face(it) | Behaviour::LookAhead(it)) => it.slow_angle), "Heading error at which turning slows down"),
    Parameter::number("time_to_target", POSITIVE, "s", access!(Number, (Behaviour::Align(Align { turning: it, .. }) | Behaviour::Face(it) | Behaviour::LookAhead(it)) => it.time_to_target), "Turn rate correction time"),
    Parameter::new("opposite", ParameterShape::Flag, access!(Flag, (Behaviour::Align(Align { turning: it, .. }) | Behaviour::Face(it) | Behaviour::LookAhead(it)) => it.opposite), "Whether the agent turns to the opposite direction").details("`face` then turns away from the target"),
];

#[rustfmt::skip]
pub(super) const ALIGN: Spec = Spec {
    parameters: TURNING,
    ..Spec::new("align", TargetKeys::Heading("to", set_heading), "turns to a heading", || Behaviour::Align(Align { to: None, turning: Turning::default() }))
};

#[rustfmt::skip]
pub(super) const FACE: Spec = Spec {
    parameters: TURNING,
    ..Spec::new("face", TargetKeys::Target("target"), "turns towards the target", || Behaviour::Face(Turning::default()))
};

#[rustfmt::skip]
pub(super) const LOOK_AHEAD: Spec = Spec {
    parameters: TURNING,
    ..Spec::new("look_ahead", TargetKeys::Nothing, "turns to the direction of motion. At rest, the agent stops turning", || Behaviour::LookAhead(Turning::default()))
};

fn set_heading(behaviour: &mut Behaviour, heading: Vec2) {
    if let Behaviour::Align(align) = behaviour {
        align.to = Some(heading);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Body;
    use crate::geom::heading::from_degrees;
    use crate::map::{Edges, tests::drawn};
    use crate::steering::{NoProbe, tests::senses};

    #[test]
    fn a_turn_to_the_opposite_heading_is_to_the_right() {
        let map = drawn(&["...."], Edges::Wall);
        let body = Body::default();
        for degree in 0..360 {
            let mut senses = senses(&map, &body, Vec2::ZERO, Vec2::ZERO);
            senses.motion.heading = from_degrees(degree as f32);
            let behind = from_degrees(degree as f32 + 180.0);
            let turn = Turning::default().towards(behind, &senses, &mut NoProbe);
            assert!(turn > 0.0, "from {degree}°");
        }
    }

    #[test]
    fn turn_brakes_without_a_goal() {
        let map = drawn(&["...."], Edges::Wall);
        let body = Body::default();
        let mut senses = senses(&map, &body, Vec2::ZERO, Vec2::ZERO);
        assert_eq!(Turning::default().look_ahead(&senses, &mut NoProbe), 0.0);
        senses.motion.angular_velocity = 1.0;
        assert_eq!(Turning::default().look_ahead(&senses, &mut NoProbe), -10.0);
        let here = Seen { offset: Vec2::ZERO, velocity: Vec2::X, heading: Vec2::Y };
        assert_eq!(Turning::default().face(here, &senses, &mut NoProbe), -10.0);
    }
}
