//! Opens a sweep run from the plan beside the results.

use std::path::Path;

use tilewalk::files::{self, Options, show};
use tilewalk::sweep::Runs;
use tilewalk::sweep::plan::{Plan, plan_path};
use tilewalk::tui::Opened;

use super::suggested_name;

/// Prefix of the ids of sweep runs. An id continues with the run number and the path of the
/// results.
const PREFIX: &str = "sweep:";

/// Returns the id under which the screen opens a sweep run. `results` is the path of the results
/// file.
pub(super) fn id(results: &Path, run: u64) -> String {
    format!("{PREFIX}{run}:{}", results.display())
}

/// Returns true if `id` is the id of a sweep run.
pub(super) fn is(id: &str) -> bool {
    parts(id).is_some()
}

/// Opens a sweep run. `seed` replaces the random seed of the run; `None` keeps it.
///
/// # Errors
/// Returns a message for the user if the plan or the map is unreadable or invalid.
pub(super) fn open(id: &str, seed: Option<u64>) -> Result<Opened, String> {
    let (run, results) = parts(id).ok_or_else(|| format!("{id} is not a run of a sweep"))?;
    let plan = Plan::read(&plan_path(results)).map_err(|error| error.to_string())?;
    let mut scenario = Runs::new(&plan).scenario(run)?;
    if seed.is_some() {
        let options = Options::of(scenario.sources());
        let options = Options { seed, ..options };
        let loaded = files::reload(scenario.sources(), &options);
        let loaded = loaded.map_err(|error| error.to_string())?;
        scenario = loaded.scenario.ok_or_else(|| loaded.report.plain())?;
    }
    let label = format!("{} run {run}", show::path(results));
    let mut opened = Opened::new(id, &label, scenario);
    opened.new_name = Some(suggested_name(&format!("run{run}")));
    Ok(opened)
}

fn parts(id: &str) -> Option<(u64, &Path)> {
    let (run, results) = id.strip_prefix(PREFIX)?.split_once(':')?;
    Some((run.parse().ok()?, Path::new(results)))
}
