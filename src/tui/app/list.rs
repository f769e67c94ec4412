//! Handles keys and clicks on lists. If the command line is open, its suggestions replace all other
//! lists.

use ratatui::layout::Rect;

use crate::tui::action::Context;
use crate::tui::draw;
use crate::tui::draw::list::List;
use crate::tui::input::Cell;

use super::panels::Panel;
use super::{App, Effect, Mode};

/// Maximum number of rows that a page key moves the selection in a list. Also the number of lines
/// that it scrolls in the inspector.
pub(super) const PAGE: usize = 8;

impl App {
    /// Returns the suggestions if the command line is open, otherwise the list of the current mode.
    /// Returns `None` if neither exists.
    pub fn list(&self) -> Option<List<'_>> {
        if self.prompt.palette.is_some() { self.palette_list() } else { self.mode_list() }
    }

    /// Returns the suggestions of the command line. Returns `None` if the command line is closed.
    pub fn palette_list(&self) -> Option<List<'_>> {
        let palette = self.prompt.palette.as_ref()?;
        let rows = if self.component().hides_map() { 1 } else { 2 };
        let height = self.screen.height.saturating_sub(rows);
        let area = Rect { height, ..self.screen };
        Some(draw::palette::list(palette, &self.setup.keymap, &self.setup.theme, area))
    }

    /// Returns the list of the current mode. Returns `None` if the mode has no list.
    pub fn mode_list(&self) -> Option<List<'_>> {
        self.component().list(self)
    }

    /// Opens a panel with the row at index `row` selected.
    pub(super) fn open_panel(&mut self, panel: &'static Panel, row: usize) {
        self.mode = Mode::Panel(panel, row);
    }

    /// Returns the index of the selected row. Returns `None` if another panel, or no panel, is
    /// open.
    pub(super) fn row_of(&self, panel: &Panel) -> Option<usize> {
        if let Mode::Panel(open, row) = self.mode
            && core::ptr::eq(open, panel)
        {
            return Some(row);
        }
        None
    }

    /// Returns the area for panels over the map: the part of the screen above the timeline.
    pub(super) fn panel_area(&self) -> Rect {
        self.layout().above_timeline(self.screen)
    }

    /// Selects the last row if the selected row of a panel no longer exists.
    pub(super) fn clamp_selection(&mut self) {
        let last = self.mode_list().map_or(0, |list| list.count.saturating_sub(1));
        if let Mode::Panel(_, row) = &mut self.mode {
            *row = (*row).min(last);
        }
    }

    /// Returns the index of the selected row and the number of rows. They belong to the command
    /// line if it is open, otherwise to the list of the current mode. Returns `None` without a
    /// list.
    fn selection(&self) -> Option<(usize, usize)> {
        let list = self.list()?;
        Some((list.selected.unwrap_or(0), list.count))
    }

    /// Selects the row at index `row`, or the last row if the list is shorter.
    fn select_row(&mut self, row: usize) -> Option<Effect> {
        let last = self.selection()?.1.saturating_sub(1);
        let row = row.min(last);
        if self.select_suggestion(row) {
            return None;
        }
        self.component().select(self, row)
    }

    /// Runs the typed command if the command line is open. Otherwise, runs the main command of the
    /// current list on its selected row.
    pub(super) fn pick(&mut self) -> Option<Effect> {
        if self.prompt.palette.is_some() {
            return self.run_command();
        }
        self.component().pick(self)
    }

    /// Moves the selection down by `rows`; negative numbers move up. Wraps at the ends of the list.
    /// If no list is open, scrolls the text instead.
    pub(super) fn move_by(&mut self, rows: isize) -> Option<Effect> {
        self.move_selection(rows, true)
    }

    /// Moves the selection down by `rows`, without wrapping at the ends of the list. Used for the
    /// mouse wheel. If no list is open, scrolls the text instead.
    pub(super) fn roll_by(&mut self, rows: isize) -> Option<Effect> {
        self.move_selection(rows, false)
    }

    fn move_selection(&mut self, rows: isize, wraps: bool) -> Option<Effect> {
        if self.choose_command(rows) {
            return None;
        }
        if self.component().nudge(self, rows) {
            return None;
        }
        let Some((selected, count)) = self.selection() else {
            self.scroll_by(rows);
            return None;
        };
        let count = count.max(1);
        self.select_row(if wraps {
            (selected + count).saturating_add_signed(rows) % count
        } else {
            selected.saturating_add_signed(rows)
        })
    }

    /// Handles a click on the command line or the list of the current mode. Selects the clicked
    /// row. If the row is already selected, runs the main command of the list.
    ///
    /// # Errors
    /// Returns [`NotCovered`] if the cell is outside the list. The caller must then handle the
    /// click.
    pub(super) fn click_list(&mut self, cell: Cell) -> Result<Option<Effect>, NotCovered> {
        let list = self.list().filter(|list| list.covers(cell)).ok_or(NotCovered)?;
        let Some(row) = list.row_at(cell) else { return Ok(None) };
        let is_selected = list.selected == Some(row);
        drop(list);
        let effect = if is_selected { None } else { self.select_row(row) };
        let context = self.context();
        // Items of a menu run at the first click.
        let runs = context == Context::Menu || (is_selected && context != Context::Value);
        Ok(if runs { self.pick() } else { effect })
    }

    /// Moves the selection of a list by pages, or scrolls the text by pages.
    pub(super) fn page(&mut self, pages: isize) -> Option<Effect> {
        self.component().turn(self, pages)
    }

    /// Moves the selection by `pages`, but not beyond the ends of the list. If no list is open,
    /// scrolls the text by pages.
    pub(super) fn turn_pages(&mut self, pages: isize) -> Option<Effect> {
        let page = self.list().map(|list| list.page());
        if let (Some(page), Some((selected, _))) = (page, self.selection()) {
            let rows = page.clamp(1, PAGE) as isize;
            return self.select_row(selected.saturating_add_signed(pages.saturating_mul(rows)));
        }
        // On a text page, one line stays in view.
        let rows = if self.component().hides_map() {
            usize::from(self.screen.height.saturating_sub(4)).max(1)
        } else {
            PAGE
        };
        self.scroll_by(pages.saturating_mul(rows as isize));
        None
    }

    /// Selects the last row if `last` is true, otherwise the first row. If no list is open, scrolls
    /// to the last or first line.
    pub(super) fn go_to_end(&mut self, last: bool) -> Option<Effect> {
        if self.list().is_some() {
            return self.select_row(if last { usize::MAX } else { 0 });
        }
        self.scroll_by(if last { isize::MAX } else { isize::MIN });
        None
    }
}

/// Error for a click outside the command line and the list of the current mode.
#[derive(Debug)]
pub(super) struct NotCovered;
