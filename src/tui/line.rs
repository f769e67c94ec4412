//! A line of text being typed: the one editor of the screen.

use tui_input::{Input, InputRequest};

use super::glyph;
use super::input::Key;

/// The longest text, in characters: what a person types, or pastes by mistake.
const LONGEST: usize = 500;

/// A text and a cursor in it.
#[derive(Debug, Clone, Default)]
pub struct Line {
    input: Input,
}

impl Line {
    /// A key: a character, or moving and deleting; has the text changed?
    pub fn key(&mut self, key: Key) -> bool {
        let request = match key {
            Key::Char(c) => return self.insert(c),
            Key::Backspace => InputRequest::DeletePrevChar,
            Key::Delete => InputRequest::DeleteNextChar,
            Key::Left => InputRequest::GoToPrevChar,
            Key::Right => InputRequest::GoToNextChar,
            Key::Home | Key::Ctrl('a') => InputRequest::GoToStart,
            Key::End | Key::Ctrl('e') => InputRequest::GoToEnd,
            Key::Ctrl('u') => InputRequest::DeleteLine,
            Key::Ctrl('w') => InputRequest::DeletePrevWord,
            _ => return false,
        };
        self.input.handle(request).is_some_and(|change| change.value)
    }

    /// A pasted text; only its first line counts.
    pub fn paste(&mut self, text: &str) -> bool {
        let mut changed = false;
        for c in Self::first_of(text).0.chars() {
            changed |= self.insert(c);
        }
        changed
    }

    /// The first line of a text that has anything in it, and whether there are more. Terminals paste
    /// the ends of lines as if Enter had been pressed.
    pub fn first_of(text: &str) -> (&str, bool) {
        let mut lines = text.split(['\n', '\r']).filter(|line| !line.is_empty());
        (lines.next().unwrap_or_default(), lines.next().is_some())
    }

    fn insert(&mut self, c: char) -> bool {
        let taken = !glyph::is_hidden(c) && self.text().chars().count() < LONGEST;
        taken && self.input.handle(InputRequest::InsertChar(c)).is_some()
    }

    /// Puts another text in its place, the cursor behind it.
    pub fn set(&mut self, text: &str) {
        self.input = Input::new(text.chars().take(LONGEST).collect());
    }

    /// Puts the cursor behind so many characters.
    pub fn go_to(&mut self, characters: usize) {
        self.input.handle(InputRequest::SetCursor(characters));
    }

    /// The text.
    pub fn text(&self) -> &str {
        self.input.value()
    }

    /// Characters before the cursor.
    pub fn cursor(&self) -> usize {
        self.input.cursor()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_lines_the_first_is_taken() {
        for (text, first, more) in [
            ("goto 5\rgoto 6", "goto 5", true),
            ("goto 5\r\ngoto 6\r\n", "goto 5", true),
            ("\ngoto 5\n", "goto 5", false),
            ("goto 5", "goto 5", false),
            ("", "", false),
        ] {
            let mut line = Line::default();
            line.paste(text);
            assert_eq!((line.text(), Line::first_of(text).1), (first, more), "{text:?}");
        }
    }

    #[test]
    fn nothing_hidden_gets_in_and_nothing_endless() {
        let mut line = Line::default();
        assert!(line.paste("a\u{1b}[3m\u{202e}b\nc") && line.text() == "a[3mb");
        assert!(!line.key(Key::Char('\u{9b}')));
        line.paste(&"x".repeat(9999));
        assert_eq!(line.text().chars().count(), LONGEST);
        assert!(line.key(Key::Ctrl('u')) && line.text().is_empty());
    }
}
