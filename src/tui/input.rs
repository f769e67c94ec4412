//! User input, independent of the terminal.

mod control_string;
mod decoder;

use core::fmt;
use core::str::FromStr;

use termina::escape::csi::{Csi, Cursor, Device};
use termina::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, Modifiers, MouseButton, MouseEvent, MouseEventKind,
};
use unicode_width::UnicodeWidthChar;

use super::query::{self, Answer};
use crate::files::show::{self, is_hidden};

pub use decoder::Decoder;

/// A user action, or a change of the terminal's size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// A key was pressed, or repeats.
    Key(Key),
    /// A text was pasted.
    Paste(String),
    /// The left button was pressed on a cell.
    Click(Cell),
    /// The mouse moved to a cell while the left button was held down.
    Drag(Cell),
    /// The left button was released.
    Release,
    /// The right button was pressed on a cell.
    RightClick(Cell),
    /// The mouse wheel was turned over a cell.
    Wheel {
        at: Cell,
        /// Whether the wheel turned away from the user.
        up: bool,
    },
    /// The terminal was resized, to this number of columns and rows.
    Resize { width: u16, height: u16 },
    /// The terminal answered a question.
    Answer(Answer),
}

/// A cell of the terminal: zero-based column and row from the top left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    pub x: u16,
    pub y: u16,
}

/// A key with its modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    /// A character, with shift already applied.
    Char(char),
    /// A character pressed with the control key.
    Ctrl(char),
    /// A function key, F1 to F12.
    F(u8),
    Enter,
    Esc,
    Tab,
    /// The Tab key pressed with Shift.
    BackTab,
    Backspace,
    Delete,
    Left,
    Right,
    Up,
    Down,
    Home,
    End,
    PageUp,
    PageDown,
}

/// Names of the space key and of all keys without a character.
const WORDS: [(Key, &str); 15] = [
    (Key::Char(' '), "Space"),
    (Key::Enter, "Enter"),
    (Key::Esc, "Esc"),
    (Key::Tab, "Tab"),
    (Key::BackTab, "Shift-Tab"),
    (Key::Backspace, "Backspace"),
    (Key::Delete, "Delete"),
    (Key::Left, "Left"),
    (Key::Right, "Right"),
    (Key::Up, "Up"),
    (Key::Down, "Down"),
    (Key::Home, "Home"),
    (Key::End, "End"),
    (Key::PageUp, "PgUp"),
    (Key::PageDown, "PgDn"),
];

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((_, word)) = WORDS.iter().find(|(key, _)| key == self) {
            return f.write_str(word);
        }
        match self {
            Self::Char(c) => write!(f, "{c}"),
            Self::Ctrl(c) => write!(f, "ctrl-{c}"),
            Self::F(number) => write!(f, "F{number}"),
            Self::Enter
            | Self::Esc
            | Self::Tab
            | Self::BackTab
            | Self::Backspace
            | Self::Delete
            | Self::Left
            | Self::Right
            | Self::Up
            | Self::Down
            | Self::Home
            | Self::End
            | Self::PageUp
            | Self::PageDown => unreachable!("keys with a word"),
        }
    }
}

/// Error for text that is not the name of a usable key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    #[error(
        "`{0}` is not a key: use a character, `Space`, `Enter`, `Esc`, `Tab`, `Shift-Tab`, \
         `Backspace`, `Delete`, `Left`, `Right`, `Up`, `Down`, `Home`, `End`, `PgUp`, `PgDn`, \
         `F1` to `F12`, or `ctrl-` and a letter"
    )]
    Unknown(String),
    /// The key can't be used: terminals send the same bytes for `ctrl-` with this letter as for the
    /// second key.
    #[error("terminals cannot distinguish `ctrl-{0}` from `{1}`")]
    Same(char, Key),
}

impl FromStr for Key {
    type Err = KeyError;

    /// Parses the display format of a key. Names of keys may be in upper or lower case.
    fn from_str(text: &str) -> Result<Self, KeyError> {
        let unknown = || KeyError::Unknown(show::text(text));
        if let Some((key, _)) = WORDS.iter().find(|(_, word)| word.eq_ignore_ascii_case(text)) {
            return Ok(*key);
        }
        let mut characters = text.chars();
        if let (Some(c), None) = (characters.next(), characters.next()) {
            let seen = !is_hidden(c) && c.width() == Some(1);
            return if seen { Ok(Self::Char(c)) } else { Err(unknown()) };
        }
        if let Some(number) = text.strip_prefix(['F', 'f']) {
            let number = number.parse().ok().filter(|number| (1..=12).contains(number));
            return number.map(Self::F).ok_or_else(unknown);
        }
        match text.strip_prefix("ctrl-").map(str::as_bytes) {
            Some(b"i") => Err(KeyError::Same('i', Self::Tab)),
            Some(b"m") => Err(KeyError::Same('m', Self::Enter)),
            Some(&[letter @ b'a'..=b'z']) => Ok(Self::Ctrl(letter.into())),
            _ => Err(unknown()),
        }
    }
}

