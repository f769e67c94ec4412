//! Shows a whole message in as many rows as needed.
//!
//! A message of several rows covers the lower part of the panes, so that the layout of the panes
//! stays the same.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::{Clear, Widget};
use unicode_width::UnicodeWidthStr;

use crate::tui::glyph;
use crate::tui::messages::Message;
use crate::tui::theme::Theme;

use super::pane;

/// Widget that draws a message in the lowest rows of an area.
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

/// Returns the text of a message without control characters, and the style for its severity.
pub fn styled(message: &Message, theme: &Theme) -> (String, Style) {
    let clean = |text: &str| text.split('\n').map(glyph::clean).collect::<Vec<_>>().join("\n");
    match message {
        Message::Note(text) => (clean(text), theme.strong),
        Message::Warning(text) => (clean(text), theme.warn),
    }
}

/// Wraps each line of a message to rows of `width` terminal columns. One column at each side stays
/// empty. A line that fits keeps its spaces, so that tables stay aligned.
pub fn lines(text: &str, width: u16) -> Vec<String> {
    let room = usize::from(width).saturating_sub(2);
    let line = |line: &str| {
        if line.contains("  ") && line.width() <= room {
            return vec![line.to_owned()];
        }
        pane::wrapped(line, room)
    };
    text.split('\n').flat_map(line).collect()
}

/// Wraps a message to rows of `width` terminal columns. Its last row shares the status line, where
/// only `room` columns are free.
///
/// Returns the rows above the status line, and the text in the status line. That text is empty if
/// the last row is wider than `room`.
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

/// Writes rows of text into the lowest rows of an area. If the area has too few rows, the last rows
/// of text are dropped.
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
