//! A map or recording from which a session starts.

use std::sync::Arc;

use crate::files::Kept;
use crate::history::History;
use crate::scenario::Scenario;
use crate::time::Frame;

/// An opened map or recording.
#[derive(Debug, Clone)]
pub struct Opened {
    /// The id by which the map or recording can be opened again.
    pub id: String,
    /// The name shown to the user: a file name.
    pub label: String,
    /// The map and its agents.
    pub scenario: Arc<Scenario>,
    /// Warnings, one line each.
    pub warnings: Vec<String>,
    /// Saved breakpoints and bookmarks.
    pub kept: Kept,
    /// The recorded runs of a recording; `None` for a map.
    pub recorded: Option<Box<History>>,
    /// A suggested file name, if there is no writable file.
    pub new_name: Option<String>,
    /// What the screen shows first.
    pub first: Option<Box<FirstView>>,
}

/// The frame and the agent that the screen shows first.
#[derive(Debug, Clone, Default)]
pub struct FirstView {
    /// The frame to seek to. `None` plays a map from frame 0.
    pub frame: Option<Frame>,
    /// Name of the agent to select.
    pub agent: Option<String>,
}

impl Opened {
    /// Creates an opened map without warnings, breakpoints or recorded runs.
    pub fn new(id: &str, label: &str, scenario: Arc<Scenario>) -> Self {
        Self {
            id: id.to_owned(),
            label: label.to_owned(),
            scenario,
            warnings: Vec::new(),
            kept: Kept::default(),
            recorded: None,
            new_name: None,
            first: None,
        }
    }
}
