//! What the screen asks of the loop around it.

use crate::files::spot::Spot;
use crate::tui::library::{NewFile, NewPattern, Save};

/// What the loop around the screen is asked to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// End.
    Quit,
    /// Stop the process, as `ctrl-z` does elsewhere.
    Suspend,
    /// Open a map to watch it.
    Open(String),
    /// Read the map that is watched again.
    Reread(String),
    /// Open a map to show it beside the present one, perhaps with a seed of its own.
    Compare {
        /// What the library knows it by.
        id: String,
        /// In place of its own.
        seed: Option<u64>,
    },
    /// Open a map to show it in the gallery.
    Preview(String),
    /// Take the mouse, or leave it to the terminal.
    Mouse(bool),
    /// Keep the breakpoints beside the map.
    SaveBreaks,
    /// Write the values and edits of a map.
    Write(Save),
    /// Write a new file.
    NewFile(NewFile),
    /// Write a new pattern.
    NewPattern(NewPattern),
    /// Put a text into the clipboard.
    Copy(String),
    /// Open the file of a map in the person's editor.
    Edit {
        /// What the library knows the map by.
        id: String,
        /// Where in the file.
        spot: Spot,
    },
}
