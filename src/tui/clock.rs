//! How much simulated time a stretch of real time is worth.
//!
//! A pure value: it never looks at a clock, it is told how much time has passed.

use core::fmt;
use core::time::Duration;

/// How fast time runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Speed(u8);

impl Speed {
    /// As fast as the clock on the wall.
    pub const NORMAL: Self = Self(3);
    /// As fast as the machine can.
    pub const MAX: Self = Self(10);

    /// Every speed, the slowest first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=Self::MAX.0).map(Self)
    }

    /// The next faster one.
    #[must_use]
    pub fn faster(self) -> Self {
        Self(self.0 + 1).min(Self::MAX)
    }

    /// The next slower one.
    #[must_use]
    pub fn slower(self) -> Self {
        Self(self.0.saturating_sub(1))
    }

    /// Simulated seconds a real one; `None` for as fast as the machine can.
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

/// The most real time that is made up for at once: after a longer pause (a laptop's lid, a slow
/// terminal) the rest is forgotten, so that a slow machine falls behind but never spirals.
const LONGEST: Duration = Duration::from_millis(250);

/// Frames a batch at most, as fast as the machine can; the budget of time ends it before.
const BATCH: u32 = 1_000_000;

/// Turns real time into frames.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clock {
    /// How fast time runs.
    pub speed: Speed,
    /// Does it run?
    pub playing: bool,
    /// Does it run back?
    pub backwards: bool,
    /// Simulated seconds that are due but make no whole frame yet.
    owed: f64,
}

impl Clock {
    /// A clock at normal speed.
    pub fn new(playing: bool) -> Self {
        Self { speed: Speed::NORMAL, playing, backwards: false, owed: 0.0 }
    }

    /// Starts forwards, or stops. What was due is forgotten.
    pub fn set_playing(&mut self, playing: bool) {
        self.playing = playing;
        self.backwards = false;
        self.owed = 0.0;
    }

    /// Forgets what was due.
    pub fn forget_due(&mut self) {
        self.owed = 0.0;
    }

    /// Starts backwards.
    pub fn play_back(&mut self) {
        self.set_playing(true);
        self.backwards = true;
    }

    /// How many frames of `tick` seconds are due after another `elapsed`.
    pub fn advance(&mut self, elapsed: Duration, tick: f64) -> u32 {
        if !self.playing {
            return 0;
        }
        let Some(factor) = self.speed.factor() else { return BATCH };
        self.owed += elapsed.min(LONGEST).as_secs_f64() * factor;
        // A hair more than is due: 0.1 s are two frames of 0.05 s, whatever the rounding says.
        let frames = (self.owed / tick + 1e-9).floor();
        self.owed = (self.owed - frames * tick).max(0.0);
        frames as u32
    }

    /// Real time until the next frame is due; `None` while time stands.
    pub fn until_next(&self, tick: f64) -> Option<Duration> {
        let factor = self.speed.factor().unwrap_or(f64::INFINITY);
        self.playing.then(|| Duration::from_secs_f64(((tick - self.owed) / factor).max(0.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn frames_are_due_as_time_passes() {
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
    fn a_long_pause_is_not_made_up_for() {
        let mut clock = Clock::new(true);
        assert_eq!(clock.advance(3_600_000 * MS, 0.05), 5);
        assert_eq!(clock.advance(50 * MS, 0.05), 1);
    }

    #[test]
    fn no_frame_is_lost_or_won_in_a_minute_of_odd_slices() {
        let mut clock = Clock::new(true);
        let frames: u32 = (0..60_000 / 7).map(|_| clock.advance(7 * MS, 0.05)).sum();
        assert_eq!(frames, 60_000 / 7 * 7 / 50);
    }

    #[test]
    fn speeds_have_ends_and_names() {
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
