//! Components: what each mode does with keys, drawing and the mouse.

use crate::tui::action::Context;
use crate::tui::draw::list::List;
use crate::tui::draw::reading::Page;
use crate::tui::input::Cell;
use crate::tui::line::Typed;

use super::{App, Effect, Mode};

/// The behaviour of a [`Mode`]. The mode holds the state.
///
/// Most modes are a list over the map or a text page. The defaults suit a list without text input.
pub(super) trait Component {
    /// Returns the context whose keys work.
    fn context(&self, app: &App) -> Context;

    /// Returns true if the component hides the map and the timeline.
    fn hides_map(&self) -> bool {
        false
    }

    /// Returns true if the map or the preview plays.
    fn lets_time_pass(&self) -> bool {
        !self.hides_map()
    }

    /// Returns the list to draw, which also handles clicks and movements of the selection.
    fn list<'a>(&self, _app: &'a App) -> Option<List<'a>> {
        None
    }

    /// Returns the text page to draw.
    fn page(&self, _app: &App) -> Option<Page> {
        None
    }

    /// Edits the text input. Called only in contexts that take text.
    fn edit(&self, _app: &mut App, _typed: Typed) -> Option<Effect> {
        None
    }

    /// Selects a row of the list.
    fn select(&self, _app: &mut App, _row: usize) -> Option<Effect> {
        None
    }

    /// Runs the main command on the selected row.
    fn pick(&self, _app: &mut App) -> Option<Effect> {
        None
    }

    /// Moves by rows without using the list. Returns false to move the selection of the list.
    fn nudge(&self, _app: &mut App, _rows: isize) -> bool {
        false
    }

    /// Moves by pages.
    fn turn(&self, app: &mut App, pages: isize) -> Option<Effect> {
        app.turn_pages(pages)
    }

    /// Closes the component, or a part of it such as a filter.
    fn close(&self, app: &mut App) -> Option<Effect> {
        app.mode = Mode::Watch;
        None
    }

    /// Handles a click outside the list.
    fn click(&self, _app: &mut App, _cell: Cell) -> Option<Effect> {
        None
    }

    /// Handles a click with the right button.
    fn right_click(&self, _app: &mut App, _cell: Cell) {}

    /// Handles the mouse wheel, by -1 or 1 rows.
    fn wheel(&self, app: &mut App, _at: Cell, by: isize) -> Option<Effect> {
        app.roll_by(by)
    }
}
