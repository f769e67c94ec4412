//! Checks glyphs of tiles and agents: one grapheme cluster, one column wide.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::show;
use crate::text::reader::Entry;

/// Returns the reason why a text is not a valid glyph; `None` for a valid glyph.
pub fn fault(text: &str) -> Option<&'static str> {
    let mut graphemes = text.graphemes(true);
    if graphemes.next().is_none() {
        return Some("is empty");
    }
    if text.chars().any(show::is_hidden) {
        return Some("is invisible");
    }
    if graphemes.next().is_some() {
        return Some("has more than one character");
    }
    match text.width() {
        0 => Some("has zero width"),
        1 => None,
        _ => Some("is wider than one column"),
    }
}

pub fn read<'a>(entry: &Entry<'a>) -> Option<&'a str> {
    let text = entry.string()?;
    let Some(fault) = fault(text) else { return Some(text) };
    let message = format!("`{}` must be one character, one column wide", entry.key);
    entry.error_with_help(message, format!("`{}` {fault}", show::text(text)));
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_glyph_is_one_grapheme_cluster_of_width_one() {
        for glyph in ["a", " ", "é", "e\u{301}", "█", "ж"] {
            assert_eq!(fault(glyph), None, "{glyph:?}");
        }
        for text in ["", "ab", "世", "\u{301}", "\t", "\u{1b}", "\u{200d}", "🦀", "a\u{202e}"] {
            assert!(fault(text).is_some(), "{text:?}");
        }
    }
}
