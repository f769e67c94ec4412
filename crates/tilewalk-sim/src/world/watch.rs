//! What tells whether an agent gets anywhere, and how often it didn't.

use crate::geom::lanes::{Lanes, splat};
use crate::geom::{Vec2, Vectors};

/// Seconds an agent stays where it is, though it wants to move, before it is stuck.
pub const STUCK_AFTER: f64 = 3.0;

/// How far, in tiles, it may come from its anchor and still be where it is.
const STUCK_WITHIN: f32 = 0.5;

/// How far, in tiles, it may come from its centre and still be going in circles.
const CIRCLES_WITHIN: f32 = 2.0;

/// Three whole turns, in radians.
const CIRCLES: f32 = 3.0 * core::f32::consts::TAU;

/// The sharpest turn of a frame that counts, in radians: who goes back has turned to neither side.
const SHARPEST: f32 = 0.75 * core::f32::consts::PI;

/// Where an agent has stayed lately, and how far it has turned there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spot {
    /// Where it was when it last got away or had no wish to, in tiles.
    pub anchor: Vec2,
    /// Frames it has wished to get away from there since.
    pub frames: u32,
    /// Where it was when its turn was last counted anew, in tiles.
    pub centre: Vec2,
    /// Its turn since, in radians: to the right positive.
    pub turned: f32,
}

impl Spot {
    /// An agent that has just come here.
    pub fn at(position: Vec2) -> Self {
        Self { anchor: position, frames: 0, centre: position, turned: 0.0 }
    }

    /// Another frame near the anchor, or away from it. `offset` is the way from the anchor to where
    /// the agent is; says whether it has been stuck for so many frames.
    pub(crate) fn stay(&mut self, here: Vec2, offset: Vec2, wants: bool, most: u32) -> bool {
        self.wait(here, wants && !gets_away(Vectors::splat(offset)).any(), most)
    }

    /// The same of an agent that waits to get away, or doesn't.
    #[inline]
    pub(crate) fn wait(&mut self, here: Vec2, waits: bool, most: u32) -> bool {
        if waits {
            self.frames = self.frames.saturating_add(1);
        } else {
            self.anchor = here;
            self.frames = 0;
        }
        self.frames >= most
    }

    /// Another turn, in radians; says whether it makes three whole ones in one place. Then they are
    /// counted anew, as when the agent gets away. `offset` is the way from the centre.
    pub(crate) fn turn(&mut self, here: Vec2, offset: Vec2, by: f32) -> bool {
        self.circle(here, leaves_circle(Vectors::splat(offset)).any(), by)
    }

    /// The same of an agent that is away from the centre, or not.
    #[inline]
    pub(crate) fn circle(&mut self, here: Vec2, away: bool, by: f32) -> bool {
        self.turned += if by.abs() > SHARPEST { 0.0 } else { by };
        let circles = !away && self.turned.abs() >= CIRCLES;
        if away || circles {
            self.centre = here;
            self.turned = 0.0;
        }
        circles
    }
}

/// Are agents no longer where they were, so far from their anchors?
#[inline]
pub(crate) fn gets_away(offsets: Vectors) -> Lanes {
    offsets.length_squared().simd_gt(splat(STUCK_WITHIN * STUCK_WITHIN))
}

/// Do agents no longer go in circles, so far from their centres?
#[inline]
pub(crate) fn leaves_circle(offsets: Vectors) -> Lanes {
    offsets.length_squared().simd_gt(splat(CIRCLES_WITHIN * CIRCLES_WITHIN))
}

/// How often what has happened to an agent since frame 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Bumps into something solid.
    pub bumps: u32,
    /// Times its way was blocked.
    pub blocked: u32,
    /// Times it was stuck.
    pub stuck: u32,
    /// Times it went in circles.
    pub circling: u32,
}

impl Tally {
    /// Mean time between bumps: seconds of the run for each bump; `None` without one.
    pub fn seconds_between_bumps(self, seconds: f32) -> Option<f32> {
        (self.bumps > 0).then(|| seconds / self.bumps as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_wants_away_and_stays_is_stuck_after_so_many_frames() {
        let mut spot = Spot::at(Vec2::ZERO);
        let near = Vec2::new(0.3, 0.4);
        let mut stuck = |offset, wants| spot.stay(offset, offset, wants, 3);
        assert_eq!([(); 3].map(|()| stuck(near, true)), [false, false, true]);
        assert!(stuck(near, true), "as long as it lasts");
        assert!(!stuck(near, false), "who has arrived is not stuck");
        assert_eq!([(); 2].map(|()| stuck(near, true)), [false, false]);
        assert!(!stuck(Vec2::new(0.6, 0.0), true), "it got away");
    }

    #[test]
    fn turns_to_and_fro_are_no_circles() {
        let mut spot = Spot::at(Vec2::ZERO);
        for turn in 0..100 {
            assert!(!spot.turn(Vec2::X, Vec2::X, if turn % 2 == 0 { 1.0 } else { -1.0 }));
        }
        let turns = (0..100).position(|_| spot.turn(Vec2::X, Vec2::X, -1.0)).unwrap();
        assert_eq!((turns, spot.turned), (18, 0.0), "1080° are 18.8 radians");
        assert!((0..100).all(|_| !spot.turn(Vec2::X, Vec2::X, 3.0)), "to and fro is no circle");
        spot.turned = 18.0;
        assert!(!spot.turn(Vec2::new(3.0, 0.0), Vec2::new(3.0, 0.0), 1.0), "it got away");
        assert_eq!(spot.turned, 0.0);
    }
}
