//! Questions to the terminal at the start of the screen, and its answers.
//!
//! Drawing does not wait for the answers. Terminals answer in the order of the questions, and almost
//! all of them answer the last one.

use std::time::Duration;

/// Time after which an answer no longer changes the appearance.
pub const ANSWER_TIME: Duration = Duration::from_millis(200);

/// Time after the questions during which the end of the screen waits for missing answers, so that
/// the shell does not receive them.
pub const EXIT_TIME: Duration = Duration::from_secs(1);

/// The row in which the test symbol is written. An answer for the first row would look like the key
/// F3 with Shift.
const TEST_ROW: u16 = 2;

/// The test symbol: many fonts for East Asian languages draw it two columns wide.
const TEST_SYMBOL: &str = "●";

/// An answer of the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// The brightness of the background.
    Background {
        /// Whether dark text is easier to read than bright text.
        is_light: bool,
    },
    /// The width of symbols that are one or two columns wide, depending on the font.
    Symbols {
        /// Whether such symbols are two columns wide.
        are_wide: bool,
    },
    /// The answer to the last question.
    Last,
}

/// Returns the questions: the colour of the background (OSC 11), the position of the cursor after a
/// test symbol, and the kind of the terminal. Removes the symbol again. If `ascii` is true, there
/// is no test symbol, because the terminal may not be able to show it.
pub fn questions(ascii: bool) -> String {
    let test = format!("\x1b[{TEST_ROW};1H{TEST_SYMBOL}\x1b[6n\x1b[{TEST_ROW};1H\x1b[K");
    let test = if ascii { "" } else { &test };
    format!("\x1b]11;?\x1b\\{test}\x1b[c")
}

/// Reads the text of an operating system command. Returns `None` if it is not the answer to a
/// question.
pub fn background(text: &[u8]) -> Option<Answer> {
    let text = core::str::from_utf8(text).ok()?.strip_prefix("11;")?;
    let channels = text.strip_prefix("rgb:").or_else(|| text.strip_prefix("rgba:"))?;
    let mut channels = channels.split('/').map(channel);
    let mut next = || channels.next().flatten();
    // The weights of luma in ITU-R BT.601.
    let luma = 0.299 * next()? + 0.587 * next()? + 0.114 * next()?;
    Some(Answer::Background { is_light: luma > 0.5 })
}

/// Converts one to four hexadecimal digits to a share of the largest value with that number of digits.
fn channel(digits: &str) -> Option<f32> {
    let valid = (1..=4).contains(&digits.len()) && !digits.starts_with('+');
    let value = u16::from_str_radix(digits, 16).ok().filter(|_| valid)?;
    Some(f32::from(value) / ((1u32 << (4 * digits.len())) - 1) as f32)
}

/// Reads a report of the cursor's position, counted from 1. Returns `None` if it is not the answer
/// to a question.
pub fn symbols(row: u16, column: u16) -> Option<Answer> {
    (row == TEST_ROW && matches!(column, 2 | 3))
        .then_some(Answer::Symbols { are_wide: column == 3 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_background_is_read_in_each_format() {
        let light = |text: &str| match background(text.as_bytes()) {
            Some(Answer::Background { is_light }) => Some(is_light),
            Some(Answer::Symbols { .. } | Answer::Last) | None => None,
        };
        assert_eq!(light("11;rgb:ffff/ffff/ffff"), Some(true));
        assert_eq!(light("11;rgb:1e/1e/2e"), Some(false));
        assert_eq!(light("11;rgba:f/f/0/8"), Some(true));
        assert_eq!(light("11;rgb:0000/0000/ffff"), Some(false));
        for other in
            ["10;rgb:f/f/f", "11;?", "11;rgb:f/f", "11;rgb:+f/f/f", "11;rgb:fffff/0/0", "11;"]
        {
            assert_eq!(light(other), None, "{other}");
        }
    }

    #[test]
    fn only_positions_behind_the_test_symbol_are_answers() {
        assert_eq!(symbols(2, 2), Some(Answer::Symbols { are_wide: false }));
        assert_eq!(symbols(2, 3), Some(Answer::Symbols { are_wide: true }));
        assert_eq!((symbols(1, 2), symbols(2, 9)), (None, None));
    }
}
