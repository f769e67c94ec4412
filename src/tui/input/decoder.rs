//! Decodes the bytes of a terminal into [`Input`]s.
//!
//! `termina` parses the escape sequences. An unfinished sequence must not swallow the keys after
//! it, so it is dropped after [`SEQUENCE_TIME`]. This module collects pasted text itself, so that
//! long pastes do not slow the parser down. An unfinished paste ends after [`PASTE_TIME`] without
//! bytes.
//!
//! A read can end anywhere, even after the escape byte of a paste marker. An escape byte at the end
//! of a read is the Escape key. If the rest of the start marker follows, a paste starts anyway, so
//! that pasted text never runs commands.
//!
//! Control strings, such as answers to colour queries, are removed before parsing.
//!
//! No sequence contains the byte of ctrl-c. Outside a paste, that byte is always the key. Inside a
//! paste, the byte is the key if no bytes follow within [`SEQUENCE_TIME`].

use core::ops::Range;
use std::collections::VecDeque;
use std::time::Duration;

use termina::Parser;

use super::control_string::{ControlStrings, Piece};
use super::{Input, Key};
use crate::tui::query;

/// Time after which an unfinished escape sequence is dropped.
const SEQUENCE_TIME: Duration = Duration::from_millis(100);

/// Time without bytes after which an unfinished paste ends.
const PASTE_TIME: Duration = Duration::from_secs(1);

/// Maximum length of a paste in bytes. Further bytes are dropped.
const LONGEST_PASTE: usize = 1 << 20;

/// The byte that terminals send for ctrl-c.
const CTRL_C: u8 = 0x03;

const PASTE_START: &[u8] = b"\x1b[200~";
const PASTE_END: &[u8] = b"\x1b[201~";

/// Decodes a byte stream that arrives in pieces.
#[derive(Debug, Default)]
pub struct Decoder {
    parser: Parser,
    /// Bytes that may be the first part of a paste marker.
    held: Vec<u8>,
    /// Whether the parser has already received the first byte of `held`, which is an escape byte.
    parsed_escape: bool,
    /// The bytes of the current paste. `None` outside a paste.
    paste: Option<Vec<u8>>,
    /// Whether the last byte of the current paste is the byte of ctrl-c.
    interrupts_paste: bool,
    strings: ControlStrings,
    decoded: VecDeque<Input>,
}

impl Decoder {
    /// Decodes bytes. `more` means that further bytes of a sequence are probably waiting to be
    /// read.
    pub fn feed(&mut self, bytes: &[u8], more: bool) {
        let last = bytes.last().copied();
        let mut bytes = [core::mem::take(&mut self.held).as_slice(), bytes].concat();
        while let Some(found) = self.find_marker(&bytes) {
            self.take(&bytes[..found.start], false);
            self.pass_marker();
            bytes.drain(..found.end);
        }
        let marker = self.marker();
        let held = bytes.len() - unfinished(&bytes, marker);
        if self.paste.is_none() && bytes[held..] == marker[..1] {
            // The escape byte can also be the Escape key, or a part of another sequence.
            self.take(&bytes, more);
            self.parsed_escape = true;
        } else if held > 0 {
            self.take(&bytes[..held], more);
        }
        self.interrupts_paste = self.paste.is_some() && last == Some(CTRL_C);
        self.held = bytes.split_off(held);
    }

