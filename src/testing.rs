//! Judges the expectations of maps over many seeds, without the screen.
//!
//! The results do not depend on the number of threads. Seeds are judged in list order. As soon as a
//! test is decided, surplus runs of other threads are discarded.

mod bless;
mod cases;
pub mod outcome;
pub mod shrink;

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::files::{LoadError, Report};
use crate::jobs;

pub use bless::bless;
pub use cases::{Case, Cases, RunCase, maps};
pub use outcome::{RunOutcome, Tested};

use outcome::Tallied;

/// The selection of the expectations to judge, and options for judging them.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Number of seeds to judge, for expectations without a list of seeds. `None` uses the number
    /// in the map file.
    pub seeds: Option<u32>,
    /// Number of threads that simulate runs.
    pub jobs: NonZeroUsize,
    /// Text that the test id must contain. `None` selects all tests.
    pub filter: Option<String>,
    /// Selects expectations with at least one of these tags. Empty selects all expectations.
    pub tags: Vec<String>,
    /// Whether all seeds are judged, even after the result of a test is certain.
    pub all_seeds: bool,
    /// Whether inconclusive runs are left out instead of counted as failures.
    pub allow_inconclusive: bool,
    /// Largest computation time of an expectation, in all its runs. `None` for no limit.
    pub timeout: Option<Duration>,
}

/// A map file that `tilewalk test` has read.
#[derive(Debug)]
pub struct TestedMap {
    /// Path of the map file, as given by the user or found in a directory.
    pub path: PathBuf,
    /// Errors and warnings in the files of the map. `Err` contains the reason why the files cannot
    /// be read.
    pub problems: Result<Report, LoadError>,
}

/// Judges the cases in order on `plan.jobs` threads, and calls `done` with each result. Stops after
/// `done` returns `Break`.
pub fn run(cases: &Cases, plan: &Plan, mut done: impl FnMut(Tested) -> ControlFlow<()>) {
    let is_decided: Vec<_> = cases.list.iter().map(|_| AtomicBool::new(false)).collect();
    let tasks: Vec<(usize, usize)> = (cases.list.iter().enumerate())
        .flat_map(|(case, it)| (0..it.seeds.len()).map(move |seed| (case, seed)))
        .collect();
    let work = |task: usize| {
        let (case, seed) = tasks[task];
        let is_needed = !is_decided[case].load(Ordering::Relaxed);
        is_needed.then(|| cases.list[case].run(cases.list[case].seeds[seed], plan.timeout))
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
