//! The times of frames: the length of a frame, and times that are rounded or can't be used.

use tilewalk_sim::sort::SmallSort;
use tilewalk_sim::trace::ReadWarning;

use crate::traces::columns::Role;

use super::Collected;
use super::placement::USUAL_TICK;

/// Number of units of the last digit that rounded times must cover, so that the length of a frame
/// is known to 10 %.
const LEAST_UNITS: f64 = 10.0;

/// The time of a frame in the file.
#[derive(Debug, Clone, Copy)]
pub(super) struct FrameTime {
    /// Number of the frame in the file.
    pub key: f64,
    pub seconds: f64,
    pub line: u32,
    /// Column of the time in its line.
    pub column: u32,
}

/// The lengths of the frames.
#[derive(Debug, Default)]
pub(super) struct Clock {
    /// Length of a frame, if the file or an option contains times.
    pub tick: Option<f64>,
    /// Seconds from frame 0 to each frame, if the frames differ in length.
    pub times: Option<Vec<f32>>,
    /// The warning about times that are ignored.
    pub warning: Option<ReadWarning>,
}

impl Collected {
    /// Returns the lengths of the frames with the given keys.
    pub(super) fn clock(&mut self, keys: &[f64]) -> Clock {
        let has_times = self.columns.has(Role::Time) || !self.columns.has(Role::Frame);
        if let Some(fps) = self.options.fps {
            return Clock { tick: Some(1.0 / fps), ..Clock::default() };
        }
        if keys.len() < 2 || !has_times {
            return Clock::default();
        }
        let times = match self.times_of(keys) {
            Ok(times) => times,
            Err(warning) => return Clock { warning: Some(warning), ..Clock::default() },
        };
        let seconds: Vec<f64> = times.iter().map(|time| time.seconds).collect();
        let Some(wrong) = seconds.windows(2).position(|pair| pair[1] <= pair[0]) else {
            return exact(&seconds);
        };
        if let Some(tick) = rounded_rate(&seconds) {
            return Clock { tick: Some(tick), ..Clock::default() };
        }
        let (before, frame) = (wrong, wrong + 1);
        let what = if seconds[before] == seconds[frame] {
            format!("frame {frame} has the same time as frame {before}")
        } else {
            format!("the time of frame {frame} is before that of frame {before}")
        };
        let place = Some((times[frame].line, times[frame].column));
        Clock { warning: Some(ignored(place, &what)), ..Clock::default() }
    }

    /// Returns the time of each frame, or a warning if a frame has none.
    fn times_of(&mut self, keys: &[f64]) -> Result<Vec<FrameTime>, ReadWarning> {
        if !self.columns.has(Role::Frame) {
            let time = |&key: &f64| FrameTime { key, seconds: key, line: 0, column: 0 };
            return Ok(keys.iter().map(time).collect());
        }
        self.times.small_sort_by(|a, b| a.key.total_cmp(&b.key));
        let mut times = Vec::with_capacity(keys.len());
        for (frame, &key) in keys.iter().enumerate() {
            let index = self.times.partition_point(|time| time.key < key);
            let Some(time) = self.times.get(index).filter(|time| time.key == key) else {
                let row = self.rows.iter().find(|row| self.frame_keys[row.key as usize] == key);
                let place = row.map(|row| (row.line, 1));
                return Err(ignored(place, &format!("frame {frame} has no time")));
            };
            times.push(*time);
        }
        Ok(times)
    }
}

/// Returns the clock of times that increase with each frame.
fn exact(seconds: &[f64]) -> Clock {
    let mut steps: Vec<f64> = seconds.windows(2).map(|pair| pair[1] - pair[0]).collect();
    steps.small_sort_by(f64::total_cmp);
    let tick = steps[steps.len() / 2];
    // Times that programs print are rounded.
    let is_even = seconds
        .iter()
        .enumerate()
        .all(|(frame, time)| (time - seconds[0] - frame as f64 * tick).abs() < 0.01 * tick);
    let times = seconds.iter().map(|time| (time - seconds[0]) as f32).collect();
    Clock { tick: Some(rounded(tick)), times: (!is_even).then_some(times), warning: None }
}

/// Returns the length of a frame if the times are those of frames of equal length, rounded to a
/// number of digits. Then several frames can have the same time.
fn rounded_rate(seconds: &[f64]) -> Option<f64> {
    let digits = seconds.iter().map(|time| decimals(*time)).max()?;
    let unit: f64 = (0..digits).fold(1.0, |unit, _| unit / 10.0);
    let (first, last) = (seconds[0], seconds[seconds.len() - 1]);
    let tick = (last - first) / (seconds.len() - 1) as f64;
    let increases = seconds.is_sorted() && last - first >= (LEAST_UNITS - 0.5) * unit;
    // The first and the last time are rounded, too.
    let fits =
        |(frame, time): (usize, &f64)| (time - first - frame as f64 * tick).abs() <= 1.001 * unit;
    (increases && seconds.iter().enumerate().all(fits)).then(|| rounded(tick))
}

/// Returns the number of digits after the decimal point.
fn decimals(number: f64) -> usize {
    let text = number.to_string();
    text.split_once('.').map_or(0, |(_, digits)| digits.len())
}

/// Returns the warning about times that are not used.
fn ignored(place: Option<(u32, u32)>, what: &str) -> ReadWarning {
    let text =
        format!("{what}: the times are ignored, and each frame takes {USUAL_TICK} s; set --fps");
    ReadWarning { kind: "time", place, text }
}

/// Removes the error of subtraction: rounds to nine significant digits.
fn rounded(tick: f64) -> f64 {
    format!("{tick:.9e}").parse().unwrap_or(tick)
}
