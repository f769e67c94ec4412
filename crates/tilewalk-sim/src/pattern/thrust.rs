//! Thrust patterns: legs of thruster commands for a craft (Bourg & Seemann, Ex. 3-13 … 3-20). A leg
//! fires side thrusters until the craft has moved or turned far enough. The physics of the craft
//! determines its path.
//!
//! Corrections to the book's listing:
//!
//! - The listing measures a turn by the `acos` of a dot product of unit vectors. This reads 270° as
//!   90° and is NaN if rounding makes the product larger than 1. Here, signed turns `atan2(cross,
//!   dot)` are summed over frames.
//! - The listing measures a displacement by the difference of two positions, which jumps at the
//!   edge of a torus. Here, displacements are summed over frames.
//! - The listing compares the limits of a leg with the measurements of the previous frame. Each leg
//!   then takes one frame longer than here. Turns exceed their limits by an angle that depends on
//!   the frame rate.
//! - The listing's zigzag turns to port twice and forms a hexagon. In the text, and in the built-in
//!   pattern, the turns alternate.

use crate::body::Motion;
use crate::geom::Vec2;

/// Minimum output of a side thruster during a turn, as a share of the thruster's full force.
const MIN_SHARE: f32 = 0.05;

/// Speed below which a velocity has no heading, in tiles/s.
const STANDSTILL: f32 = 1e-4;

/// Turn of a leg that counts as circling, in degrees.
const CIRCLES: f32 = 720.0;

/// The source of the heading that is used to measure turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HeadingFrom {
    /// The direction of motion, as in the book; undefined at rest.
    #[default]
    Velocity,
    /// The direction in which the craft faces.
    Orientation,
}

/// A leg of a thrust pattern: the side thrusters that fire, and the limits that end the leg.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Leg {
    /// Whether the port thruster fires, which turns the craft right.
    pub port: bool,
    /// Whether the starboard thruster fires, which turns the craft left.
    pub starboard: bool,
    /// Displacement that ends the leg, in tiles; > 0. This is the length of the straight line from
    /// the start of the leg, not of the course. `None` for no limit.
    pub until_moved: Option<f32>,
    /// Turn to either side that ends the leg, in degrees; > 0. `None` for no limit.
    pub until_turned: Option<f32>,
    /// Text of the signal that the agent sends at the start of the leg. `None` for no signal.
    pub signal: Option<String>,
}

/// Legs of thruster commands, executed in order.
#[derive(Debug, Clone, PartialEq)]
pub struct ThrustPattern {
    /// The legs of the pattern, at least one. A leg without a limit never ends.
    pub legs: Vec<Leg>,
    /// The source of the heading that is used to measure turns.
    pub heading_from: HeadingFrom,
    /// Whether the pattern starts over after the last leg.
    pub repeat: bool,
}

/// The state of a craft on a thrust pattern.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ThrustState {
    /// Index of the current leg. After the end of the pattern, this is the number of legs.
    pub leg: u32,
    /// Displacement since the start of the leg, in tiles; not wrapped.
    pub moved: Vec2,
    /// Turn since the start of the leg, in degrees; positive to starboard. Full turns add up.
    pub turned: f32,
    /// Last defined heading since the start of the leg, as a vector of any length. `None` if the
    /// heading has been undefined so far.
    pub direction: Option<Vec2>,
    /// Whether the signal of the leg was sent. Always false for legs without a signal.
    pub(crate) signalled: bool,
}

impl ThrustPattern {
    /// Returns the leg that the craft executes; `None` after the end of the pattern.
    pub fn leg(&self, state: ThrustState) -> Option<&Leg> {
        self.legs.get(state.leg as usize)
    }

