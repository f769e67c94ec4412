//! Judges the expectations of maps over many seeds, without the screen.
//!
//! The results do not depend on the number of threads: seeds are judged in list order, and results
//! computed ahead are discarded.

mod bless;
mod cases;
pub mod outcome;
pub mod shrink;

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::files::{LoadError, Report};
use crate::jobs;

pub use bless::bless;
pub use cases::{Case, Cases, maps};
pub use outcome::{RunOutcome, Tested};

use outcome::Tallied;

/// Which expectations to judge, and how.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Number of seeds of each expectation that has no list of seeds.
    pub seeds: Option<u32>,
    /// Number of threads.
    pub jobs: NonZeroUsize,
    /// Text that the test id must contain.
    pub filter: Option<String>,
    /// Tags of which an expectation must have one; empty for all expectations.
    pub tags: Vec<String>,
    /// Judges all seeds, also if the outcome can no longer change.
    pub all_seeds: bool,
    /// Leaves inconclusive runs out, instead of taking them for failures.
    pub allow_inconclusive: bool,
}

/// A map whose expectations are judged.
#[derive(Debug)]
pub struct TestedMap {
    /// Path of the map.
    pub path: PathBuf,
    /// Problems in the files of the map, or the reason why they cannot be read.
    pub problems: Result<Report, LoadError>,
}

/// Judges the cases in order, and calls `done` with each result. Stops if `done` breaks.
pub fn run(cases: &Cases, plan: &Plan, mut done: impl FnMut(Tested) -> ControlFlow<()>) {
    let is_decided: Vec<_> = cases.list.iter().map(|_| AtomicBool::new(false)).collect();
    let tasks: Vec<(usize, usize)> = (cases.list.iter().enumerate())
        .flat_map(|(case, it)| (0..it.seeds.len()).map(move |seed| (case, seed)))
        .collect();
    let work = |task: usize| {
        let (case, seed) = tasks[task];
        let is_needed = !is_decided[case].load(Ordering::Relaxed);
        is_needed.then(|| cases.list[case].run(cases.list[case].seeds[seed]))
    };
    let mut tallied: Option<Tallied> = None;
    jobs::in_order(tasks.len(), plan.jobs, work, |task, run| {
        let (index, seed) = tasks[task];
        let case = &cases.list[index];
        // Runs computed ahead are discarded after the case was decided.
        let Some(run) = run.filter(|_| !is_decided[index].load(Ordering::Relaxed)) else {
            return ControlFlow::Continue(());
        };
        let mut tally = tallied.take().unwrap_or_else(|| Tallied::new(index, case, plan));
        if !tally.add(run) && seed + 1 < case.seeds.len() {
            tallied = Some(tally);
            return ControlFlow::Continue(());
        }
        is_decided[index].store(true, Ordering::Relaxed);
        done(tally.finish(case))
    });
}
