//! Draws a message in full, in as many rows as it needs.
//!
//! The extra rows cover the rows above the status line, so no pane moves.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::{Clear, Widget};
use unicode_width::UnicodeWidthStr;

use crate::tui::glyph;
use crate::tui::messages::Message;
use crate::tui::theme::Theme;

use super::pane;

/// A message in the lowest rows of its area.
#[derive(Debug)]
pub struct Answer<'a> {
    pub message: &'a Message,
    pub theme: &'a Theme,
}

impl Widget for Answer<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let (text, style) = styled(self.message, self.theme);
        write(&lines(&text, area.width), style, area, buffer);
    }
}

/// Returns the printable text of a message, and its style.
pub fn styled(message: &Message, theme: &Theme) -> (String, Style) {
    match message {
        Message::Note(text) => (glyph::clean(text), theme.strong),
        Message::Warning(text) => (glyph::clean(text), theme.warn),
    }
}

/// Wraps a message to rows of `width` columns, including the margins.
pub fn lines(text: &str, width: u16) -> Vec<String> {
    pane::wrapped(text, usize::from(width).saturating_sub(2))
}

/// Wraps a message whose last row has only `room` columns. Returns the rows above, and the last
/// row, which is empty if the text does not fit there.
pub fn above(text: &str, width: u16, room: usize) -> (Vec<String>, String) {
    let mut lines = lines(text, width);
    match lines.pop() {
        Some(last) if last.width() <= room => (lines, last),
        Some(last) => {
            lines.push(last);
            (lines, String::new())
        }
        None => (lines, String::new()),
    }
}

/// Writes rows into the lowest rows of an area.
pub fn write(lines: &[String], style: Style, area: Rect, buffer: &mut Buffer) {
    let rows = (lines.len() as u16).min(area.height);
    let first = area.bottom() - rows;
    for (y, line) in (first..area.bottom()).zip(lines) {
        let row = Rect { y, height: 1, ..area };
        Clear.render(row, buffer);
        let width = usize::from(area.width.saturating_sub(1));
        buffer.set_stringn(area.x + 1, y, line, width, style);
    }
}
