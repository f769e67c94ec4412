//! Runs a whole sweep on this machine.
//!
//! Two files are created beside the output. The journal (`.partial`) exists while the sweep runs.
//! The plan (`.tilewalk.json`) stays, so that each run can be opened again.

use std::fs;
use std::io::ErrorKind;
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::files::show;
use crate::jobs;

use super::journal::{self, Journal};
use super::plan::Plan;
use super::table::{Format, Table};
use super::{Runs, SweepError, publish};

/// Ending that is appended to the name of the output to form the name of the plan.
const PLAN: &str = ".tilewalk.json";

/// Progress of a running sweep.
#[derive(Debug)]
pub enum Progress<'a> {
    /// Number of runs that the journal already contains. Reported once, before the first run.
    Continued(u64),
    /// A run has ended. The text is the error message of the run, safe to print. `None` if the run
    /// had no error.
    Done(Option<&'a str>),
}

/// Returns the path of an output's plan, which is the path of the output with `.tilewalk.json`
/// appended.
pub fn plan_path(output: &Path) -> PathBuf {
    publish::with_ending(output, PLAN)
}

/// Simulates all runs of a plan that the journal does not contain, and writes the output. Returns
/// false if the output was already complete.
///
/// # Errors
/// Returns an error if a file cannot be read or written, or belongs to another plan. Finished runs
/// stay in the journal.
pub fn run(
    plan: &Plan,
    output: &Path,
    threads: NonZeroUsize,
    mut progress: impl FnMut(Progress),
) -> Result<bool, SweepError> {
    Format::of(output)?;
    if is_complete(plan, output)? {
        // The earlier start can have been killed before it removed the journal.
        remove(&journal::path(output))?;
        return Ok(false);
    }
    plan.write(&plan_path(output), 1)?;
    let journal = Journal::open(output, plan)?;
    progress(Progress::Continued(journal.finished().count()));
    let missing = Numbers::new(journal.finished().missing(plan.runs()));
    let journal = Mutex::new(journal);
    let runs = Runs::new(plan);
    let work = |index: usize| {
        let simulated = runs.simulate(missing.get(index as u64));
        let line = plan.line(&simulated.row);
        let mut journal = journal.lock().unwrap_or_else(PoisonError::into_inner);
        journal.add(simulated.row.run, &line).map(|()| simulated)
    };
    let mut failure = None;
    jobs::in_order(missing.count() as usize, threads, work, |_, result| match result {
        Ok(simulated) => {
            progress(Progress::Done(simulated.error.as_deref()));
            ControlFlow::Continue(())
        }
        Err(error) => {
            failure = Some(error);
            ControlFlow::Break(())
        }
    });
    if let Some(error) = failure {
        return Err(error);
    }
    let journal = journal.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut table = Table::create(output, plan)?;
    journal.rows(plan, |row, line| table.add(row, line))?;
    table.finish()?;
    journal.remove()?;
    Ok(true)
}

/// Returns true if the output exists and belongs to the plan. Returns false if the output does not
/// exist.
///
/// # Errors
/// Returns an error if the output belongs to another plan, or if the output's plan file is missing
/// or unreadable.
pub(super) fn is_complete(plan: &Plan, output: &Path) -> Result<bool, SweepError> {
    if fs::symlink_metadata(output).is_err() {
        return Ok(false);
    }
    let path = plan_path(output);
    if fs::symlink_metadata(&path).is_err() {
        return Err(SweepError::NoOrigin { path: show::path(output) });
    }
    if Plan::read(&path)?.hash() != plan.hash() {
        return Err(SweepError::OtherPlan { path: show::path(output) });
    }
    Ok(true)
}

/// Removes an output, its journal and its plan. Missing files are not an error.
///
/// # Errors
/// Returns an error if a file cannot be removed.
pub fn discard(output: &Path) -> Result<(), SweepError> {
    for path in [output.to_owned(), journal::path(output), plan_path(output)] {
        remove(&path)?;
    }
    Ok(())
}

/// Removes a file. A missing file is not an error.
fn remove(path: &Path) -> Result<(), SweepError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        result => result.map_err(SweepError::io("remove", path)),
    }
}

/// The numbers in several ranges as one list. Stores only the ranges.
struct Numbers {
    /// Each range, with the index of its first number in the list.
    ranges: Vec<(u64, Range<u64>)>,
}

impl Numbers {
    fn new(ranges: Vec<Range<u64>>) -> Self {
        let mut index = 0;
        let indexed = ranges.into_iter().map(|range| {
            let first = index;
            index += range.end - range.start;
            (first, range)
        });
        Self { ranges: indexed.collect() }
    }

    fn count(&self) -> u64 {
        self.ranges.last().map_or(0, |(index, range)| index + range.end - range.start)
    }

    fn get(&self, index: u64) -> u64 {
        let place = self.ranges.partition_point(|(first, _)| *first <= index) - 1;
        let (first, range) = &self.ranges[place];
        range.start + (index - first)
    }
}
