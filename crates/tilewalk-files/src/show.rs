//! Makes text from files safe to print, and limits its length. Escapes control characters, hidden
//! characters and characters that change the text direction.

use std::fmt::Write as _;
use std::path::Path;

pub use tilewalk_sim::report::words::{escaped, escaped_except, is_hidden};

/// Maximum length of a quoted word, in characters.
const MOST_CHARS: usize = 80;

/// Maximum number of candidates compared with a mistyped word. A map can have a million names.
pub const MOST_CANDIDATES: usize = 10_000;

/// Returns the reason of a JSON error without its position, safe to print.
pub(crate) fn json_reason(error: &serde_json::Error) -> String {
    let message = error.to_string();
    text(message.rsplit_once(" at line ").map_or(message.as_str(), |(reason, _)| reason))
}

/// Returns the text with escape sequences for hidden characters and lone combining characters. Cuts
/// the text after 80 characters.
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

/// Returns a path as printable text, without a length limit.
pub fn path(path: &Path) -> String {
    escaped(&path.to_string_lossy())
}

/// Returns a text as a word of a shell command, quoted if necessary, and safe to print.
pub fn shell_word(word: &str) -> String {
    let word = escaped(word);
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-:=+,@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// Returns a line of a file, safe to print. Hidden characters are replaced one for one, so that
/// columns stay correct.
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

#[cfg(test)]
thread_local! {
    /// Number of calls of [`nearest`] by this thread.
    pub static COMPARED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Returns the candidate that is most similar to a mistyped word; `None` if no candidate is
/// similar. Compares only the first [`MOST_CANDIDATES`] candidates.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    #[cfg(test)]
    COMPARED.set(COMPARED.get() + 1);
    // A longer word is not a typing error, and the distance takes quadratic time.
    if word.len() > 64 {
        return None;
    }
    let lower = word.to_lowercase();
    let counts = letter_counts(&lower);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates.into_iter().take(MOST_CANDIDATES) {
        let known = candidate.to_lowercase();
        let length = candidate.chars().count().max(word.chars().count());
        let similar = 1.max((length + 1) / 3);
        let is_similar = |distance| {
            (distance <= similar || begins_alike(&lower, candidate))
                && best.is_none_or(|(least, _)| distance < least)
        };
        // Comparing letters is much faster than computing the distance, and excludes most words.
        if is_similar(fewest_edits(&counts, &letter_counts(&known))) {
            let distance = strsim::damerau_levenshtein(&lower, &known);
            if is_similar(distance) {
                best = Some((distance, candidate));
            }
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Number of groups of characters that [`letter_counts`] counts separately. Two letters of ASCII
/// are never in the same group.
const LETTER_GROUPS: usize = 32;

/// Counts the characters of a word. Characters whose codes differ by a multiple of
/// [`LETTER_GROUPS`] are counted together.
fn letter_counts(word: &str) -> [usize; LETTER_GROUPS] {
    let mut counts = [0; LETTER_GROUPS];
    for c in word.chars() {
        counts[c as usize % LETTER_GROUPS] += 1;
    }
    counts
}

/// Returns a lower bound of the distance between two words, from the numbers of their letters. Each
/// edit adds, removes or replaces one letter, or swaps two.
fn fewest_edits(a: &[usize; LETTER_GROUPS], b: &[usize; LETTER_GROUPS]) -> usize {
    let excess = |a: &[usize], b: &[usize]| -> usize {
        a.iter().zip(b).map(|(a, b)| a.saturating_sub(*b)).sum()
    };
    excess(a, b).max(excess(b, a))
}

/// Returns true if two words differ in their endings only, such as `chasing` and `chase`.
fn begins_alike(word: &str, candidate: &str) -> bool {
    let same = word.chars().zip(candidate.chars()).take_while(|(a, b)| a == b).count();
    same >= 4 && 2 * same > word.chars().count().max(candidate.chars().count())
}

/// Returns `: did you mean …?` for a message. Returns an empty string if `near` is `None`.
pub fn did_you_mean(near: Option<&str>) -> String {
    near.map_or_else(String::new, |near| format!(": did you mean `{}`?", text(near)))
}

/// Returns advice that lists the first 20 names, or an empty string without names.
pub fn known_names<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let mut names = names.into_iter().take(20).peekable();
    match names.peek() {
        Some(_) => format!("known names: {}", list(names)),
        None => String::new(),
    }
}

/// Returns a list of quoted words: `a`, `b`, `c`.
pub fn list<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let words: Vec<String> = words.into_iter().map(|word| format!("`{}`", text(word))).collect();
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_are_escaped() {
        assert_eq!(text("a\u{1b}[31m\u{9b}\u{202e}'\"\\é"), "a\\u{1b}[31m\\u{9b}\\u{202e}'\"\\é");
        assert_eq!(line("\u{1b}[3m\tx\u{7f}\u{9b}"), "␛[3m x␡\u{fffd}");
        assert_eq!(text(&"x".repeat(100)).chars().count(), MOST_CHARS + 1);
    }

    #[test]
    fn nearest_returns_only_similar_words() {
        let keys = ["max_speed", "max_force", "mass"];
        assert_eq!(nearest("chasing", ["search", "chase"]), Some("chase"));
        assert_eq!(nearest("maximum", keys), None);
        assert_eq!(nearest("max_sped", keys), Some("max_speed"));
        assert_eq!(nearest("MASS", keys), Some("mass"));
        assert_eq!(nearest("colour", keys), None);
        assert_eq!(nearest("ab", ["at"]), Some("at"));
        assert_eq!(nearest("glyf", ["glyph", "group"]), Some("glyph"));
    }

    #[test]
    fn the_number_of_letters_never_excludes_the_nearest_word() {
        let words = [
            "",
            "a",
            "seek",
            "eseek",
            "Flee",
            "arrive",
            "arrivé",
            "wander",
            "wanders",
            "pursue",
            "max_speed",
            "max_force",
            "maxspeed",
            "separation",
            "seperation",
            "noitarapes",
            "ΣΑΣ",
        ];
        for (a, b) in words.iter().flat_map(|a| words.map(|b| (a.to_lowercase(), b.to_lowercase())))
        {
            let bound = fewest_edits(&letter_counts(&a), &letter_counts(&b));
            assert!(bound <= strsim::damerau_levenshtein(&a, &b), "{a} {b}");
        }
        assert_eq!(nearest("sepration", words), Some("separation"));
        assert_eq!(nearest("seke", words), Some("seek"));
    }
}
