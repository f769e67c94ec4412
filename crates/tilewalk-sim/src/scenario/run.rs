//! Runs of other programs, which agents of a scenario can follow.
//!
//! A [`RunTable`] has the motions by the names of agents and modes. [`FollowedRun::apply`] assigns
//! these names to the agents and modes of a scenario. The result is a
//! [`Trace`](crate::trace::Trace).

use std::sync::Arc;

use crate::trace::Values;
use crate::trace::live::LiveFrames;

pub use crate::trace::{DerivedMotion, Row as RunRow, RunTable};

/// A run, and how the agents of a map follow it.
#[derive(Debug, Clone)]
pub struct FollowedRun {
    /// The run.
    pub table: Arc<RunTable>,
    /// The file from which the run can be read again; `None` if there is none.
    pub file: Option<RunFile>,
    /// Agents of the map that are in the world besides those of the run.
    pub with: Vec<String>,
    /// Agents that a mode drives instead of the run: the names of the agent and of the mode.
    pub taken_over: Vec<(String, String)>,
    /// The frames after those of the table; `None` if the run is complete.
    pub live: Option<Arc<LiveFrames>>,
}

/// The file of a run, and how it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunFile {
    /// Path of the file.
    pub path: String,
    /// The options with which the file was read, as a text that the reader understands.
    pub options: String,
}

impl PartialEq for FollowedRun {
    fn eq(&self, other: &Self) -> bool {
        let frames = |run: &Self| run.live.as_ref().map(Arc::as_ptr);
        (&self.table, &self.file, &self.with, &self.taken_over)
            == (&other.table, &other.file, &other.with, &other.taken_over)
            && frames(self) == frames(other)
    }
}

impl Eq for FollowedRun {}

impl FollowedRun {
    /// Creates a complete run that all agents follow.
    pub fn new(table: RunTable) -> Self {
        let (with, taken_over) = (Vec::new(), Vec::new());
        Self { table: Arc::new(table), file: None, with, taken_over, live: None }
    }
}

/// Returns the values of some rows.
pub fn picked(values: &Values, rows: &[usize]) -> Values {
    match values {
        Values::Numbers(numbers) => Values::Numbers(rows.iter().map(|&it| numbers[it]).collect()),
        Values::Texts(texts) => Values::Texts(rows.iter().map(|&it| texts[it]).collect()),
    }
}
