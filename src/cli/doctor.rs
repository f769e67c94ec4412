//! `tilewalk doctor`: prints the detected terminal, colour and configuration settings.

use std::io::IsTerminal;
use std::process::ExitCode;

use crate::depth;

use super::CliError;
use super::args::LookArgs;
use super::output::{Output, environment};

/// Arguments of `tilewalk doctor`.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Examples:
  tilewalk doctor
  tilewalk doctor --theme light --color 256

The command also works without a terminal. The exit code is 0.")]
pub struct DoctorArgs {
    /// Appearance options to report on
    #[command(flatten)]
    pub look: LookArgs,
}

/// Width of a label in columns, including the gap after the label.
const LABEL: usize = 13;

/// A label and a detected setting. The setting may have several lines.
pub type Finding = (&'static str, String);

/// Prints versions, the settings of the screen, and the colours of standard output and error.
pub(super) fn doctor(
    args: &DoctorArgs,
    screen: &[Finding],
    out: &mut Output,
) -> Result<ExitCode, CliError> {
    let version = format!("{}, map format 1", env!("CARGO_PKG_VERSION"));
    let system = format!("{} {}", std::env::consts::OS, std::env::consts::ARCH);
    let mut findings = vec![("tilewalk", version), ("system", system)];
    findings.extend_from_slice(screen);
    let when = args.look.color.unwrap_or_default();
    let streams =
        [("stdout", std::io::stdout().is_terminal()), ("stderr", std::io::stderr().is_terminal())];
    for (label, is_terminal) in streams {
        let decided = depth::decide(when, environment, is_terminal);
        let colours =
            if decided.depth > depth::Depth::None { "in colour" } else { "without colour" };
        findings.push((label, format!("{colours}: {}", decided.why)));
    }
    for (label, text) in findings {
        for (index, line) in text.lines().enumerate() {
            let label = if index == 0 { label } else { "" };
            let line: String = line.chars().flat_map(visible).collect();
            out.line(format!("{label:<LABEL$}{line}"))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Escapes control characters, which the environment may contain.
fn visible(c: char) -> Vec<char> {
    if c.is_control() { c.escape_default().collect() } else { vec![c] }
}
