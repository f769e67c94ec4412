//! Text pages: errors, the description of the map, and the message log.

use crate::debugger::session::Session;
use crate::tui::action::Context;
use crate::tui::draw::messages;
use crate::tui::draw::reading::{self, Page};

use super::component::Component;
use super::{App, Effect, Mode};

/// The component of a text page without a text input.
pub(super) struct TextPage {
    page: fn(&App) -> Option<Page>,
}

impl Component for TextPage {
    fn context(&self, _app: &App) -> Context {
        Context::Reading
    }

    fn hides_map(&self) -> bool {
        true
    }

    fn page(&self, app: &App) -> Option<Page> {
        (self.page)(app)
    }

    fn close(&self, app: &mut App) -> Option<Effect> {
        let below = if app.session.is_some() { Mode::Watch } else { Mode::Gallery };
        app.close_page(below);
        None
    }
}

pub(super) static ERRORS: TextPage = TextPage {
    page: |app| {
        let Mode::Errors(trouble) = &app.mode else { return None };
        Some(reading::errors(trouble, &app.setup.theme))
    },
};

pub(super) static ABOUT: TextPage = TextPage {
    page: |app| {
        let session = app.session.as_ref();
        let entry = session.map(Session::entry).or_else(|| app.gallery.maps.entry().cloned())?;
        let title = session.map_or(entry.title.as_str(), |session| session.scenario().title());
        Some(reading::about(title, &entry.comment, app.screen, &app.setup.theme))
    },
};

pub(super) static MESSAGES: TextPage = TextPage {
    page: |app| {
        let here = app.session.as_ref().map(Session::label);
        Some(messages::page(&app.answers.log, here, app.screen.width, &app.setup.theme))
    },
};

/// The content of a text page with errors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble {
    /// Heading of the page: the consequence of the errors, such as `cannot play this map`.
    pub title: &'static str,
    /// The error messages. A message may have several lines.
    pub text: String,
}

impl App {
    /// Opens a text page and scrolls to its first line. `page` is the mode of the text page.
    pub(super) fn open_page(&mut self, page: Mode) {
        self.reader.scroll = 0;
        self.mode = page;
    }

    /// Closes the text page or the help, and returns to the mode `below`.
    pub(super) fn close_page(&mut self, below: Mode) {
        self.reader.scroll = 0;
        self.mode = below;
        self.clock.discard_remainder();
    }

    /// Opens the description of the open map, or of the selected map in the gallery. If the map has
    /// no description, shows a warning.
    pub(super) fn about(&mut self) {
        let entry = self.session.as_ref().map(Session::entry);
        let entry = entry.or_else(|| self.gallery.maps.entry().cloned());
        if entry.is_none_or(|entry| entry.comment.trim().is_empty()) {
            self.warn("no description (add a comment at the top of the file)");
            return;
        }
        self.open_page(Mode::About);
    }
}
