//! Messages to the user: one line on the screen, and a list of the last messages.

use std::collections::VecDeque;

use crate::time::Frame;

/// Maximum number of stored messages.
const CAPACITY: usize = 50;

/// A one-line message, shown until the next key press.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Message {
    /// Neutral message, such as the result of an action.
    Note(String),
    /// Warning, such as the reason why an action failed.
    Warning(String),
}

/// A message with the map and frame at which it was shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedMessage {
    /// Label of the open map and the current frame; `None` in the gallery.
    pub at: Option<(String, Frame)>,
    pub message: Message,
}

/// The most recent messages, at most 50.
#[derive(Debug, Clone, Default)]
pub struct Messages {
    list: VecDeque<LoggedMessage>,
}

impl Messages {
    /// Adds a message, unless it equals the last one. Removes the oldest message if the list is
    /// full.
    pub fn add(&mut self, entry: LoggedMessage) {
        if self.list.back() == Some(&entry) {
            return;
        }
        if self.list.len() == CAPACITY {
            self.list.pop_front();
        }
        self.list.push_back(entry);
    }

    /// Removes `message` if it is the last message. The caller can then add an updated version.
    pub fn take_back(&mut self, message: &Message) {
        if self.list.back().is_some_and(|last| last.message == *message) {
            self.list.pop_back();
        }
    }

    /// Returns the stored messages, newest first.
    pub fn newest_first(&self) -> impl Iterator<Item = &LoggedMessage> {
        self.list.iter().rev()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(text: &str, frame: u64) -> LoggedMessage {
        let at = Some(("castle.toml".to_owned(), Frame(frame)));
        LoggedMessage { at, message: Message::Note(text.to_owned()) }
    }

    #[test]
    fn the_latest_messages_are_stored_without_repetitions() {
        let mut messages = Messages::default();
        for frame in 0..60 {
            messages.add(entry("a", frame));
            messages.add(entry("a", frame));
        }
        let frames: Vec<_> =
            messages.newest_first().map(|it| it.at.as_ref().unwrap().1.0).collect();
        assert_eq!(frames, (10..60).rev().collect::<Vec<_>>());
        messages.take_back(&Message::Note("b".to_owned()));
        assert_eq!(messages.newest_first().count(), 50);
        messages.take_back(&Message::Note("a".to_owned()));
        assert_eq!(messages.newest_first().next(), Some(&entry("a", 58)));
    }
}