impl Input {
    /// Converts a terminal event. Returns `None` for events that tilewalk does not use.
    pub fn of(event: Event) -> Option<Self> {
        match event {
            Event::Csi(Csi::Cursor(Cursor::ActivePositionReport { line, col })) => {
                query::symbols(line.get(), col.get()).map(Self::Answer)
            }
            Event::Csi(Csi::Device(Device::DeviceAttributes(()))) => {
                Some(Self::Answer(Answer::Last))
            }
            Event::Key(key) => Key::of(key).map(Self::Key),
            Event::Mouse(mouse) => Self::of_mouse(mouse),
            Event::Paste(text) => Some(Self::Paste(text)),
            // A signal reports changes of the terminal's size.
            Event::WindowResized(_)
            | Event::FocusIn
            | Event::FocusOut
            | Event::Csi(_)
            | Event::Osc(_)
            | Event::Dcs(_) => None,
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "foreign enum: other events do nothing")]
    fn of_mouse(mouse: MouseEvent) -> Option<Self> {
        let at = Cell { x: mouse.column, y: mouse.row };
        // Terminals number cells from 1. `termina` subtracts 1 from an invalid 0, without a check.
        if at.x == u16::MAX || at.y == u16::MAX {
            return None;
        }
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => Some(Self::Click(at)),
            MouseEventKind::Drag(MouseButton::Left) => Some(Self::Drag(at)),
            MouseEventKind::Up(MouseButton::Left) => Some(Self::Release),
            MouseEventKind::Down(MouseButton::Right) => Some(Self::RightClick(at)),
            MouseEventKind::ScrollUp => Some(Self::Wheel { at, up: true }),
            MouseEventKind::ScrollDown => Some(Self::Wheel { at, up: false }),
            _ => None,
        }
    }
}

impl Key {
    /// Converts a key event. Returns `None` for a release, and for a key with Alt or another
    /// unsupported modifier.
    #[expect(clippy::wildcard_enum_match_arm, reason = "foreign enum: other keys do nothing")]
    fn of(event: KeyEvent) -> Option<Self> {
        let odd = Modifiers::ALT | Modifiers::SUPER | Modifiers::META | Modifiers::HYPER;
        if event.kind == KeyEventKind::Release || event.modifiers.intersects(odd) {
            return None;
        }
        Some(match event.code {
            KeyCode::Char(c) if event.modifiers.contains(Modifiers::CONTROL) => {
                Self::Ctrl(c.to_ascii_lowercase())
            }
            KeyCode::Char(c) => Self::Char(c),
            KeyCode::Tab if event.modifiers.contains(Modifiers::SHIFT) => Self::BackTab,
            KeyCode::Function(number) => Self::F(number),
            KeyCode::Enter => Self::Enter,
            KeyCode::Escape => Self::Esc,
            KeyCode::Tab => Self::Tab,
            KeyCode::BackTab => Self::BackTab,
            KeyCode::Backspace => Self::Backspace,
            KeyCode::Delete => Self::Delete,
            KeyCode::Left => Self::Left,
            KeyCode::Right => Self::Right,
            KeyCode::Up => Self::Up,
            KeyCode::Down => Self::Down,
            KeyCode::Home => Self::Home,
            KeyCode::End => Self::End,
            KeyCode::PageUp => Self::PageUp,
            KeyCode::PageDown => Self::PageDown,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(code: KeyCode, modifiers: Modifiers, kind: KeyEventKind) -> Option<Input> {
        Input::of(Event::Key(KeyEvent { kind, ..KeyEvent::new(code, modifiers) }))
    }

    #[test]
    fn presses_and_repeats_count_but_releases_do_not() {
        let space = KeyCode::Char(' ');
        let pressed = Some(Input::Key(Key::Char(' ')));
        assert_eq!(key(space, Modifiers::NONE, KeyEventKind::Press), pressed);
        assert_eq!(key(space, Modifiers::NONE, KeyEventKind::Repeat), pressed);
        assert_eq!(key(space, Modifiers::NONE, KeyEventKind::Release), None);
    }

    #[test]
    fn shift_is_in_the_character_and_control_in_the_key() {
        let press = |code, modifiers| key(code, modifiers, KeyEventKind::Press);
        let shifted = press(KeyCode::Char('F'), Modifiers::SHIFT);
        assert_eq!(shifted, Some(Input::Key(Key::Char('F'))));
        let control = press(KeyCode::Char('C'), Modifiers::CONTROL);
        assert_eq!(control, Some(Input::Key(Key::Ctrl('c'))));
        assert_eq!(press(KeyCode::Char('q'), Modifiers::ALT), None);
        assert_eq!(press(KeyCode::Tab, Modifiers::SHIFT), Some(Input::Key(Key::BackTab)));
    }
}
