//! Shows messages. `note` and `warn` also add the message to the list of messages. Progress reports
//! are shown but not kept.

use crate::tui::messages::{Message, Said};

use super::{App, Mode};

impl App {
    /// Shows a note and keeps it.
    pub(super) fn note(&mut self, text: impl Into<String>) {
        self.say(Message::Note(text.into()));
    }

    /// Shows a warning and keeps it.
    pub(super) fn warn(&mut self, text: impl Into<String>) {
        self.say(Message::Warning(text.into()));
    }

    /// Shows a progress report without keeping it.
    pub(super) fn tell_progress(&mut self, text: String) {
        self.message = Some(Message::Note(text));
    }

    fn say(&mut self, message: Message) {
        let session = self.session.as_ref();
        let at = session.map(|it| (it.label().to_owned(), it.world().frame()));
        self.messages.add(Said { at, message: message.clone() });
        self.message = Some(message);
    }

    /// Shows the first warning of an opened map, and keeps all of them.
    pub(super) fn tell_warnings(&mut self, warnings: Vec<String>) {
        self.message = None;
        let more = warnings.len().saturating_sub(1);
        for warning in warnings.into_iter().rev() {
            self.warn(warning);
        }
        if let (Some(Message::Warning(first)), 1..) = (&self.message, more) {
            let text = format!("{first} (and {more} more; :messages lists all)");
            self.message = Some(Message::Warning(text));
        }
    }

    /// Opens the page of messages.
    pub(super) fn list_messages(&mut self) {
        let base = self.mode.base();
        self.scroll = 0;
        self.mode = Mode::Messages(base);
    }
}
