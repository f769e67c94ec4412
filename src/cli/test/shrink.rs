//! `tilewalk test --shrink`: reduces the map of each failure.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::files::show;
use crate::testing::shrink::{self, Limits};
use crate::testing::{Case, Tested};

use super::report::{Reduced, TestReport};
use super::{complain, file_name};

/// Time limit for reducing one map.
const TIME: Duration = Duration::from_secs(60);

/// Options of `--shrink`.
#[derive(Debug, clap::Args)]
pub struct ShrinkArgs {
    /// Write a reduced map for each failure, in the directory of --keep or the current directory
    #[arg(long)]
    pub shrink: bool,
    /// Version of the map that passes, and must pass after each deletion
    #[arg(long, value_name = "MAP", requires = "shrink")]
    pub passing: Option<PathBuf>,
    /// Largest number of runs for each failure
    #[arg(long, value_name = "N", default_value_t = 2_000, requires = "shrink")]
    pub shrink_runs: u64,
}

/// Reduces the map of a failure, and adds the small map to the report. A failed reduction is
/// printed to standard error.
pub(super) fn add(
    report: &mut TestReport,
    args: &ShrinkArgs,
    folder: &Path,
    case: &Case,
    tested: &Tested,
) {
    let (Some(failure), Some(run)) = (&mut report.failure, &tested.shown) else { return };
    let limits = Limits { runs: args.shrink_runs, time: TIME };
    let shrunk = shrink::shrink(case, run, args.passing.as_deref(), limits);
    let reduced = shrunk.and_then(|shrunk| {
        let path = shrink::write(&shrunk, case, run, folder, &file_name(&case.id));
        let path = path.map_err(|error| error.to_string())?;
        let close = shrunk.close.as_ref().map(|close| {
            let name = format!("{}-close", file_name(&case.id));
            let path = shrink::write(close, case, run, folder, &name);
            path.map(|path| show::path(&path)).map_err(|error| error.to_string())
        });
        let (file, summary) = (show::path(&path), shrunk.summary());
        Ok(Reduced { file, summary, warning: shrunk.warning, close: close.transpose()? })
    });
    match reduced {
        Ok(reduced) => failure.reduced = Some(reduced),
        Err(why) => complain(&format!("{}: not shrunk: {why}", case.id)),
    }
}
