//! Align: turn the body to a heading, whatever way it moves (Millington's orientation matching), and
//! its two uses: face a target, and look where one goes.
//!
//! A list with one of these rows drives an *oriented* body: its heading is a state of its own, with
//! an angular velocity ω, and no longer follows the velocity.

use core::f32::consts::PI;

use crate::geom::{Vec2, unit};

use super::{Note, Probe, Seen, Senses};

use super::behaviour::Behaviour;
use super::spec::{POSITIVE, Parameter, Spec, Subject, access};

/// At or below this speed, in tiles/s, there is no way ahead to look along.
const STANDSTILL: f32 = 1e-4;

/// What rounding may miss of half a turn, in radians.
const ROUNDING: f32 = 1e-6;

/// How a body turns to a heading; shared by [`Align`], face and `look_ahead`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Turning {
    /// Closer than this, in radians, it stops turning; ≥ 0.
    pub target_angle: f32,
    /// Closer than this, in radians, it turns more slowly; > 0.
    pub slow_angle: f32,
    /// Seconds in which the angular velocity is corrected; > 0.
    pub time_to_target: f32,
}

impl Default for Turning {
    fn default() -> Self {
        Self {
            target_angle: PI / 180.0,
            slow_angle: core::f32::consts::FRAC_PI_2,
            time_to_target: 0.1,
        }
    }
}

impl Turning {
    /// The angular acceleration, in radians/s², that turns the body to a unit vector.
    ///
    /// With ρ = the angle from the heading to the goal in (−180°, 180°] and R = the body's
    /// `max_turn_rate` (a turn a second without one), the wished rate is
    /// `R · min(1, |ρ|/slow_angle) · sign ρ`, or 0 when |ρ| < `target_angle`, and the turn
    /// `(rate − ω) / time_to_target`, at most `max_turn_accel` **either way**. The source clips the
    /// positive side alone, so its bodies turn left as hard as they like.
    ///
    /// Exactly astern turns right. A goal of zero length is no heading: the body stops turning; the
    /// source returns nothing there, which would leave it spinning.
    pub fn towards(&self, goal: Vec2, senses: &Senses, probe: &mut impl Probe) -> f32 {
        probe.note(|| Note::Facing(goal));
        let angle = angle_to(goal, senses.motion.heading);
        let rate = if angle.abs() < self.target_angle || angle == 0.0 {
            0.0
        } else {
            let share = (angle.abs() / self.slow_angle).min(1.0);
            (senses.body.top_turn_rate() * share).copysign(angle)
        };
        let most = senses.body.max_turn_accel;
        ((rate - senses.motion.angular_velocity) / self.time_to_target).clamp(-most, most)
    }

    /// Face: turn to where the target is. Where target and agent are in one place, stop turning.
    pub fn face(&self, seen: Seen, senses: &Senses, probe: &mut impl Probe) -> f32 {
        probe.note(|| Note::Target(senses.motion.position + seen.offset));
        self.towards(unit(seen.offset), senses, probe)
    }

    /// Look ahead: turn to where the body goes. At rest, stop turning.
    pub fn look_ahead(&self, senses: &Senses, probe: &mut impl Probe) -> f32 {
        let velocity = senses.motion.velocity;
        let ahead = if velocity.length() > STANDSTILL { unit(velocity) } else { Vec2::ZERO };
        self.towards(ahead, senses, probe)
    }
}

/// The angle from a heading to a goal, in (−π, π], positive to the right; 0 to no goal.
fn angle_to(goal: Vec2, heading: Vec2) -> f32 {
    if goal == Vec2::ZERO {
        return 0.0;
    }
    let angle = libm::atan2f(heading.perp_dot(goal), heading.dot(goal));
    // Two headings that are half a turn apart seldom are so to the last bit.
    if angle <= ROUNDING - PI { PI } else { angle }
}

/// Align: turn to a fixed heading, or to that of another.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Align {
    /// The unit vector to turn to; `None` for the heading of the row's target.
    pub to: Option<Vec2>,
    /// How.
    pub turning: Turning,
}

impl Align {
    /// Turns to the heading; with neither a heading nor a target, nothing.
    pub fn propose(&self, senses: &Senses, probe: &mut impl Probe) -> f32 {
        let goal = self.to.or(senses.target.map(|seen| seen.heading));
        goal.map_or(0.0, |goal| self.turning.towards(goal, senses, probe))
    }
}

