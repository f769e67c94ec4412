//! Characters that must not reach a terminal.

use core::fmt::Write as _;

/// Returns true for characters that must not reach a terminal: control characters, and characters
/// that are invisible or change the direction of text.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{FEFF}')
        || matches!(c, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}')
        || matches!(c, '\u{2060}'..='\u{206F}' | '\u{FFF9}'..='\u{FFFB}')
        || matches!(c, '\u{E0000}'..='\u{E007F}')
}

/// Returns a text with hidden characters as escape sequences, such as `\u{202e}`.
pub fn escaped(text: &str) -> String {
    escaped_except(text, &[])
}

/// Returns a text with hidden characters, except those in `keep`, as escape sequences.
pub fn escaped_except(text: &str, keep: &[char]) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_hidden(c) && !keep.contains(&c) {
            // Writing to a string cannot fail.
            let _ = write!(shown, "\\u{{{:x}}}", u32::from(c));
        } else {
            shown.push(c);
        }
    }
    shown
}
