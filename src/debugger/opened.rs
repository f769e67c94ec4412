//! A map or recording from which a session starts.

use std::sync::Arc;

use crate::files::Kept;
use crate::history::History;
use crate::scenario::Scenario;
use crate::time::Frame;

use super::shared_view::{SharedScreen, SharedView};

/// Start of the id of a map that was imported from a file of another program. The path follows.
pub const IMPORTED: &str = "imported:";

/// An opened map or recording, from which a session starts.
#[derive(Debug, Clone)]
pub struct Opened {
    /// The id by which the map or recording can be opened again.
    pub id: String,
    /// The file name shown to the user.
    pub label: String,
    pub scenario: Arc<Scenario>,
    /// Warnings about the files of the map, one line each.
    pub warnings: Vec<String>,
    /// Breakpoints and bookmarks that were saved beside the map.
    pub kept: Kept,
    /// The runs of a recording. `None` for a map.
    pub recorded: Option<Box<History>>,
    /// A suggested file name for saving. `None` if the map has a writable file.
    pub new_name: Option<String>,
    /// The frame and agent to show first. `None` for the default: frame 0 and the first agent.
    pub first: Option<Box<FirstView>>,
}

/// What the screen shows first.
#[derive(Debug, Clone, Default)]
pub struct FirstView {
    /// The frame to seek to. `None` plays a map from frame 0.
    pub frame: Option<Frame>,
    /// Name of the agent to select. `None` selects the first agent.
    pub agent: Option<String>,
    /// Whether playback continues from that frame.
    pub plays: bool,
    /// The tile to select. `None` selects no tile.
    pub tile: Option<[i32; 2]>,
    /// Camera, panes and overlays. `None` for the defaults.
    pub screen: Option<Box<SharedScreen>>,
}

impl From<SharedView> for FirstView {
    /// Returns what the screen shows first of a shared recording, whose history is already at the
    /// run of the view.
    fn from(view: SharedView) -> Self {
        let SharedView { frame, agent, tile, screen, .. } = view;
        let (frame, screen) = (Some(Frame(frame)), screen.map(Box::new));
        Self { frame, agent, plays: false, tile, screen }
    }
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
