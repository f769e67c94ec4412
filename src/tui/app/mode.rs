//! The modes of the screen.

use crate::tui::action::Context;
use crate::tui::line::Line;
use crate::tui::log::Log;
use crate::tui::menu::Menu;
use crate::tui::search::Search;
use crate::tui::values::ValueList;

use super::panels::Panel;

/// The screen below a text page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the modes of the same names")]
pub enum Base {
    Gallery,
    Watch,
}

/// The list, page or pane that receives keys and clicks while the command line is closed.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the names of most modes say it")]
pub enum Mode {
    /// The gallery with the list of maps.
    Gallery,
    /// The map screen without lists or pages.
    Watch,
    /// A list panel over the map, and the index of the selected row.
    Panel(&'static Panel, usize),
    Search(Search),
    Log(Box<Log>),
    /// The value list of an agent.
    Values(ValueList),
    Menu(Menu),
    /// The reload question: what to do with the run after a map file was saved.
    Saved,
    Help(Help),
    /// A text page that shows errors.
    Errors(Base, Trouble),
    /// A text page that shows the description of the map.
    About(Base),
    Messages(Base),
}

impl Mode {
    /// Returns the screen below a page that opens in this mode.
    pub fn base(&self) -> Base {
        if matches!(self, Self::Gallery) { Base::Gallery } else { Base::Watch }
    }

    /// Returns true if the mode is a text page.
    pub fn is_page(&self) -> bool {
        matches!(self, Self::Help(_) | Self::Errors(..) | Self::About(_) | Self::Messages(_))
    }

    /// Returns true if the mode covers the timeline.
    pub fn covers_timeline(&self) -> bool {
        self.is_page() || matches!(self, Self::Gallery)
    }

    /// Returns true if the map plays in this mode. Pages and the tile menu pause the map.
    pub fn lets_time_pass(&self) -> bool {
        !self.covers_timeline() && !matches!(self, Self::Menu(_))
    }
}

/// The help with its filter.
#[derive(Debug, Clone)]
pub struct Help {
    /// The context in which the help was opened. The help lists the keys of this context first.
    pub context: Context,
    /// The mode that is restored when the help closes.
    pub below: Box<Mode>,
    /// The filter. The help shows only rows that contain all words of this text.
    pub filter: Line,
}

/// Errors that a text page shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble {
    /// The heading: the consequence of the errors, in a few words.
    pub title: &'static str,
    /// The errors, line by line.
    pub text: String,
}
