//! `tilewalk check`: every error and warning of maps and patterns.

use std::process::ExitCode;

use crate::files;
use crate::files::config::Vocabulary;

use super::CliError;
use super::args::{CheckArgs, Format};
use super::output::{Output, rendered};

/// Checks the paths and prints what was found; the exit code is 1 when that fails them.
pub(super) fn check(
    args: &CheckArgs,
    vocabulary: Option<&Vocabulary>,
    out: &mut Output,
) -> Result<ExitCode, CliError> {
    let report = files::check(&args.paths, vocabulary)?;
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
    out.flush()?;
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
