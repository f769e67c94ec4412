//! Combines the verdicts of single runs into the result of a test.

use std::time::Duration;

use crate::judge::{Outcome, Verdict};
use crate::statistics::{Claim, Interval, Tally};

use super::{Case, Plan};

/// The result of judging an expectation with one seed.
#[derive(Debug)]
pub struct Run {
    pub seed: u64,
    /// The judged run, or the reason why the map cannot be run with this seed.
    pub outcome: Result<RunOutcome, String>,
    /// Whether the run has drawn random numbers. Without them, it is the same for all seeds.
    pub is_random: bool,
    pub time: Duration,
}

/// A run with a verdict on one expectation.
#[derive(Debug, Clone)]
pub struct RunOutcome {
    pub seed: u64,
    pub verdict: Verdict,
    /// Seconds from frame 0 to the frame of the verdict.
    pub seconds: f32,
    /// One line with the reason for the verdict.
    pub why: String,
    /// Name of the agent that the verdict is about. `None` if the verdict is not about a single
    /// agent.
    pub agent: Option<String>,
    /// Names of the agents and groups of the expectation that were never in the world.
    pub absent: Vec<String>,
}

/// The result of one test: an expectation judged on its seeds.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each flag is a fact of its own")]
pub struct Tested {
    /// Index of the case in [`super::Cases::list`].
    pub index: usize,
    /// The result of the test. For a test that is expected to fail, pass and fail are exchanged.
    pub outcome: Outcome,
    /// Whether inconclusive seeds are left out instead of counted as failed.
    pub inconclusive_is_ok: bool,
    /// Number of seeds of the test, including seeds that were not judged. 1 for a run without
    /// random numbers.
    pub seeds: u64,
    /// Whether the runs draw random numbers.
    pub is_random: bool,
    /// Whether the share is within the margin around the claimed share.
    pub is_within_margin: bool,
    /// Numbers of passed and failed seeds. These are not exchanged for a test that is expected to
    /// fail.
    pub tally: Tally,
    /// Number of inconclusive seeds. They count as failed in the tally if `inconclusive_is_ok` is
    /// false.
    pub inconclusive: u64,
    /// The confidence sequence of the share of passed seeds. `None` if the expectation has no
    /// confidence.
    pub interval: Option<Interval>,
    /// The Clopper–Pearson interval of the share of passed seeds. `None` unless the plan judges all
    /// seeds and the expectation has a confidence.
    pub exact: Option<Interval>,
    /// Whether the judged seeds neither support nor refute the claim of the expectation. False if
    /// no seed was judged.
    pub is_undecided: bool,
    /// The first run that shows why the test did not pass. `None` if the test passed or has an
    /// error.
    pub shown: Option<RunOutcome>,
    /// The failed seeds, in the order of the seeds of the test.
    pub failed_seeds: Vec<u64>,
    /// Names of the agents and groups of a passed test that were in the world in no run.
    pub absent: Vec<String>,
    /// The first seed with which the map cannot be run. `None` if the map can be run with all judged
    /// seeds.
    pub error: Option<RunError>,
    /// Sum of the computation times of all runs.
    pub time: Duration,
}

/// The reason why a seed has no verdict.
#[derive(Debug, Clone)]
pub struct RunError {
    pub seed: u64,
    /// The reason, in a line that is safe to print.
    pub why: String,
    /// Whether the computation time exceeded the limit.
    pub is_late: bool,
}

impl Tested {
    /// Returns the number of inconclusive seeds that the tally counts as failed.
    pub fn counted_inconclusive(&self) -> u64 {
        if self.inconclusive_is_ok { 0 } else { self.inconclusive }
    }

    /// Returns true if `tilewalk test` can succeed with this result.
    pub fn is_ok(&self) -> bool {
        self.error.is_none()
            && match self.outcome {
                Outcome::Pass => true,
                // A claim that judged seeds do not support is not met.
                Outcome::Inconclusive => self.inconclusive_is_ok && self.tally.total() == 0,
                Outcome::Fail => false,
            }
    }
}

/// The results of a test's runs so far.
pub(super) struct Tallied {
    index: usize,
    claim: Claim,
    tally: Tally,
    inconclusive: u64,
    inconclusive_is_ok: bool,
    all_seeds: bool,
    is_random: bool,
    decided: Option<bool>,
    failed: Option<RunOutcome>,
    failed_seeds: Vec<u64>,
    /// The agents and groups that were in the world in no run; `None` before the first run.
    absent: Option<Vec<String>>,
    timeout: Option<Duration>,
    undecided: Option<RunOutcome>,
    passed: Option<RunOutcome>,
    error: Option<RunError>,
    time: Duration,
}

