//! Runs a whole sweep on this machine.
//!
//! Two files are created beside the output. The journal (`.partial`) exists while the sweep runs.
//! Its lock protects all three files: only the sweep that holds the lock discards or creates them.
//! The plan (`.tilewalk.json`) stays, so that each run can be opened again.

use std::fs;
use std::io::ErrorKind;
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use crate::jobs;

use super::existing::{Discard, Start};
use super::journal::{self, Journal};
use super::plan::{Plan, plan_path};
use super::table::{Format, Table};
use super::{Runs, SweepError};

/// Progress of a running sweep.
#[derive(Debug)]
pub enum Progress<'a> {
    /// Number of runs that the journal already contains. Reported once, before the first run.
    Continued(u64),
    /// A run has ended. The text is the error message of the run, safe to print. `None` if the run
    /// had no error.
    Done(Option<&'a str>),
}

/// Simulates all runs of a plan that the journal does not contain, and writes the output. Returns
/// false if the output was already complete. `discard` selects the existing files that are
/// discarded first.
///
/// # Errors
/// Returns an error if a file cannot be read or written, if another program runs a sweep with this
/// output, or if a file would have to be discarded against `discard`. Finished runs stay in the
/// journal.
pub fn run(
    plan: &Plan,
    output: &Path,
    discard: Discard,
    threads: NonZeroUsize,
    mut progress: impl FnMut(Progress),
) -> Result<bool, SweepError> {
    Format::of(output)?;
    let Some(journal) = begin(plan, output, discard)? else { return Ok(false) };
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

/// Locks the journal and discards the files that `discard` selects. Returns `None` if the output is
/// already complete.
fn begin(plan: &Plan, output: &Path, discard: Discard) -> Result<Option<Journal>, SweepError> {
    // A refused sweep creates no journal, and a finished sweep needs no writable directory.
    if let Start::Finished = Start::of(plan, output, discard)? {
        // The earlier start can have been killed before it removed the journal.
        if let Some(journal) = Journal::find_unused(output)? {
            journal.remove()?;
        }
        return Ok(None);
    }
    let mut journal = Journal::lock(output)?;
    // Until now, another sweep could change the files.
    let Start::After(discarded) = Start::of(plan, output, discard)? else {
        journal.remove()?;
        return Ok(None);
    };
    for path in discarded {
        if path == journal::path(output) { journal.clear()? } else { remove(&path)? }
    }
    plan.write(&plan_path(output), 1)?;
    journal.begin(plan)?;
    Ok(Some(journal))
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
