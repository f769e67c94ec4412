//! Commands on bookmarks.

use crate::tui::action::{Action, Context};
use crate::tui::argument::Argument;

use super::panels::BOOKMARKS;
use super::{App, Mode};

impl App {
    pub(super) fn bookmark(&mut self, argument: Option<&Argument>) {
        if let Some(Argument::Text(name)) = argument {
            self.mark(name);
        } else {
            self.toggle_marker();
        }
    }

    pub(super) fn delete_marked_bookmark(&mut self) {
        if let Some(row) = self.row_of(&BOOKMARKS) {
            self.remove_marker(row);
        }
    }

    fn mark(&mut self, name: &str) {
        let Some(session) = &mut self.session else { return };
        let marker = session.mark(name);
        let key = |action| self.setup.keymap.named(action, Context::Watch);
        let (next, previous) = (key(Action::NextBookmark), key(Action::PreviousBookmark));
        self.note(format!(
            "bookmark {} at frame {}; {next}: next bookmark, {previous}: previous bookmark",
            marker.name, marker.frame
        ));
    }

    fn toggle_marker(&mut self) {
        let Some(session) = &self.session else { return };
        let now = session.world().frame();
        let place = session.markers().iter().position(|marker| marker.frame == now);
        match place {
            Some(place) => self.remove_marker(place),
            None => self.mark(""),
        }
    }

    fn remove_marker(&mut self, place: usize) {
        let Some(session) = &mut self.session else { return };
        let Some(removed) = session.unmark(place) else {
            self.warn("no such bookmark");
            return;
        };
        self.clamp_selection();
        self.note(format!("bookmark {} at frame {} deleted", removed.name, removed.frame));
    }

    /// Opens the list of bookmarks. Selects the last bookmark at or before the current frame.
    pub(super) fn list_markers(&mut self) {
        let Some(session) = &self.session else { return };
        let now = session.world().frame();
        let until = session.markers().iter().filter(|marker| marker.frame <= now).count();
        self.open_panel(&BOOKMARKS, until.saturating_sub(1));
    }

    pub(super) fn go_to_near_marker(&mut self, later: bool) {
        let Some(session) = &self.session else { return };
        let now = session.world().frame();
        let near = session.markers().near(now, later);
        if let Some((frame, name)) = near.map(|marker| (marker.frame, marker.name.clone())) {
            self.leave_goal();
            self.go_to_and_report(frame);
            self.note(format!("bookmark {name}"));
        } else {
            let which = if later { "later" } else { "earlier" };
            let key = self.setup.keymap.named(Action::ToggleBookmark, Context::Watch);
            self.note(format!("no {which} bookmark; {key} bookmarks frame {now}"));
        }
    }

    pub(super) fn go_to_marker(&mut self, row: usize) {
        let Some(session) = &self.session else { return };
        if let Some(frame) = session.markers().get(row).map(|marker| marker.frame) {
            self.mode = Mode::Watch;
            self.leave_goal();
            self.go_to(frame);
        }
    }
}
