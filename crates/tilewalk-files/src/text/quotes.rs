//! Values in quotes, as in comma-separated values.

/// Returns the text of a value in quotes, and its length in the line. Returns `None` if the quote is
/// not closed.
pub(crate) fn quoted(rest: &str) -> Option<(String, usize)> {
    let mut text = String::new();
    let mut chars = rest.char_indices().skip(1).peekable();
    while let Some((at, c)) = chars.next() {
        if c != '"' {
            text.push(c);
        } else if chars.next_if(|&(_, next)| next == '"').is_some() {
            text.push('"');
        } else {
            return Some((text, at + 1));
        }
    }
    None
}
