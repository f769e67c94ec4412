//! Words from a file, made fit to be printed: no control character, nothing that hides or turns
//! the writing round, nothing endless.

use std::fmt::Write as _;
use std::path::Path;

/// Characters of a quoted word before the rest is left out.
const MOST_CHARS: usize = 80;

/// Words that are compared with a mistyped one; a map may have a million names.
pub const MOST_CANDIDATES: usize = 10_000;

/// Is this a character that must not reach a terminal as it is? Controls, and what is invisible or
/// changes the direction of the writing.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{FEFF}')
        || matches!(c, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}')
        || matches!(c, '\u{2060}'..='\u{206F}' | '\u{FFF9}'..='\u{FFFB}')
        || matches!(c, '\u{E0000}'..='\u{E007F}')
}

/// The text with every hidden or lone combining character spelled out.
pub fn text(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for (index, c) in text.chars().enumerate() {
        if index == MOST_CHARS {
            shown.push('…');
            break;
        }
        match c {
            '\'' | '"' | '\\' => shown.push(c),
            _ if is_hidden(c) => {
                let _ = write!(shown, "\\u{{{:x}}}", u32::from(c));
            }
            _ => shown.extend(c.escape_debug()),
        }
    }
    shown
}

/// A path, fit to be printed, however long.
pub fn path(path: &Path) -> String {
    let mut shown = String::new();
    for c in path.to_string_lossy().chars() {
        if is_hidden(c) {
            let _ = write!(shown, "\\u{{{:x}}}", u32::from(c));
        } else {
            shown.push(c);
        }
    }
    shown
}

/// A line of a file as it may be printed: character for character, so that columns stay.
pub fn line(line: &str) -> String {
    let picture = |c: char| match c {
        '\t' => ' ',
        '\0'..='\u{1F}' => char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{FFFD}'),
        '\u{7F}' => '\u{2421}',
        _ if is_hidden(c) => '\u{FFFD}',
        _ => c,
    };
    line.chars().map(picture).collect()
}

/// The candidate that a mistyped word most likely means, if one is near.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Nothing that long is a slip of the keyboard, and the distance takes quadratic time.
    if word.len() > 64 {
        return None;
    }
    let lower = word.to_lowercase();
    candidates
        .into_iter()
        .take(MOST_CANDIDATES)
        .map(|candidate| {
            (strsim::damerau_levenshtein(&lower, &candidate.to_lowercase()), candidate)
        })
        .filter(|&(distance, candidate)| {
            distance <= 1.max((candidate.chars().count().max(word.chars().count()) + 1) / 3)
        })
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// `: did you mean …?` after a message, or nothing.
pub fn did_you_mean(near: Option<&str>) -> String {
    near.map_or_else(String::new, |near| format!(": did you mean `{}`?", text(near)))
}

/// Words in a row: `a`, `b`, `c`.
pub fn list<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let words: Vec<String> = words.into_iter().map(|word| format!("`{}`", text(word))).collect();
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_hidden_is_printed() {
        assert_eq!(text("a\u{1b}[31m\u{9b}\u{202e}'\"\\é"), "a\\u{1b}[31m\\u{9b}\\u{202e}'\"\\é");
        assert_eq!(line("\u{1b}[3m\tx\u{7f}\u{9b}"), "␛[3m x␡\u{fffd}");
        assert_eq!(text(&"x".repeat(100)).chars().count(), MOST_CHARS + 1);
    }

    #[test]
    fn near_words_are_suggested_and_far_ones_not() {
        let keys = ["max_speed", "max_force", "mass"];
        assert_eq!(nearest("max_sped", keys), Some("max_speed"));
        assert_eq!(nearest("MASS", keys), Some("mass"));
        assert_eq!(nearest("colour", keys), None);
        assert_eq!(nearest("ab", ["at"]), Some("at"));
        assert_eq!(nearest("glyf", ["glyph", "group"]), Some("glyph"));
    }
}
