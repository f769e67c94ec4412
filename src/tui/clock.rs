//! Playback clock: converts elapsed real time to simulated frames.
//!
//! This module reads no system clock. The caller passes in the elapsed time.

use core::fmt;
use core::time::Duration;

/// Playback speed: unlimited, or a power of two from 1/8 to 64 simulated seconds per real second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Speed(u8);

impl Speed {
    /// Normal speed: one simulated second per real second.
    pub const NORMAL: Self = Self(3);
    /// Unlimited speed: as fast as the machine can simulate.
    pub const MAX: Self = Self(10);

    /// Returns all speeds, from slowest to fastest.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=Self::MAX.0).map(Self)
    }

    /// Returns the next higher speed, at most [`Speed::MAX`].
    #[must_use]
    pub fn faster(self) -> Self {
        Self(self.0 + 1).min(Self::MAX)
    }

    /// Returns the next lower speed. The lowest speed is 1/8.
    #[must_use]
    pub fn slower(self) -> Self {
        Self(self.0.saturating_sub(1))
    }

    /// Returns the simulated seconds per real second. Returns `None` for [`Speed::MAX`].
    pub fn factor(self) -> Option<f64> {
        (self < Self::MAX).then(|| f64::from(1 << self.0) / 8.0)
    }
}

impl Default for Speed {
    fn default() -> Self {
        Self::NORMAL
    }
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            slow @ 0..3 => write!(f, "×1/{}", 8 >> slow),
            10.. => f.write_str("max"),
            fast => write!(f, "×{}", (1 << fast) / 8),
        }
    }
}

/// Maximum real time counted per call. Longer pauses are cut to this time, for example while a
/// laptop is closed. On a slow machine, playback then falls behind, and the number of frames per
/// call stays limited.
const MAX_ELAPSED: Duration = Duration::from_millis(250);

/// Maximum number of frames per call at [`Speed::MAX`]. Usually, the caller's time budget ends a
/// call earlier.
const MAX_BATCH: u32 = 1_000_000;

/// Converts real time to frames at the current speed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clock {
    pub speed: Speed,
    /// Whether the run is playing, forwards or backwards.
    pub playing: bool,
    /// Whether the run plays backwards. Only used while `playing` is true.
    pub backwards: bool,
    /// Simulated seconds that previous calls have not converted to frames. Less than one frame.
    remainder: f64,
}

impl Clock {
    /// Creates a clock at normal speed. The clock plays forwards if `playing` is true, otherwise it
    /// is paused.
    pub fn new(playing: bool) -> Self {
        Self { speed: Speed::NORMAL, playing, backwards: false, remainder: 0.0 }
    }

    /// Plays forwards if `playing` is true, otherwise pauses. Discards the remainder, so that the
    /// next frame takes its full time.
    pub fn set_playing(&mut self, playing: bool) {
        self.playing = playing;
        self.backwards = false;
        self.remainder = 0.0;
    }

    /// Discards the time that is not yet converted to frames, so that the next frame takes its full
    /// time.
    pub fn discard_remainder(&mut self) {
        self.remainder = 0.0;
    }

    pub fn play_backwards(&mut self) {
        self.set_playing(true);
        self.backwards = true;
    }

    /// Adds `elapsed` real time, and returns the number of frames that are due. `tick` is the
    /// duration of a frame in seconds. Returns 0 while paused.
    pub fn advance(&mut self, elapsed: Duration, tick: f64) -> u32 {
        if !self.playing {
            return 0;
        }
        let Some(factor) = self.speed.factor() else { return MAX_BATCH };
        self.remainder += elapsed.min(MAX_ELAPSED).as_secs_f64() * factor;
        // Tolerate rounding errors: 0.1 s must give two frames of 0.05 s.
        let frames = (self.remainder / tick + 1e-9).floor();
        self.remainder = (self.remainder - frames * tick).max(0.0);
        frames as u32
    }

    /// Returns the real time until the next frame. Returns `None` while paused. `tick` is the
    /// duration of a frame in seconds.
    pub fn until_next(&self, tick: f64) -> Option<Duration> {
        let factor = self.speed.factor().unwrap_or(f64::INFINITY);
        self.playing.then(|| Duration::from_secs_f64(((tick - self.remainder) / factor).max(0.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn elapsed_time_gives_frames() {
        let mut clock = Clock::new(true);
        assert_eq!(clock.advance(49 * MS, 0.05), 0);
        assert_eq!(clock.until_next(0.05).map(|wait| wait.as_millis()), Some(1));
        assert_eq!(clock.advance(MS, 0.05), 1);
        assert_eq!(clock.advance(100 * MS, 0.05), 2);
        clock.speed = clock.speed.faster().faster();
        assert_eq!(clock.advance(100 * MS, 0.05), 8);
        clock.set_playing(false);
        assert_eq!((clock.advance(100 * MS, 0.05), clock.until_next(0.05)), (0, None));
    }

    #[test]
    fn the_frames_of_a_long_pause_are_not_caught_up() {
        let mut clock = Clock::new(true);
        assert_eq!(clock.advance(3_600_000 * MS, 0.05), 5);
        assert_eq!(clock.advance(50 * MS, 0.05), 1);
    }

    #[test]
    fn uneven_intervals_lose_no_frames() {
        let mut clock = Clock::new(true);
        let frames: u32 = (0..60_000 / 7).map(|_| clock.advance(7 * MS, 0.05)).sum();
        assert_eq!(frames, 60_000 / 7 * 7 / 50);
    }

    #[test]
    fn speeds_are_limited_and_displayed() {
        let mut speed = Speed::NORMAL;
        assert_eq!(speed.to_string(), "×1");
        for _ in 0..9 {
            speed = speed.slower();
        }
        assert_eq!((speed.to_string(), speed.factor()), ("×1/8".to_owned(), Some(0.125)));
        for _ in 0..9 {
            speed = speed.faster();
        }
        assert_eq!((speed.to_string(), speed.factor()), ("×64".to_owned(), Some(64.0)));
        assert_eq!(
            (speed.faster().to_string(), speed.faster().faster()),
            ("max".to_owned(), Speed::MAX)
        );
        let mut clock = Clock { speed: Speed::MAX, ..Clock::new(true) };
        assert!(clock.advance(MS, 0.05) > 1000);
        assert_eq!(clock.until_next(0.05), Some(Duration::ZERO));
    }
}