/// Parameters of the three behaviours that turn a body.
#[rustfmt::skip]
const TURNING: &[Parameter] = &[
    Parameter::angle("target_angle", 0.0..=180.0, access!(Number, (Behaviour::Align(Align { turning: it, .. }) | Behaviour::Face(it) | Behaviour::LookAhead(it)) => it.target_angle), "Heading error at which turning stops"),
    Parameter::angle("slow_angle", 0.001..=180.0, access!(Number, (Behaviour::Align(Align { turning: it, .. }) | Behaviour::Face(it) | Behaviour::LookAhead(it)) => it.slow_angle), "Heading error at which turning slows down"),
    Parameter::number("time_to_target", POSITIVE, "s", access!(Number, (Behaviour::Align(Align { turning: it, .. }) | Behaviour::Face(it) | Behaviour::LookAhead(it)) => it.time_to_target), "Turn rate correction time"),
];

#[rustfmt::skip]
pub(super) const ALIGN: Spec = Spec {
    parameters: TURNING,
    ..Spec::new("align", Subject::Heading("to", set_heading), "turns to a heading", || Behaviour::Align(Align { to: None, turning: Turning::default() }))
};

#[rustfmt::skip]
pub(super) const FACE: Spec = Spec {
    parameters: TURNING,
    ..Spec::new("face", Subject::Target("target"), "turns towards the target", || Behaviour::Face(Turning::default()))
};

#[rustfmt::skip]
pub(super) const LOOK_AHEAD: Spec = Spec {
    parameters: TURNING,
    ..Spec::new("look_ahead", Subject::Nothing, "turns to the direction of motion. At rest, the agent stops turning", || Behaviour::LookAhead(Turning::default()))
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
    use crate::steering::{Silent, tests::senses};

    /// The turn towards `degrees` of a body that faces east and turns at `spin` °/s, in °/s².
    fn turn(degrees: f32, spin: f32) -> f32 {
        let map = drawn(&["...."], Edges::Wall);
        let body = Body::default();
        let mut senses = senses(&map, &body, Vec2::ZERO, Vec2::ZERO);
        senses.motion.angular_velocity = spin.to_radians();
        let align = Align { to: Some(from_degrees(degrees)), ..Align::default() };
        align.propose(&senses, &mut Silent).to_degrees()
    }

    #[track_caller]
    fn near(a: f32, b: f32) {
        assert!((a - b).abs() < 0.01, "{a} is not {b}");
    }

    #[test]
    fn the_rate_falls_with_the_angle_and_the_turn_corrects_it_in_a_tenth_of_a_second() {
        near(turn(9.0, 0.0), 360.0);
        near(turn(9.0, 30.0), 60.0);
        near(turn(9.0, 40.0), -40.0);
        near(turn(-9.0, 0.0), -360.0);
        near(turn(0.9, 20.0), -200.0);
    }

    /// The source clips `turn > max` and forgets the other side.
    #[test]
    fn angular_clip_on_the_negative_side() {
        near(turn(120.0, 0.0), 1440.0);
        near(turn(-120.0, 0.0), -1440.0);
        near(turn(-120.0, 360.0), -1440.0);
    }

    #[test]
    fn half_a_turn_is_a_turn_to_the_right() {
        near(turn(180.0, 0.0), 1440.0);
        near(turn(-180.0, 0.0), 1440.0);
        let map = drawn(&["...."], Edges::Wall);
        let body = Body::default();
        for degree in 0..360 {
            let mut senses = senses(&map, &body, Vec2::ZERO, Vec2::ZERO);
            senses.motion.heading = from_degrees(degree as f32);
            let astern = from_degrees(degree as f32 + 180.0);
            let turn = Turning::default().towards(astern, &senses, &mut Silent);
            assert!(turn > 0.0, "from {degree}°");
        }
    }

    #[test]
    fn without_a_way_to_look_the_turning_stops() {
        let map = drawn(&["...."], Edges::Wall);
        let body = Body::default();
        let mut senses = senses(&map, &body, Vec2::ZERO, Vec2::ZERO);
        assert_eq!(Turning::default().look_ahead(&senses, &mut Silent), 0.0);
        senses.motion.angular_velocity = 1.0;
        assert_eq!(Turning::default().look_ahead(&senses, &mut Silent), -10.0);
        let here = Seen { offset: Vec2::ZERO, velocity: Vec2::X, heading: Vec2::Y };
        assert_eq!(Turning::default().face(here, &senses, &mut Silent), -10.0);
    }
}
