//! Shows messages. `note` and `warn` also add the message to the message log. Progress reports are
//! not logged.

use crate::tui::action::Context;
use crate::tui::input::Key;
use crate::tui::messages::{LoggedMessage, Message, Messages};

use super::App;

/// The current message, the message log, and the last unbound key.
#[derive(Debug, Clone, Default)]
pub struct Answers {
    /// The message shown since the last key press.
    pub message: Option<Message>,
    /// The message log.
    pub log: Messages,
    /// The last pressed key and its context, if the key has no action there. Cleared by the next
    /// input.
    pub(super) idle: Option<(Key, Context)>,
}

impl App {
    /// Shows a note and adds it to the message log.
    pub(super) fn note(&mut self, text: impl Into<String>) {
        self.say(Message::Note(text.into()));
    }

    /// Shows a warning and adds it to the message log.
    pub fn warn(&mut self, text: impl Into<String>) {
        self.say(Message::Warning(text.into()));
    }

    /// Shows a progress report without logging it.
    pub(super) fn show_progress(&mut self, text: String) {
        self.answers.message = Some(Message::Note(text));
    }

    fn say(&mut self, message: Message) {
        let session = self.session.as_ref();
        let at = session.map(|it| (it.label().to_owned(), it.world().frame()));
        self.answers.log.add(LoggedMessage { at, message: message.clone() });
        self.answers.message = Some(message);
    }

    /// Shows the first warning of an opened map, and adds all warnings to the message log.
    pub(super) fn warn_all(&mut self, warnings: Vec<String>) {
        self.answers.message = None;
        let more = warnings.len().saturating_sub(1);
        for warning in warnings.into_iter().rev() {
            self.warn(warning);
        }
        if let (Some(Message::Warning(first)), 1..) = (&self.answers.message, more) {
            let text = format!("{first} (and {more} more; :messages lists all)");
            self.answers.message = Some(Message::Warning(text));
        }
    }
}
