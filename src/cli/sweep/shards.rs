//! Sweeps on several machines: `sweep plan`, `sweep shard`, `sweep missing` and `sweep merge`.

use std::borrow::Cow;
use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::depth::When;
use crate::files::show;
use crate::sweep::folder::Folder;
use crate::sweep::plan::Plan;
use crate::words::count;

use super::super::args::when;
use super::super::output::Output;
use super::super::{CliError, EXIT_CANNOT};
use super::progress::Bar;
use super::{Errors, read};

/// Value of `--output` that selects standard output.
const STDOUT: &str = "-";

/// Arguments of `tilewalk sweep plan`.
#[derive(Debug, clap::Args)]
pub struct PlanArgs {
    /// Sweep file
    pub file: PathBuf,
    /// Number of shards: parts that run separately
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub shards: u64,
    /// Directory for the plan and the results
    #[arg(long, short, value_name = "DIR")]
    pub output: PathBuf,
    /// Colour output: auto, always, never, 16, 256 or truecolor
    #[arg(long, value_name = "WHEN", value_parser = when(), hide_possible_values = true)]
    pub color: Option<When>,
}

/// Arguments of `tilewalk sweep shard`.
#[derive(Debug, clap::Args)]
pub struct ShardArgs {
    /// Directory with a plan
    pub dir: PathBuf,
    /// Number of the shard, from 0
    pub index: u64,
    /// Print the result instead of publishing it; must be `-`
    #[arg(long, short, value_name = "-", value_parser = [STDOUT])]
    pub output: Option<String>,
    /// Number of threads
    #[arg(long, value_name = "N", default_value = "1")]
    pub jobs: NonZeroUsize,
}

/// Arguments of `tilewalk sweep missing`.
#[derive(Debug, clap::Args)]
pub struct MissingArgs {
    /// Directory with a plan
    pub dir: PathBuf,
}

/// Arguments of `tilewalk sweep merge`.
#[derive(Debug, clap::Args)]
pub struct MergeArgs {
    /// Directory with a plan and its results
    pub dir: PathBuf,
    /// File for the results: .csv or .ndjson
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
}

pub(super) fn plan(args: &PlanArgs, out: &mut Output) -> Result<ExitCode, CliError> {
    let Some(sweep) = read(&args.file, args.color)? else {
        return Ok(ExitCode::from(EXIT_CANNOT));
    };
    let folder = Folder::create(&args.output, Plan::new(sweep, args.shards))?;
    let (runs, shards) = (folder.plan().runs(), args.shards);
    let path = show::path(&args.output);
    out.line(format!("wrote {path}: {} in {}", count(runs, "run"), count(shards, "shard")))?;
    out.line("next steps:")?;
    let dir = args.output.display().to_string();
    let dir = show::escaped(&shlex::try_quote(&dir).unwrap_or(Cow::Borrowed(dir.as_str())));
    let shard = format!("parallel --quote tilewalk sweep shard {dir}");
    out.line(format!("  tilewalk sweep missing {dir} | {shard}"))?;
    out.line(format!("  tilewalk sweep merge {dir} --output runs.csv"))?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn shard(args: &ShardArgs) -> Result<ExitCode, CliError> {
    let folder = Folder::open(&args.dir)?;
    let range = folder.plan().shard(args.index)?;
    let (mut bar, mut errors) = (Bar::new(range.end - range.start, "runs"), Errors::default());
    let done = |error: Option<&str>| {
        errors.add(error, &mut bar);
        bar.add();
    };
    if args.output.is_some() {
        folder.run_shard(args.index, args.jobs, io::stdout().lock(), done)?;
    } else {
        folder.publish_shard(args.index, args.jobs, done)?;
    }
    bar.clear();
    // A shard with errors is finished: schedulers must not repeat it.
    Ok(ExitCode::SUCCESS)
}

pub(super) fn missing(args: &MissingArgs, out: &mut Output) -> Result<ExitCode, CliError> {
    for index in Folder::open(&args.dir)?.missing()? {
        out.line(index)?;
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn merge(args: &MergeArgs, out: &mut Output) -> Result<ExitCode, CliError> {
    let folder = Folder::open(&args.dir)?;
    let is_new = folder.merge(&args.output)?;
    super::report(folder.plan(), &args.output, is_new, out)
}
