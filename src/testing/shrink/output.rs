//! Writes a reduced map with a comment on its origin.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use tilewalk_sim::report::words::escaped;

use super::Shrunk;
use crate::files::write::{self, WriteError};
use crate::files::{disk::output_file, show};
use crate::testing::{Case, RunOutcome};
use crate::words::count;

/// Writes a reduced map and its patterns to new files in `folder`. Creates `folder` if it is
/// missing. Never replaces an existing file: if `name` is taken, a number is added. Returns the
/// path of the map.
///
/// # Errors
/// Returns the reason if a file cannot be written.
pub fn write(
    shrunk: &Shrunk,
    case: &Case,
    run: &RunOutcome,
    folder: &Path,
    name: &str,
) -> Result<PathBuf, WriteError> {
    let io = |error| WriteError::Io { label: show::path(folder), error };
    output_file::create_folder(folder).map_err(io)?;
    let path = |stem: &str| folder.join(format!("{stem}.shrunk.toml"));
    let exists = |path: &Path| fs::symlink_metadata(path).is_ok();
    let is_free = |stem: &str| !exists(&path(stem)) && !exists(&folder.join(stem));
    let stem = write::free_stem(name, is_free);
    let stem = stem.ok_or_else(|| WriteError::Exists(show::path(&path(name))))?;
    let path = path(&stem);
    let text = shrunk.draft.text(Some(&stem)).unwrap_or_default();
    let patterns = folder.join(&stem);
    for (name, text) in &text.patterns {
        let file = patterns.join(format!("{name}.toml"));
        output_file::create_folder_of(&file).map_err(io)?;
        write::new(&file, text)?;
    }
    write::new(&path, &(comment(shrunk, case, run, &path) + &text.map))?;
    Ok(path)
}

/// Returns the comment for the top of the map file. It names the origin, the seed, the removed
/// parts, and the commands that open the map.
fn comment(shrunk: &Shrunk, case: &Case, run: &RunOutcome, path: &Path) -> String {
    let mut text = String::new();
    let mut line = |words: &str| {
        let _ = writeln!(text, "# {}", escaped(words));
    };
    line(&format!("A reduced map that still fails: {}", shrunk.summary()));
    line(&format!("Source: {}, line {}", case.place.0, case.place.1));
    line(&format!("Expectation: {}", case.expectation.name));
    line(&format!("Seed: {}", run.seed));
    line(&format!("Removed: {}", shrunk.removed()));
    if let Some(warning) = &shrunk.warning {
        line(&format!("Warning: {warning}"));
    }
    let open = ["tilewalk".to_owned(), path.display().to_string()];
    let mut words = open.to_vec();
    words.extend(["--goto".to_owned(), shrunk.frame.to_string()]);
    let joined = |words: &[String]| {
        shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "))
    };
    line(&format!("Open: {}", joined(&words)));
    line(&format!("Test: {}", joined(&[open[0].clone(), "test".to_owned(), open[1].clone()])));
    text.push('\n');
    text
}

impl Shrunk {
    /// Describes the sizes of both maps and the number of runs. If a limit ended the search, also
    /// names the limit.
    pub fn summary(&self) -> String {
        let [before, after] = &self.sizes;
        let agents = count(after.agents as u64, "agent");
        let limit = match (self.is_out_of_runs, self.is_out_of_time) {
            (_, true) => ", stopped by the time limit",
            (true, false) => ", stopped by the limit of runs",
            (false, false) => "",
        };
        format!(
            "{} × {} tiles and {agents} of {} × {} and {}, in {}{limit}",
            after.width,
            after.height,
            before.width,
            before.height,
            before.agents,
            count(self.runs, "run"),
        )
    }

    /// Lists the removed tiles, agents and parts, or returns `nothing`.
    fn removed(&self) -> String {
        let [before, after] = &self.sizes;
        let mut removed = Vec::new();
        let tiles = before.width * before.height - after.width * after.height;
        let agents = before.agents.saturating_sub(after.agents);
        for (number, noun) in [(tiles, "tile"), (agents, "agent")] {
            if number > 0 {
                removed.push(count(number as u64, noun));
            }
        }
        for (kind, number) in &before.parts {
            let left = after.parts.get(kind).copied().unwrap_or(0);
            if let Some(gone) = number.checked_sub(left).filter(|&gone| gone > 0) {
                removed.push(format!("{gone} × {}", kind.noun()));
            }
        }
        if removed.is_empty() { "nothing".to_owned() } else { removed.join(", ") }
    }
}
