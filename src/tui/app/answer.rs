//! Shows messages in the status line. Notes and warnings are also added to the message log.
//! Progress reports are not logged.

use crate::tui::action::Context;
use crate::tui::input::Key;
use crate::tui::messages::{LoggedMessage, Message, Messages};

use super::App;

/// The message in the status line, the message log, and the last key without an action.
#[derive(Debug, Clone, Default)]
pub struct Answers {
    /// The message in the status line. Cleared by the next key that runs a command or edits text.
    pub message: Option<Message>,
    /// The latest notes and warnings.
    pub log: Messages,
    /// The last pressed key and its context, if the key has no action in that context. Cleared by
    /// the next input.
    pub(super) idle: Option<(Key, Context)>,
}

impl App {
    /// Shows a note and adds the note to the message log.
    pub(super) fn note(&mut self, text: impl Into<String>) {
        self.say(Message::Note(text.into()));
    }

    /// Shows a warning and adds the warning to the message log.
    pub fn warn(&mut self, text: impl Into<String>) {
        self.say(Message::Warning(text.into()));
    }

    /// Shows a note without adding it to the message log, for text that changes often.
    pub(super) fn show_progress(&mut self, text: String) {
        self.answers.message = Some(Message::Note(text));
    }

    fn say(&mut self, message: Message) {
        let session = self.session.as_ref();
        let at = session.map(|it| (it.label().to_owned(), it.world().frame()));
        self.answers.log.add(LoggedMessage { at, message: message.clone() });
        self.answers.message = Some(message);
    }

    /// Adds the warnings of an opened map to the message log. Shows the first warning, and the
    /// number of further warnings.
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
