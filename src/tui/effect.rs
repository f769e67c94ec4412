//! Effects: work that the screen requests from the event loop.

use crate::files::read::file_location::MapItem;
use crate::render::Format;
use crate::tui::argument::Argument;
use crate::tui::host::{NewFile, NewMap, Save};

/// A request to the event loop, such as reading or writing a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Leave the event loop and restore the terminal.
    Quit,
    /// Suspend the process until the shell continues it with `fg`.
    Suspend,
    /// Open the map with this id. It replaces the open map.
    Open(String),
    /// Open the recording in this pasted text. It replaces the open map.
    OpenPasted(String),
    /// Read the files of the map with this id again, and apply changed contents to the run.
    Reread(String),
    /// Open a map for a comparison run beside the open map.
    Compare {
        /// Id of the map to open.
        id: String,
        /// Seed of the comparison run. `None` uses the map's own seed.
        seed: Option<u64>,
    },
    /// Open the map with this id as the preview of the gallery.
    Preview(String),
    /// Turn mouse capture on (`true`) or off.
    Mouse(bool),
    /// Save breakpoints and bookmarks of the open map in a file beside the map file.
    SaveBreaks,
    /// Write changed values and edits to the map's files, or to a new file.
    Write(Save),
    /// Write changed values and edits to the map's files, and then quit. Does not quit if a file
    /// cannot be written.
    WriteAndQuit(Save),
    /// Record the session to the file with this path. `None` ends the recording.
    Record(Option<String>),
    /// Write the current run and view to a new recording.
    Share {
        /// The path of the file. `None` for a free name in the current directory.
        path: Option<String>,
        /// The view, as text for the recording.
        view: String,
    },
    /// Write a new file, such as a screenshot or a map.
    NewFile(NewFile),
    /// Write a picture or a film of the run, up to the current frame.
    Render {
        /// The path of the file.
        path: String,
        format: Format,
        /// The first frame.
        from: u64,
    },
    /// Write a new map to the current directory, and open it in paint mode.
    NewMap(NewMap),
    /// Copy this text to the clipboard.
    Copy(String),
    /// Open a file of a map in the user's text editor.
    Edit {
        /// Id of the map whose file is opened.
        id: String,
        /// Item whose definition the editor shows.
        spot: MapItem,
    },
}

impl Effect {
    /// Whether the effect reads or writes files of a map, and must wait for the end of a write.
    pub fn needs_files(&self) -> bool {
        match self {
            Self::Quit | Self::Suspend | Self::Mouse(_) | Self::Copy(_) => false,
            Self::Open(_)
            | Self::OpenPasted(_)
            | Self::Share { .. }
            | Self::Reread(_)
            | Self::Compare { .. }
            | Self::Preview(_)
            | Self::SaveBreaks
            | Self::Write(_)
            | Self::WriteAndQuit(_)
            | Self::Record(_)
            | Self::NewFile(_)
            | Self::Render { .. }
            | Self::NewMap(_)
            | Self::Edit { .. } => true,
        }
    }

    /// Returns the effect that starts a recording to the file in `argument`. Without a file,
    /// returns the effect that ends the recording.
    pub fn record(argument: Option<&Argument>) -> Self {
        Self::Record(if let Some(Argument::File(path)) = argument {
            Some(path.clone())
        } else {
            None
        })
    }
}
