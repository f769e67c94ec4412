//! What the person is doing.

use crate::tui::action::Context;
use crate::tui::line::Line;
use crate::tui::log::Log;
use crate::tui::menu::Menu;
use crate::tui::search::Search;
use crate::tui::tuner::Tuner;

/// What lies below help and errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Base {
    /// The list of maps.
    Gallery,
    /// A map.
    Watch,
}

/// What the person is doing.
#[derive(Debug, Clone)]
pub enum Mode {
    /// Choosing a map.
    Gallery,
    /// Watching a map.
    Watch,
    /// Looking for an agent.
    Search(Search),
    /// Choosing layers; the marked one of the menu.
    Overlays(usize),
    /// Choosing a run to return to; the marked one.
    Runs(usize),
    /// Looking at what stops time; the marked one of the list.
    Breaks(usize),
    /// Looking through what happened.
    Log(Box<Log>),
    /// Looking through marked frames; the chosen one of the list.
    Markers(usize),
    /// Changing a value.
    Tune(Tuner),
    /// Choosing what to do on a tile.
    Menu(Menu),
    /// Looking at what is wrong with the files; the marked one of the list.
    Problems(usize),
    /// Choosing what becomes of the run, as a file was saved.
    Saved,
    /// Reading the help.
    Help(Help),
    /// Reading what was wrong with a file.
    Errors(Base, Trouble),
    /// Reading what to watch on a map.
    About(Base),
    /// Reading the last answers.
    Messages(Base),
}

impl Mode {
    /// What lies below a page that is opened from here.
    pub fn base(&self) -> Base {
        if matches!(self, Self::Gallery) { Base::Gallery } else { Base::Watch }
    }

    /// Does the map's time pass? Not while something is read over it, or chosen on a tile.
    pub fn lets_time_pass(&self) -> bool {
        match self {
            Self::Gallery
            | Self::Menu(_)
            | Self::Help(_)
            | Self::Errors(..)
            | Self::About(_)
            | Self::Messages(_) => false,
            Self::Watch
            | Self::Search(_)
            | Self::Overlays(_)
            | Self::Runs(_)
            | Self::Breaks(_)
            | Self::Log(_)
            | Self::Markers(_)
            | Self::Tune(_)
            | Self::Problems(_)
            | Self::Saved => true,
        }
    }
}

/// The help, and the text of its filter.
#[derive(Debug, Clone)]
pub struct Help {
    /// Where it was opened: it begins with the keys of that place.
    pub context: Context,
    /// What closing it returns to.
    pub below: Box<Mode>,
    /// Rows without these words are left out.
    pub filter: Line,
}

/// What was wrong with a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble {
    /// What that means, in a few words.
    pub title: &'static str,
    /// What is wrong, line by line.
    pub text: String,
}
