//! The help page, and the filter that searches it.

use crate::tui::action::Context;
use crate::tui::draw;
use crate::tui::draw::reading::Page;
use crate::tui::line::{Line, Typed};

use super::component::Component;
use super::{App, Effect, Mode};

/// The state of the help page.
#[derive(Debug, Clone)]
pub struct Help {
    /// Context in which the help was opened. Its keys come first.
    pub context: Context,
    /// Mode that the help covers. Closing the help returns to this mode.
    pub below: Box<Mode>,
    /// Search text. The help shows only the rows that contain every word of this text. With an
    /// empty text, the help shows all rows except rare commands.
    pub filter: Line,
}

pub(super) struct HelpPage;

impl Component for HelpPage {
    fn context(&self, _app: &App) -> Context {
        Context::Help
    }

    fn hides_map(&self) -> bool {
        true
    }

    fn page(&self, app: &App) -> Option<Page> {
        let Mode::Help(help) = &app.mode else { return None };
        Some(draw::help::page(help, &app.setup.keymap, app.screen, &app.setup.theme))
    }

    fn edit(&self, app: &mut App, typed: Typed) -> Option<Effect> {
        if let Mode::Help(help) = &mut app.mode
            && help.filter.edit(typed)
        {
            app.reader.scroll = 0;
        }
        None
    }

    /// Clears the search text. If the text is already empty, closes the help.
    fn close(&self, app: &mut App) -> Option<Effect> {
        let Mode::Help(help) = &mut app.mode else { return None };
        if help.filter.text().is_empty() {
            let below = core::mem::replace(&mut *help.below, Mode::Watch);
            app.close_page(below);
        } else {
            help.filter.set("");
            app.reader.scroll = 0;
        }
        None
    }
}

impl App {
    pub(super) fn help(&mut self) {
        let context = self.component().context(self);
        let below = Box::new(core::mem::replace(&mut self.mode, Mode::Watch));
        self.open_page(Mode::Help(Help { context, below, filter: Line::default() }));
    }
}
