//! The command line: parses arguments, runs without a screen, prints results and returns an exit code.
//!
//! The screen is the other front end; the two don't know each other.

pub mod args;
mod check;
mod diff;
mod doctor;
mod explain;
mod import;
mod man;
mod new;
mod output;
mod record;
mod run;
mod schema;
mod trace;
mod verify;
mod write;

use std::process::ExitCode;

use crate::files::config::Vocabulary;
use crate::files::recorded::RecordedError;
use crate::files::trace::TraceError;
use crate::files::{LoadError, ReadError};

use args::{
    CheckArgs, CompletionsArgs, DiffArgs, DoctorArgs, ExplainArgs, ImportArgs, NewArgs, RunArgs,
    SchemaArgs, VerifyArgs,
};
use output::Output;

/// Could not do what was asked: usage, a missing file, a map with errors.
pub const EXIT_CANNOT: u8 = 2;

/// Why a command could not be carried out.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// A file of the user's could not be read at all.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A map could not be loaded, or a setting doesn't fit it.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A trace could not be read on.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// A seed or a value was given for something that is never run.
    #[error("{path} is not a map: only maps accept seeds and settings")]
    NotAMap {
        /// The path, safe to print.
        path: String,
    },
    /// A recording can't be used.
    #[error(transparent)]
    Recorded(#[from] RecordedError),
    /// Standard output, or a file that was to be written, failed.
    #[error("cannot write {what}: {source}")]
    Write {
        /// What was being written.
        what: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// The trace file's ending names no format.
    #[error("cannot write a trace to {path}: the file name must end in .csv or .ndjson")]
    TraceFormat {
        /// The path as given.
        path: String,
    },
    /// A file that is not to be replaced.
    #[error("{path} already exists{help}")]
    Exists {
        /// The path, safe to print.
        path: String,
        /// How it could be replaced, after a colon; or nothing.
        help: &'static str,
    },
    /// The name says of no format that it can be imported.
    #[error("cannot import {path}: the file name must end in .tmx, .map or .txt")]
    ImportFormat {
        /// The path, safe to print.
        path: String,
    },
    /// A map can't be called so.
    #[error("invalid map name `{name}`: use up to 64 letters, digits, `_` and `-`")]
    MapName {
        /// The name, safe to print.
        name: String,
    },
    /// Nobody on the map is called so.
    #[error("unknown agent `{name}`{help}")]
    UnknownAgent {
        /// The name, safe to print.
        name: String,
        /// Who may have been meant, after a colon; or nothing.
        help: String,
    },
}

impl CliError {
    fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Write { source, .. } if source.kind() == std::io::ErrorKind::BrokenPipe)
    }
}

/// Carries out `tilewalk check`: 0 without errors, 1 with, 2 when a path can't be read.
pub fn check(args: &CheckArgs, vocabulary: Option<&Vocabulary>) -> ExitCode {
    finish(check::check(args, vocabulary, &mut Output::stdout()))
}

/// Carries out `tilewalk run`: 0, or 2 when the map has errors or something can't be written.
pub fn run(args: &RunArgs) -> ExitCode {
    finish(run::run(args, &mut Output::stdout()))
}

/// Carries out `tilewalk explain`: 0, or 2 when the map has errors or no such agent.
pub fn explain(args: &ExplainArgs) -> ExitCode {
    finish(explain::explain(args, &mut Output::stdout()))
}

/// Carries out `tilewalk diff`: 0 when both are the same, 1 when not, 2 when one can't be read.
pub fn diff(args: &DiffArgs) -> ExitCode {
    finish(diff::diff(args, &mut Output::stdout()))
}

/// Carries out `tilewalk verify`: 0, 1 when the recording is no longer what happens, 2 when it is none.
pub fn verify(args: &VerifyArgs) -> ExitCode {
    finish(verify::verify(args, &mut Output::stdout()))
}

/// Carries out `tilewalk import`: 0, or 2 when the file can't be read or has errors.
pub fn import(args: &ImportArgs) -> ExitCode {
    finish(import::import(args, &mut Output::stdout()))
}

/// Carries out `tilewalk new`: 0, or 2 when there is such a map.
pub fn new(args: &NewArgs) -> ExitCode {
    finish(new::new(args, &mut Output::stdout()))
}

/// Carries out `tilewalk schema`.
pub fn schema(args: &SchemaArgs) -> ExitCode {
    finish(schema::schema(args, &mut Output::stdout()))
}

/// Carries out `tilewalk completions`.
pub fn completions(args: &CompletionsArgs) -> ExitCode {
    finish(man::completions(args, &mut Output::stdout()))
}

/// Carries out `tilewalk man` with the keys of the screen.
pub fn man(keys: &[KeySection]) -> ExitCode {
    finish(man::man(keys, &mut Output::stdout()))
}

/// Carries out `tilewalk doctor` with what the screen has found: 0.
pub fn doctor(args: &DoctorArgs, screen: &[Finding]) -> ExitCode {
    finish(doctor::doctor(args, screen, &mut Output::stdout()))
}

/// Says on standard error what went wrong, and turns it into an exit code.
pub fn finish(result: Result<ExitCode, CliError>) -> ExitCode {
    match result {
        Ok(code) => code,
        // Whoever reads the output has seen enough.
        Err(error) if error.is_broken_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error.to_string());
            ExitCode::from(EXIT_CANNOT)
        }
    }
}

pub use doctor::Finding;
pub use man::KeySection;
pub use output::{complain, environment, report_problems};
pub use record::begin as begin_recording;
