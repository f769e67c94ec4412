//! Errors of runs of other programs.

use crate::text::source::ReadError;

/// Error for the run of another program that can't be read.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The file can't be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A line is invalid.
    #[error("{label}:{line}:{column}: {what}")]
    Line {
        /// Path as given, safe to print.
        label: String,
        /// Number of the line, from 1.
        line: u64,
        /// Column in characters, from 1.
        column: usize,
        /// Description of the problem, safe to print.
        what: String,
    },
    /// The rows need too much memory.
    #[error("{label}: the rows need more than {gib} GiB of memory")]
    TooLarge {
        /// Path as given, safe to print.
        label: String,
        /// The limit, in GiB.
        gib: usize,
        /// Frames from the start of the file whose rows fit.
        frames: core::ops::RangeInclusive<u64>,
        /// Name of an agent.
        agent: String,
    },
    /// The file does not fit its options or the map.
    #[error("{label}: {what}")]
    File {
        /// Path as given, safe to print.
        label: String,
        /// Description of the problem, safe to print.
        what: String,
    },
}

/// A problem in a line: its column in characters, from 1, and its description.
#[derive(Debug)]
pub(super) struct LineProblem {
    pub column: usize,
    pub what: String,
}

impl LineProblem {
    pub fn new(column: usize, what: impl Into<String>) -> Self {
        Self { column, what: what.into() }
    }
}
