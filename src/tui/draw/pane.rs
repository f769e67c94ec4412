//! Helpers for panes: borders with titles, and texts that fit a width in columns.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;
use ratatui::widgets::{Block, BorderType, Widget};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::tui::glyph;
use crate::tui::layout;
use crate::tui::theme::Theme;

/// Style without colours and modifiers, for text that is drawn without a theme.
pub const PLAIN: Style = Style::new();

/// Draws a border with a title, and a second title at the right end if the border is wide enough.
///
/// Returns the area inside the border. The area is empty if the pane has no room for content.
pub fn frame(title: &str, right: &str, theme: &Theme, area: Rect, buffer: &mut Buffer) -> Rect {
    let inside = layout::inside(area);
    Block::bordered()
        .border_type(BorderType::Rounded)
        .border_style(theme.border)
        .render(area, buffer);
    if inside.is_empty() {
        return Rect::ZERO;
    }
    let room = usize::from(inside.width);
    let right = second_title(right, room).unwrap_or_default();
    let left = room - right.width();
    let title = fitted(title, left.saturating_sub(3));
    let title = if title.is_empty() { title } else { format!(" {title} ") };
    buffer.set_stringn(inside.x, area.y, &title, room, theme.title);
    buffer.set_stringn(inside.x + left as u16, area.y, &right, room, theme.dim);
    inside
}

/// Draws lines below each other into the area inside a border. The first column stays empty. Lines
/// without room are dropped.
pub fn write<'a>(lines: impl IntoIterator<Item = &'a Line<'a>>, inside: Rect, buffer: &mut Buffer) {
    for (y, line) in (inside.y..inside.bottom()).zip(lines) {
        buffer.set_line(inside.x + 1, y, line, inside.width.saturating_sub(1));
    }
}

/// Returns the lowest `rows` rows of an area, limited to `columns` columns from the left. The
/// result is smaller if the area is.
pub fn at_bottom(rows: u16, columns: u16, area: Rect) -> Rect {
    let height = rows.min(area.height);
    Rect { x: area.x, y: area.bottom() - height, width: area.width.min(columns), height }
}

/// Returns the second title with a space at each side. Returns `None` if the title would fill more
/// than two thirds of `room` columns.
pub fn second_title(text: &str, room: usize) -> Option<String> {
    let text = if text.is_empty() { String::new() } else { format!(" {text} ") };
    (text.width() * 3 <= room * 2).then_some(text)
}

/// Returns a second title for a scrolled text: the number of hidden lines below, and the key that
/// scrolls to them.
///
/// `scroll` is the number of hidden lines above. Returns `end` if only lines above are hidden, and
/// an empty text if all lines are visible.
pub fn more(key: &str, scroll: usize, below: usize) -> String {
    match (scroll, below) {
        (0, 0) => String::new(),
        (_, 0) => "end".to_owned(),
        (_, below) => format!("{key}: {below} more"),
    }
}

/// Removes control characters and cuts the text to `width` columns. The last column of a cut text
/// is an ellipsis.
pub fn fitted(text: &str, width: usize) -> String {
    let text = glyph::clean(text);
    if text.width() <= width {
        return text;
    }
    let mut cut = String::new();
    for c in text.chars() {
        let mut next = cut.clone();
        next.push(c);
        if next.width() + 1 > width {
            break;
        }
        cut = next;
    }
    if width > 0 {
        cut.push_str(glyph::ELLIPSIS);
    }
    cut
}

/// Wraps a text at spaces to lines of at most `width` columns. Longer words are broken. Returns no
/// lines for an empty text.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for mut word in text.split_whitespace() {
        while width > 0 && word.width() > width {
            let end = prefix(word, width);
            lines.extend((!line.is_empty()).then(|| core::mem::take(&mut line)));
            lines.push(word[..end].to_owned());
            word = &word[end..];
        }
        if !line.is_empty() && line.width() + 1 + word.width() > width {
            lines.push(core::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

/// Returns the length in bytes of the longest prefix of at most `width` columns. The prefix has at
/// least one character, even if that character is wider than `width`.
fn prefix(text: &str, width: usize) -> usize {
    let ends = text.grapheme_indices(true).map(|(at, sign)| at + sign.len());
    let mut fitting = ends.clone().take_while(|&end| text[..end].width() <= width);
    let first = ends.clone().next().unwrap_or(text.len());
    fitting.by_ref().last().unwrap_or(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_with_an_ellipsis() {
        assert_eq!(fitted("guard", 5), "guard");
        assert_eq!(fitted("guards", 5), "guar…");
        assert_eq!(fitted("語語語", 5), "語語…");
        assert_eq!(fitted("guard", 0), "");
    }

    #[test]
    fn words_that_are_wider_than_a_line_are_broken() {
        assert_eq!(wrapped("a guard of the castle", 8), ["a guard", "of the", "castle"]);
        assert_eq!(wrapped("in /maps/castle.toml now", 8), ["in", "/maps/ca", "stle.tom", "l now"]);
        assert_eq!(wrapped("語語語", 3), ["語", "語", "語"]);
        assert_eq!(wrapped("語", 1), ["語"]);
    }
}
