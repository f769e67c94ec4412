//! The contexts in which keys are bound.

use crate::tui::input::Key;
use crate::tui::overlays;

use super::Action;

/// A part of the screen that receives keys. Each context has its own keys and commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "`title` names every context")]
pub enum Context {
    /// The list of maps in the gallery.
    Gallery,
    /// The map search in the gallery. Character keys insert text.
    FindMap,
    /// The map screen without lists or pages.
    Watch,
    /// Manual control. Keys not bound here act as in [`Self::Watch`].
    Drive,
    /// Paint mode. Keys not bound here act as in [`Self::Watch`].
    Paint,
    /// Path drawing. Keys not bound here act as in [`Self::Watch`].
    Draw,
    /// The agent search. Character keys insert text.
    Search,
    /// The command line. Character keys insert text.
    Palette,
    /// The overlay menu. Letters show and hide overlays.
    Overlays,
    Runs,
    Breaks,
    Log,
    /// The filter of the event log. Character keys insert text.
    Filter,
    Markers,
    /// The value list. Character keys insert text into the filter.
    Values,
    /// The value editor. Character keys insert text.
    Value,
    Menu,
    /// The list of errors and warnings.
    Problems,
    /// The reload question: what to do with the run after a map file was saved.
    Saved,
    /// The help. Character keys insert text into the filter.
    Help,
    /// A page of text, such as errors or messages.
    Reading,
}

impl Context {
    /// All contexts, in the order of the help.
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
        Self::Values,
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

    /// Returns true if keys not bound in this context act as in [`Self::Watch`].
    pub fn is_over_watch(self) -> bool {
        matches!(self, Self::Drive | Self::Paint | Self::Draw)
    }

    /// Returns the heading of this context in the help.
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
            Self::Values => "Value list",
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

    /// Returns a phrase that locates the context in a sentence, such as `in the event log`.
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
            | Self::Values
            | Self::Value
            | Self::Problems
            | Self::Palette
            | Self::Search
            | Self::Menu
            | Self::Help => format!("in the {}", self.title().to_lowercase()),
        }
    }

    /// Returns the action that opens this context from the map, if there is one.
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
            Self::Values | Self::Value => Action::EditValues,
            Self::Menu => Action::TileMenu,
            Self::Problems => Action::Problems,
            Self::Reading => Action::Messages,
            Self::Palette => Action::Palette,
            Self::Search => Action::Find,
            Self::Help => Action::Help,
            Self::Watch | Self::FindMap | Self::Filter | Self::Saved => return None,
        })
    }

    /// Returns true if characters go to a text input.
    pub fn takes_text(self) -> bool {
        matches!(
            self,
            Self::FindMap
                | Self::Search
                | Self::Palette
                | Self::Filter
                | Self::Values
                | Self::Value
                | Self::Help
        )
    }

    /// Returns the reason why a key cannot be bound in this context, or `None` if it can.
    pub(super) fn refuses(self, key: Key) -> Option<String> {
        let Key::Char(c) = key else { return None };
        match self {
            Self::FindMap | Self::Search | Self::Palette | Self::Values | Self::Value => {
                Some("characters are text there".to_owned())
            }
            Self::Overlays => {
                let layer = overlays::TABLE.iter().find(|layer| layer.key == c)?;
                Some(format!("it shows or hides the overlay `{}`", layer.name))
            }
            Self::Gallery
            | Self::Watch
            | Self::Drive
            | Self::Paint
            | Self::Draw
            | Self::Runs
            | Self::Breaks
            | Self::Log
            | Self::Filter
            | Self::Markers
            | Self::Menu
            | Self::Problems
            | Self::Saved
            | Self::Help
            | Self::Reading => None,
        }
    }
}