    /// Returns the marker that ends the current paste, or starts the next one.
    fn marker(&self) -> &'static [u8] {
        if self.paste.is_some() { PASTE_END } else { PASTE_START }
    }

    /// Returns the position of the next paste marker.
    fn find_marker(&self, bytes: &[u8]) -> Option<Range<usize>> {
        let marker = self.marker();
        let start = bytes.windows(marker.len()).position(|window| window == marker)?;
        Some(start..start + marker.len())
    }

    /// Starts a paste, or ends the current one.
    fn pass_marker(&mut self) {
        self.drop_sequence();
        self.parsed_escape = false;
        match self.paste.take() {
            Some(text) => self.end_paste(&text),
            None => self.paste = Some(Vec::new()),
        }
    }

    /// Adds bytes that contain no paste markers. Skips the first byte if the parser has already
    /// received it.
    fn take(&mut self, bytes: &[u8], more: bool) {
        if bytes.is_empty() {
            return;
        }
        let bytes = &bytes[usize::from(core::mem::take(&mut self.parsed_escape))..];
        if let Some(text) = &mut self.paste {
            let room = LONGEST_PASTE.saturating_sub(text.len());
            text.extend(&bytes[..bytes.len().min(room)]);
        } else {
            let mut parts = bytes.split(|&byte| byte == CTRL_C).peekable();
            while let Some(part) = parts.next() {
                let interrupted = parts.peek().is_some();
                self.parse(part, more || interrupted);
                if interrupted {
                    self.press_ctrl_c();
                }
            }
        }
    }

    /// Parses keys and escape sequences.
    fn parse(&mut self, bytes: &[u8], more: bool) {
        let mut pieces = self.strings.split(bytes).into_iter().peekable();
        while let Some(piece) = pieces.next() {
            match piece {
                Piece::Keys(bytes) => {
                    self.parser.parse(&bytes, more && pieces.peek().is_none());
                    while let Some(event) = self.parser.pop() {
                        self.decoded.extend(Input::of(event));
                    }
                }
                Piece::Command(text) => {
                    self.decoded.extend(query::background(&text).map(Input::Answer));
                }
                // The bytes before and after a control string form no sequence.
                Piece::Start => self.parser = Parser::default(),
            }
        }
    }

    fn drop_sequence(&mut self) {
        self.parser = Parser::default();
        self.strings = ControlStrings::default();
    }

    /// Drops an unfinished sequence, and adds the key ctrl-c.
    fn press_ctrl_c(&mut self) {
        self.drop_sequence();
        self.decoded.push_back(Input::Key(Key::Ctrl('c')));
    }

    fn end_paste(&mut self, text: &[u8]) {
        self.decoded.push_back(Input::Paste(String::from_utf8_lossy(text).into_owned()));
    }

    /// Returns the time without bytes after which the caller must call [`Decoder::silence`].
    pub fn patience(&self) -> Duration {
        if self.paste.is_some() && !self.interrupts_paste { PASTE_TIME } else { SEQUENCE_TIME }
    }

    /// Drops an unfinished sequence and ends an unfinished paste, because no bytes have arrived for
    /// [`Decoder::patience`].
    pub fn silence(&mut self) {
        let held = core::mem::take(&mut self.held);
        match self.paste.take() {
            Some(_) if self.interrupts_paste => self.press_ctrl_c(),
            Some(text) => self.end_paste(&text),
            None if self.parsed_escape => {
                // The bytes after the escape byte are keys.
                self.take(&held, false);
                if held.len() == 1 {
                    // On a slow connection, the rest of a start marker can still follow.
                    (self.held, self.parsed_escape) = (held, true);
                }
            }
            None => {}
        }
        self.drop_sequence();
        self.interrupts_paste = false;
    }

    /// Removes and returns the oldest decoded input. Returns `None` if no input is waiting.
    pub fn pop(&mut self) -> Option<Input> {
        self.decoded.pop_front()
    }
}

