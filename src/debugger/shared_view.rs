//! What the sender of a shared recording saw: the run, the frame, the selection and the map view.
//!
//! A recording stores this as one line of JSON (see
//! [`crate::history::recording::Recording::view`]). Words that a program does not know keep its own
//! settings, so older and newer programs show the rest of the view.

use serde::{Deserialize, Serialize};

use crate::files::read::recorded::Recorded;
use crate::files::show;
use crate::history::run::RunId;
use crate::history::{DEFAULT_BUDGET, History};
use crate::time::Frame;
use crate::words;

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
    /// How the view adapts to the size of the receiver's screen.
    pub framing: String,
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

/// What a user asks to see of a recording. The view in the recording supplies the rest.
#[derive(Debug, Clone, Default)]
pub struct AskedView {
    /// Number of the run, counted from 1. `None` for that of the view, or for the last run.
    pub run: Option<u32>,
    /// The frame, limited to the last one of the run. `None` for that of the view, or for frame 0.
    pub frame: Option<u64>,
    /// Name of the agent to select.
    pub agent: Option<String>,
}

/// A recording at the run to show.
#[derive(Debug)]
pub struct ShownRecording {
    /// All runs of the recording. The run to show is the current one.
    pub history: History,
    pub view: SharedView,
    /// Why the view in the recording could not be used. `None` if it was used or does not exist.
    pub warning: Option<String>,
}

impl ShownRecording {
    /// Opens the runs of a recording, and switches to the run to show. Simulates no frame.
    ///
    /// # Errors
    /// Returns a message for the user if the recording has no such run.
    pub fn open(recorded: &Recorded, asked: &AskedView) -> Result<Self, String> {
        let Recorded { recording, scenarios, label, .. } = recorded;
        let mut history = History::replay(recording, scenarios, DEFAULT_BUDGET);
        let count = history.runs().len() as u32;
        let stored = recording.view.as_ref().map(|text| SharedView::parse(text, &history));
        let (stored, warning) = match stored.transpose() {
            Ok(view) => (view, None),
            Err(why) => {
                (None, Some(format!("the view in the recording is unusable: {}", show::text(&why))))
            }
        };
        let last = SharedView { run: count, ..SharedView::default() };
        let mut view = stored.unwrap_or(last);
        if let Some(run) = asked.run.filter(|&run| run != view.run) {
            if run > count {
                let runs = words::count(count.into(), "run");
                return Err(format!("{label}: no run {run}; the recording has {runs}"));
            }
            // The frame and the ghost belong to the run of the view.
            (view.run, view.frame, view.ghost) = (run, 0, None);
        }
        view.switch(&mut history);
        view.frame = asked.frame.unwrap_or(view.frame).min(history.run().end().0);
        if asked.agent.is_some() {
            (view.agent, view.tile) = (asked.agent.clone(), None);
        }
        Ok(Self { history, view, warning })
    }
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
            return Err(format!(
                "run {} ends at frame {end}, before frame {}",
                view.run, view.frame
            ));
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
