//! `tilewalk sweep`: runs a map for many values and seeds.

mod best;
mod plots;
mod progress;
mod results;
mod shards;

use std::ffi::OsStr;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Subcommand;

use crate::depth::When;
use crate::files::show;
use crate::files::sweep::{self, Sweep, SweepOrigin};
use crate::jobs;
use crate::sweep::existing::Discard;
use crate::sweep::local::{self, Progress};
use crate::sweep::plan::Plan;
use crate::sweep::series;
use crate::sweep::summary::Summary;
use crate::words::count;

use super::args::{LookArgs, when};
use super::output::{Output, complain, report_problems};
use super::{CliError, EXIT_CANNOT, Screen};
use best::BestArgs;
use progress::Bar;
use results::Layout;
use shards::{MergeArgs, MissingArgs, PlanArgs, ShardArgs};

/// Arguments of `tilewalk sweep`.
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_precedence_over_arg = true,
    after_help = "\
Examples:
  tilewalk sweep sweeps/flock.toml
  tilewalk sweep sweeps/flock.toml --output runs.csv --jobs 4
  tilewalk sweep sweeps/flock.toml --plot flock.svg
  tilewalk sweep open runs.csv 42
  tilewalk sweep best runs.csv --by order
  tilewalk sweep plan sweeps/flock.toml --shards 20 --output plan
  tilewalk sweep missing plan | parallel --quote tilewalk sweep shard plan
  tilewalk sweep merge plan --output runs.csv

A killed sweep continues when the same command runs again.
Exit codes: 0 on success, 1 if some runs have errors, 2 if the sweep can't run or is refused."
)]
pub struct SweepArgs {
    /// Part of a sweep to run [default: the whole sweep]
    #[command(subcommand)]
    pub command: Option<SweepCommand>,
    /// Arguments of the whole sweep
    #[command(flatten)]
    pub local: LocalArgs,
}

/// A command for a part of a sweep, or for its results.
#[derive(Debug, Subcommand)]
pub enum SweepCommand {
    /// Write a plan into a directory, for other machines
    Plan(PlanArgs),
    /// Run one shard of a plan, and publish its result in the directory
    Shard(ShardArgs),
    /// Print the numbers of the shards without a result
    Missing(MissingArgs),
    /// Join the results of all shards
    Merge(MergeArgs),
    /// Rank the design points by a measure
    Best(BestArgs),
    /// Open a run in the terminal UI
    Open(OpenArgs),
}

/// Arguments of `tilewalk sweep FILE`.
#[derive(Debug, clap::Args)]
pub struct LocalArgs {
    /// Sweep file
    #[arg(required = true)]
    pub file: Option<PathBuf>,
    /// File for the results: .csv or .ndjson [default: name of the sweep file, with .csv, in the
    /// current directory]
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Number of threads [default: number of processors]
    #[arg(long, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
    /// Discard the results of an earlier sweep in the output
    #[arg(long)]
    pub restart: bool,
    /// Overwrite an output that no sweep wrote
    #[arg(long)]
    pub force: bool,
    /// CSV file for the numbers of all `value` measures in each frame; simulates all runs once more
    #[arg(long, value_name = "FILE")]
    pub series: Option<PathBuf>,
    /// Picture of the plots to write: .svg, .pdf or .png
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// Colour output: auto, always, never, 16, 256 or truecolor
    #[arg(long, value_name = "WHEN", value_parser = when(), hide_possible_values = true)]
    pub color: Option<When>,
}

/// Arguments of `tilewalk sweep open`.
#[derive(Debug, clap::Args)]
pub struct OpenArgs {
    /// Results of a sweep; requires FILE.tilewalk.json in the same directory
    pub file: PathBuf,
    /// Number of the run: its value in the column `run`
    pub run: u64,
    /// Open this frame, paused
    #[arg(long, value_name = "N", visible_alias = "frame")]
    pub goto: Option<u64>,
    /// Select this agent
    #[arg(long, value_name = "NAME")]
    pub agent: Option<String>,
    /// Appearance of the terminal UI
    #[command(flatten)]
    pub look: LookArgs,
}

/// Exit code if some runs have errors.
pub(super) const EXIT_ERRORS: u8 = 1;

/// Maximum number of run errors to print.
const SHOWN_ERRORS: u64 = 3;

