//! A line of text input.

use tui_input::{Input, InputRequest};

use super::input::Key;
use crate::files::show::is_hidden;

/// Maximum length of the text, in characters.
const LONGEST: usize = 500;

/// Input that edits a line of text.
#[derive(Debug, Clone, Copy)]
pub enum Typed<'a> {
    /// A key: a character, or an editing key.
    Key(Key),
    /// Pasted text. Only its first nonempty line is used.
    Paste(&'a str),
}

/// A line of text with a cursor.
#[derive(Debug, Clone, Default)]
pub struct Line {
    input: Input,
    /// Number of characters before the selection, which reaches to the end of the text. The next
    /// character replaces the selection. `None` without a selection.
    selected: Option<usize>,
}

impl Line {
    /// Handles input. Returns true if the text changed.
    pub fn edit(&mut self, typed: Typed) -> bool {
        match typed {
            Typed::Key(key) => self.key(key),
            Typed::Paste(text) => self.paste(text),
        }
    }

    /// Handles a key. Returns true if the text changed.
    pub fn key(&mut self, key: Key) -> bool {
        if let Key::Char(c) = key {
            return self.write(c);
        }
        // Moving the cursor and deleting cancel the selection, so the text is kept.
        self.selected = None;
        let request = match key {
            Key::Backspace => InputRequest::DeletePrevChar,
            Key::Delete => InputRequest::DeleteNextChar,
            Key::Left => InputRequest::GoToPrevChar,
            Key::Right => InputRequest::GoToNextChar,
            Key::Home | Key::Ctrl('a') => InputRequest::GoToStart,
            Key::End | Key::Ctrl('e') => InputRequest::GoToEnd,
            Key::Ctrl('u') => InputRequest::DeleteLine,
            Key::Ctrl('w') => InputRequest::DeletePrevWord,
            Key::Char(_)
            | Key::Ctrl(_)
            | Key::F(_)
            | Key::Enter
            | Key::Esc
            | Key::Tab
            | Key::BackTab
            | Key::Up
            | Key::Down
            | Key::PageUp
            | Key::PageDown => return false,
        };
        self.input.handle(request).is_some_and(|change| change.value)
    }

    /// Inserts the first nonempty line of a text. Returns true if the line changed.
    pub fn paste(&mut self, text: &str) -> bool {
        let mut changed = false;
        for c in Self::first_of(text).0.chars() {
            changed |= self.write(c);
        }
        changed
    }

    /// Inserts a character, replacing the selection. Returns true if the text changed.
    fn write(&mut self, c: char) -> bool {
        if is_hidden(c) {
            return false;
        }
        if let Some(kept) = self.selected.take() {
            self.input = Input::new(self.text().chars().take(kept).collect());
        }
        self.insert(c)
    }

    /// Returns the first nonempty line of a text, and whether more lines follow. Terminals paste
    /// line ends as carriage returns.
    pub fn first_of(text: &str) -> (&str, bool) {
        let mut lines = text.split(['\n', '\r']).filter(|line| !line.is_empty());
        (lines.next().unwrap_or_default(), lines.next().is_some())
    }

    fn insert(&mut self, c: char) -> bool {
        let taken = self.text().chars().count() < LONGEST;
        taken && self.input.handle(InputRequest::InsertChar(c)).is_some()
    }

    /// Replaces the text, and moves the cursor to its end.
    pub fn set(&mut self, text: &str) {
        self.input = Input::new(text.chars().take(LONGEST).collect());
        self.selected = None;
    }

    /// Replaces the text and selects it, so that the next character replaces it.
    pub fn select(&mut self, text: &str) {
        self.set(text);
        self.select_from(0);
    }

    /// Selects the text after the first `kept` characters, so that the next character replaces it.
    pub fn select_from(&mut self, kept: usize) {
        self.selected = Some(kept).filter(|&kept| kept < self.text().chars().count());
    }

    /// Returns the number of characters before the selection, or `None` without a selection. The
    /// selection reaches to the end of the text, and the next character replaces it.
    pub fn selection(&self) -> Option<usize> {
        self.selected
    }

    /// Moves the cursor to just after the first `characters` characters.
    pub fn go_to(&mut self, characters: usize) {
        self.input.handle(InputRequest::SetCursor(characters));
    }

    pub fn text(&self) -> &str {
        self.input.value()
    }

    /// Returns the number of characters before the cursor.
    pub fn cursor(&self) -> usize {
        self.input.cursor()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paste_inserts_only_the_first_line() {
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
    fn pasted_text_is_limited_and_has_no_hidden_characters() {
        let mut line = Line::default();
        assert!(line.paste("a\u{1b}[3m\u{202e}b\nc") && line.text() == "a[3mb");
        assert!(!line.key(Key::Char('\u{9b}')));
        line.paste(&"x".repeat(9999));
        assert_eq!(line.text().chars().count(), LONGEST);
        assert!(line.key(Key::Ctrl('u')) && line.text().is_empty());
    }

    #[test]
    fn typing_replaces_selected_text_and_moving_the_cursor_keeps_it() {
        let selected = |text: &str| {
            let mut line = Line::default();
            line.select(text);
            line
        };
        let mut line = selected("43");
        assert!(line.selection() == Some(0) && line.key(Key::Char('5')) && line.text() == "5");
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
            assert!(line.selection().is_none());
            line.key(Key::Char('5'));
            assert_eq!(line.text(), text, "{key}");
        }
        let mut line = selected("43");
        assert!(line.paste("77") && line.text() == "77");
        assert!(selected("").selection().is_none());
        let mut line = Line::default();
        line.set("break a.x");
        line.select_from(6);
        assert!(line.key(Key::Char('b')) && line.text() == "break b");
        let mut line = selected("43");
        assert!(!line.key(Key::Char('\u{9b}')) && line.text() == "43");
    }
}
