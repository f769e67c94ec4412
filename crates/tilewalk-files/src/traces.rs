//! Reads the runs of other programs: one row per agent and frame, as CSV or as one JSON object per
//! line.
//!
//! Also reads the [`plans`] of path planners.
//!
//! [`TraceOptions`] name the columns and the units of the file. A header line in the file can do
//! the same. [`read`] collects the rows, and [`RunFile::on_map`] converts them to tiles.

pub mod conflicts;
pub mod plans;
pub mod warnings;

mod columns;
mod csv;
mod error;
mod header;
mod lines;
mod ndjson;
mod reopen;
mod table;

pub use error::RunError;
pub use header::{PathKind, TraceOptions, parse_column, parse_point};
pub use lines::{Input, ReadProgress, is_run_path};
pub use reopen::{ReopenError, file_of, reopen};
pub use table::{Follower, RunFile};

use crate::text::source::ReadError;

/// Reads a run, or the plan of a path planner.
///
/// # Errors
/// Returns an error if the input can't be read, or if its content is invalid.
pub fn read(mut input: Input, options: &TraceOptions) -> Result<RunFile, RunError> {
    let label = input.label.clone();
    let head = input.head().map_err(|error| ReadError::Io { label: label.clone(), error })?;
    if let Some(notation) = plans::Notation::of(&head) {
        return plans::read(input, notation, options).map(|plan| plan.run);
    }
    if options.paths.is_some() {
        let what = "only plans of the League of Robot Runners have --paths".to_owned();
        return Err(RunError::File { label, what });
    }
    table::read(input, options)
}
