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
    /// Does the next character take the place of the whole text?
    selected: bool,
}

impl Line {
    /// A key: a character, or moving and deleting; has the text changed?
    pub fn key(&mut self, key: Key) -> bool {
        if let Key::Char(c) = key {
            return self.write(c);
        }
        // Whoever moves or deletes in the text wants to keep it.
        self.selected = false;
        let request = match key {
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
            changed |= self.write(c);
        }
        changed
    }

    /// A character at the cursor, or in place of all that is selected.
    fn write(&mut self, c: char) -> bool {
        if glyph::is_hidden(c) {
            return false;
        }
        if core::mem::take(&mut self.selected) {
            self.input = Input::default();
        }
        self.insert(c)
    }

    /// The first line of a text that has anything in it, and whether there are more. Terminals paste
    /// the ends of lines as if Enter had been pressed.
    pub fn first_of(text: &str) -> (&str, bool) {
        let mut lines = text.split(['\n', '\r']).filter(|line| !line.is_empty());
        (lines.next().unwrap_or_default(), lines.next().is_some())
    }

    fn insert(&mut self, c: char) -> bool {
        let taken = self.text().chars().count() < LONGEST;
        taken && self.input.handle(InputRequest::InsertChar(c)).is_some()
    }

    /// Puts another text in its place, the cursor behind it.
    pub fn set(&mut self, text: &str) {
        self.input = Input::new(text.chars().take(LONGEST).collect());
        self.selected = false;
    }

    /// Puts another text in its place, which the next character replaces.
    pub fn select(&mut self, text: &str) {
        self.set(text);
        self.selected = !text.is_empty();
    }

    /// Does the next character take the place of the whole text?
    pub fn is_selected(&self) -> bool {
        self.selected
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

    #[test]
    fn a_selected_text_is_replaced_by_what_is_typed_and_kept_by_what_moves() {
        let selected = |text: &str| {
            let mut line = Line::default();
            line.select(text);
            line
        };
        let mut line = selected("43");
        assert!(line.is_selected() && line.key(Key::Char('5')) && line.text() == "5");
        line.key(Key::Char('1'));
        assert_eq!(line.text(), "51");
        for (key, text) in [
            (Key::Backspace, "45"),
            (Key::Left, "453"),
            (Key::Right, "435"),
            (Key::Home, "543"),
            (Key::End, "435"),
        ] {
            let mut line = selected("43");
            line.key(key);
            assert!(!line.is_selected());
            line.key(Key::Char('5'));
            assert_eq!(line.text(), text, "{key}");
        }
        let mut line = selected("43");
        assert!(line.paste("77") && line.text() == "77");
        assert!(!selected("").is_selected());
        let mut line = selected("43");
        assert!(!line.key(Key::Char('\u{9b}')) && line.text() == "43");
    }
}
