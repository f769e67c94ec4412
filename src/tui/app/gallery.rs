//! Choosing a map, and what its author says about it.

use crate::tui::argument::Argument;
use crate::tui::draw;
use crate::tui::input::Key;
use crate::tui::layout::Panes;
use crate::tui::session::Session;

use super::{App, Base, Effect, Mode};

impl App {
    pub(super) fn open_chosen(&mut self) -> Option<Effect> {
        match self.gallery.entry() {
            Some(entry) => Some(Effect::Open(entry.id.clone())),
            None => {
                self.warn("no map is listed");
                None
            }
        }
    }

    /// Opens a map by what was typed.
    pub(super) fn open_map(&mut self, argument: Option<Argument>) -> Option<Effect> {
        match argument {
            Some(Argument::Map(id)) => Some(Effect::Open(id)),
            _ => {
                self.open_palette_with("open ");
                None
            }
        }
    }

    /// Leaves a map: it stands in the gallery, and what was set on it is kept.
    pub(super) fn put_away(&mut self, session: &Session) {
        if !self.gallery.all().is_empty() {
            self.gallery.come_back(session.id(), || session.entry());
        }
        self.left.push((session.id().to_owned(), session.kept()));
    }

    pub(super) fn leave(&mut self) -> Option<Effect> {
        if self.gallery.all().is_empty() {
            self.warn("there is no list of maps");
            return None;
        }
        self.goal = None;
        self.paint = None;
        if let Some(lost) = self.unwritten() {
            self.warn(lost);
        }
        if let Some(session) = self.session.take() {
            self.put_away(&session);
        }
        self.mode = Mode::Gallery;
        self.panes = Panes::All;
        self.wanted_preview()
    }

    pub(super) fn choose(&mut self, place: usize) -> Option<Effect> {
        if self.gallery.choose(place) { self.wanted_preview() } else { None }
    }

    /// A key of the line that looks for a map, while there is one; is it?
    pub(super) fn look_by(&mut self, key: Key) -> Option<Effect> {
        if self.gallery.key(key) { self.look_at_chosen() } else { None }
    }

    /// The same with a pasted text.
    pub(super) fn look_by_text(&mut self, text: &str) -> Option<Effect> {
        if self.gallery.paste(text) { self.look_at_chosen() } else { None }
    }

    /// Lists all maps again.
    pub(super) fn list_all_maps(&mut self) -> Option<Effect> {
        let none = self.gallery.entry().is_none();
        self.gallery.show_all();
        if none { self.wanted_preview() } else { None }
    }

    fn look_at_chosen(&mut self) -> Option<Effect> {
        let effect = self.wanted_preview();
        if effect.is_none() {
            self.preview = None;
        }
        effect
    }

    /// Scrolls what to watch, no further than to its end.
    pub(super) fn scroll_about(&mut self, lines: isize) {
        let last = draw::gallery::longest_scroll(self.gallery.entry(), self.gallery_layout().about);
        let scroll = self.gallery.scroll.min(last).saturating_add_signed(lines);
        self.gallery.scroll = scroll.min(last);
    }

    /// Shows what to watch on a page of its own.
    pub(super) fn about(&mut self) {
        let entry = match (&self.mode, &self.session) {
            (Mode::Gallery, _) | (_, None) => self.gallery.entry().cloned(),
            (_, Some(session)) => Some(session.entry()),
        };
        if entry.is_none_or(|entry| entry.comment.trim().is_empty()) {
            self.warn("nothing is said about this map: a comment on top of its file would be");
            return;
        }
        let base = if matches!(self.mode, Mode::Gallery) { Base::Gallery } else { Base::Watch };
        self.scroll = 0;
        self.mode = Mode::About(base);
    }
}
