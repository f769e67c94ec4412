//! `tilewalk check`: prints the errors and warnings of maps and patterns, the conflicts of plans, and
//! the warnings about runs of other programs.

mod plans;
mod runs;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;

use super::args::when;
use super::output::{Output, rendered};
use super::test::RunsArgs;
use super::{CliError, EXIT_CANNOT};
use crate::depth::When;
use crate::files;
use crate::files::config::ConfigSchema;

/// Arguments of `tilewalk check`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tilewalk check maps patterns
  tilewalk check maps/castle.toml
  tilewalk check maps/castle.toml --strict --format json
  tilewalk check plan.txt --map arena.map
  tilewalk check game.ndjson --map level.toml --expect game.expect.toml

Exit codes: 0 if there are no errors, 1 if there are errors (or warnings with --strict) or conflicts,
2 if a path can't be read.")]
pub struct CheckArgs {
    /// Map and pattern files, recordings, directories with maps and patterns, plans of path planners,
    /// or runs of other programs
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
    /// Print JSON; short for --format json
    #[arg(long)]
    pub json: bool,
    /// Treat warnings as errors
    #[arg(long)]
    pub strict: bool,
    /// Warn about old spellings, which still work
    #[arg(long)]
    pub deprecated: bool,
    /// Plans and runs of other programs
    #[command(flatten)]
    pub runs: RunsArgs,
    /// Colour output: auto, always, never, 16, 256 or truecolor
    #[arg(long, value_name = "WHEN", value_parser = when(), hide_possible_values = true)]
    pub color: Option<When>,
}

/// Output format of `check`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Text: each problem with its source line and help
    Human,
    /// JSON: an array with one object per problem
    Json,
}

pub(super) fn check(
    args: &CheckArgs,
    schema: Option<&ConfigSchema>,
    out: &mut Output,
) -> Result<ExitCode, CliError> {
    let format = if args.json { Format::Json } else { args.format };
    let (plans, others) = plans::separated(&args.paths);
    let (runs, others) = runs::separated(others);
    let kinds = [&plans, &runs, &others].into_iter().filter(|list| !list.is_empty()).count();
    if plans.is_empty() && runs.is_empty() && args.runs.are_set() {
        let message = "none of the files is a plan or the run of another program, for which this \
                       command has options such as --map";
        return Err(CliError::Settings(message.to_owned()));
    }
    if kinds > 1 && format == Format::Json {
        let message = "plans, runs of other programs and other files have different JSON: check them \
                       one after the other";
        return Err(CliError::Settings(message.to_owned()));
    }
    let mut code = 0;
    if !others.is_empty() {
        code = check_files(&others, args, format, schema, out)?;
    }
    if !runs.is_empty() {
        code = code.max(check_runs(&runs, args, format, out)?);
    }
    if !plans.is_empty() {
        code = code.max(check_plans(&plans, args, format, out)?);
    }
    Ok(ExitCode::from(code))
}

/// Prints the warnings about runs. Returns the exit code.
fn check_runs(
    paths: &[PathBuf],
    args: &CheckArgs,
    format: Format,
    out: &mut Output,
) -> Result<u8, CliError> {
    let opened = paths.iter().map(|path| runs::CheckedRun::open(path, args));
    let Some(checked) = opened.collect::<Result<Option<Vec<_>>, _>>()? else {
        return Ok(EXIT_CANNOT);
    };
    match format {
        Format::Human => checked.iter().try_for_each(|run| run.print(out))?,
        Format::Json => runs::print_json(&checked, out)?,
    }
    Ok(u8::from(args.strict && checked.iter().any(runs::CheckedRun::has_warnings)))
}

/// Prints the conflicts of plans. Returns the exit code.
fn check_plans(
    paths: &[PathBuf],
    args: &CheckArgs,
    format: Format,
    out: &mut Output,
) -> Result<u8, CliError> {
    let opened = paths.iter().map(|path| plans::CheckedPlan::open(path, args));
    let Some(checked) = opened.collect::<Result<Option<Vec<_>>, _>>()? else {
        return Ok(EXIT_CANNOT);
    };
    match format {
        Format::Human => checked.iter().try_for_each(|plan| plan.print(out))?,
        Format::Json => plans::print_json(&checked, out)?,
    }
    Ok(u8::from(checked.iter().any(plans::CheckedPlan::has_conflicts)))
}

/// Prints the problems of other files. Returns the exit code.
fn check_files(
    paths: &[PathBuf],
    args: &CheckArgs,
    format: Format,
    schema: Option<&ConfigSchema>,
    out: &mut Output,
) -> Result<u8, CliError> {
    let report = files::check(paths, schema)?;
    let report = if args.deprecated { report.with_deprecated() } else { report };
    match format {
        Format::Human => {
            let text = rendered(&report, args.color, &std::io::stdout());
            if !text.is_empty() {
                out.line(text)?;
            }
            out.line(summary(report.sources().len(), report.errors(), report.warnings()))?;
        }
        Format::Json => out.json(&report.entries().collect::<Vec<_>>())?,
    }
    let failed = report.errors() > 0 || (args.strict && report.warnings() > 0);
    Ok(u8::from(failed))
}

fn summary(files: usize, errors: usize, warnings: usize) -> String {
    let count = |n: usize, what: &str| match n {
        0 => format!("no {what}s"),
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    };
    format!("{}: {}, {}", count(files, "file"), count(errors, "error"), count(warnings, "warning"))
}
