//! A progress bar on standard error, if it is a terminal.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// Minimum time between two redraws of the bar.
const DRAW_EVERY: Duration = Duration::from_millis(100);

/// Number of characters of the bar.
const WIDTH: u64 = 24;

/// A progress bar. Nothing is drawn if standard error is not a terminal.
pub(super) struct Bar {
    is_drawn: bool,
    total: u64,
    what: &'static str,
    done: u64,
    /// Number of items that an earlier, interrupted sweep finished.
    before: u64,
    started: Instant,
    drawn: Option<Instant>,
}

impl Bar {
    /// Creates a bar for `total` items. `what` is the plural name of the items.
    pub fn new(total: u64, what: &'static str) -> Self {
        let is_drawn = io::stderr().is_terminal();
        Self { is_drawn, total, what, done: 0, before: 0, started: now(), drawn: None }
    }

    /// Starts measuring the time. `before` is the number of items that are already finished.
    pub fn start(&mut self, before: u64) {
        (self.done, self.before, self.started) = (before, before, now());
    }

    /// Counts one more finished item. Redraws the bar if at least [`DRAW_EVERY`] has passed since
    /// the last drawing.
    pub fn add(&mut self) {
        self.done += 1;
        if !self.is_drawn || self.drawn.is_some_and(|drawn| drawn.elapsed() < DRAW_EVERY) {
            return;
        }
        self.drawn = Some(now());
        let text = line(self.done, self.before, self.total, self.what, self.started.elapsed());
        let _ = write!(io::stderr(), "\r{text}\x1b[K");
    }

    /// Removes the bar from the screen until the next drawing.
    pub fn clear(&mut self) {
        if self.drawn.take().is_some() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the bar shows the rate and the time left")]
fn now() -> Instant {
    Instant::now()
}

fn line(done: u64, before: u64, total: u64, what: &str, elapsed: Duration) -> String {
    let full = (done * WIDTH / total.max(1)) as usize;
    let bar = format!("{}{}", "#".repeat(full), ".".repeat(WIDTH as usize - full));
    let seconds = elapsed.as_secs_f64();
    let rate = (done - before) as f64 / seconds.max(1e-3);
    let left = (total - done) as f64 / rate.max(1e-9);
    let rate = if rate < 10.0 { format!("{rate:.1}") } else { format!("{rate:.0}") };
    format!("[{bar}] {done} of {total} {what}, {rate} per second, {} left", time(left))
}

/// Formats a time in its two largest units, such as `3 min 20 s`.
fn time(seconds: f64) -> String {
    let seconds = seconds.ceil() as u64;
    let (minutes, hours, days) = (seconds / 60, seconds / 3_600, seconds / 86_400);
    match () {
        () if days > 0 => format!("{days} d {} h", hours % 24),
        () if hours > 0 => format!("{hours} h {} min", minutes % 60),
        () if minutes > 0 => format!("{minutes} min {} s", seconds % 60),
        () => format!("{seconds} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_counts_only_runs_since_the_last_start() {
        let text = line(75, 25, 100, "runs", Duration::from_secs(25));
        assert_eq!(text, "[##################......] 75 of 100 runs, 2.0 per second, 13 s left");
        assert_eq!(time(3_700.0), "1 h 1 min");
        assert_eq!(time(90_061.0), "1 d 1 h");
        assert_eq!(time(61.5), "1 min 2 s");
    }
}
