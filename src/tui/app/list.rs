//! Lists: one way to move the mark of each.

use crate::tui::draw;
use crate::tui::overlays;

use super::{App, Effect, Mode};

/// Lines a page key scrolls, and rows it moves the mark of a list at most.
const PAGE: usize = 8;

impl App {
    /// Which one is marked in the list that is open, and how many it has; `None` where there is none.
    fn marked(&self) -> Option<(usize, usize)> {
        let session = self.session.as_ref();
        Some(match &self.mode {
            Mode::Gallery => (self.gallery.chosen(), self.gallery.listed().len()),
            Mode::Tune(tuner) => (tuner.marked(), tuner.listed().len()),
            Mode::Log(log) => (log.marked(), log.len()),
            Mode::Menu(menu) => (menu.marked, menu.items.len()),
            Mode::Overlays(marked) => (*marked, overlays::TABLE.len()),
            Mode::Runs(marked) => (*marked, session?.history().runs().len()),
            Mode::Breaks(marked) => (*marked, session?.breaks().len()),
            Mode::Markers(marked) => (*marked, session?.markers().len()),
            Mode::Problems(marked) => (*marked, session?.problems().list().len()),
            Mode::Watch
            | Mode::Search(_)
            | Mode::Saved
            | Mode::Help(_)
            | Mode::Errors(..)
            | Mode::About(_)
            | Mode::Messages(_) => return None,
        })
    }

    /// Marks the one at a place of the list that is open, or the last one.
    fn mark_at(&mut self, place: usize) -> Option<Effect> {
        let (_, count) = self.marked()?;
        let place = place.min(count.saturating_sub(1));
        match &mut self.mode {
            Mode::Gallery => return self.choose(place),
            Mode::Tune(tuner) => tuner.mark_at(place),
            Mode::Log(log) => log.mark_at(place),
            Mode::Menu(menu) => menu.marked = place,
            Mode::Overlays(marked)
            | Mode::Runs(marked)
            | Mode::Breaks(marked)
            | Mode::Markers(marked)
            | Mode::Problems(marked) => *marked = place,
            // The others are no lists: nothing is marked there.
            _ => {}
        }
        None
    }

    /// Moves the mark so many rows, as far as the list goes.
    pub(super) fn mark_by(&mut self, rows: isize) -> Option<Effect> {
        let (marked, _) = self.marked()?;
        self.mark_at(marked.saturating_add_signed(rows))
    }

    /// Moves the mark so many rows, round and round.
    pub(super) fn mark_round(&mut self, rows: isize) -> Option<Effect> {
        let (marked, count) = self.marked()?;
        let count = count.max(1);
        self.mark_at((marked + count).saturating_add_signed(rows) % count)
    }

    /// A page key: what is listed or read goes a page up or down, and no further than it goes.
    pub(super) fn page(&mut self, pages: isize) -> Option<Effect> {
        let rows = pages.saturating_mul(self.page_rows() as isize);
        if matches!(self.mode, Mode::Gallery) {
            // Its list is short, and what is said beside it long.
            self.scroll_about(rows);
            return None;
        }
        if self.marked().is_some() {
            return self.mark_by(rows);
        }
        self.scroll_by(rows);
        None
    }

    /// Rows of a page. A text page keeps one line in view; of a list with few rows none is skipped.
    fn page_rows(&self) -> usize {
        match &self.mode {
            Mode::Tune(tuner) => {
                let area = draw::tuner::place(&self.layout(), self.screen);
                usize::from(draw::tuner::rows(tuner, area)).clamp(1, PAGE)
            }
            Mode::Help(_) | Mode::Errors(..) | Mode::About(_) | Mode::Messages(_) => {
                usize::from(self.screen.height.saturating_sub(4)).max(1)
            }
            Mode::Gallery
            | Mode::Watch
            | Mode::Search(_)
            | Mode::Overlays(_)
            | Mode::Runs(_)
            | Mode::Breaks(_)
            | Mode::Log(_)
            | Mode::Markers(_)
            | Mode::Menu(_)
            | Mode::Problems(_)
            | Mode::Saved => PAGE,
        }
    }

    /// To the beginning of what is listed or read, or to its end.
    pub(super) fn go_to_end(&mut self, last: bool) -> Option<Effect> {
        if self.marked().is_some() {
            return self.mark_at(if last { usize::MAX } else { 0 });
        }
        self.scroll_by(if last { isize::MAX } else { isize::MIN });
        None
    }
}
