//! Standard output and standard error. Control characters from files are escaped.

use std::io::{self, BufWriter, IsTerminal, Stdout, Write};

use crate::depth::{self, Depth, When};
use crate::files::traces::warnings;
use crate::files::{Report, show};
use crate::scenario::run::RunTable;

use super::CliError;

/// Buffered standard output. Standard output stays unlocked, because signal handlers of the screen
/// write to it.
pub(super) struct Output(BufWriter<Stdout>);

impl Output {
    pub(super) fn stdout() -> Self {
        Self(BufWriter::new(io::stdout()))
    }

    pub(super) fn line(&mut self, line: impl core::fmt::Display) -> Result<(), CliError> {
        writeln!(self.0, "{line}").map_err(failed)
    }

    /// Prints a text that already ends with a line break.
    pub(super) fn text(&mut self, text: &str) -> Result<(), CliError> {
        self.0.write_all(text.as_bytes()).map_err(failed)
    }

    /// Prints a value as indented JSON, followed by a line break.
    pub(super) fn json(&mut self, value: &impl serde::Serialize) -> Result<(), CliError> {
        let text = serde_json::to_string_pretty(value);
        self.line(text.map_err(|error| failed(error.into()))?)
    }

    /// Prints a value as JSON on one line.
    pub(super) fn json_line(&mut self, value: &impl serde::Serialize) -> Result<(), CliError> {
        let text = serde_json::to_string(value);
        self.line(text.map_err(|error| failed(error.into()))?)
    }

    pub(super) fn flush(&mut self) -> Result<(), CliError> {
        self.0.flush().map_err(failed)
    }
}

fn failed(source: io::Error) -> CliError {
    CliError::Write { what: "standard output".to_owned(), source }
}

/// Prints a message to standard error, after the program name. Escapes control characters except
/// line breaks. Write errors are ignored.
pub fn complain(message: &str) {
    let _ = writeln!(io::stderr(), "tilewalk: {}", show::escaped_except(message, &['\n']));
}

/// Prints complete lines to standard error, without escaping. Write errors are ignored.
pub(super) fn note(lines: &str) {
    let _ = io::stderr().write_all(lines.as_bytes());
}

/// Prints to standard error what the reader of a run ignored or rounded.
pub(super) fn report_reading(table: &RunTable) {
    for warning in warnings::of_reading(table) {
        note(&format!("warning: {}\n", warning.line(&table.label)));
    }
}

/// Prints the errors and warnings in a report to standard error. `color` is the option `--color`;
/// `None` stands for `auto`.
pub fn report_problems(report: &Report, color: Option<When>) {
    let _ = write!(io::stderr(), "{}", rendered(report, color, &io::stderr()));
}

/// Formats errors and warnings, in colour if `color` and the kind of `stream` allow it.
pub(super) fn rendered(report: &Report, color: Option<When>, stream: &impl IsTerminal) -> String {
    let decided = depth::decide(color.unwrap_or_default(), environment, stream.is_terminal());
    if decided.depth > Depth::None { report.styled() } else { report.plain() }
}

/// Returns the value of an environment variable, with invalid Unicode replaced. Returns `None` if
/// the variable is not set.
pub fn environment(name: &str) -> Option<String> {
    std::env::var_os(name).map(|value| value.to_string_lossy().into_owned())
}
