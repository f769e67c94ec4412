//! Text pages over the whole screen: the help, errors, the description of a map, and the message
//! log.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::Widget;

use super::action::Context;
use super::component::Component;
use super::draw::help as draw_help;
use super::draw::reading::{self, Reading};
use super::effect::Effect;
use super::host::GalleryEntry;
use super::line::{Line, Typed};
use super::map_screen::scrolled;
use super::ui::Ui;

/// An open text page.
#[derive(Debug, Clone)]
pub struct Page {
    content: Content,
    /// Number of lines scrolled off the top.
    scroll: usize,
}

/// The content of a text page.
#[derive(Debug, Clone)]
pub(super) enum Content {
    Help(Help),
    /// Errors of a map that cannot be opened, or of the configuration.
    Errors(ErrorText),
    /// The description of a map.
    About(GalleryEntry),
    /// The message log. The label of the open map is left out of the messages.
    Messages(Option<String>),
}

/// The state of the help page.
#[derive(Debug, Clone)]
pub struct Help {
    /// Context in which the help was opened. Its keys come first.
    pub context: Context,
    /// Search text. The help shows only the rows that contain every word of this text. With an
    /// empty text, the help shows all rows except rare commands.
    pub filter: Line,
}

/// The content of a text page with errors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorText {
    /// Heading of the page: the consequence of the errors, such as `cannot play this map`.
    pub title: &'static str,
    /// The error messages. A message may have several lines.
    pub text: String,
}

impl Page {
    /// Opens a page at its first line.
    pub(super) fn new(content: Content) -> Self {
        Self { content, scroll: 0 }
    }

    /// Opens the help with the keys of a context first.
    pub(super) fn help(context: Context) -> Self {
        Self::new(Content::Help(Help { context, filter: Line::default() }))
    }

    /// Returns the state of the help. Returns `None` for other pages.
    pub fn as_help(&self) -> Option<&Help> {
        match &self.content {
            Content::Help(help) => Some(help),
            Content::Errors(_) | Content::About(_) | Content::Messages(_) => None,
        }
    }

    /// Returns the number of lines scrolled off the top.
    pub fn scroll(&self) -> usize {
        self.scroll
    }

    /// Clears the search text of the help. Returns false if the page must close instead.
    pub(super) fn clear_search(&mut self) -> bool {
        let Content::Help(help) = &mut self.content else { return false };
        if help.filter.text().is_empty() {
            return false;
        }
        help.filter.set("");
        self.scroll = 0;
        true
    }

    fn lines(&self, ui: &Ui) -> reading::PageText {
        let (keymap, theme) = (&ui.setup.keymap, &ui.setup.theme);
        match &self.content {
            Content::Help(help) => {
                draw_help::page(help.context, &help.filter, keymap, ui.screen, theme)
            }
            Content::Errors(errors) => reading::errors(errors.title, &errors.text, theme),
            Content::About(entry) => reading::about(&entry.title, &entry.comment, ui.screen, theme),
            Content::Messages(here) => {
                reading::messages(&ui.answers.log, here.as_deref(), ui.screen.width, theme)
            }
        }
    }

    /// Returns the last scroll position in lines. Returns 0 if all lines are visible.
    pub fn longest_scroll(&self, ui: &Ui) -> usize {
        let rows = ui.screen.height.saturating_sub(3);
        self.lines(ui).lines.len().saturating_sub(usize::from(rows))
    }

    /// Draws the page above the footer.
    pub(super) fn draw(&self, ui: &Ui, screen: Rect, buffer: &mut Buffer) {
        let area = Rect { height: screen.height.saturating_sub(1), ..screen };
        let (page, scroll, theme) = (&self.lines(ui), self.scroll, &ui.setup.theme);
        Reading { page, scroll, theme }.render(area, buffer);
    }
}

impl Component for Page {
    fn context(&self) -> Context {
        match self.content {
            Content::Help(_) => Context::Help,
            Content::Errors(_) | Content::About(_) | Content::Messages(_) => Context::Reading,
        }
    }

    fn edit(&mut self, typed: Typed, _ui: &mut Ui) -> Option<Effect> {
        if let Content::Help(help) = &mut self.content
            && help.filter.edit(typed)
        {
            self.scroll = 0;
        }
        None
    }

    fn close(&mut self, _ui: &mut Ui) -> Option<Effect> {
        self.clear_search();
        None
    }

    fn scroll_by(&mut self, lines: isize, ui: &Ui) {
        self.scroll = scrolled(self.scroll, lines, self.longest_scroll(ui));
    }

    /// Returns the height of the page, so that one line stays in view.
    fn page_of_text(&self, ui: &Ui) -> usize {
        usize::from(ui.screen.height.saturating_sub(4)).max(1)
    }
}
