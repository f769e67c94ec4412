//! `tilewalk check`: prints the errors and warnings of maps and patterns, and the conflicts of plans.

mod plans;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;

use crate::depth::When;
use crate::files;
use crate::files::config::ConfigSchema;
use crate::files::traces::PathKind;

use super::args::when;
use super::output::{Output, rendered};
use super::{CliError, EXIT_CANNOT};

/// Arguments of `tilewalk check`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tilewalk check maps patterns
  tilewalk check maps/castle.toml
  tilewalk check maps/castle.toml --strict --format json
  tilewalk check plan.txt --map arena.map

Exit codes: 0 if there are no errors, 1 if there are errors (or warnings with --strict) or conflicts,
2 if a path can't be read.")]
pub struct CheckArgs {
    /// Map and pattern files, recordings, directories with maps and patterns, or plans of path
    /// planners
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
    /// Map of the plans [default: the map that the plan names, if it lies beside the plan]
    #[arg(long, value_name = "MAP")]
    pub map: Option<PathBuf>,
    /// Paths to check in plans that have both: planner or actual [default: actual]
    #[arg(long = "paths", value_name = "PATHS", value_parser = PathKind::parse)]
    pub plan_paths: Option<PathKind>,
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
    if plans.is_empty() {
        if args.map.is_some() || args.plan_paths.is_some() {
            let message = "--map and --paths are for plans, and none of the files is a plan";
            return Err(CliError::Settings(message.to_owned()));
        }
        return check_files(&others, args, format, schema, out).map(ExitCode::from);
    }
    if !others.is_empty() {
        if format == Format::Json {
            let message =
                "plans and other files have different JSON: check them one after the other";
            return Err(CliError::Settings(message.to_owned()));
        }
        let code = check_files(&others, args, format, schema, out)?;
        let plans = check_plans(&plans, args, format, out)?;
        return Ok(ExitCode::from(code.max(plans)));
    }
    check_plans(&plans, args, format, out).map(ExitCode::from)
}

/// Prints the conflicts of plans. Returns the exit code.
fn check_plans(
    paths: &[PathBuf],
    args: &CheckArgs,
    format: Format,
    out: &mut Output,
) -> Result<u8, CliError> {
    let mut checked = Vec::new();
    for path in paths {
        match plans::CheckedPlan::open(path, args)? {
            Some(plan) => checked.push(plan),
            None => return Ok(EXIT_CANNOT),
        }
    }
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
