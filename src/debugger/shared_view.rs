//! What the sender of a shared recording saw: the run, the frame, the selection and the map view.
//!
//! A recording stores this as one line of JSON (see
//! [`crate::history::recording::Recording::view`]). Words that a program does not know keep its own
//! settings, so older and newer programs show the rest of the view.

use serde::{Deserialize, Serialize};

use crate::history::History;
use crate::history::run::RunId;
use crate::time::Frame;

/// What the sender of a shared recording saw.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SharedView {
    /// Number of the run in the recording, counted from 1.
    pub run: u32,
    /// Number of the compared run, whose agents are drawn as ghosts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ghost: Option<u32>,
    pub frame: u64,
    /// Name of the selected agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The selected tile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tile: Option<[i32; 2]>,
    /// How the screen showed the map. `None` if the sender did not use the screen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub screen: Option<SharedScreen>,
}

/// How the screen of the sender showed the map. The words are those of the front end.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SharedScreen {
    /// Centre of the visible part of the map, in tiles.
    pub centre: [f32; 2],
    pub zoom: String,
    /// Whether the camera follows the selected agent.
    pub follow: bool,
    /// Names of the visible overlays.
    pub overlays: Vec<String>,
    /// Whether the overlays show all agents in view.
    pub all_agents: bool,
    /// The agents whose visits the heat map counts.
    pub heat_map: String,
    /// Page of the inspector.
    pub page: String,
    /// The visible panes.
    pub panes: String,
}

impl SharedView {
    /// Returns the view of the current frame of a history, in the recording that
    /// [`crate::history::shared::shared`] writes. Nothing is selected.
    pub fn of(history: &History) -> Self {
        let ghost = history.comparison().map(|_| 1);
        Self { run: 1 + ghost.unwrap_or(0), ghost, frame: history.frame().0, ..Self::default() }
    }

    /// Reads a view from a recording.
    ///
    /// # Errors
    /// Returns a message if the text is not a view, or if the recording has no such run or frame.
    pub fn parse(text: &str, history: &History) -> Result<Self, String> {
        let view: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let run = |number: u32| {
            let id = RunId(number.wrapping_sub(1));
            let known = history.runs().contains(id);
            known.then_some(id).ok_or_else(|| format!("the recording has no run {number}"))
        };
        let (shown, ghost) = (run(view.run)?, view.ghost.map(run).transpose()?);
        if ghost == Some(shown) {
            return Err("a run can't be compared with itself".to_owned());
        }
        let end = history.runs()[shown].end();
        if Frame(view.frame) > end {
            return Err(format!("run {} ends at frame {end}, before frame {}", view.run, view.frame));
        }
        Ok(view)
    }

    /// Returns the text for a recording.
    pub fn text(&self) -> String {
        // Only maps with keys other than strings can't be written as JSON.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Switches a history to the run of the view, and compares it with the ghost's run.
    pub fn switch(&self, history: &mut History) {
        if let Some(ghost) = self.ghost {
            history.switch_run(RunId(ghost - 1));
        }
        history.switch_run(RunId(self.run - 1));
        if self.ghost.is_none() {
            history.end_comparison();
        }
    }
}
