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

    /// What it is called.
    pub fn title(self) -> &'static str {
        match self {
            Self::Gallery => "In the list of maps",
            Self::FindMap => "Looking for a map",
            Self::Watch => "Watching a map",
            Self::Drive => "Driving an agent; all other keys as above",
            Self::Paint => "Painting the map; all other keys as in watching",
            Self::Draw => "Drawing a path; all other keys as in watching",
            Self::Overlays => "Choosing overlays",
            Self::Runs => "Choosing a run",
            Self::Breaks => "In the list of breakpoints",
            Self::Log => "In the list of events",
            Self::Filter => "Shortening the list of events",
            Self::Markers => "In the list of markers",
            Self::Tune => "In the list of values",
            Self::Value => "Typing a value",
            Self::Problems => "In the list of problems",
            Self::Saved => "When a file was saved, with `on_reload = \"ask\"`",
            Self::Palette => "Typing a command",
            Self::Search => "Looking for an agent",
            Self::Menu => "In the menu of a tile",
            Self::Help => "In the help; letters filter it",
            Self::Reading => "Reading a page: errors, messages, or what to watch",
        }
    }

    /// Where that is, in a sentence.
    pub fn place(self) -> String {
        let title = self.title().split([';', ',']).next().unwrap_or_default();
        let mut letters = title.chars();
        let first = letters.next().map(|c| c.to_lowercase().to_string()).unwrap_or_default();
        let is_whole = title.starts_with("In ") || title.starts_with("When ");
        let begin = if is_whole { "" } else { "while " };
        format!("{begin}{first}{}", letters.as_str())
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
            Self::Breaks => Action::Breaks,
            Self::Log => Action::Log,
            Self::Markers => Action::Markers,
            Self::Tune | Self::Value => Action::Tune,
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
                Some(format!("it shows and hides the layer `{}`", layer.name))
            }
            _ => None,
        }
    }
}
