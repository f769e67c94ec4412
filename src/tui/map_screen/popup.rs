//! Popups: lists, menus and questions over the map.
//!
//! A popup owns its state, such as the selected row or a filter. The map screen holds the open
//! popup, and passes keys and clicks on to it.

pub mod changes;
pub(in crate::tui) mod lists;
pub mod log;
mod reload_question;
pub mod search;
mod tile_menu;
pub mod values;

use core::any::Any;
use core::fmt::Debug;

use super::MapScreen;
use crate::debugger::session::Session;
use crate::tui::action::Context;
use crate::tui::draw::list::List;
use crate::tui::input::{Cell, Key};
use crate::tui::line::Typed;
use crate::tui::ui::Ui;

pub(in crate::tui) use lists::{ListPopup, ListSpec};
pub(in crate::tui) use reload_question::ReloadQuestion;
pub(in crate::tui) use tile_menu::TileMenu;

/// What the map screen does with a popup that has handled input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum Next {
    /// The popup stays open.
    Stay,
    /// The popup closes.
    Close,
}

/// Where a popup has an area of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::tui) enum Dock {
    /// The popup covers other panes.
    #[default]
    None,
    /// Below the map. If the panes are stacked, the popup covers the inspector.
    Side,
    /// Below the map, so that the inspector stays visible.
    Map,
}

/// A change outside the popup that can make the popup out of date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum Change {
    /// The current frame, the selection or the events may have changed.
    Frame,
    /// Values of agents have changed.
    Values,
    /// The files of the map were read, with other errors or warnings.
    Problems,
    /// The run continues with another scenario, in which agents can have other ids.
    Scenario,
}

/// A list, menu or question over the map.
///
/// The default methods suit a list without text input. The selection, paging and clicks are handled
/// by [`Component`](crate::tui::component::Component).
pub(in crate::tui) trait Popup: CloneableAny + Debug + Send {
    /// Returns the context whose key bindings apply.
    fn context(&self) -> Context;

    /// Returns true if the run plays while the popup is open.
    fn lets_time_pass(&self) -> bool {
        true
    }

    /// Returns where the popup has an area of its own, instead of covering other panes.
    fn dock(&self) -> Dock {
        Dock::None
    }

    /// Returns the list to draw. Returns `None` if the popup has no list.
    fn list<'a>(&'a self, map: &'a MapScreen, ui: &'a Ui) -> Option<List<'a>>;

    /// Selects the row with this index in the list.
    fn select(&mut self, row: usize);

    /// Runs the main command of the list on the selected row.
    fn pick(&mut self, map: &mut MapScreen, ui: &mut Ui) -> Next;

    /// Edits the text input. Called only if the context takes text.
    fn edit(&mut self, _typed: Typed, _session: &Session) {}

    /// Handles a movement by `rows`; negative numbers move up. Returns false if the selection of
    /// the list must move instead.
    fn nudge(&mut self, _rows: isize) -> bool {
        false
    }

    /// Handles a key without a binding. Returns false if the key has no meaning.
    fn press(&mut self, _key: Key, _map: &mut MapScreen) -> bool {
        false
    }

    /// Closes the popup, or only a part of it, such as a filter.
    fn close(&mut self, _map: &mut MapScreen, _ui: &mut Ui) -> Next {
        Next::Close
    }

    /// Handles a click with the left button outside the list.
    fn click(&mut self, _cell: Cell, _map: &mut MapScreen, _ui: &mut Ui) -> Next {
        Next::Stay
    }

    /// Handles a click with the right button on any cell.
    fn right_click(&mut self, _cell: Cell, _map: &mut MapScreen, _ui: &mut Ui) -> Next {
        Next::Stay
    }

    /// Updates the popup after a change outside it.
    fn renew(&mut self, _change: Change, _session: &Session) -> Next {
        Next::Stay
    }
}

/// Conversions of popups that need the concrete type.
pub(in crate::tui) trait CloneableAny {
    fn boxed_clone(&self) -> Box<dyn Popup>;
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

impl<P: Popup + Clone + 'static> CloneableAny for P {
    fn boxed_clone(&self) -> Box<dyn Popup> {
        Box::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

impl Clone for Box<dyn Popup> {
    fn clone(&self) -> Self {
        (**self).boxed_clone()
    }
}
