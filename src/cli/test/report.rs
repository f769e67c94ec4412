//! The result of a test as text and numbers, for all output formats.

use serde::Serialize;

use crate::judge::Outcome;
use crate::scenario::expectation::{Expectation, Seeds};
use crate::statistics::{Interval, excluded_failure_rate};
use crate::testing::{Case, RunError, Tested};
use crate::words::count;

/// Confidence of the statement about a failure rate.
const CONFIDENCE: f64 = 0.95;

/// Result of one expectation. The field names are the keys of `tilewalk test --format json`.
#[derive(Debug, Serialize)]
pub(super) struct TestReport {
    /// Path of the map, `::` and name of the expectation.
    pub id: String,
    /// File that contains the expectation.
    pub file: String,
    pub line: usize,
    pub column: usize,
    pub verdict: TestVerdict,
    /// Whether the expectation counts as passed, for the exit code.
    pub is_ok: bool,
    pub shares: Shares,
    /// The map's reason why the expectation is known to fail. `None` if the map gives no reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fails: Option<String>,
    /// The judged seeds that failed, in the order of the seeds of the test.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failing_seeds: Vec<u64>,
    /// Reasons why a passed test can say less than it seems to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Reason why the tested seeds neither prove nor disprove the expectation. `None` if the seeds
    /// are conclusive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undecided: Option<String>,
    /// One run that shows why the expectation is not met; `None` if it is met.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// Seed and message of a run that failed with an error. `None` if no run had an error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Computation time in seconds. `None` without `--times`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<f64>,
}

/// Verdict over all seeds of an expectation. [`TestVerdict::Error`] means that a map does not load, or
/// that a run failed with an error. [`TestVerdict::Timeout`] means that the runs took too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum TestVerdict {
    Pass,
    Fail,
    Inconclusive,
    Error,
    Timeout,
}

impl TestVerdict {
    fn of(tested: &Tested) -> Self {
        match tested.outcome {
            _ if tested.error.as_ref().is_some_and(|error| error.is_late) => Self::Timeout,
            _ if tested.error.is_some() => Self::Error,
            Outcome::Pass => Self::Pass,
            Outcome::Fail => Self::Fail,
            Outcome::Inconclusive => Self::Inconclusive,
        }
    }

    pub fn word(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Inconclusive => "inconclusive",
            Self::Error => "error",
            Self::Timeout => "timeout",
        }
    }
}

/// Number of seeds by result, and intervals of the passing share.
#[derive(Debug, Serialize)]
pub(super) struct Shares {
    pub passed: u64,
    pub failed: u64,
    pub inconclusive: u64,
    /// Number of seeds of the expectation, including seeds that were not judged.
    pub seeds: u64,
    pub at_least: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// Ends of the confidence sequence, as shares from 0 to 1. `None` if no interval was computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<[f64; 2]>,
    /// Whether the share is within the margin around `at_least`.
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    pub within_margin: bool,
    /// Failure rate that the passes make unlikely, at a confidence of 95 %. `None` after a
    /// failure, and for a claim about a share.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub excluded_failure_rate: Option<f64>,
    /// Whether the runs draw random numbers. Without them, all seeds have the same run.
    pub random: bool,
    /// Ends of the Clopper-Pearson interval, as shares from 0 to 1. `None` without `--all-seeds`.
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
    /// Command that opens the run in the terminal UI.
    pub command: String,
    /// A small map that fails in the same way. `None` without `--shrink`, or if shrinking failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reduced: Option<Reduced>,
    /// Path of the file to which failed seeds were added. `None` without `--fresh-seeds`, or if the
    /// file did not change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seeds_file: Option<String>,
    /// Path of the recording of the run. `None` without `--keep`, or if recording failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recording: Option<String>,
    /// Path of the picture of the frame. `None` without `--keep`, or if drawing failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture: Option<String>,
}

/// A small map that fails in the same way as the original.
#[derive(Debug, Serialize)]
pub(super) struct Reduced {
    /// Path of the small map.
    pub file: String,
    /// Text with the size of the small map and the number of runs of the search.
    pub summary: String,
    /// The reason why the small map may show another bug. `None` if it fails at the same frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
    /// Path of a larger map that fails at almost the same frame. `None` without a warning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub close: Option<String>,
}

impl TestReport {
    pub fn of(case: &Case, tested: &Tested) -> Self {
        let (file, line, column) = case.place.clone();
        let is_ok = tested.is_ok();
        let ends = |interval: Interval| [interval.lower, interval.upper];
        let failure = tested.shown.as_ref().filter(|_| !is_ok).map(|run| Failure {
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
            seeds_file: None,
            recording: None,
            picture: None,
        });
        Self {
            id: case.id.clone(),
            file,
            line,
            column,
            verdict: TestVerdict::of(tested),
            is_ok,
            shares: Shares {
                passed: tested.tally.passed,
                failed: tested.tally.failed - tested.counted_inconclusive(),
                inconclusive: tested.inconclusive,
                seeds: tested.seeds,
                at_least: case.expectation.at_least,
                confidence: case.expectation.confidence,
                interval: tested.interval.map(ends),
                within_margin: tested.is_within_margin,
                excluded_failure_rate: excluded(case, tested),
                random: tested.is_random,
                exact_interval: tested.exact.map(ends),
            },
            fails: case.expectation.fails.clone(),
            failing_seeds: tested.failed_seeds.clone(),
            warnings: tested.absent.iter().map(|name| absence(name)).collect(),
            undecided: tested.interval.filter(|_| tested.is_undecided).map(|interval| {
                let share = case.expectation.at_least * 100.0;
                let contains = percent([interval.lower, interval.upper]);
                format!("undecided: {contains} contains {share:.1} %; judge more seeds")
            }),
            failure,
            error: tested
                .error
                .as_ref()
                .map(|RunError { seed, why, .. }| format!("seed {seed}: {why}")),
            time: None,
        }
    }

