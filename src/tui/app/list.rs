//! Lists: the topmost list, and selecting its rows by keys and clicks.

use ratatui::layout::Rect;

use crate::tui::action::Context;
use crate::tui::draw;
use crate::tui::draw::list::List;
use crate::tui::input::Cell;

use super::panels::Panel;
use super::{App, Effect, Mode};

/// Maximum number of rows or lines that a page key moves, except on text pages.
pub(super) const PAGE: usize = 8;

impl App {
    /// Returns the topmost list: the command line, or the list of the mode.
    pub fn list(&self) -> Option<List<'_>> {
        if self.prompt.palette.is_some() { self.palette_list() } else { self.mode_list() }
    }

    /// Returns the suggestions of the command line, if the command line is open.
    pub fn palette_list(&self) -> Option<List<'_>> {
        let palette = self.prompt.palette.as_ref()?;
        let rows = if self.component().hides_map() { 1 } else { 2 };
        let height = self.screen.height.saturating_sub(rows);
        let area = Rect { height, ..self.screen };
        Some(draw::palette::list(palette, &self.setup.keymap, &self.setup.theme, area))
    }

    /// Returns the list of the current mode, if the mode has one.
    pub fn mode_list(&self) -> Option<List<'_>> {
        self.component().list(self)
    }

    /// Opens a panel with a selected row.
    pub(super) fn open_panel(&mut self, panel: &'static Panel, row: usize) {
        self.mode = Mode::Panel(panel, row);
    }

    /// Returns the selected row of a panel, if the panel is open.
    pub(super) fn row_of(&self, panel: &Panel) -> Option<usize> {
        if let Mode::Panel(open, row) = self.mode
            && core::ptr::eq(open, panel)
        {
            return Some(row);
        }
        None
    }

    /// Returns the area of the panels that lie above the timeline.
    pub(super) fn panel_area(&self) -> Rect {
        self.layout().above_timeline(self.screen)
    }

    /// Keeps the selection inside a list that became shorter.
    pub(super) fn clamp_selection(&mut self) {
        let last = self.mode_list().map_or(0, |list| list.count.saturating_sub(1));
        if let Mode::Panel(_, row) = &mut self.mode {
            *row = (*row).min(last);
        }
    }

    /// Returns the selected row of the topmost list, and the number of rows.
    fn selection(&self) -> Option<(usize, usize)> {
        let list = self.list()?;
        Some((list.selected.unwrap_or(0), list.count))
    }

    /// Selects a row of the topmost list, or the last row if there are fewer rows.
    fn select_row(&mut self, row: usize) -> Option<Effect> {
        let last = self.selection()?.1.saturating_sub(1);
        let row = row.min(last);
        if self.select_suggestion(row) {
            return None;
        }
        self.component().select(self, row)
    }

    /// Runs the main command of the topmost list on its selected row.
    pub(super) fn pick(&mut self) -> Option<Effect> {
        if self.prompt.palette.is_some() {
            return self.run_command();
        }
        self.component().pick(self)
    }

    /// Moves the selection by `rows`, and wraps at the ends of the list. Without a list, scrolls.
    pub(super) fn move_by(&mut self, rows: isize) -> Option<Effect> {
        self.move_selection(rows, true)
    }

    /// Moves the selection by `rows` of the mouse wheel, without wrapping. Without a list, scrolls.
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

    /// Handles a click on the topmost list: selects the clicked row, or runs the main command if
    /// the row is already selected.
    ///
    /// # Errors
    /// Returns an error if the list does not cover the cell.
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

    /// Moves by pages: the selection of a list, or the text.
    pub(super) fn page(&mut self, pages: isize) -> Option<Effect> {
        self.component().turn(self, pages)
    }

    /// Moves the selection by pages. Without a list, scrolls by pages.
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

    /// Selects the last row if `last`, otherwise the first row. Without a list, scrolls to that
    /// end.
    pub(super) fn go_to_end(&mut self, last: bool) -> Option<Effect> {
        if self.list().is_some() {
            return self.select_row(if last { usize::MAX } else { 0 });
        }
        self.scroll_by(if last { isize::MAX } else { isize::MIN });
        None
    }
}

/// Error returned if a cell is outside the topmost list.
#[derive(Debug)]
pub(super) struct NotCovered;
