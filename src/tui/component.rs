//! Components: parts of the screen that own their state, handle input and draw themselves.
//!
//! The provided methods are the one implementation of lists: the selection, paging, clicks and the
//! mouse wheel work the same way in all of them.

use ratatui::layout::{Position, Rect};

use super::action::Context;
use super::draw::list::List;
use super::effect::Effect;
use super::input::{Cell, Key};
use super::line::Typed;
use super::ui::Ui;

/// Maximum number of rows that a page key moves the selection in a list. Also the number of lines
/// that it scrolls in the inspector.
pub(super) const PAGE: usize = 8;

/// A part of the screen that receives keys and clicks: the gallery, the map screen or a text page.
///
/// Lists over the map are a [`Popup`](super::map_screen::popup::Popup) of the map screen.
pub(super) trait Component {
    /// Returns the context whose key bindings apply.
    fn context(&self) -> Context;

    /// Returns the list to draw. Clicks and selection movements use the same list. Returns `None`
    /// if the component shows no list.
    fn list<'a>(&'a self, _ui: &'a Ui) -> Option<List<'a>> {
        None
    }

    /// Edits the text input. Called only if the context takes text.
    fn edit(&mut self, _typed: Typed, _ui: &mut Ui) -> Option<Effect> {
        None
    }

    /// Selects the row with this index in the list.
    fn select(&mut self, _row: usize, _ui: &mut Ui) -> Option<Effect> {
        None
    }

    /// Runs the list's main command on the selected row, such as opening a map.
    fn pick(&mut self, _ui: &mut Ui) -> Option<Effect> {
        None
    }

    /// Closes a part of the component, such as a list, a search or a selection.
    fn close(&mut self, ui: &mut Ui) -> Option<Effect>;

    /// Handles a movement by `rows`; negative numbers move up. Returns false if the selection of
    /// the list must move instead.
    fn nudge(&mut self, _rows: isize) -> bool {
        false
    }

    /// Scrolls the text by `lines`; negative numbers scroll up.
    fn scroll_by(&mut self, lines: isize, ui: &Ui);

    /// Returns the number of lines that a page key scrolls, if the component shows no list.
    fn page_of_text(&self, _ui: &Ui) -> usize {
        PAGE
    }

    /// Handles a key without a binding. Returns false if the key has no meaning.
    fn press(&mut self, _key: Key) -> bool {
        false
    }

    /// Handles a click with the left button outside the list.
    fn click(&mut self, _cell: Cell, _ui: &mut Ui) -> Option<Effect> {
        None
    }

    /// Handles a click with the right button on any cell.
    fn right_click(&mut self, _cell: Cell, _ui: &mut Ui) {}

    /// Handles the mouse wheel. `by` is -1 if the wheel scrolls up, and 1 if it scrolls down.
    fn wheel(&mut self, _at: Cell, by: isize, ui: &mut Ui) -> Option<Effect> {
        self.move_by(by, false, ui)
    }

    /// Moves the selection of the list down by `rows`; negative numbers move up. At the ends of the
    /// list, the selection continues at the other end if `wraps` is true. Without a list, scrolls the
    /// text instead.
    fn move_by(&mut self, rows: isize, wraps: bool, ui: &mut Ui) -> Option<Effect> {
        if self.nudge(rows) {
            return None;
        }
        let Some((selected, count)) = self.selection(ui) else {
            self.scroll_by(rows, ui);
            return None;
        };
        self.select(moved(selected, count, rows, wraps), ui)
    }

    /// Moves the selection by `pages`, but not beyond the ends of the list. Without a list, scrolls
    /// the text by pages.
    fn turn(&mut self, pages: isize, ui: &mut Ui) -> Option<Effect> {
        let page = self.list(ui).map(|list| list.page());
        if let (Some(page), Some((selected, count))) = (page, self.selection(ui)) {
            return self.select(turned(selected, count, page, pages), ui);
        }
        self.scroll_by(pages.saturating_mul(self.page_of_text(ui) as isize), ui);
        None
    }

    /// Selects the last row if `last` is true, otherwise the first row. Without a list, scrolls to
    /// the last or first line.
    fn go_to_end(&mut self, last: bool, ui: &mut Ui) -> Option<Effect> {
        if let Some((_, count)) = self.selection(ui) {
            return self.select(if last { count.saturating_sub(1) } else { 0 }, ui);
        }
        self.scroll_by(if last { isize::MAX } else { isize::MIN }, ui);
        None
    }

    /// Returns the index of the selected row and the number of rows. Returns `None` without a list.
    fn selection(&self, ui: &Ui) -> Option<(usize, usize)> {
        let list = self.list(ui)?;
        Some((list.selected.unwrap_or(0), list.count))
    }

    /// Handles a click on the list: selects the clicked row. If the row is already selected, runs
    /// the main command of the list.
    ///
    /// # Errors
    /// Returns [`NotCovered`] if the cell is outside the list. The caller must then handle the
    /// click.
    fn click_list(&mut self, cell: Cell, ui: &mut Ui) -> Result<Option<Effect>, NotCovered> {
        let list = self.list(ui).filter(|list| list.covers(cell)).ok_or(NotCovered)?;
        let Some(row) = list.row_at(cell) else { return Ok(None) };
        let is_selected = list.selected == Some(row);
        drop(list);
        let effect = if is_selected { None } else { self.select(row, ui) };
        let context = self.context();
        // Items of a menu run at the first click.
        let runs = context == Context::Menu || (is_selected && context != Context::Value);
        Ok(if runs { self.pick(ui) } else { effect })
    }
}

/// Error for a click outside the list of a component.
#[derive(Debug)]
pub(super) struct NotCovered;

/// Returns the row that is selected after a movement by `rows` from `selected`.
pub(super) fn moved(selected: usize, count: usize, rows: isize, wraps: bool) -> usize {
    let count = count.max(1);
    if wraps {
        (selected + count).saturating_add_signed(rows) % count
    } else {
        selected.saturating_add_signed(rows).min(count - 1)
    }
}

/// Returns the row that is selected after a movement by `pages` from `selected`. `page` is the
/// number of visible rows.
pub(super) fn turned(selected: usize, count: usize, page: usize, pages: isize) -> usize {
    let rows = page.clamp(1, PAGE) as isize;
    moved(selected, count, pages.saturating_mul(rows), false)
}

/// Returns true if the area contains the cell.
pub(super) fn within(area: Rect, cell: Cell) -> bool {
    area.contains(Position::new(cell.x, cell.y))
}
