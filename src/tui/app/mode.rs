//! What the person is doing.

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
    /// Reading the help.
    Help(Help),
    /// Reading what was wrong with a file.
    Errors(Base, Trouble),
}

/// The help, and what is looked for in it.
#[derive(Debug, Clone)]
pub struct Help {
    /// What lies below.
    pub base: Base,
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
