//! Work outside the screen.

use crate::files::spot::Spot;
use crate::tui::argument::Argument;
use crate::tui::library::{NewFile, NewPattern, Save};

/// Work that the event loop does for the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Leave the event loop, and restore the terminal.
    Quit,
    /// Stop the process until `fg`.
    Suspend,
    /// Open a map by its id.
    Open(String),
    /// Read the files of the open map again.
    Reread(String),
    /// Open a map to compare it with the current run.
    Compare {
        /// The id of the map.
        id: String,
        /// The seed that replaces the map's seed, if given.
        seed: Option<u64>,
    },
    /// Read a map for the preview of the gallery.
    Preview(String),
    /// Turn mouse capture on or off.
    Mouse(bool),
    /// Save breakpoints and bookmarks next to the map file.
    SaveBreaks,
    /// Save the changed values and edits of a map.
    Write(Save),
    /// Record the session to this file, or end the recording.
    Record(Option<String>),
    /// Write a new file.
    NewFile(NewFile),
    /// Write a new pattern file.
    NewPattern(NewPattern),
    /// Copy a text to the clipboard.
    Copy(String),
    /// Open a file of a map in the user's editor.
    Edit {
        /// The id of the map.
        id: String,
        /// The item whose definition the editor shows.
        spot: Spot,
    },
}

impl Effect {
    /// Returns the effect that starts a recording, or ends it if no file is named.
    pub fn record(argument: Option<&Argument>) -> Self {
        Self::Record(if let Some(Argument::File(path)) = argument {
            Some(path.clone())
        } else {
            None
        })
    }
}
