//! What all panes have in common: a border with titles, and texts that fit.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::{Block, BorderType, Widget};
use unicode_width::UnicodeWidthStr;

use crate::tui::glyph;
use crate::tui::layout;
use crate::tui::theme::Theme;

/// No style at all, for text that no theme is at hand for.
pub const PLAIN: Style = Style::new();

/// Draws a border with a title, and a second one at the right if there is room; returns the inside.
pub fn frame(title: &str, right: &str, theme: &Theme, area: Rect, buffer: &mut Buffer) -> Rect {
    let block = Block::bordered().border_type(BorderType::Rounded).border_style(theme.border);
    block.render(area, buffer);
    let inside = layout::inside(area);
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

/// A second title as it is written; `None` when the first one would not keep a third of the room.
pub fn second_title(text: &str, room: usize) -> Option<String> {
    let text = if text.is_empty() { String::new() } else { format!(" {text} ") };
    (text.width() * 3 <= room * 2).then_some(text)
}

/// A text cut to a width, with an ellipsis when something is missing.
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

/// A text broken into lines of at most `width` columns, between words.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_and_say_so() {
        assert_eq!(fitted("guard", 5), "guard");
        assert_eq!(fitted("guards", 5), "guar…");
        assert_eq!(fitted("語語語", 5), "語語…");
        assert_eq!(fitted("guard", 0), "");
    }
}
