//! Options of `tilewalk test` for large test suites: which expectations to judge, and when to stop.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tilewalk_sim::sort::SmallCollect;

use crate::config_file;
use crate::files::disk::output_file;
use crate::files::show;
use crate::rng::name_hash;
use crate::testing::Cases;
use crate::words::count;

use super::broken::LOADS;
use super::report::TestReport;
use super::{CliError, complain};

/// Which of the selected expectations to judge, and when to stop.
#[derive(Debug, clap::Args)]
pub struct SelectArgs {
    /// Judge only part K of N parts, such as 1/4: each expectation belongs to one part
    #[arg(long, value_name = "K/N", value_parser = partition)]
    pub partition: Option<[usize; 2]>,
    /// Judge only expectations that were not met when they were last judged in this directory
    #[arg(long)]
    pub last_failed: bool,
    /// Stop after the first expectation that is not met
    #[arg(long)]
    pub fail_fast: bool,
    /// Stop after N expectations that are not met
    #[arg(long, value_name = "N", conflicts_with = "fail_fast",
          value_parser = clap::value_parser!(u32).range(1..))]
    pub max_failures: Option<u32>,
    /// Stop the runs of an expectation after this computation time (exit code 2)
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
}

fn partition(text: &str) -> Result<[usize; 2], String> {
    let parts =
        text.split_once('/').and_then(|(part, all)| Some([part.parse().ok()?, all.parse().ok()?]));
    parts
        .filter(|[part, all]| (1..=*all).contains(part))
        .ok_or_else(|| "expected a part and the number of parts, such as 1/4".to_owned())
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|&seconds| seconds > 0.0);
    let limit = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    limit.ok_or_else(|| "expected a number of seconds above 0".to_owned())
}

impl SelectArgs {
    /// Removes the expectations that are not to be judged. Returns true if this leaves none of
    /// several.
    pub fn apply(&self, cases: &mut Cases) -> Result<bool, CliError> {
        let before = cases.list.len();
        if self.last_failed {
            keep_failed(cases)?;
        }
        if let Some([part, all]) = self.partition {
            let mut index = 0;
            cases.list.retain(|_| {
                index += 1;
                (index - 1) % all == part - 1
            });
        }
        Ok(before > 0 && cases.list.is_empty())
    }

    /// Returns the number of unmet expectations after which to stop.
    pub fn most_failures(&self) -> usize {
        match self.max_failures {
            Some(most) => most as usize,
            None if self.fail_fast => 1,
            None => usize::MAX,
        }
    }
}

/// Keeps the expectations in the list of failures. Without failures, keeps all.
fn keep_failed(cases: &mut Cases) -> Result<(), CliError> {
    let Some(path) = list_path() else {
        let message = "--last-failed: there is no directory for the list of failures";
        return Err(CliError::Settings(message.to_owned()));
    };
    let place = show::path(&path);
    let failed = read(&path);
    if failed.is_empty() {
        complain(&format!("no known failure in {place}: all expectations are judged"));
        return Ok(());
    }
    // A map that did not load has expectations that were not judged.
    let of_map = |id: &str| id.split_once("::").map(|(map, _)| format!("{map}::{LOADS}"));
    cases.list.retain(|case| {
        failed.contains(&case.id) || of_map(&case.id).is_some_and(|id| failed.contains(&id))
    });
    let judged = count(cases.list.len() as u64, "expectation");
    complain(&format!("{judged} of the failures in {place}"));
    Ok(())
}

/// Adds the unmet expectations to the list of failures, and removes the others that were judged. An
/// error is ignored, because the list is only a convenience.
pub(super) fn remember(tests: &[TestReport]) {
    let Some(path) = list_path() else { return };
    let before = read(&path);
    let mut failed = before.clone();
    for test in tests {
        if test.is_ok {
            failed.remove(&test.id);
        } else {
            failed.insert(test.id.clone());
        }
        // The map of a judged expectation loads.
        if let (map, name) = test.parts()
            && name != LOADS
        {
            failed.remove(&format!("{map}::{LOADS}"));
        }
    }
    if failed != before {
        let lines: String = failed.iter().flat_map(|id| [id.as_str(), "\n"]).collect();
        let folder = output_file::create_folder_of(&path);
        let _ = folder.and_then(|()| output_file::replace(&path, lines.as_bytes()));
    }
}

fn read(path: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.lines().map(ToOwned::to_owned).small_collect()
}

/// Returns the path of the list of failures for the current directory. Returns `None` without a cache
/// directory.
fn list_path() -> Option<PathBuf> {
    let folder = std::env::current_dir().ok()?;
    let name = format!("{:016x}.txt", name_hash(&folder.to_string_lossy()));
    Some(config_file::cache_folder()?.join("last-failed").join(name))
}
