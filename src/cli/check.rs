//! `tilewalk check`: prints the errors and warnings of maps and patterns.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;

use crate::depth::When;
use crate::files;
use crate::files::config::ConfigSchema;

use super::CliError;
use super::args::when;
use super::output::{Output, rendered};

/// Arguments of `tilewalk check`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tilewalk check maps patterns
  tilewalk check maps/castle.toml
  tilewalk check maps/castle.toml --strict --format json

Exit codes: 0 if there are no errors, 1 if there are errors (or warnings with --strict), 2 if a path
can't be read.")]
pub struct CheckArgs {
    /// Map and pattern files, recordings, or directories with maps and patterns
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
    /// Treat warnings as errors
    #[arg(long)]
    pub strict: bool,
    /// Warn about old spellings, which still work
    #[arg(long)]
    pub deprecated: bool,
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
    let report = files::check(&args.paths, schema)?;
    let report = if args.deprecated { report.with_deprecated() } else { report };
    match args.format {
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
    Ok(ExitCode::from(u8::from(failed)))
}

fn summary(files: usize, errors: usize, warnings: usize) -> String {
    let count = |n: usize, what: &str| match n {
        0 => format!("no {what}s"),
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    };
    format!("{}: {}, {}", count(files, "file"), count(errors, "error"), count(warnings, "warning"))
}
