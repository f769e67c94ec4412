//! `tilewalk eval`: runs one design point of a sweep, for optimisers.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

use serde::Serialize;
use tilewalk_sim::sort::SmallCollect;

use crate::files::{Setting, settings};
use crate::jobs;
use crate::sweep::evaluate::{Evaluation, evaluate};

use super::output::{Output, complain};
use super::{CliError, EXIT_CANNOT, sweep};

/// Arguments of `tilewalk eval`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  tilewalk eval sweeps/flock.toml --set boid.steer.separation.weight=2

All seeds of the sweep run with these values; values in [vary] are ignored. The output is one line:
  {\"runs\":5,\"errors\":0,\"measures\":{\"order\":{\"n\":5,\"mean\":0.96,\"low\":0.95,\"high\":0.97}}}
Exit codes: 0 on success, 1 if some runs have errors, 2 if the sweep can't run.")]
pub struct EvalArgs {
    /// Sweep file
    pub file: PathBuf,
    /// Set a value of the map, such as `boid.max_speed=3` (repeatable)
    #[arg(long, value_name = "PATH=VALUE", value_parser = settings::parse)]
    pub set: Vec<Setting>,
    /// Map to run, as written in the sweep file [default: the first map]
    #[arg(long, value_name = "MAP")]
    pub map: Option<String>,
    /// Number of threads [default: number of processors]
    #[arg(long, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
}

/// Output of `tilewalk eval`, a JSON object on one line.
#[derive(Serialize)]
struct Evaluated<'a> {
    runs: u64,
    errors: u64,
    measures: BTreeMap<&'a str, Estimated>,
}

/// A measure over all seeds. The mean of an expectation is the share of seeds that pass.
#[derive(Serialize)]
struct Estimated {
    /// Number of seeds with a value. For an expectation, number of seeds that pass. For the first frame
    /// of an event, number of seeds in which it happened; in the mean, other runs count with their last
    /// frame.
    n: u64,
    mean: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
}

pub(super) fn eval(args: &EvalArgs, out: &mut Output) -> Result<ExitCode, CliError> {
    let Some(sweep) = sweep::read(&args.file, None)? else {
        return Ok(ExitCode::from(EXIT_CANNOT));
    };
    let threads = args.jobs.unwrap_or_else(jobs::available);
    let evaluated = evaluate(&sweep, args.map.as_deref(), &args.set, threads);
    let Evaluation { summary, errors } = evaluated.map_err(CliError::Settings)?;
    let estimated = |column| {
        let estimate = summary.estimate(0, column);
        let (low, high) = estimate.interval.map(|it| (it.lower, it.upper)).unzip();
        Estimated { n: estimate.count, mean: estimate.mean, low, high }
    };
    let columns = summary.columns().iter().enumerate();
    let measures = columns.map(|(column, (name, _))| (name.as_str(), estimated(column)));
    let runs = sweep.seeds.len() as u64;
    out.json_line(&Evaluated { runs, errors: errors.0, measures: measures.small_collect() })?;
    out.flush()?;
    if let (count, Some(first)) = &errors {
        complain(&format!("{count} of {runs} runs have errors; the first one:\n{first}"));
        return Ok(ExitCode::from(sweep::EXIT_ERRORS));
    }
    Ok(ExitCode::SUCCESS)
}
