//! Messages to the user: one line on the screen, and a list of the last messages.

use std::collections::VecDeque;

use crate::time::Frame;

/// The most messages that are kept.
const KEPT: usize = 50;

/// A message, which stays on the screen until the next key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Message {
    /// Information, such as the result of a command.
    Note(String),
    /// A command failed.
    Warning(String),
}

/// A message with the frame at which it appeared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// The label of the map, and its frame; none in the gallery.
    pub at: Option<(String, Frame)>,
    /// A note or a warning, with its text.
    pub message: Message,
}

/// The latest messages, without immediate repetitions.
#[derive(Debug, Clone, Default)]
pub struct Messages {
    list: VecDeque<Said>,
}

impl Messages {
    /// Adds a message. A repeated message is added once.
    pub fn add(&mut self, said: Said) {
        if self.list.back() == Some(&said) {
            return;
        }
        if self.list.len() == KEPT {
            self.list.pop_front();
        }
        self.list.push_back(said);
    }

    /// Removes the last message if it is equal to `message`, so that an update can replace it.
    pub fn take_back(&mut self, message: &Message) {
        if self.list.back().is_some_and(|last| last.message == *message) {
            self.list.pop_back();
        }
    }

    /// Returns the messages, the latest first.
    pub fn latest_first(&self) -> impl Iterator<Item = &Said> {
        self.list.iter().rev()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str, frame: u64) -> Said {
        let at = Some(("castle.toml".to_owned(), Frame(frame)));
        Said { at, message: Message::Note(text.to_owned()) }
    }

    #[test]
    fn the_last_ones_are_kept_and_the_same_again_is_one() {
        let mut messages = Messages::default();
        for frame in 0..60 {
            messages.add(said("a", frame));
            messages.add(said("a", frame));
        }
        let frames: Vec<_> =
            messages.latest_first().map(|it| it.at.as_ref().unwrap().1.0).collect();
        assert_eq!(frames, (10..60).rev().collect::<Vec<_>>());
        messages.take_back(&Message::Note("b".to_owned()));
        assert_eq!(messages.latest_first().count(), 50);
        messages.take_back(&Message::Note("a".to_owned()));
        assert_eq!(messages.latest_first().next(), Some(&said("a", 58)));
    }
}
