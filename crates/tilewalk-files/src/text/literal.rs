//! Converts offsets in the value of a TOML string to offsets in the file.

use std::ops::Range;

/// Converts a byte offset in the value of a string to a byte offset in the file. `raw` is the
/// string as written, with its quotes. `begin` is the file offset of `raw`.
///
/// For offsets after the value, returns the offset of the closing quotes.
pub fn locate(raw: &str, begin: usize, offset: usize) -> usize {
    if !raw.starts_with(['\'', '"']) {
        // In a file with syntax errors, the parser can take other text for a string.
        return begin;
    }
    let quotes = if raw.starts_with("'''") || raw.starts_with("\"\"\"") { 3 } else { 1 };
    let mut at = quotes.min(raw.len());
    let end = raw.len().saturating_sub(quotes).max(at);
    if quotes == 3 {
        // A line ending right after the opening quotes is not part of the value.
        let rest = raw.get(at..).unwrap_or_default();
        at += if rest.starts_with("\r\n") { 2 } else { usize::from(rest.starts_with('\n')) };
    }
    if raw.starts_with('\'') || !raw.get(at..end).is_some_and(|inner| inner.contains('\\')) {
        return begin + (at + offset).min(end.max(at));
    }
    let mut value = 0;
    while at < end && value <= offset {
        let (written, meant) = unit(raw.get(at..end).unwrap_or_default());
        if value + meant > offset {
            break;
        }
        at += written;
        value += meant;
    }
    begin + at.min(end)
}

/// Converts a byte range of a string's value to a byte range of the file. `raw` and `begin` are the
/// same as in [`locate`].
pub fn stretch(raw: &str, begin: usize, value: Range<usize>) -> Range<usize> {
    let start = locate(raw, begin, value.start);
    if is_plain(raw) {
        return start..start + value.len();
    }
    let (mut at, mut left) = (start - begin, value.len());
    while let Some(rest) = raw.get(at..).filter(|rest| left > 0 && !rest.is_empty()) {
        let (written, meant) = unit(rest);
        at += written;
        left = left.saturating_sub(meant);
    }
    start..begin + at
}

/// Returns true if a string has no escape sequences. `raw` is the string as written, with its
/// quotes.
pub fn is_plain(raw: &str) -> bool {
    raw.starts_with('\'') || !raw.contains('\\')
}

/// Measures the first character or escape sequence of `rest`. Returns two lengths in bytes: as
/// written, and in the value.
fn unit(rest: &str) -> (usize, usize) {
    let mut chars = rest.chars();
    let first = chars.next().unwrap_or(' ');
    if first != '\\' {
        return (first.len_utf8(), first.len_utf8());
    }
    let digits = match chars.next() {
        Some('x') => 2,
        Some('u') => 4,
        Some('U') => 8,
        // A backslash at the end of a line skips all following white space.
        Some(' ' | '\t' | '\r' | '\n') => {
            let rest = &rest[1..];
            return (1 + rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len(), 0);
        }
        Some(other) => return (1 + other.len_utf8(), 1),
        None => return (1, 1),
    };
    let code = rest.get(2..2 + digits).and_then(|hex| u32::from_str_radix(hex, 16).ok());
    // The digits of an invalid escape sequence can be any characters.
    code.and_then(char::from_u32).map_or((2, 1), |c| (2 + digits, c.len_utf8()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(raw: &str, value: &str) {
        for (offset, c) in value.char_indices() {
            let at = locate(raw, 0, offset);
            assert!(raw[at..].starts_with(c), "{raw:?}: {c:?} at {at}");
            let whole = stretch(raw, 0, offset..offset + c.len_utf8());
            assert_eq!(whole, at..at + unit(&raw[at..]).0, "{raw:?}: {c:?}");
        }
    }

    #[test]
    fn locate_works_with_all_kinds_of_quotes() {
        check("'''\nab\ncd\n'''", "ab\ncd\n");
        check("'''\r\nab\r\n'''", "ab\r\n");
        check("'abc'", "abc");
        check("\"abc\"", "abc");
        check("\"\"\"\nab\n\\\n   cd\"\"\"", "ab\ncd");
        assert_eq!(locate("\"a\\u00e9\\tb\"", 100, 3), 100 + 8);
        assert_eq!(locate("\"a\\u00e9\\tb\"", 100, 4), 100 + 10);
        assert_eq!(locate("''", 5, 9), 6);
        for broken in
            ["\"\\u00℀\"", "", "é", "\"é", "'é", "\"\\", "'''é", "\"\"\"é", "\"", "'''", "\"\\u"]
        {
            for offset in 0..5 {
                locate(broken, 0, offset);
            }
        }
    }
}
