//! Limits the memory that a TOML file takes, before the file is parsed.
//!
//! The tree of a file can take hundreds of times as much memory as its text. Therefore the parts of
//! the text are counted first. Each value and key counts 1, and each table counts [`TABLE`]. These
//! weights approximate the memory that the tree and the scenario need. Only the lexer of
//! `toml_parser` reads the text, and the lexer needs no memory.

use std::ops::Range;

use toml_parser::Source;
use toml_parser::lexer::TokenKind;

/// Maximum weight of a file. Reading a file of this weight takes about 1 GiB of memory.
const MAX_WEIGHT: u32 = 6_000_000;

/// Weight of a table. A value or a key has the weight 1.
const TABLE: u32 = 20;

/// Minimum length of a text, in bytes, for its parts to be counted. Shorter texts can't be too
/// heavy.
const SHORT: usize = 1 << 17;

#[cfg(test)]
thread_local! {
    /// Number of files that this thread has parsed.
    pub static PARSED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Counts a file that this thread has parsed.
#[cfg(test)]
pub fn count_parsed() {
    PARSED.set(PARSED.get() + 1);
}

/// Returns the byte range of the token at which the weight of a text exceeds [`MAX_WEIGHT`].
/// Returns `None` if the text does not exceed it.
pub(crate) fn too_heavy(text: &str) -> Option<Range<usize>> {
    if text.len() < SHORT {
        return None;
    }
    let mut counter = Counter::default();
    for token in Source::new(text).lex() {
        counter.count(token.kind());
        if counter.weight > MAX_WEIGHT {
            let span = token.span();
            return Some(span.start()..span.end());
        }
    }
    None
}

/// Counter of the weight of a text. Distinguishes the dots of keys, which create tables, from the
/// dots of numbers.
#[derive(Debug, Default)]
struct Counter {
    weight: u32,
    /// For each open bracket, whether it opens an inline table.
    open: Vec<bool>,
    /// Whether the next tokens belong to a value. Otherwise, they belong to a key or a header.
    in_value: bool,
}

impl Counter {
    fn count(&mut self, kind: TokenKind) {
        self.weight += match kind {
            TokenKind::LeftCurlyBracket => TABLE,
            TokenKind::Dot if !self.in_value => TABLE,
            // The header of an array of tables has two brackets.
            TokenKind::LeftSquareBracket if !self.in_value => TABLE / 2,
            TokenKind::LeftSquareBracket
            | TokenKind::LiteralString
            | TokenKind::BasicString
            | TokenKind::MlLiteralString
            | TokenKind::MlBasicString
            | TokenKind::Atom => 1,
            TokenKind::Whitespace
            | TokenKind::Dot
            | TokenKind::Equals
            | TokenKind::Comma
            | TokenKind::Comment
            | TokenKind::Newline
            | TokenKind::RightSquareBracket
            | TokenKind::RightCurlyBracket
            | TokenKind::Eof => 0,
        };
        #[expect(clippy::wildcard_enum_match_arm, reason = "foreign enum: others change no state")]
        match kind {
            TokenKind::Equals => self.in_value = true,
            TokenKind::LeftSquareBracket if self.in_value => self.open.push(false),
            TokenKind::LeftCurlyBracket => {
                self.open.push(true);
                self.in_value = false;
            }
            TokenKind::RightSquareBracket | TokenKind::RightCurlyBracket => {
                self.in_value = self.open.pop().is_some();
            }
            TokenKind::Comma if self.open.last() == Some(&true) => self.in_value = false,
            TokenKind::Newline if self.open.is_empty() => self.in_value = false,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weight(text: &str) -> u32 {
        let mut counter = Counter::default();
        Source::new(text).lex().for_each(|token| counter.count(token.kind()));
        counter.weight
    }

    #[test]
    fn tables_weigh_more_than_values_and_strings_count_once() {
        for (text, expected) in [
            ("a = 1\n", 2),
            ("a = 1.5\n", 3),
            ("a = [1, 2]\n", 4),
            ("a.b = 1\n", 3 + TABLE),
            ("1.2 = 3\n", 3 + TABLE),
            ("a = { b = 1, c.d = 2 }\n", 6 + 2 * TABLE),
            ("a = [{ b = 1 }]\nc.d = 1.5\n", 8 + 2 * TABLE),
            ("[a]\n", 1 + TABLE / 2),
            ("[[a]]\nb = 1\n", 3 + TABLE),
            ("a = '''\n[[x]] = {{ 1,2,3\n'''\n", 2),
            ("# [[a]] = {}\n", 0),
        ] {
            assert_eq!(weight(text), expected, "{text}");
        }
    }
}
