//! `tilewalk check`: every error and warning of maps and patterns.

use std::io::IsTerminal;
use std::process::ExitCode;

use crate::files;

use super::CliError;
use super::args::{CheckArgs, Format};
use super::output::Output;

/// Checks the paths and prints what was found; the exit code is 1 when that fails them.
pub(super) fn check(args: &CheckArgs, out: &mut Output) -> Result<ExitCode, CliError> {
    let report = files::check(&args.paths)?;
    let colour = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    match args.format {
        Format::Human => {
            out.line(report.render(colour).trim_end())?;
            out.line(summary(report.files(), report.errors(), report.warnings()))?;
        }
        Format::Json => out.line(report.json())?,
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
