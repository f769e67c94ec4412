//! What all panes have in common: a border with titles, and facts in lines.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Widget};
use unicode_width::UnicodeWidthStr;

use crate::tui::glyph;
use crate::tui::layout;
use crate::tui::theme::Theme;

/// No style at all, for text that no theme is at hand for.
pub const PLAIN: Style = Style::new();

/// Columns of a fact's label, with the gap after it.
const LABEL: usize = 9;

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

/// Lines of facts, each with a label before it, broken between phrases where they are too long.
#[derive(Debug)]
pub struct Facts<'a> {
    /// The lines so far.
    pub lines: Vec<Line<'static>>,
    /// The styles.
    pub theme: &'a Theme,
    width: usize,
}

impl<'a> Facts<'a> {
    /// None yet, for lines of `width` columns.
    pub fn new(theme: &'a Theme, width: u16) -> Self {
        Self { lines: Vec::new(), theme, width: usize::from(width) }
    }

    /// Columns a line has.
    pub fn width(&self) -> usize {
        self.width
    }

    /// A fact in one style.
    pub fn fact(&mut self, label: &str, text: impl Into<String>) {
        let style = self.theme.text;
        self.phrases(label, [(text.into(), style)]);
    }

    /// A fact made of phrases, two columns apart.
    pub fn phrases(&mut self, label: &str, phrases: impl IntoIterator<Item = (String, Style)>) {
        let mut spans = vec![Span::styled(format!("{label:<LABEL$}"), self.theme.dim)];
        let (mut used, mut first) = (LABEL, true);
        for (text, style) in phrases {
            let room = self.width.saturating_sub(LABEL);
            let pieces = if text.width() > room { wrapped(&text, room) } else { vec![text] };
            for text in pieces {
                if !first && used + 2 + text.width() > self.width {
                    self.lines.push(Line::from(core::mem::take(&mut spans)));
                    spans.push(Span::raw(" ".repeat(LABEL)));
                    (used, first) = (LABEL, true);
                }
                if !first {
                    spans.push(Span::raw("  "));
                    used += 2;
                }
                used += text.width();
                first = false;
                spans.push(Span::styled(text, style));
            }
        }
        self.lines.push(Line::from(spans));
    }

    /// A line of its own.
    pub fn line(&mut self, spans: Vec<Span<'static>>) {
        self.lines.push(Line::from(spans));
    }

    /// A line between two parts.
    pub fn part(&mut self, title: &str) {
        let rule = "─".repeat(self.width.saturating_sub(title.width() + 1));
        self.line(vec![
            Span::styled(format!("{title} "), self.theme.dim),
            Span::styled(rule, self.theme.border),
        ]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::theme::MONO;

    #[test]
    fn long_texts_are_cut_and_say_so() {
        assert_eq!(fitted("guard", 5), "guard");
        assert_eq!(fitted("guards", 5), "guar…");
        assert_eq!(fitted("語語語", 5), "語語…");
        assert_eq!(fitted("guard", 0), "");
    }

    #[test]
    fn facts_break_between_phrases() {
        let mut facts = Facts::new(&MONO, 24);
        facts
            .phrases("at", [("(1.000, 2.000)".to_owned(), PLAIN), ("on (1, 2)".to_owned(), PLAIN)]);
        let lines: Vec<_> = facts.lines.iter().map(Line::to_string).collect();
        assert_eq!(lines, ["at       (1.000, 2.000)", "         on (1, 2)"]);
    }
}
