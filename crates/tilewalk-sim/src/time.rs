//! Frames, the only measure of time in the simulator.

use core::fmt;

/// One step of simulated time; frame 0 is the initial state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Frame(pub u64);

impl Frame {
    /// The frame after this one.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }

    /// Seconds since frame 0, at `tick` seconds a frame: multiplied in f64, then rounded.
    pub(crate) fn seconds(self, tick: f64) -> f32 {
        (self.0 as f64 * tick) as f32
    }
}

impl fmt::Display for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
