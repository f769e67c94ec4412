//! The help and its filter.

use crate::tui::line::{Line, Typed};

use super::{App, Help, Mode};

impl App {
    pub(super) fn help(&mut self) {
        let context = self.below();
        self.reader.scroll = 0;
        let below = Box::new(core::mem::replace(&mut self.mode, Mode::Watch));
        self.mode = Mode::Help(Help { context, below, filter: Line::default() });
    }

    fn filter(&mut self, change: impl FnOnce(&mut Line) -> bool) -> bool {
        let Mode::Help(help) = &mut self.mode else { return false };
        if change(&mut help.filter) {
            self.reader.scroll = 0;
        }
        true
    }

    /// Edits the text of the filter.
    pub(super) fn edit_filter(&mut self, typed: Typed) {
        self.filter(|line| line.edit(typed));
    }

    /// Clears the filter. Returns true if the filter was not empty.
    pub(super) fn clear_filter(&mut self) -> bool {
        let mut filtered = false;
        self.filter(|line| {
            filtered = !line.text().is_empty();
            line.set("");
            filtered
        });
        filtered
    }
}