    /// Returns the output of the side thrusters in the next frame, as a share of their full force;
    /// positive output turns the craft to starboard.
    ///
    /// On turning legs, the output decreases as max(0.05, 1 − |turned| / `until_turned`), so that
    /// the craft does not overshoot.
    pub fn side_share(&self, state: ThrustState) -> f32 {
        let Some(leg) = self.leg(state) else { return 0.0 };
        let burning = f32::from(u8::from(leg.port)) - f32::from(u8::from(leg.starboard));
        let share = leg.until_turned.map_or(1.0, |limit| 1.0 - state.turned.abs() / limit);
        burning * share.max(MIN_SHARE)
    }

    /// Returns the state after one frame. In this frame, the craft moved by `moved`, in tiles, and
    /// its motion changed from `before` to `after`.
    ///
    /// Does not restart a pattern after its last leg; use [`again`](Self::again) to restart a
    /// repeating pattern.
    ///
    /// Turns are measured between defined headings; frames with an undefined heading are skipped.
    pub(crate) fn advance(
        &self,
        state: ThrustState,
        before: Motion,
        after: Motion,
        moved: Vec2,
    ) -> ThrustState {
        let Some(leg) = self.leg(state) else { return state };
        let last = state.direction.or_else(|| self.direction(before));
        let now = self.direction(after);
        let turn = match (last, now) {
            (Some(last), Some(now)) => libm::atan2f(last.perp_dot(now), last.dot(now)).to_degrees(),
            (_, _) => 0.0,
        };
        let next = ThrustState {
            leg: state.leg,
            moved: state.moved + moved,
            turned: state.turned + turn,
            direction: now.or(last),
            signalled: state.signalled,
        };
        let finished = leg.until_moved.is_some_and(|limit| next.moved.length() >= limit)
            || leg.until_turned.is_some_and(|limit| next.turned.abs() >= limit);
        if finished { ThrustState { leg: state.leg + 1, ..ThrustState::default() } } else { next }
    }

    /// Returns true if a leg without a limit on its turn has made two full turns since it began, and
    /// completed the second one in this frame. The craft probably circles within the distance at
    /// which the leg ends. `before` and `after` are the states around the frame.
    pub(crate) fn circles(&self, before: ThrustState, after: ThrustState) -> bool {
        let has_limit = self.leg(before).is_none_or(|leg| leg.until_turned.is_some());
        let [was, is] = [before, after].map(|state| state.turned.abs() >= CIRCLES);
        !has_limit && before.leg == after.leg && !was && is
    }

    /// Returns the initial state if the pattern has ended and repeats. Otherwise returns `state`
    /// unchanged.
    pub fn again(&self, state: ThrustState) -> ThrustState {
        let ended = self.leg(state).is_none();
        if ended && self.repeat { ThrustState::default() } else { state }
    }

