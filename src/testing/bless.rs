//! Writes the current states of runs into `golden` values.

use std::path::Path;
use std::sync::Arc;

use crate::files::write;
use crate::judge::Outcome;
use crate::scenario::expectation::{Form, Golden};
use crate::step::ENGINE_REVISION;

use super::{Cases, shared_runs};

/// A `golden` value that was written.
#[derive(Debug)]
pub struct Blessed {
    /// Test id: path of the map, `::` and name of the expectation.
    pub id: String,
    /// State hash at the end of the expectation's time window, with the engine revision.
    pub state: Golden,
    /// Whether the file already contained this value.
    pub is_known: bool,
}

/// A file whose `golden` values are out of date.
struct GoldenFile<'a> {
    path: &'a Path,
    text: &'a Arc<str>,
    /// Name and new value of each expectation to write.
    states: Vec<(&'a str, Golden)>,
}

/// Runs all selected expectations with a `golden` value. Writes each state at the end of the time
/// window into the file of the expectation. All other bytes of the file stay unchanged.
///
/// # Errors
/// Returns the reason if a map cannot be run, a window never starts, or a file cannot be written.
/// In the last case, other files may already be changed.
pub fn bless(cases: &Cases) -> Result<Vec<Blessed>, String> {
    let (mut blessed, mut files): (Vec<Blessed>, Vec<GoldenFile>) = (Vec::new(), Vec::new());
    for case in &cases.list {
        let Form::Golden(_) = case.expectation.form else { continue };
        let run = shared_runs::run(&[case], case.seeds[0], None).into_iter().next();
        let Some(run) = run else { continue };
        let run = run.outcome.map_err(|why| format!("{}: {why}", case.id))?;
        let hash = run.verdict.finding.hash();
        let hash = hash.ok_or_else(|| format!("{}: {}", case.id, run.why))?;
        let state = Golden { engine: ENGINE_REVISION, hash };
        let is_known = run.verdict.outcome == Outcome::Pass;
        blessed.push(Blessed { id: case.id.clone(), state, is_known });
        if is_known {
            continue;
        }
        let (path, text) = &case.file;
        let entry = (case.expectation.name.as_str(), state);
        match files.iter_mut().find(|file| file.path == path) {
            Some(file) => file.states.push(entry),
            None => files.push(GoldenFile { path, text, states: vec![entry] }),
        }
    }
    for GoldenFile { path, text, states } in files {
        write::golden(path, text, &states).map_err(|error| error.to_string())?;
    }
    Ok(blessed)
}
