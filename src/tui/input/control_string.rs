//! Removes control strings from the bytes of a terminal.
//!
//! A control string starts with `ESC ]`, `ESC P` or `ESC _`, and ends with `ESC \`. Terminals
//! answer queries about colours, capabilities and pictures in this form, also queries of a program
//! that has already ended. The text of such an answer must not run commands.

/// Maximum length of the text of an answer in bytes. Further bytes are dropped.
const LONGEST_TEXT: usize = 64;

const ESCAPE: u8 = 0x1b;

/// The byte that can end an operating system command (`ESC ]`) instead of `ESC \`.
const BELL: u8 = 0x07;

/// Removes control strings from bytes that arrive in pieces.
#[derive(Debug, Default)]
pub(super) struct ControlStrings {
    state: State,
    /// Text of the current operating system command.
    text: Vec<u8>,
}

/// The part of a control string that has arrived.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum State {
    #[default]
    Outside,
    /// The last byte was an escape byte.
    Escape,
    /// An operating system command, whose text is needed.
    Command,
    /// Any other control string.
    Other,
    /// The last byte was an escape byte inside an operating system command. A backslash as the next
    /// byte ends the command.
    CommandEscape,
    /// As [`State::CommandEscape`], for any other control string.
    OtherEscape,
}

/// A part of the bytes of a terminal.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// Bytes that belong to no control string.
    Keys(Vec<u8>),
    /// The text of an operating system command.
    Command(Vec<u8>),
    /// A control string starts here. If the last byte of the earlier calls was an escape byte, that byte
    /// is a part of the control string.
    Start,
}

impl ControlStrings {
    /// Splits bytes into pieces, without the other control strings. The strings may start in earlier
    /// calls and end in later ones.
    pub fn split(&mut self, bytes: &[u8]) -> Vec<Piece> {
        let (mut pieces, mut keys) = (Vec::new(), Vec::new());
        for &byte in bytes {
            self.state = match (self.state, byte) {
                (State::Outside | State::Escape, ESCAPE) => {
                    keys.push(byte);
                    State::Escape
                }
                (State::Escape, b']' | b'P' | b'_') => {
                    // Without keys, the escape byte was in an earlier call.
                    keys.pop();
                    if !keys.is_empty() {
                        pieces.push(Piece::Keys(core::mem::take(&mut keys)));
                    }
                    pieces.push(Piece::Start);
                    self.text.clear();
                    if byte == b']' { State::Command } else { State::Other }
                }
                (State::Outside | State::Escape, _) => {
                    keys.push(byte);
                    State::Outside
                }
                (State::Command | State::CommandEscape, ESCAPE) => State::CommandEscape,
                (State::Other | State::OtherEscape, ESCAPE) => State::OtherEscape,
                (State::Command | State::CommandEscape, BELL) | (State::CommandEscape, b'\\') => {
                    pieces.push(Piece::Command(core::mem::take(&mut self.text)));
                    State::Outside
                }
                (State::OtherEscape, b'\\') => State::Outside,
                (State::Command | State::CommandEscape, _) => {
                    if self.text.len() < LONGEST_TEXT {
                        self.text.push(byte);
                    }
                    State::Command
                }
                (State::Other | State::OtherEscape, _) => State::Other,
            };
        }
        if !keys.is_empty() {
            pieces.push(Piece::Keys(keys));
        }
        pieces
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_strings_are_removed_wherever_the_bytes_are_cut() {
        let bytes =
            b"a\x1b]11;rgb:0/0/0\x1b\\b\x1b_Gi=1;OK\x1b\\c\x1bP1+r\x07\x1b\\d\x1b]0;t\x07e\x1b[A";
        for cut in 0..=bytes.len() {
            let mut strings = ControlStrings::default();
            let (first, second) = (strings.split(&bytes[..cut]), strings.split(&bytes[cut..]));
            let (mut keys, mut commands) = (Vec::new(), Vec::new());
            for piece in first.into_iter().chain(second) {
                match piece {
                    Piece::Keys(bytes) => keys.extend(bytes),
                    Piece::Command(text) => commands.push((text, keys.clone())),
                    Piece::Start => {
                        keys.pop_if(|last| *last == ESCAPE);
                    }
                }
            }
            assert_eq!(keys, b"abcde\x1b[A", "cut at {cut}");
            let expected =
                [(b"11;rgb:0/0/0".to_vec(), b"a".to_vec()), (b"0;t".to_vec(), b"abcd".to_vec())];
            assert_eq!(commands, expected, "cut at {cut}");
        }
    }
}