    /// Returns the path of the map and the name of the expectation. The path is empty for an id
    /// without `::`.
    pub fn parts(&self) -> (&str, &str) {
        self.id.split_once("::").unwrap_or(("", &self.id))
    }

    /// Returns the reason of a known failure that failed as expected.
    pub fn known_failure(&self) -> Option<&str> {
        self.fails.as_deref().filter(|_| self.verdict == TestVerdict::Pass)
    }

    /// Returns the line that lists the failing seeds. Returns `None` without a failure, and for an
    /// expectation with one seed.
    fn seeds_line(&self) -> Option<String> {
        let is_listed = self.failure.is_some() && self.shares.seeds > 1;
        let seeds: Vec<_> = self.failing_seeds.iter().map(u64::to_string).collect();
        let number = count(seeds.len() as u64, "failing seed");
        (is_listed && !seeds.is_empty()).then(|| format!("{number}: {}", seeds.join(", ")))
    }

    /// Returns the main reason why the test is not met: an error, an undecided result or a failed
    /// run. Returns `None` for a passed test.
    pub fn reason(&self) -> Option<&str> {
        let why = self.failure.as_ref().map(|failure| &failure.why);
        self.error.as_ref().or(self.undecided.as_ref()).or(why).map(String::as_str)
    }

    /// Returns the lines that describe why the test is not met, starting with the file position.
    /// Returns no lines for a passed test.
    pub fn reasons(&self) -> Vec<String> {
        let Some(reason) = self.reason() else { return Vec::new() };
        let place = format!("{}:{}:{}", self.file, self.line, self.column);
        let Some(failure) = &self.failure else { return vec![place, reason.to_owned()] };
        let Failure { seed, frame, seconds, why, command, reduced, .. } = failure;
        let Failure { seeds_file, recording, picture, .. } = failure;
        let at = format!("{place}: seed {seed}, frame {frame} ({seconds:.2} s)");
        let undecided = self.undecided.clone();
        let reduced = reduced.iter().flat_map(|it| {
            let file = format!("shrunk: {}: {}", it.file, it.summary);
            let close = it.close.as_ref().map(|path| format!("nearly the same frame: {path}"));
            [Some(file), it.warning.clone(), close]
        });
        let seeds = seeds_file.as_ref().map(|path| format!("failed seeds added to: {path}"));
        let recording = recording.as_ref().map(|path| format!("recording: {path}"));
        let lines = [Some(at), undecided, Some(why.clone()), Some(command.clone())];
        let picture = picture.as_ref().map(|path| format!("picture: {path}"));
        let others = [self.seeds_line(), seeds, recording, picture];
        lines.into_iter().chain(reduced).chain(others).flatten().collect()
    }
}

/// Returns the warning about an agent or a group that was in the world in no run.
fn absence(name: &str) -> String {
    format!("`{name}` never existed in these runs, so the expectation says nothing about it")
}

impl Shares {
    /// Returns the shares of a test without seeds.
    pub fn none() -> Self {
        Self {
            passed: 0,
            failed: 0,
            inconclusive: 0,
            seeds: 0,
            at_least: 1.0,
            confidence: None,
            interval: None,
            within_margin: false,
            excluded_failure_rate: None,
            random: false,
            exact_interval: None,
        }
    }

    /// Formats the results of the seeds, such as `190 of 200 seeds, 93.1 % to 97.8 %`.
    pub fn text(&self) -> String {
        let judged = self.passed + self.failed + self.inconclusive;
        let of =
            if self.seeds > judged { format!(" (of up to {})", self.seeds) } else { String::new() };
        let mut parts = vec![format!("{} of {}{of}", self.passed, count(judged, "seed"))];
        if self.inconclusive > 0 {
            parts.push(format!("{} inconclusive", self.inconclusive));
        }
        if let Some(interval) = self.interval {
            let exact = self.exact_interval.map(|exact| format!(" (exact: {})", percent(exact)));
            parts.push(percent(interval) + &exact.unwrap_or_default());
        }
        if self.within_margin {
            parts.push("within the margin".to_owned());
        }
        if !self.random {
            parts.push("no random numbers".to_owned());
        }
        let excluded = self.excluded_failure_rate.map(|rate| {
            let digits = usize::from(rate < 0.1);
            format!(": a failure rate above {:.digits$} % is unlikely", rate * 100.0)
        });
        parts.join(", ") + &excluded.unwrap_or_default()
    }
}

/// Returns the failure rate that is unlikely after the passes of a test. Seeds that failed earlier
/// do not count, because they are not a random choice.
fn excluded(case: &Case, tested: &Tested) -> Option<f64> {
    let passes = tested.tally.passed.saturating_sub(case.kept as u64);
    let Expectation { seeds, fails, confidence, .. } = &case.expectation;
    let is_sample = matches!(seeds, Seeds::Next(_)) && tested.is_random && passes > 1;
    let has_only_passes = tested.tally.failed + tested.inconclusive == 0 && tested.error.is_none();
    (is_sample && has_only_passes && fails.is_none() && confidence.is_none())
        .then(|| excluded_failure_rate(passes, CONFIDENCE))
}

fn percent([lower, upper]: [f64; 2]) -> String {
    format!("{:.1} % to {:.1} %", lower * 100.0, upper * 100.0)
}
