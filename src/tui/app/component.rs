//! The component of each mode: its keys, its drawing and its reaction to the mouse.

use crate::tui::action::Context;
use crate::tui::draw::list::List;
use crate::tui::draw::reading::Page;
use crate::tui::input::Cell;
use crate::tui::line::Typed;

use super::{App, Effect, Mode};

/// The behaviour of a [`Mode`]. The mode itself holds the state.
///
/// Most modes are a list over the map or a text page. The default methods suit a list without text
/// input.
pub(super) trait Component {
    /// Returns the context whose key bindings apply.
    fn context(&self, app: &App) -> Context;

    /// Returns true if the component covers the map and the timeline. Text pages do.
    fn hides_map(&self) -> bool {
        false
    }

    /// Returns true if the run plays while this component is open. In the gallery, this applies to
    /// the preview.
    fn lets_time_pass(&self) -> bool {
        !self.hides_map()
    }

    /// Returns the list to draw. Clicks and selection movements use the same list. Returns `None`
    /// if the component has no list.
    fn list<'a>(&self, _app: &'a App) -> Option<List<'a>> {
        None
    }

    /// Returns the text page to draw. Returns `None` if the component has no page.
    fn page(&self, _app: &App) -> Option<Page> {
        None
    }

    /// Edits the text input. Called only if the context takes text.
    fn edit(&self, _app: &mut App, _typed: Typed) -> Option<Effect> {
        None
    }

    /// Selects the row with this index in the list.
    fn select(&self, _app: &mut App, _row: usize) -> Option<Effect> {
        None
    }

    /// Runs the list's main command on the selected row, such as opening a map.
    fn pick(&self, _app: &mut App) -> Option<Effect> {
        None
    }

    /// Handles a movement by `rows`; negative numbers move up. Returns false if the caller must
    /// move the selection of the list.
    fn nudge(&self, _app: &mut App, _rows: isize) -> bool {
        false
    }

    /// Handles a movement by `pages`; negative numbers move up. By default, moves the selection of
    /// the list or scrolls the page.
    fn turn(&self, app: &mut App, pages: isize) -> Option<Effect> {
        app.turn_pages(pages)
    }

    /// Closes the component, or only a part of it, such as a filter. The default implementation
    /// returns to the map screen.
    fn close(&self, app: &mut App) -> Option<Effect> {
        app.mode = Mode::Watch;
        None
    }

    /// Handles a click with the left button outside the list.
    fn click(&self, _app: &mut App, _cell: Cell) -> Option<Effect> {
        None
    }

    /// Handles a click with the right button on any cell.
    fn right_click(&self, _app: &mut App, _cell: Cell) {}

    /// Handles the mouse wheel. `by` is -1 if the wheel scrolls up, and 1 if it scrolls down.
    fn wheel(&self, app: &mut App, _at: Cell, by: isize) -> Option<Effect> {
        app.roll_by(by)
    }
}
