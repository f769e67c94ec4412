//! Shows a whole message in as many rows as it needs.
//!
//! A message with several rows covers the panes above the status line, so no pane moves.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::{Clear, Widget};
use unicode_width::UnicodeWidthStr;

use crate::tui::glyph;
use crate::tui::messages::Message;
use crate::tui::theme::Theme;

use super::pane;

/// Draws a message in the lowest rows of an area.
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

/// Returns a message without control characters, and the style for its severity.
pub fn styled(message: &Message, theme: &Theme) -> (String, Style) {
    match message {
        Message::Note(text) => (glyph::clean(text), theme.strong),
        Message::Warning(text) => (glyph::clean(text), theme.warn),
    }
}

/// Wraps a message to rows of `width` terminal columns. One column at each side stays empty.
pub fn lines(text: &str, width: u16) -> Vec<String> {
    pane::wrapped(text, usize::from(width).saturating_sub(2))
}

/// Wraps a message whose last row shares the status line and has only `room` columns.
///
/// Returns the full rows and the text of the last row. The last row is empty if its text is wider
/// than `room`.
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

/// Writes rows of text into the lowest rows of an area, below each other. If the area is too low,
/// the last rows are dropped.
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
