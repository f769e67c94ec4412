//! Thrust patterns: rows of control data for a craft that physics moves (Bourg & Seemann, Ex. 3-13 …
//! 3-20). A leg switches side thrusters on and lasts until the craft has moved so far or turned so
//! much; what the craft then does is not the pattern's to say.
//!
//! The book's listing errs in four places, which are put right here:
//!
//! - Its turn is the `acos` of two unit vectors' product. That folds at 180°, so that 270° reads 90°,
//!   and it is not a number whenever rounding makes the product larger than 1. Here the turn is
//!   summed from frame to frame by `atan2(cross, dot)`, with its sign.
//! - Its displacement is the difference of two positions, which leaps where a torus closes. Here it
//!   is summed from the frames' displacements.
//! - When the rows are over, the old thrusters burn for one more frame. Here the next leg burns in
//!   the very next frame.
//! - Its zigzag turns to port twice and so makes a hexagon; the text alternates, and so does the
//!   pattern that ships.

use crate::body::Motion;
use crate::geom::Vec2;

/// The least a side thruster gives on a turning leg, as a share of its thrust.
const LEAST_SHARE: f32 = 0.05;

/// Below this speed, in tiles/s, a velocity has no heading.
const STANDSTILL: f32 = 1e-4;

/// What a turn is measured by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HeadingFrom {
    /// Where the craft goes, as in the book; undefined while it stands.
    #[default]
    Velocity,
    /// Where its bow points.
    Orientation,
}

/// One leg: which side thrusters burn, and until when.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Leg {
    /// Does the thruster on the port side burn? It pushes the bow to starboard: a right turn.
    pub port: bool,
    /// Does the thruster on the starboard side burn? It pushes the bow to port: a left turn.
    pub starboard: bool,
    /// The displacement that ends it, in tiles; > 0.
    pub until_moved: Option<f32>,
    /// The turn, to either side, that ends it, in degrees; > 0.
    pub until_turned: Option<f32>,
}

/// A program of legs.
#[derive(Debug, Clone, PartialEq)]
pub struct ThrustPattern {
    /// The legs, at least one. One without a limit lasts for ever.
    pub legs: Vec<Leg>,
    /// What turns are measured by.
    pub heading_from: HeadingFrom,
    /// Does it begin again after the last leg?
    pub repeat: bool,
}

/// How far a program is.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ThrustState {
    /// Index of the leg; the number of legs when the program has ended.
    pub leg: u32,
    /// Displacement since the leg began, in tiles; not wrapped.
    pub moved: Vec2,
    /// Turn since the leg began, in degrees; to starboard positive. Whole turns count.
    pub turned: f32,
    /// The last heading that was defined since the leg began; of any length.
    pub course: Option<Vec2>,
}

impl ThrustPattern {
    /// The leg that is being carried out, or `None` after the end.
    pub fn leg(&self, state: ThrustState) -> Option<&Leg> {
        self.legs.get(state.leg as usize)
    }

    /// What the side thrusters give in the next frame, as a share of their thrust: pushing the bow
    /// to starboard positive, to port negative.
    ///
    /// On a turning leg it eases off, max(0.05, 1 − |turned| / `until_turned`), so that the craft
    /// doesn't spin on.
    pub fn side_share(&self, state: ThrustState) -> f32 {
        let Some(leg) = self.leg(state) else { return 0.0 };
        let burning = f32::from(u8::from(leg.port)) - f32::from(u8::from(leg.starboard));
        let share = leg.until_turned.map_or(1.0, |limit| 1.0 - state.turned.abs() / limit);
        burning * share.max(LEAST_SHARE)
    }

    /// The state after a frame in which the craft moved by `moved` from `before` to `after`. After the
    /// last leg the program has ended, unless it begins [`again`](Self::again).
    ///
    /// A heading that is undefined turns nothing: the turn goes on from the last one that was not.
    pub(crate) fn advance(
        &self,
        state: ThrustState,
        before: Motion,
        after: Motion,
        moved: Vec2,
    ) -> ThrustState {
        let Some(leg) = self.leg(state) else { return state };
        let last = state.course.or_else(|| self.course(before));
        let now = self.course(after);
        let turn = match (last, now) {
            (Some(last), Some(now)) => libm::atan2f(last.perp_dot(now), last.dot(now)).to_degrees(),
            (_, _) => 0.0,
        };
        let next = ThrustState {
            leg: state.leg,
            moved: state.moved + moved,
            turned: state.turned + turn,
            course: now.or(last),
        };
        let over = leg.until_moved.is_some_and(|limit| next.moved.length() >= limit)
            || leg.until_turned.is_some_and(|limit| next.turned.abs() >= limit);
        if over { ThrustState { leg: state.leg + 1, ..ThrustState::default() } } else { next }
    }

    /// The beginning of the first leg, if the program has ended and repeats; else the state as it is.
    pub fn again(&self, state: ThrustState) -> ThrustState {
        let ended = self.leg(state).is_none();
        if ended && self.repeat { ThrustState::default() } else { state }
    }

