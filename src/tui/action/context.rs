//! Where keys are pressed.

use crate::tui::input::Key;
use crate::tui::overlays;

use super::Action;

/// Where a key is pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Context {
    /// The list of maps.
    Gallery,
    /// The line that looks for a map; all other keys are text.
    FindMap,
    /// A map.
    Watch,
    /// A map, with an agent driven by hand; all other keys are those of watching.
    Drive,
    /// A map that is painted; all other keys are those of watching.
    Paint,
    /// A map on which a path is drawn; all other keys are those of watching.
    Draw,
    /// The line that looks for an agent; all other keys are text.
    Search,
    /// The line for commands; all other keys are text.
    Palette,
    /// The menu of layers; letters show and hide them.
    Overlays,
    /// The list of runs.
    Runs,
    /// The list of what stops time.
    Breaks,
    /// The list of what happened.
    Log,
    /// The line that shortens that list; all other keys are text.
    Filter,
    /// The list of marked frames.
    Markers,
    /// The list of an agent's values; all other keys are text that shortens it.
    Tune,
    /// The line in which one of them is typed; all other keys are text.
    Value,
    /// What can be done on a tile.
    Menu,
    /// The list of what is wrong with the files.
    Problems,
    /// A file was saved, and the person is asked what becomes of the run.
    Saved,
    /// The help; letters filter it.
    Help,
    /// A list of errors, or of messages.
    Reading,
}

impl Context {
    /// All of them, in the order of the help.
    pub const ALL: [Self; 21] = [
        Self::Watch,
        Self::Drive,
        Self::Paint,
        Self::Draw,
        Self::Overlays,
        Self::Runs,
        Self::Breaks,
        Self::Log,
        Self::Filter,
        Self::Markers,
        Self::Tune,
        Self::Value,
        Self::Menu,
        Self::Problems,
        Self::Saved,
        Self::Gallery,
        Self::FindMap,
        Self::Palette,
        Self::Search,
        Self::Help,
        Self::Reading,
    ];

    /// Is it a layer over watching a map, whose other keys are those of watching?
    pub fn is_over_watch(self) -> bool {
        matches!(self, Self::Drive | Self::Paint | Self::Draw)
    }

    /// Its heading in the help.
    pub fn title(self) -> &'static str {
        match self {
            Self::Gallery => "Gallery",
            Self::FindMap => "Gallery search",
            Self::Watch => "Map",
            Self::Drive => "Manual control",
            Self::Paint => "Paint mode",
            Self::Draw => "Path drawing",
            Self::Overlays => "Overlay menu",
            Self::Runs => "Run list",
            Self::Breaks => "Breakpoint list",
            Self::Log => "Event log",
            Self::Filter => "Event filter",
            Self::Markers => "Bookmark list",
            Self::Tune => "Value list",
            Self::Value => "Value editor",
            Self::Problems => "Problem list",
            Self::Saved => "Reload question (on_reload = \"ask\")",
            Self::Palette => "Command line",
            Self::Search => "Agent search",
            Self::Menu => "Tile menu",
            Self::Help => "Help",
            Self::Reading => "Text page",
        }
    }

    /// Where that is, as part of a sentence: `in the event log`.
    pub fn place(self) -> String {
        match self {
            Self::Watch => "on a map".to_owned(),
            Self::Drive => "under manual control".to_owned(),
            Self::Paint => "in paint mode".to_owned(),
            Self::Draw => "while drawing a path".to_owned(),
            Self::Saved => "when a changed file asks what to do".to_owned(),
            Self::Reading => "on a text page".to_owned(),
            Self::Gallery
            | Self::FindMap
            | Self::Overlays
            | Self::Runs
            | Self::Breaks
            | Self::Log
            | Self::Filter
            | Self::Markers
            | Self::Tune
            | Self::Value
            | Self::Problems
            | Self::Palette
            | Self::Search
            | Self::Menu
            | Self::Help => format!("in the {}", self.title().to_lowercase()),
        }
    }

    /// What leads here from watching a map, if anybody comes here on purpose.
    pub fn entered_by(self) -> Option<Action> {
        Some(match self {
            Self::Gallery => Action::ToGallery,
            Self::Drive => Action::Drive,
            Self::Paint => Action::Paint,
            Self::Draw => Action::DrawPath,
            Self::Overlays => Action::Overlays,
            Self::Runs => Action::Runs,
            Self::Breaks => Action::Breakpoints,
            Self::Log => Action::Log,
            Self::Markers => Action::Bookmarks,
            Self::Tune | Self::Value => Action::EditValues,
            Self::Menu => Action::TileMenu,
            Self::Problems => Action::Problems,
            Self::Reading => Action::Messages,
            Self::Palette => Action::Palette,
            Self::Search => Action::Find,
            Self::Help => Action::Help,
            Self::Watch | Self::FindMap | Self::Filter | Self::Saved => return None,
        })
    }

    /// Are characters text here?
    pub fn takes_text(self) -> bool {
        matches!(
            self,
            Self::FindMap
                | Self::Search
                | Self::Palette
                | Self::Filter
                | Self::Tune
                | Self::Value
                | Self::Help
        )
    }

    /// Why a key can't be bound here, if it can't: it is text, or means something else.
    pub(super) fn refuses(self, key: Key) -> Option<String> {
        let Key::Char(c) = key else { return None };
        match self {
            Self::FindMap | Self::Search | Self::Palette | Self::Tune | Self::Value => {
                Some("characters are text there".to_owned())
            }
            Self::Overlays => {
                let layer = overlays::TABLE.iter().find(|layer| layer.key == c)?;
                Some(format!("it shows or hides the overlay `{}`", layer.name))
            }
            _ => None,
        }
    }
}