impl Tallied {
    pub fn new(index: usize, case: &Case, plan: &Plan) -> Self {
        let claim = Claim {
            at_least: case.expectation.at_least,
            confidence: case.expectation.confidence,
            margin: case.expectation.margin,
            seeds: case.seeds.len() as u64,
        };
        Self {
            index,
            claim,
            tally: Tally::default(),
            inconclusive: 0,
            inconclusive_is_ok: plan.allow_inconclusive,
            all_seeds: plan.all_seeds,
            is_random: true,
            decided: None,
            failed: None,
            failed_seeds: Vec::new(),
            absent: None,
            timeout: plan.timeout,
            undecided: None,
            passed: None,
            error: None,
            time: Duration::ZERO,
        }
    }

    /// Adds the result of the next seed. Returns true if no further runs are needed, because the
    /// result of the test is certain.
    pub fn add(&mut self, run: Run) -> bool {
        self.time += run.time;
        if let Some(limit) = self.timeout.filter(|limit| self.time > *limit) {
            let why = format!("timeout: the runs took longer than {} s", limit.as_secs_f64());
            self.error.get_or_insert(RunError { seed: run.seed, why, is_late: true });
            return true;
        }
        let outcome = match run.outcome {
            Ok(outcome) => outcome,
            Err(why) => {
                self.error.get_or_insert(RunError { seed: run.seed, why, is_late: false });
                return true;
            }
        };
        match &mut self.absent {
            Some(absent) => absent.retain(|name| outcome.absent.contains(name)),
            None => self.absent = Some(outcome.absent.clone()),
        }
        if !run.is_random {
            // All seeds have the same run, so this run decides the claim about all seeds.
            self.is_random = false;
            self.claim = Claim { confidence: None, seeds: 1, ..self.claim };
        }
        match outcome.verdict.outcome {
            Outcome::Pass => {
                self.tally.add(true);
                self.passed.get_or_insert(outcome);
            }
            Outcome::Fail => {
                self.tally.add(false);
                self.failed_seeds.push(run.seed);
                self.failed.get_or_insert(outcome);
            }
            Outcome::Inconclusive => {
                self.inconclusive += 1;
                if self.inconclusive_is_ok {
                    self.claim.seeds -= 1;
                } else {
                    self.tally.add(false);
                }
                self.undecided.get_or_insert(outcome);
            }
        }
        // Without seeds, there is nothing to claim.
        if self.decided.is_none() && self.claim.seeds > 0 {
            self.decided = self.claim.verdict(self.tally);
        }
        !self.is_random || (self.decided.is_some() && !self.all_seeds)
    }

    /// Returns the result of the test, based on the runs added so far.
    pub fn finish(self, case: &Case) -> Tested {
        let outcome = match self.decided {
            Some(true) => Outcome::Pass,
            Some(false) if self.failed.is_some() => Outcome::Fail,
            Some(false) | None => Outcome::Inconclusive,
        };
        let is_exchanged = case.expectation.fails.is_some();
        let outcome = if is_exchanged { outcome.exchanged() } else { outcome };
        let shown = match outcome {
            Outcome::Pass => None,
            Outcome::Fail if is_exchanged => self.passed,
            Outcome::Fail => self.failed,
            Outcome::Inconclusive => self.undecided.or(self.failed),
        };
        let confidence = self.claim.confidence;
        Tested {
            index: self.index,
            seeds: if self.is_random { case.seeds.len() as u64 } else { 1 },
            is_random: self.is_random,
            is_within_margin: self.decided == Some(true) && self.claim.is_within_margin(self.tally),
            outcome,
            inconclusive_is_ok: self.inconclusive_is_ok,
            tally: self.tally,
            inconclusive: self.inconclusive,
            interval: confidence.map(|it| self.tally.confidence_sequence(it)),
            exact: confidence.filter(|_| self.all_seeds).map(|it| self.tally.clopper_pearson(it)),
            is_undecided: self.decided.is_none() && self.tally.total() > 0,
            shown: shown.filter(|_| self.error.is_none()),
            failed_seeds: self.failed_seeds,
            absent: self
                .absent
                .filter(|_| outcome == Outcome::Pass && !is_exchanged)
                .unwrap_or_default(),
            error: self.error,
            time: self.time,
        }
    }
}
