//! Judges the expectations of maps over many seeds, without the screen.
//!
//! The results do not depend on the number of threads. Seeds are judged in list order. As soon as a
//! test is decided, surplus runs of other threads are discarded.

mod bless;
mod cases;
pub mod outcome;
mod seeds;
mod shared_runs;
pub mod shrink;

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::files::{LoadError, Report};
use crate::jobs;

pub use bless::bless;
pub use cases::{Case, Cases, RunCase, maps};
pub use outcome::{RunError, RunOutcome, Tested};
pub use seeds::{SeedPlan, keep_failed};

use outcome::Tallied;

/// The selection of the expectations to judge, and options for judging them.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The choice of the seeds.
    pub seeds: SeedPlan,
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

/// Judges the cases on `plan.jobs` threads, and calls `done` with each result, in the order of the
/// cases. Cases of a map with the same settings and seeds share their runs. Stops after `done`
/// returns `Break`.
pub fn run(cases: &Cases, plan: &Plan, mut done: impl FnMut(Tested) -> ControlFlow<()>) {
    let is_decided: Vec<_> = cases.list.iter().map(|_| AtomicBool::new(false)).collect();
    let is_open = |case: usize| !is_decided[case].load(Ordering::Relaxed);
    let groups = shared_runs::groups(cases);
    let tasks: Vec<(usize, usize)> = (groups.iter().enumerate())
        .flat_map(|(group, it)| (0..it.seeds(cases).len()).map(move |seed| (group, seed)))
        .collect();
    let work = |task: usize| {
        let (group, seed) = tasks[task];
        let members = groups[group].cases.iter().copied();
        let needed: Vec<usize> =
            members.filter(|&case| seed < cases.list[case].seeds.len() && is_open(case)).collect();
        if needed.is_empty() {
            return Vec::new();
        }
        let judged: Vec<&Case> = needed.iter().map(|&case| &cases.list[case]).collect();
        let runs = shared_runs::run(&judged, groups[group].seeds(cases)[seed], plan.timeout);
        needed.into_iter().zip(runs).collect()
    };
    let mut tallies: BTreeMap<usize, Tallied> = BTreeMap::new();
    let mut finished: BTreeMap<usize, Tested> = BTreeMap::new();
    let mut next = 0;
    jobs::in_order(tasks.len(), plan.jobs, work, |task, runs| {
        let seed = tasks[task].1;
        for (index, run) in runs {
            // Runs computed ahead are discarded after the case was decided.
            if !is_open(index) {
                continue;
            }
            let case = &cases.list[index];
            let mut tally =
                tallies.remove(&index).unwrap_or_else(|| Tallied::new(index, case, plan));
            if !tally.add(run) && seed + 1 < case.seeds.len() {
                tallies.insert(index, tally);
                continue;
            }
            is_decided[index].store(true, Ordering::Relaxed);
            finished.insert(index, tally.finish(case));
        }
        while let Some(tested) = finished.remove(&next) {
            next += 1;
            done(tested)?;
        }
        ControlFlow::Continue(())
    });
}
