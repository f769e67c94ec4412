//! Splits the text of a condition into tokens.

use core::ops::Range;

use super::ConditionError;

/// Maximum length of a condition, in bytes.
pub const MAX_LENGTH: usize = 4000;

/// A token of a condition, with its position in the text.
#[derive(Debug, Clone, PartialEq)]
pub struct Token<'a> {
    /// The word, number, text or symbol, as written in the condition.
    pub kind: TokenKind<'a>,
    /// The byte range of the token in the text of the condition, quotes included.
    pub span: Range<usize>,
}

/// The kind and content of a token.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TokenKind<'a> {
    /// A word: a name, a field or a keyword.
    Word(&'a str),
    /// An unsigned number: digits, with an optional fraction and exponent.
    Number(&'a str),
    /// A text in quotes, without the quotes.
    Text(&'a str),
    /// A comparison operator: `==`, `!=`, `<`, `<=`, `>` or `>=`.
    Comparison(&'a str),
    /// A punctuation mark: `.`, `,`, `(`, `)`, `[`, `]`, `+`, `-`, `*` or `/`.
    Mark(char),
    /// The end of the text.
    End,
}

impl TokenKind<'_> {
    /// Returns a description of the token for error messages.
    pub fn words(self) -> String {
        match self {
            Self::Word(word) | Self::Number(word) | Self::Comparison(word) => format!("`{word}`"),
            Self::Text(text) => format!("\"{text}\""),
            Self::Mark(mark) => format!("`{mark}`"),
            Self::End => "the end of the condition".to_owned(),
        }
    }
}

/// Splits the text of a condition into tokens. The last token is [`TokenKind::End`].
///
/// # Errors
/// Returns an error for an invalid character, a missing closing quote, or a text longer than
/// [`MAX_LENGTH`] bytes.
pub fn tokens(text: &str) -> Result<Vec<Token<'_>>, ConditionError> {
    if text.len() > MAX_LENGTH {
        let message = format!("the condition is longer than {MAX_LENGTH} bytes");
        return Err(ConditionError::new(0..0, message));
    }
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        let (kind, length) = token(text, at, c)?;
        tokens.push(Token { kind, span: at..at + length });
        at += length;
    }
    tokens.push(Token { kind: TokenKind::End, span: at..at });
    Ok(tokens)
}

/// Returns the token that starts with `c` at byte `at`, and its length in bytes.
fn token(text: &str, at: usize, c: char) -> Result<(TokenKind<'_>, usize), ConditionError> {
    let rest = &text[at..];
    let while_ = |keep: fn(char) -> bool| rest.find(|c| !keep(c)).unwrap_or(rest.len());
    let token = match c {
        'a'..='z' | 'A'..='Z' | '_' => {
            let length = while_(|c| c.is_ascii_alphanumeric() || c == '_');
            (TokenKind::Word(&rest[..length]), length)
        }
        '0'..='9' => {
            let length = number_length(rest);
            (TokenKind::Number(&rest[..length]), length)
        }
        '"' | '\'' => {
            let Some(end) = rest[1..].find(c) else {
                let message = format!("unterminated string: missing {c}");
                return Err(ConditionError::new(at..text.len(), message));
            };
            (TokenKind::Text(&rest[1..=end]), end + 2)
        }
        '.' | ',' | '(' | ')' | '[' | ']' | '+' | '-' | '*' | '/' => (TokenKind::Mark(c), 1),
        '=' | '!' | '<' | '>' if rest[1..].starts_with('=') => {
            (TokenKind::Comparison(&rest[..2]), 2)
        }
        '<' | '>' => (TokenKind::Comparison(&rest[..1]), 1),
        _ => return Err(stray(at, rest, c)),
    };
    Ok(token)
}

/// Returns the length of a number in bytes: digits, an optional fraction and an optional exponent.
fn number_length(rest: &str) -> usize {
    let digits = |from: usize| {
        let tail = &rest[from..];
        tail.find(|c: char| !c.is_ascii_digit()).unwrap_or(tail.len())
    };
    let mut length = digits(0);
    if rest[length..].starts_with('.') && digits(length + 1) > 0 {
        length += 1 + digits(length + 1);
    }
    if rest[length..].starts_with(['e', 'E']) {
        let sign = usize::from(rest[length + 1..].starts_with(['+', '-']));
        let exponent = digits(length + 1 + sign);
        if exponent > 0 {
            length += 1 + sign + exponent;
        }
    }
    length
}

/// Returns the error for an invalid character. For operators of other languages, such as `&&`,
/// suggests the operator to use.
fn stray(at: usize, rest: &str, c: char) -> ConditionError {
    let habits = [
        ("&&", "and"),
        ("||", "or"),
        ("&", "and"),
        ("|", "or"),
        ("!", "not"),
        ("=>", ">="),
        ("=<", "<="),
        ("=", "=="),
    ];
    let habit = habits.into_iter().find(|(habit, _)| rest.starts_with(habit));
    let length = habit.map_or(c.len_utf8(), |(habit, _)| habit.len());
    let message = format!("unexpected `{}`", &rest[..length]);
    let help = habit.map(|(_, ours)| format!("write `{ours}`")).unwrap_or_default();
    ConditionError::new(at..at + length, message).help(help)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<TokenKind<'_>> {
        tokens(text).unwrap().into_iter().map(|token| token.kind).collect()
    }

    #[test]
    fn a_condition_is_split_into_words_numbers_texts_and_marks() {
        use TokenKind::{Comparison, End, Mark, Number, Text, Word};
        assert_eq!(
            kinds("boid.3.speed>=-1.5e3"),
            [
                Word("boid"),
                Mark('.'),
                Number("3"),
                Mark('.'),
                Word("speed"),
                Comparison(">="),
                Mark('-'),
                Number("1.5e3"),
                End
            ]
        );
        assert_eq!(kinds(" \"a b\" 'c' "), [Text("a b"), Text("c"), End]);
        assert_eq!(kinds("3e"), [Number("3"), Word("e"), End]);
    }

    #[test]
    fn operators_of_other_languages_get_a_suggestion() {
        for (text, help) in [
            ("a && b", "and"),
            ("!a", "not"),
            ("a = 1", "=="),
            ("a => 1", ">="),
            ("a =< 1", "<="),
            ("a || b", "or"),
        ] {
            assert_eq!(tokens(text).unwrap_err().help, format!("write `{help}`"));
        }
        assert_eq!(tokens("speed > 3 €").unwrap_err().span, 10..13);
        assert_eq!(tokens("mode == \"chase").unwrap_err().span, 8..14);
        assert_eq!(tokens(&" ".repeat(MAX_LENGTH + 1)).unwrap_err().span, 0..0);
    }
}
