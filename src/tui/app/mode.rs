//! The modes of the screen.

use crate::tui::action::Context;
use crate::tui::line::Line;
use crate::tui::log::Log;
use crate::tui::menu::Menu;
use crate::tui::search::Search;
use crate::tui::values::ValueList;

use super::panels::Panel;

/// What is below a page of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the modes of the same names")]
pub enum Base {
    Gallery,
    Watch,
}

/// What receives keys and clicks, apart from the command line.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the names of most modes say it")]
pub enum Mode {
    /// The list of maps.
    Gallery,
    /// The panes of a map.
    Watch,
    /// A list without state of its own, and its selected row.
    Panel(&'static Panel, usize),
    Search(Search),
    Log(Box<Log>),
    /// The value list of an agent.
    Values(ValueList),
    Menu(Menu),
    /// The question what to do after a file was saved.
    Saved,
    Help(Help),
    /// Errors in a file.
    Errors(Base, Trouble),
    /// The description of a map.
    About(Base),
    Messages(Base),
}

impl Mode {
    /// Returns what is below a page that opens from this mode.
    pub fn base(&self) -> Base {
        if matches!(self, Self::Gallery) { Base::Gallery } else { Base::Watch }
    }

    /// Whether this is a page of text.
    pub fn is_page(&self) -> bool {
        matches!(self, Self::Help(_) | Self::Errors(..) | Self::About(_) | Self::Messages(_))
    }

    /// Whether the mode covers the timeline.
    pub fn covers_timeline(&self) -> bool {
        self.is_page() || matches!(self, Self::Gallery)
    }

    /// Whether time passes on the map. Pages and the tile menu stop it.
    pub fn lets_time_pass(&self) -> bool {
        !self.covers_timeline() && !matches!(self, Self::Menu(_))
    }
}

/// The help with its filter.
#[derive(Debug, Clone)]
pub struct Help {
    /// The context in which it was opened. Its keys come first.
    pub context: Context,
    /// The mode that returns when the help closes.
    pub below: Box<Mode>,
    /// Only rows that contain all words of this text are shown.
    pub filter: Line,
}

/// Errors in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble {
    /// The consequence, in a few words.
    pub title: &'static str,
    /// The errors, line by line.
    pub text: String,
}
