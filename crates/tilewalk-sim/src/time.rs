//! Frame numbers, the simulator's measure of time.

use core::fmt;

/// A frame number; frame 0 is the initial state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Frame(pub u64);

impl Frame {
    /// Returns the frame number plus one.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }

    /// Returns the time from frame 0 to this frame, in seconds. `tick` is the duration of a frame
    /// in seconds. The time is computed in f64, then rounded to f32.
    pub(crate) fn seconds(self, tick: f64) -> f32 {
        (self.0 as f64 * tick) as f32
    }
}

impl fmt::Display for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