    /// The heading that turns are measured by, if it is defined.
    fn course(&self, motion: Motion) -> Option<Vec2> {
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

    fn going(degrees: f32, speed: f32) -> Motion {
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

    /// Turns by `by` degrees a frame; returns after how many frames the first leg ended.
    fn frames_to_end(pattern: &ThrustPattern, by: f32, speed: f32) -> Option<u32> {
        let mut state = ThrustState::default();
        for frame in 1..=100 {
            let (before, after) =
                (going(by * (frame - 1) as f32, speed), going(by * frame as f32, speed));
            state = pattern.advance(state, before, after, Vec2::ZERO);
            if state.leg != 0 {
                return Some(frame);
            }
        }
        None
    }

    #[test]
    fn a_turn_is_summed_beyond_half_a_circle_to_either_side() {
        let pattern = program(vec![turning(270.0), turning(1.0)]);
        assert_eq!(frames_to_end(&pattern, 25.0, 1.0), Some(11));
        assert_eq!(frames_to_end(&pattern, -25.0, 1.0), Some(11));
        let far = program(vec![turning(900.0), turning(1.0)]);
        assert_eq!(frames_to_end(&far, 25.0, 1.0), Some(36));
    }

    #[test]
    fn turns_to_and_fro_cancel_and_straight_on_turns_nothing() {
        let pattern = program(vec![turning(30.0), turning(1.0)]);
        let mut state = ThrustState::default();
        for frame in 0..50 {
            let side = |frame: u32| if frame.is_multiple_of(2) { 10.0 } else { -10.0 };
            let (before, after) = (going(side(frame), 1.0), going(side(frame + 1), 1.0));
            state = pattern.advance(state, before, after, Vec2::ZERO);
            assert!(state.leg == 0 && state.turned.abs() < 20.1, "{state:?}");
        }
        assert_eq!(frames_to_end(&pattern, 0.0, 0.3), None);
    }

    #[test]
    fn who_stands_turns_nothing_unless_the_bow_is_measured() {
        let mut pattern = program(vec![turning(90.0), turning(1.0)]);
        assert_eq!(frames_to_end(&pattern, 20.0, 0.0), None);
        pattern.heading_from = HeadingFrom::Orientation;
        assert_eq!(frames_to_end(&pattern, 20.0, 0.0), Some(5));
    }

    #[test]
    fn a_turn_goes_on_from_the_last_heading_that_was_defined() {
        let pattern = program(vec![turning(90.0), turning(1.0)]);
        let state = ThrustState::default();
        let state = pattern.advance(state, going(0.0, 1.0), going(0.0, 0.0), Vec2::ZERO);
        let state = pattern.advance(state, going(0.0, 0.0), going(60.0, 1.0), Vec2::ZERO);
        assert!((state.turned - 60.0).abs() < 1e-4, "{state:?}");
    }

    #[test]
    fn a_displacement_is_a_vector_and_either_limit_ends_a_leg() {
        let both = Leg { until_moved: Some(2.0), until_turned: Some(45.0), ..Leg::default() };
        let pattern = program(vec![both, turning(1.0)]);
        let by = |state, moved| pattern.advance(state, going(0.0, 1.0), going(0.0, 1.0), moved);
        let state = by(by(by(ThrustState::default(), Vec2::X), -Vec2::X), Vec2::X);
        assert_eq!((state.leg, state.moved), (0, Vec2::X));
        assert_eq!(by(state, Vec2::X), ThrustState { leg: 1, ..ThrustState::default() });
        let turned =
            pattern.advance(ThrustState::default(), going(0.0, 1.0), going(46.0, 1.0), Vec2::X);
        assert_eq!(turned.leg, 1);
    }

    #[test]
    fn thrusters_ease_off_on_turning_legs_alone() {
        let pattern = program(vec![turning(90.0)]);
        let at = |turned| pattern.side_share(ThrustState { turned, ..ThrustState::default() });
        assert_eq!([at(0.0), at(45.0), at(-45.0), at(89.0)], [1.0, 0.5, 0.5, LEAST_SHARE]);
        let leg = Leg { starboard: true, until_moved: Some(1.0), ..Leg::default() };
        let state = ThrustState { turned: 80.0, ..ThrustState::default() };
        assert_eq!(program(vec![leg]).side_share(state), -1.0);
        let both = Leg { port: true, starboard: true, ..Leg::default() };
        assert_eq!(program(vec![both]).side_share(state), 0.0);
    }

    #[test]
    fn the_last_leg_is_followed_by_the_first_or_by_nothing() {
        let mut pattern = program(vec![turning(1.0)]);
        let end = |pattern: &ThrustPattern| {
            let state = ThrustState::default();
            pattern.again(pattern.advance(state, going(0.0, 1.0), going(2.0, 1.0), Vec2::X))
        };
        assert_eq!(end(&pattern), ThrustState::default());
        pattern.repeat = false;
        assert_eq!((pattern.leg(end(&pattern)), pattern.side_share(end(&pattern))), (None, 0.0));
    }
}
