//! Detectors of stuck, circling and jittering agents, and event counts.

use crate::body::Body;
use crate::geom::lanes::Lanes;
use crate::geom::{Vec2, Vectors};

/// Time without headway after which an agent that wants to move is stuck, in seconds. A body takes
/// less time to turn around or to slide past a corner.
pub const STUCK_AFTER: f64 = 3.0;

/// Time without headway after which the detector checks whether a vehicle has reached its
/// destination, in seconds. Most vehicles make headway earlier, so they skip the check.
pub(crate) const SUSPECT_AFTER: f64 = 1.0;

/// Distance from the anchor that counts as headway, in tiles. From the centre of a tile, an agent
/// enters another tile at this distance.
pub(crate) const HEADWAY: f32 = 0.5;

/// Share of a distance that counts as headway of a slow vehicle. The distance is what the vehicle
/// can move at full speed in [`STUCK_AFTER`] seconds.
const SLOW_SHARE: f32 = 0.25;

/// Speed from which turns count as jitter, as a share of `max_speed`. Vehicles that brake each other
/// or themselves jitter at low speeds.
pub(crate) const JITTER_SPEED: f32 = 0.02;

/// Number of seconds in a row after which turning back in most frames is jitter. Vehicles that avoid
/// others, hesitate in a corner or settle in a group turn back for up to two seconds.
pub(crate) const JITTER_SECONDS: u16 = 3;

/// Time between two checks of queues, gathered groups and cycles, in seconds.
pub(crate) const CHECK_EVERY: f64 = 0.5;

/// Distance from [`Detectors::centre`] at which an agent leaves the circle, in tiles.
const CIRCLE_RADIUS: f32 = 2.0;

/// Accumulated angle that counts as circling, in radians: three full turns.
const CIRCLING_ANGLE: f32 = 3.0 * core::f32::consts::TAU;

/// Largest turn per frame that counts as part of a circle, in radians. A larger turn is almost a
/// reversal and has no clear side.
const MAX_TURN: f32 = 0.75 * core::f32::consts::PI;

/// The state of the detectors for stuck, circling and jittering agents.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Detectors {
    /// Position at which the agent last made headway, in tiles.
    pub anchor: Vec2,
    /// Number of consecutive frames in which the agent wanted to move but made no headway.
    pub frames: u32,
    /// The value of `frames` from which the time without headway counts: when the agent last merely
    /// waited, in a queue that moved or in a gathered group. 0 until the first check.
    pub counts_from: u32,
    /// Position at which the circling detector last restarted, in tiles.
    pub centre: Vec2,
    /// Angle turned since the circling detector last restarted, in radians. Positive to the right.
    pub turned: f32,
    /// Number of frames of the current second in which the direction of motion turned by more than
    /// 90°.
    pub reversals: u16,
    /// Number of seconds in a row in which the direction turned back in more than half of the
    /// frames, up to `JITTER_SECONDS`.
    pub jitter_seconds: u16,
}

impl Detectors {
    /// Creates detectors that start at a position in tiles.
    pub(crate) fn at(position: Vec2) -> Self {
        let (anchor, centre) = (position, position);
        let (frames, counts_from, turned) = (0, 0, 0.0);
        Self { anchor, frames, counts_from, centre, turned, reversals: 0, jitter_seconds: 0 }
    }

    /// Updates the stuck detector with the position `here`. `waits` is true if the agent wants to
    /// move but is still near the anchor.
    #[inline]
    pub(crate) fn wait(&mut self, here: Vec2, waits: bool) {
        if waits {
            self.frames = self.frames.saturating_add(1);
        } else {
            self.anchor = here;
            self.frames = 0;
            self.counts_from = 0;
        }
    }

    /// Returns true if the vehicle jitters.
    pub fn jitters(&self) -> bool {
        self.jitter_seconds >= JITTER_SECONDS
    }

    /// Updates the jitter detector. `reverses` is true if the vehicle's direction of motion turned
    /// by more than 90° in this frame.
    #[inline]
    pub(crate) fn reverse(&mut self, reverses: bool) {
        self.reversals = self.reversals.saturating_add(u16::from(reverses));
    }

    /// Updates the circling detector with a turn of `by` radians. After three full turns in one
    /// place, returns true and restarts the detector.
    ///
    /// `offset` is the shortest vector from [`Detectors::centre`] to `here`, in tiles.
    pub(crate) fn turn(&mut self, here: Vec2, offset: Vec2, by: f32) -> bool {
        self.circle(here, leaves_circle(Vectors::from(offset)), by)
    }

