//! Commands on bookmarks.

use crate::tui::action::{Action, Context};
use crate::tui::argument::Argument;

use crate::tui::map_screen::popup::{BOOKMARKS, ListPopup, Next};
use crate::tui::ui::Ui;

use super::MapScreen;

impl MapScreen {
    pub(in crate::tui) fn bookmark(&mut self, ui: &mut Ui, argument: Option<&Argument>) {
        if let Some(Argument::Text(name)) = argument {
            self.mark(ui, name);
        } else {
            self.toggle_bookmark(ui);
        }
    }

    pub(in crate::tui) fn delete_selected_bookmark(&mut self, ui: &mut Ui) {
        if let Some(row) = self.row_of(&BOOKMARKS) {
            self.remove_bookmark(ui, row);
        }
    }

    fn mark(&mut self, ui: &mut Ui, name: &str) {
        let session = &mut self.session;
        let bookmark = session.mark(name);
        let key = |action| ui.setup.keymap.named(action, Context::Map);
        let (next, previous) = (key(Action::NextBookmark), key(Action::PreviousBookmark));
        self.note(
            ui,
            format!(
                "bookmark {} at frame {}; {next}: next bookmark, {previous}: previous bookmark",
                bookmark.name, bookmark.frame
            ),
        );
    }

    fn toggle_bookmark(&mut self, ui: &mut Ui) {
        let session = &self.session;
        let now = session.world().frame();
        let place = session.bookmarks().iter().position(|bookmark| bookmark.frame == now);
        match place {
            Some(place) => self.remove_bookmark(ui, place),
            None => self.mark(ui, ""),
        }
    }

    fn remove_bookmark(&mut self, ui: &mut Ui, place: usize) {
        let session = &mut self.session;
        let Some(removed) = session.unmark(place) else {
            self.warn(ui, "no such bookmark");
            return;
        };
        self.note(ui, format!("bookmark {} at frame {} deleted", removed.name, removed.frame));
    }

    /// Opens the list of bookmarks. Selects the last bookmark at or before the current frame.
    pub(in crate::tui) fn list_bookmarks(&mut self) {
        let session = &self.session;
        let now = session.world().frame();
        let until = session.bookmarks().iter().filter(|bookmark| bookmark.frame <= now).count();
        self.open(ListPopup::new(&BOOKMARKS, until.saturating_sub(1)));
    }

    pub(in crate::tui) fn go_to_near_bookmark(&mut self, ui: &mut Ui, later: bool) {
        let session = &self.session;
        let now = session.world().frame();
        let near = session.bookmarks().near(now, later);
        if let Some((frame, name)) = near.map(|bookmark| (bookmark.frame, bookmark.name.clone())) {
            self.leave_goal();
            self.go_to_and_report(ui, frame);
            self.note(ui, format!("bookmark {name}"));
        } else {
            let which = if later { "later" } else { "earlier" };
            let key = ui.setup.keymap.named(Action::ToggleBookmark, Context::Map);
            self.note(ui, format!("no {which} bookmark; {key} bookmarks frame {now}"));
        }
    }

    /// Goes to a bookmark. `row` is the index of the bookmark.
    pub(in crate::tui) fn go_to_bookmark(&mut self, ui: &mut Ui, row: usize) -> Next {
        let frame = self.session.bookmarks().get(row).map(|bookmark| bookmark.frame);
        let Some(frame) = frame else { return Next::Stay };
        self.leave_goal();
        self.go_to(ui, frame);
        Next::Close
    }
}
