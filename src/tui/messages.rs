//! Messages to the user: one line on the screen, and a list of the last messages.

use std::collections::VecDeque;

use crate::time::Frame;

/// Answers that are kept.
const KEPT: usize = 50;

/// A line that answers the person; it stays until the next key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Message {
    /// Something was done.
    Note(String),
    /// Something can't be done.
    Warning(String),
}

/// An answer, and when it was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// The map that was watched and its frame, if one was.
    pub at: Option<(String, Frame)>,
    /// The answer.
    pub message: Message,
}

/// The last answers.
#[derive(Debug, Clone, Default)]
pub struct Messages {
    list: VecDeque<Said>,
}

impl Messages {
    /// One more. The same again is one.
    pub fn add(&mut self, said: Said) {
        if self.list.back() == Some(&said) {
            return;
        }
        if self.list.len() == KEPT {
            self.list.pop_front();
        }
        self.list.push_back(said);
    }

    /// An answer that is about to be given anew, as more is known: if it is the last one, it is
    /// forgotten.
    pub fn take_back(&mut self, message: &Message) {
        if self.list.back().is_some_and(|last| last.message == *message) {
            self.list.pop_back();
        }
    }

    /// All that are kept, the latest first.
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
