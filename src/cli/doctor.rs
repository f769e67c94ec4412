//! `tilewalk doctor`: what the program found around it, for people who ask why it looks as it does.

use std::io::IsTerminal;
use std::process::ExitCode;

use crate::depth;

use super::CliError;
use super::args::DoctorArgs;
use super::output::{Output, environment};

/// Columns of a label, with the gap after it.
const LABEL: usize = 13;

/// A fact with its label.
pub type Finding = (&'static str, String);

/// Prints the versions, what the screen has found, and what becomes of colours elsewhere.
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
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// A character as it may be printed: the environment can hold anything.
fn visible(c: char) -> Vec<char> {
    if c.is_control() { c.escape_default().collect() } else { vec![c] }
}