/// Returns the length of the longest suffix of `bytes` that is an unfinished `marker`.
fn unfinished(bytes: &[u8], marker: &[u8]) -> usize {
    (1..marker.len()).rev().find(|&length| bytes.ends_with(&marker[..length])).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::input::Key;
    use crate::tui::query::Answer;

    fn decoded(decoder: &mut Decoder) -> Vec<Input> {
        core::iter::from_fn(|| decoder.pop()).collect()
    }

    fn fed(bytes: &[u8]) -> Vec<Input> {
        let mut decoder = Decoder::default();
        decoder.feed(bytes, false);
        decoded(&mut decoder)
    }

    fn keys(keys: &[Key]) -> Vec<Input> {
        keys.iter().copied().map(Input::Key).collect()
    }

    #[test]
    fn keys_and_sequences_are_decoded_in_order() {
        let all = fed("aä\x1b[A\x1b[5~\x1bOP\x03\r\t\x7f\x1b".as_bytes());
        let [a, umlaut] = ['a', 'ä'].map(Key::Char);
        let rest = [Key::Up, Key::PageUp, Key::F(1), Key::Ctrl('c'), Key::Enter, Key::Tab];
        let expected = [&[a, umlaut][..], &rest, &[Key::Backspace, Key::Esc]].concat();
        assert_eq!(all, keys(&expected));
    }

    #[test]
    fn after_a_pause_keys_are_decoded_despite_an_unfinished_sequence() {
        for unfinished in
            ["\x1b[", "\x1bO", "\x1b[?", "\x1b[<0;1", "\x1b[200", "\x1b]0;title", "\x1bP"]
        {
            let mut decoder = Decoder::default();
            decoder.feed(unfinished.as_bytes(), false);
            assert_eq!(decoder.patience(), SEQUENCE_TIME);
            decoder.silence();
            decoder.feed(b"q", false);
            assert_eq!(decoded(&mut decoder).last(), Some(&Input::Key(Key::Char('q'))));
        }
    }

    #[test]
    fn ctrl_c_ends_every_unfinished_sequence() {
        for unfinished in
            ["", "\x1b", "\x1b[", "\x1bO", "\x1b[<0;1;1", "\x1b[M", "\x1b[200", "\x1b]0;x"]
        {
            let expected = keys(&[Key::Ctrl('c'), Key::Char('q')]);
            assert_eq!(fed(format!("{unfinished}\x03q").as_bytes()), expected, "{unfinished:?}");
        }
    }

    #[test]
    fn ctrl_c_ends_a_paste_only_if_no_bytes_follow() {
        let mut decoder = Decoder::default();
        decoder.feed(b"\x1b[200~text\x03", false);
        assert_eq!((decoder.patience(), decoder.pop()), (SEQUENCE_TIME, None));
        decoder.silence();
        assert_eq!(decoded(&mut decoder), keys(&[Key::Ctrl('c')]));
        let pasted = vec![Input::Paste("text\x03more".to_owned())];
        assert_eq!(fed(b"\x1b[200~text\x03more\x1b[201~"), pasted);
        assert_eq!(decoder.patience(), SEQUENCE_TIME);
    }

    /// A paste between keys, with ctrl-c as the first key after it.
    const PASTE: &[u8] = "x\x1b[200~one\r\x1b[A two ü\x1b[201~\x03y".as_bytes();

    fn decoded_paste() -> Vec<Input> {
        let [x, y] = ['x', 'y'].map(|c| Input::Key(Key::Char(c)));
        let text = "one\r\x1b[A two ü".to_owned();
        vec![x, Input::Paste(text), Input::Key(Key::Ctrl('c')), y]
    }

    /// Number of bytes of [`PASTE`] up to the escape byte of the start marker.
    const AFTER_ESCAPE: usize = 2;

    #[test]
    fn a_paste_and_the_keys_around_it_are_decoded_wherever_reads_end() {
        for first in 0..=PASTE.len() {
            for second in first..=PASTE.len() {
                for more in [false, true] {
                    let mut decoder = Decoder::default();
                    for piece in [&PASTE[..first], &PASTE[first..second], &PASTE[second..]] {
                        decoder.feed(piece, more);
                    }
                    let mut expected = decoded_paste();
                    if !more && [first, second].contains(&AFTER_ESCAPE) {
                        expected.insert(1, Input::Key(Key::Esc));
                    }
                    let decoded = decoded(&mut decoder);
                    assert_eq!(decoded, expected, "cut at {first} and {second}, more: {more}");
                }
            }
        }
    }

    #[test]
    fn a_paste_is_decoded_byte_by_byte() {
        let mut decoder = Decoder::default();
        PASTE.chunks(1).for_each(|byte| decoder.feed(byte, false));
        let mut expected = decoded_paste();
        expected.insert(1, Input::Key(Key::Esc));
        assert_eq!(decoded(&mut decoder), expected);
    }

    #[test]
    fn a_start_marker_after_the_escape_key_and_a_pause_starts_a_paste() {
        let mut decoder = Decoder::default();
        decoder.feed(b"\x1b", false);
        decoder.silence();
        decoder.feed(b"[200~q\x1b[201~", false);
        let expected = vec![Input::Key(Key::Esc), Input::Paste("q".to_owned())];
        assert_eq!(decoded(&mut decoder), expected);
    }

    #[test]
    fn after_a_pause_the_escape_key_and_later_keys_are_decoded() {
        for typed in ["", "[", "[2", "[200"] {
            let mut decoder = Decoder::default();
            decoder.feed(b"\x1b", false);
            decoder.feed(typed.as_bytes(), false);
            decoder.silence();
            let typed: Vec<Key> = typed.chars().map(Key::Char).collect();
            let expected = keys(&[&[Key::Esc][..], &typed].concat());
            assert_eq!(decoded(&mut decoder), expected, "{typed:?}");
        }
    }

    #[test]
    fn a_paste_ends_an_unfinished_sequence() {
        for unfinished in ["\x1b[", "\x1b[<0;1", "\x1b]0;title", "\x1bP"] {
            let all = fed(format!("{unfinished}\x1b[200~text\x1b[201~q").as_bytes());
            let expected = [Input::Paste("text".to_owned()), Input::Key(Key::Char('q'))];
            assert_eq!(all, expected, "{unfinished:?}");
        }
    }

    #[test]
    fn an_unfinished_paste_ends_after_a_pause() {
        let mut decoder = Decoder::default();
        decoder.feed(b"\x1b[200~text", false);
        assert_eq!((decoder.patience(), decoder.pop()), (PASTE_TIME, None));
        decoder.silence();
        decoder.feed(b"q", false);
        let expected = vec![Input::Paste("text".to_owned()), Input::Key(Key::Char('q'))];
        assert_eq!(decoded(&mut decoder), expected);
    }

    #[test]
    fn a_mouse_position_of_zero_is_dropped() {
        for invalid in ["\x1b[<0;0;5M", "\x1b[<0;5;0M", "\x1b[32;0;0M"] {
            assert_eq!(fed(format!("{invalid}q").as_bytes()), keys(&[Key::Char('q')]));
        }
    }

    #[test]
    fn answers_of_the_terminal_may_contain_any_text() {
        for answer in [
            "11;#ab\u{507}001z:0",
            "10;rgb:\u{e9}\u{e9}/ff/ff",
            "52;c;\u{20ac}\u{20ac}",
            "11;#b00\u{fc}\x1b[\u{fc}",
        ] {
            for end in ["\x1b\\", "\x07"] {
                let all = fed(format!("\x1b]{answer}{end}ä").as_bytes());
                assert_eq!(all, keys(&[Key::Char('ä')]), "{answer}");
            }
        }
    }

    #[test]
    fn answers_to_the_questions_are_decoded_and_other_control_strings_dropped() {
        let all =
            fed(b"\x1b]11;rgb:ff/ff/ff\x1b\\\x1b[2;3R\x1b[?62;c\x1b_Gi=1;OK\x1b\\\x1bP1+r\x1b\\q");
        let answers = [
            Answer::Background { is_light: true },
            Answer::Symbols { are_wide: true },
            Answer::Last,
        ];
        let expected = answers.map(Input::Answer).into_iter().chain(keys(&[Key::Char('q')]));
        assert_eq!(all, expected.collect::<Vec<_>>());
    }

    #[test]
    fn an_answer_that_is_cut_after_its_escape_byte_runs_no_commands() {
        for answer in ["_Gi=1;q\x1b\\", "P1+rq\x1b\\", "]11;q\x07"] {
            for more in [false, true] {
                let mut decoder = Decoder::default();
                decoder.feed(b"\x1b", more);
                decoder.feed(answer.as_bytes(), false);
                decoder.feed(b"x", false);
                let decoded = decoded(&mut decoder);
                let mut expected = keys(&[Key::Esc, Key::Char('x')]);
                expected.drain(..usize::from(more));
                assert_eq!(decoded, expected, "{answer:?}");
            }
        }
    }

    /// The bytes before and after a control string form no sequence. The text of an answer must not get
    /// into the parser in this way, either: it may contain any text.
    #[test]
    fn a_control_string_ends_an_unfinished_sequence() {
        for string in ["\x1b]0;t\x07", "\x1bP1+r\x1b\\"] {
            for more in [false, true] {
                let decode = |text: &str| {
                    let mut decoder = Decoder::default();
                    decoder.feed(text.as_bytes(), more);
                    decoded(&mut decoder)
                };
                let [escape, a] = [Key::Esc, Key::Char('A')];
                assert_eq!(decode(&format!("\x1b[{string}A")), keys(&[a]));
                for rest in ["[A", "]11;#\u{2f6}1\u{10}\x1b\\A"] {
                    let all = decode(&format!("\x1b{string}{rest}"));
                    assert_eq!(all.first(), Some(&Input::Key(escape)), "{rest:?}");
                    assert_eq!(all.last(), Some(&Input::Key(a)), "{rest:?}");
                }
            }
        }
    }

    #[test]
    fn a_long_paste_is_cut() {
        let mut decoder = Decoder::default();
        decoder.feed(PASTE_START, false);
        for _ in 0..300 {
            decoder.feed(&[b'x'; 4096], true);
        }
        decoder.feed(PASTE_END, false);
        let Some(Input::Paste(text)) = decoder.pop() else { panic!("no paste") };
        assert_eq!(text.len(), LONGEST_PASTE);
    }
}