    /// Updates the circling detector with a turn of `by` radians. After three full turns in one
    /// place, returns true and restarts the detector.
    ///
    /// `away` is true if the agent has left the circle.
    #[inline]
    pub(crate) fn circle(&mut self, here: Vec2, away: bool, by: f32) -> bool {
        self.turned += if by.abs() > MAX_TURN { 0.0 } else { by };
        let circles = !away && self.turned.abs() >= CIRCLING_ANGLE;
        if away || circles {
            self.centre = here;
            self.turned = 0.0;
        }
        circles
    }
}

/// Returns the distance from the anchor that counts as headway for a vehicle, in tiles.
#[inline]
pub(crate) fn headway(body: &Body) -> f32 {
    (body.max_speed * STUCK_AFTER as f32 * SLOW_SHARE).min(HEADWAY)
}

/// Returns a mask of the lanes in which the agent has made headway. `offsets` are the vectors
/// between anchor and agent. `headway` is the minimum length of such a vector. All lengths are in
/// tiles.
#[inline(always)]
pub(crate) fn has_headway<L: Lanes>(offsets: Vectors<L>, headway: f32) -> L::Mask {
    let squared = offsets.length_squared();
    squared.gt(squared.like(headway * headway))
}

/// Returns a mask of the lanes in which the agent has left its circle. `offsets` are the vectors
/// between [`Detectors::centre`] and agent, in tiles.
#[inline(always)]
pub(crate) fn leaves_circle<L: Lanes>(offsets: Vectors<L>) -> L::Mask {
    let squared = offsets.length_squared();
    squared.gt(squared.like(CIRCLE_RADIUS * CIRCLE_RADIUS))
}

/// The number of events of each type that happened to an agent since frame 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EventCounts {
    /// Number of times the agent began to touch a solid tile, an obstacle or a wall.
    pub bumps: u32,
    /// Number of times the agent became blocked.
    pub blocked: u32,
    /// Number of times the agent became stuck.
    pub stuck: u32,
    /// Number of times the circling detector reported the agent.
    pub circling: u32,
    /// Number of times the agent began to oscillate.
    pub oscillating: u32,
    /// Number of times the agent became deadlocked.
    pub deadlocked: u32,
}

impl EventCounts {
    /// Returns the mean time between bumps, in seconds. `seconds` is the length of the run. Returns
    /// `None` if there were no bumps.
    pub fn seconds_between_bumps(self, seconds: f32) -> Option<f32> {
        (self.bumps > 0).then(|| seconds / self.bumps as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_without_progress_becomes_stuck() {
        let mut detectors = Detectors::at(Vec2::ZERO);
        let near = Vec2::new(0.3, 0.4);
        let mut frames = |at, wants| {
            let away = has_headway(Vectors::from(at - detectors.anchor), HEADWAY);
            detectors.wait(at, wants && !away);
            detectors.frames
        };
        assert_eq!([(); 3].map(|()| frames(near, true)), [1, 2, 3]);
        assert_eq!(frames(near, false), 0, "an agent that has arrived is not stuck");
        assert_eq!([(); 2].map(|()| frames(near, true)), [1, 2]);
        assert_eq!(frames(Vec2::new(0.9, 0.4), true), 0, "it got away");
    }

    #[test]
    fn alternating_turns_are_not_circling() {
        let mut detectors = Detectors::at(Vec2::ZERO);
        for turn in 0..100 {
            assert!(!detectors.turn(Vec2::X, Vec2::X, if turn % 2 == 0 { 1.0 } else { -1.0 }));
        }
        let turns = (0..100).position(|_| detectors.turn(Vec2::X, Vec2::X, -1.0)).unwrap();
        assert_eq!((turns, detectors.turned), (18, 0.0), "1080° are 18.8 radians");
        assert!(
            (0..100).all(|_| !detectors.turn(Vec2::X, Vec2::X, 3.0)),
            "to and fro is no circle"
        );
        detectors.turned = 18.0;
        assert!(!detectors.turn(Vec2::new(3.0, 0.0), Vec2::new(3.0, 0.0), 1.0), "it got away");
        assert_eq!(detectors.turned, 0.0);
    }
}