    /// Returns the heading for the measurement of turns, as a vector of any length. Returns `None`
    /// if the heading is undefined.
    fn direction(&self, motion: Motion) -> Option<Vec2> {
        match self.heading_from {
            HeadingFrom::Orientation => Some(motion.heading),
            HeadingFrom::Velocity => {
                (motion.velocity.length() > STANDSTILL).then_some(motion.velocity)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::heading::from_degrees;

    fn moving(degrees: f32, speed: f32) -> Motion {
        Motion {
            position: Vec2::ZERO,
            velocity: from_degrees(degrees) * speed,
            heading: from_degrees(degrees),
            angular_velocity: 0.0,
        }
    }

    fn program(legs: Vec<Leg>) -> ThrustPattern {
        ThrustPattern { legs, heading_from: HeadingFrom::Velocity, repeat: true }
    }

    fn turning(degrees: f32) -> Leg {
        Leg { port: true, until_turned: Some(degrees), ..Leg::default() }
    }

    /// Returns the number of frames until the first leg ends, if the craft turns by `by` degrees
    /// per frame. Returns `None` after 100 frames.
    fn frames_to_end(pattern: &ThrustPattern, by: f32, speed: f32) -> Option<u32> {
        let mut state = ThrustState::default();
        for frame in 1..=100 {
            let (before, after) =
                (moving(by * (frame - 1) as f32, speed), moving(by * frame as f32, speed));
            state = pattern.advance(state, before, after, Vec2::ZERO);
            if state.leg != 0 {
                return Some(frame);
            }
        }
        None
    }

    #[test]
    fn opposite_turns_cancel() {
        let pattern = program(vec![turning(30.0), turning(1.0)]);
        let mut state = ThrustState::default();
        for frame in 0..50 {
            let side = |frame: u32| if frame.is_multiple_of(2) { 10.0 } else { -10.0 };
            let (before, after) = (moving(side(frame), 1.0), moving(side(frame + 1), 1.0));
            state = pattern.advance(state, before, after, Vec2::ZERO);
            assert!(state.leg == 0 && state.turned.abs() < 20.1, "{state:?}");
        }
        assert_eq!(frames_to_end(&pattern, 0.0, 0.3), None);
    }

    #[test]
    fn a_turn_at_rest_counts_only_if_headings_come_from_the_orientation() {
        let mut pattern = program(vec![turning(90.0), turning(1.0)]);
        assert_eq!(frames_to_end(&pattern, 20.0, 0.0), None);
        pattern.heading_from = HeadingFrom::Orientation;
        assert_eq!(frames_to_end(&pattern, 20.0, 0.0), Some(5));
    }

    #[test]
    fn turn_continues_from_the_last_defined_heading() {
        let pattern = program(vec![turning(90.0), turning(1.0)]);
        let state = ThrustState::default();
        let state = pattern.advance(state, moving(0.0, 1.0), moving(0.0, 0.0), Vec2::ZERO);
        let state = pattern.advance(state, moving(0.0, 0.0), moving(60.0, 1.0), Vec2::ZERO);
        assert!((state.turned - 60.0).abs() < 1e-4, "{state:?}");
    }

    #[test]
    fn a_leg_ends_at_the_first_of_its_two_limits() {
        let both = Leg { until_moved: Some(2.0), until_turned: Some(45.0), ..Leg::default() };
        let pattern = program(vec![both, turning(1.0)]);
        let by = |state, moved| pattern.advance(state, moving(0.0, 1.0), moving(0.0, 1.0), moved);
        let state = by(by(by(ThrustState::default(), Vec2::X), -Vec2::X), Vec2::X);
        assert_eq!((state.leg, state.moved), (0, Vec2::X));
        assert_eq!(by(state, Vec2::X), ThrustState { leg: 1, ..ThrustState::default() });
        let turned =
            pattern.advance(ThrustState::default(), moving(0.0, 1.0), moving(46.0, 1.0), Vec2::X);
        assert_eq!(turned.leg, 1);
    }

    #[test]
    fn thrust_decreases_only_on_turning_legs() {
        let pattern = program(vec![turning(90.0)]);
        let at = |turned| pattern.side_share(ThrustState { turned, ..ThrustState::default() });
        assert_eq!([at(0.0), at(45.0), at(-45.0), at(89.0)], [1.0, 0.5, 0.5, MIN_SHARE]);
        let leg = Leg { starboard: true, until_moved: Some(1.0), ..Leg::default() };
        let state = ThrustState { turned: 80.0, ..ThrustState::default() };
        assert_eq!(program(vec![leg]).side_share(state), -1.0);
        let both = Leg { port: true, starboard: true, ..Leg::default() };
        assert_eq!(program(vec![both]).side_share(state), 0.0);
    }

    #[test]
    fn pattern_repeats_or_ends_after_the_last_leg() {
        let mut pattern = program(vec![turning(1.0)]);
        let end = |pattern: &ThrustPattern| {
            let state = ThrustState::default();
            pattern.again(pattern.advance(state, moving(0.0, 1.0), moving(2.0, 1.0), Vec2::X))
        };
        assert_eq!(end(&pattern), ThrustState::default());
        pattern.repeat = false;
        assert_eq!((pattern.leg(end(&pattern)), pattern.side_share(end(&pattern))), (None, 0.0));
    }
}
