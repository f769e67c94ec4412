//! The result of a test as text and numbers, for all output formats.

use serde::Serialize;

use crate::judge::Outcome;
use crate::statistics::Interval;
use crate::testing::{Case, Tested};
use crate::words::count;

/// The result of a test. The field names are those of `tilewalk test --format json`.
#[derive(Debug, Serialize)]
pub(super) struct TestReport {
    /// Path of the map, `::` and name of the expectation.
    pub id: String,
    /// File of the expectation.
    pub file: String,
    pub line: usize,
    pub column: usize,
    /// `pass`, `fail`, `inconclusive` or `error`.
    pub verdict: &'static str,
    /// Whether the test counts as passed.
    pub is_ok: bool,
    pub shares: Shares,
    /// The reason why the expectation is known to fail.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fails: Option<String>,
    /// The run that shows why the expectation is not met.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// The reason why the map cannot be run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Computation time in seconds, with `--times`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<f64>,
}

/// How many seeds passed.
#[derive(Debug, Serialize)]
pub(super) struct Shares {
    pub passed: u64,
    pub failed: u64,
    pub inconclusive: u64,
    /// Number of seeds that could be judged.
    pub seeds: u64,
    pub at_least: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// Ends of the confidence sequence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<[f64; 2]>,
    /// Ends of the interval of Clopper and Pearson, with `--all-seeds`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact_interval: Option<[f64; 2]>,
}

/// A run that shows why an expectation is not met.
#[derive(Debug, Serialize)]
pub(super) struct Failure {
    pub seed: u64,
    pub frame: u64,
    pub seconds: f32,
    pub why: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The command that opens the run on the screen.
    pub command: String,
    /// A small map that fails in the same way, with `--shrink`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reduced: Option<Reduced>,
    /// The recording of the run, with `--keep`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recording: Option<String>,
}

/// A small map that fails in the same way.
#[derive(Debug, Serialize)]
pub(super) struct Reduced {
    /// File of the map.
    pub file: String,
    /// Size of the map, and number of runs of the search.
    pub summary: String,
}

impl TestReport {
    pub fn of(case: &Case, tested: &Tested) -> Self {
        let (file, line, column) = case.place.clone();
        let is_ok = tested.is_ok();
        let ends = |interval: Interval| [interval.lower, interval.upper];
        let failure = tested.shown().filter(|_| !is_ok).map(|run| Failure {
            seed: run.seed,
            frame: run.verdict.frame,
            seconds: run.seconds,
            why: match &case.expectation.fails {
                Some(reason) if tested.outcome == Outcome::Fail => {
                    format!("passes, but is expected to fail ({reason}): remove `fails`")
                }
                Some(_) | None => run.why.clone(),
            },
            agent: run.agent.clone(),
            command: case.command(run),
            reduced: None,
            recording: None,
        });
        Self {
            id: case.id.clone(),
            file,
            line,
            column,
            verdict: if tested.error.is_some() { "error" } else { tested.outcome.word() },
            is_ok,
            shares: Shares {
                passed: tested.tally.passed,
                failed: tested.tally.failed - tested.counted_inconclusive(),
                inconclusive: tested.inconclusive,
                seeds: case.seeds.len() as u64,
                at_least: case.expectation.at_least,
                confidence: case.expectation.confidence,
                interval: tested.interval.map(ends),
                exact_interval: tested.exact.map(ends),
            },
            fails: case.expectation.fails.clone(),
            failure,
            error: tested.error.as_ref().map(|(seed, why)| format!("seed {seed}: {why}")),
            time: None,
        }
    }

    /// Returns the path of the map and the name of the expectation.
    pub fn parts(&self) -> (&str, &str) {
        self.id.split_once("::").unwrap_or(("", &self.id))
    }

    /// Returns the lines that describe why the test is not met; no lines for a passed test.
    pub fn reasons(&self) -> Vec<String> {
        let place = format!("{}:{}:{}", self.file, self.line, self.column);
        if let Some(error) = &self.error {
            return vec![place, error.clone()];
        }
        let Some(failure) = &self.failure else { return Vec::new() };
        let Failure { seed, frame, seconds, why, command, reduced, recording, .. } = failure;
        let at = format!("{place}: seed {seed}, frame {frame} ({seconds:.2} s)");
        let reduced = reduced.as_ref().map(|it| format!("shrunk: {}: {}", it.file, it.summary));
        let recording = recording.as_ref().map(|path| format!("recording: {path}"));
        [at, why.clone(), command.clone()].into_iter().chain(reduced).chain(recording).collect()
    }
}

impl Shares {
    /// Describes the shares, such as `190 of 200 seeds, 93.1 % to 97.8 %`.
    pub fn text(&self) -> String {
        let judged = self.passed + self.failed + self.inconclusive;
        let listed = match self.seeds {
            seeds if seeds > judged => format!(" ({seeds} listed)"),
            _ => String::new(),
        };
        let mut parts = vec![format!("{} of {}{listed}", self.passed, count(judged, "seed"))];
        if self.inconclusive > 0 {
            parts.push(format!("{} inconclusive", self.inconclusive));
        }
        let percent =
            |[lower, upper]: [f64; 2]| format!("{:.1} % to {:.1} %", lower * 100.0, upper * 100.0);
        if let Some(interval) = self.interval {
            let exact = self.exact_interval.map(|exact| format!(" (exact: {})", percent(exact)));
            parts.push(percent(interval) + &exact.unwrap_or_default());
        }
        parts.join(", ")
    }
}
