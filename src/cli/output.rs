//! Standard output and standard error; nothing read from a file reaches either unescaped.

use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

use crate::depth::{self, Depth, When};
use crate::files::Report;

use super::CliError;

/// Buffered standard output.
pub(super) struct Output(BufWriter<StdoutLock<'static>>);

impl Output {
    pub(super) fn stdout() -> Self {
        Self(BufWriter::new(io::stdout().lock()))
    }

    /// Prints a line.
    pub(super) fn line(&mut self, line: impl core::fmt::Display) -> Result<(), CliError> {
        writeln!(self.0, "{line}").map_err(failed)
    }

    /// Prints a text that ends with a line of its own.
    pub(super) fn text(&mut self, text: &str) -> Result<(), CliError> {
        self.0.write_all(text.as_bytes()).map_err(failed)
    }

    /// Prints a value for programs.
    pub(super) fn json(&mut self, value: &impl serde::Serialize) -> Result<(), CliError> {
        let text = serde_json::to_string_pretty(value);
        self.line(text.map_err(|error| failed(error.into()))?)
    }

    /// Prints what is still held back.
    pub(super) fn flush(&mut self) -> Result<(), CliError> {
        self.0.flush().map_err(failed)
    }
}

fn failed(source: io::Error) -> CliError {
    CliError::Write { what: "standard output".to_owned(), source }
}

/// Says on standard error what went wrong. What even that stream refuses is lost.
pub fn complain(message: &str) {
    let visible: String = message
        .chars()
        .flat_map(|c| match c {
            '\n' => vec!['\n'],
            c if c.is_control() => c.escape_default().collect(),
            c => vec![c],
        })
        .collect();
    let _ = writeln!(io::stderr(), "tilewalk: {visible}");
}

/// Prints the errors and warnings of a file to standard error, in colour where that is wanted.
pub fn report_problems(report: &Report, color: Option<When>) {
    let _ = write!(io::stderr(), "{}", rendered(report, color, &io::stderr()));
}

/// A report for people, in colour where that is wanted.
pub(super) fn rendered(report: &Report, color: Option<When>, stream: &impl IsTerminal) -> String {
    let decided = depth::decide(color.unwrap_or_default(), environment, stream.is_terminal());
    if decided.depth > Depth::None { report.styled() } else { report.plain() }
}

/// A variable of the environment, as far as it is text.
pub fn environment(name: &str) -> Option<String> {
    std::env::var_os(name).map(|value| value.to_string_lossy().into_owned())
}