pub(super) fn sweep(
    args: &SweepArgs,
    screen: &impl Screen,
    out: &mut Output,
) -> Result<ExitCode, CliError> {
    match &args.command {
        None => run(&args.local, out),
        Some(SweepCommand::Plan(args)) => shards::plan(args, out),
        Some(SweepCommand::Shard(args)) => shards::shard(args),
        Some(SweepCommand::Missing(args)) => shards::missing(args, out),
        Some(SweepCommand::Merge(args)) => shards::merge(args, out),
        Some(SweepCommand::Best(args)) => best::best(args, out),
        Some(SweepCommand::Open(args)) => Ok(screen.open_run(args)),
    }
}

fn run(args: &LocalArgs, out: &mut Output) -> Result<ExitCode, CliError> {
    let file = args.file.as_deref().unwrap_or(Path::new(""));
    let Some(sweep) = read(file, args.color)? else { return Ok(ExitCode::from(EXIT_CANNOT)) };
    let output = args.output.clone().unwrap_or_else(|| usual_output(file));
    let plan = Plan::new(sweep, 1);
    if let Some(path) = &args.plot {
        plots::check(path)?;
    }
    let discard = Discard { earlier: args.restart, foreign: args.force };
    if let Some(path) = &args.series {
        series::check(&plan, path, discard)?;
    }
    let mut bar = Bar::new(plan.runs(), "runs");
    let mut errors = Errors::default();
    let threads = args.jobs.unwrap_or_else(jobs::available);
    let is_new = local::run(&plan, &output, discard, threads, |progress| match progress {
        Progress::Continued(finished) => bar.start(finished),
        Progress::Done(error) => {
            errors.add(error, &mut bar);
            bar.add();
        }
    })?;
    bar.clear();
    if let Some(path) = &args.series {
        series::write(&plan, path, threads)?;
        out.line(format!("wrote {}", show::path(path)))?;
    }
    if let Some(path) = &args.plot {
        plots::write(&plan, &output, path)?;
        out.line(format!("wrote {}", show::path(path)))?;
    }
    report(&plan, &output, is_new, out)
}

/// Prints the path and the tables of the results. Returns [`EXIT_ERRORS`] if a run ended with an
/// error.
fn report(
    plan: &Plan,
    output: &Path,
    is_new: bool,
    out: &mut Output,
) -> Result<ExitCode, CliError> {
    let (points, seeds) = (plan.sweep.points.len() as u64, plan.sweep.seeds.len() as u64);
    let (points, seeds) = (count(points, "design point"), count(seeds, "seed"));
    let verb = if is_new { "wrote" } else { "nothing to do: found" };
    let path = show::path(output);
    let (summary, errors) = Summary::of(output, plan)?;
    out.line(format!("{verb} {path}: {} ({points}, {seeds})", count(plan.runs(), "run")))?;
    out.text(&format!("\n{}", results::text(plan, &summary, Layout::detected())))?;
    out.flush()?;
    for name in summary.true_at_start() {
        complain(&format!(
            "warning: the measure `{}` is true at frame 0 in all runs, so it says nothing about them",
            show::escaped(name)
        ));
    }
    if errors > 0 {
        complain(&format!("{} ended with an error", count(errors, "run")));
        return Ok(ExitCode::from(EXIT_ERRORS));
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads a sweep file and prints its problems. Returns `None` if it has errors.
pub(super) fn read(file: &Path, color: Option<When>) -> Result<Option<Sweep>, CliError> {
    let loaded = sweep::load(&SweepOrigin::Disk(file.to_owned()))?;
    report_problems(&loaded.report, color);
    Ok(loaded.sweep)
}

/// Returns the default output: the name of the sweep file with `.csv`, in the current directory.
fn usual_output(file: &Path) -> PathBuf {
    let mut name = file.file_stem().unwrap_or(OsStr::new("runs")).to_owned();
    name.push(".csv");
    name.into()
}

/// Number of runs that ended with an error.
#[derive(Default)]
struct Errors(u64);

impl Errors {
    /// Counts the error of a run. Prints the first [`SHOWN_ERRORS`] errors.
    fn add(&mut self, error: Option<&str>, bar: &mut Bar) {
        let Some(error) = error else { return };
        self.0 += 1;
        if self.0 <= SHOWN_ERRORS {
            bar.clear();
            complain(error);
        }
    }
}
