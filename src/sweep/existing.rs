//! The files that a sweep finds at its output, and which of them it may discard.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::files::show;

use super::plan::{Plan, plan_path};
use super::{SweepError, journal, regular_file, table};

/// The existing files that a sweep may discard.
#[derive(Debug, Clone, Copy, Default)]
pub struct Discard {
    /// Results, plan and journal of earlier sweeps.
    pub earlier: bool,
    /// Files that no sweep wrote.
    pub foreign: bool,
}

/// The way in which a sweep starts, given the existing files.
pub(super) enum Start {
    /// The output is already complete.
    Finished,
    /// The sweep runs, after these files are discarded. Each of them can be missing.
    After(Vec<PathBuf>),
}

/// A file at one of the paths that a sweep uses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Existing {
    Missing,
    /// A file of this sweep.
    Own,
    /// A file of another sweep.
    Other,
    /// A file that no sweep wrote. The text continues a sentence that begins with the path.
    Foreign(&'static str),
}

impl Start {
    /// Decides how a sweep starts. Changes no file.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read, or if a file would have to be discarded against
    /// `discard`.
    pub fn of(plan: &Plan, output: &Path, discard: Discard) -> Result<Self, SweepError> {
        let plan_file = find_plan(plan, &plan_path(output))?;
        let results = find_results(output, plan_file)?;
        let is_finished = results == Existing::Own && !discard.earlier;
        let files = [
            (output.to_owned(), results),
            (plan_path(output), plan_file),
            (journal::path(output), find_journal(plan, output)?),
        ];
        let mut discarded = Vec::new();
        for (path, existing) in files {
            match existing {
                Existing::Own | Existing::Other if discard.earlier => discarded.push(path),
                Existing::Missing | Existing::Own => {}
                Existing::Other => return Err(other(&path, output)),
                Existing::Foreign(_) if discard.foreign => discarded.push(path),
                Existing::Foreign(why) => return Err(foreign(&path, why, FORCE)),
            }
        }
        Ok(if is_finished { Self::Finished } else { Self::After(discarded) })
    }
}

/// The option that discards files that no sweep wrote, as the end of a message.
pub(super) const FORCE: &str = ", or discard it with --force";

/// Returns true if the output is the complete result of a plan. Returns false if the output does
/// not exist.
///
/// # Errors
/// Returns an error if the output is another file, or if it cannot be read.
pub(super) fn is_complete(plan: &Plan, output: &Path) -> Result<bool, SweepError> {
    match find_results(output, find_plan(plan, &plan_path(output))?)? {
        Existing::Missing => Ok(false),
        Existing::Own => Ok(true),
        Existing::Other => Err(other(output, output)),
        Existing::Foreign(why) => Err(foreign(output, why, "")),
    }
}

/// Returns the error for a file of another sweep.
fn other(path: &Path, output: &Path) -> SweepError {
    match Plan::read(&plan_path(output)) {
        Err(
            error @ (SweepError::OtherFormat { .. }
            | SweepError::OtherEngine { .. }
            | SweepError::Changed { .. }),
        ) => error,
        Ok(_) | Err(_) => SweepError::OtherPlan { path: show::path(path) },
    }
}

fn foreign(path: &Path, why: &'static str, help: &'static str) -> SweepError {
    SweepError::Foreign { path: show::path(path), why, help }
}

fn find_plan(plan: &Plan, path: &Path) -> Result<Existing, SweepError> {
    Ok(match Plan::read(path) {
        Ok(found) if found.hash() == plan.hash() => Existing::Own,
        Err(SweepError::NoPlan { .. }) => Existing::Foreign("is not a sweep plan of tilewalk"),
        Err(SweepError::Io { error, .. }) if error.kind() == ErrorKind::NotFound => {
            Existing::Missing
        }
        Err(error @ SweepError::Io { .. }) => return Err(error),
        Ok(_) | Err(_) => Existing::Other,
    })
}

/// Classifies the file at the output. `plan_file` is the plan beside it.
fn find_results(output: &Path, plan_file: Existing) -> Result<Existing, SweepError> {
    let Some(mut file) = regular_file::open(output)? else { return Ok(Existing::Missing) };
    let has_columns = table::has_columns(&mut file, output)?;
    Ok(match plan_file {
        Existing::Missing | Existing::Foreign(_) => Existing::Foreign(
            "has no plan (.tilewalk.json) beside it, so tilewalk cannot tell which sweep wrote it",
        ),
        Existing::Own | Existing::Other if has_columns => plan_file,
        Existing::Own | Existing::Other => {
            Existing::Foreign("does not have the columns of a sweep's results")
        }
    })
}

/// Classifies the journal of an output.
fn find_journal(plan: &Plan, output: &Path) -> Result<Existing, SweepError> {
    let path = journal::path(output);
    let Some(mut file) = regular_file::open(&path)? else { return Ok(Existing::Missing) };
    let head = format!("{}\n", journal::head(plan));
    let start = regular_file::beginning(&mut file, &path, head.len() as u64)?;
    Ok(if head.as_bytes().starts_with(&start) {
        Existing::Own
    } else if start.starts_with(journal::FORMAT.as_bytes()) {
        Existing::Other
    } else {
        Existing::Foreign("is not the journal of a sweep")
    })
}
