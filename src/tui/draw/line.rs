//! Draws a line of text input.

use core::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::Widget;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::tui::line::Line;
use crate::tui::theme::Theme;

#[derive(Debug)]
/// A text input that fills one row. Long text scrolls so that the cursor stays visible.
pub struct LineRow<'a> {
    /// Prompt before the input, such as ` / ` for a filter.
    pub sign: &'static str,
    pub line: &'a Line,
    /// Range of invalid characters, which are drawn in the style of errors. Counted in characters,
    /// not bytes.
    pub wrong: Option<Range<usize>>,
    pub theme: &'a Theme,
}

impl Widget for &LineRow<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let (begin, _) =
            buffer.set_stringn(area.x, area.y, self.sign, area.width.into(), self.theme.key);
        let room = usize::from(area.right() - begin);
        if room == 0 {
            return;
        }
        let text = self.line.text();
        if let Some(kept) = self.line.selection()
            && text.width() + 2 <= room
        {
            // Brackets mark the selected text even without reverse video.
            let kept = prefix(text, kept);
            let (x, _) = buffer.set_stringn(begin, area.y, kept, room, self.theme.strong);
            let (x, _) = buffer.set_stringn(x, area.y, "[", room, self.theme.dim);
            let selected = &text[kept.len()..];
            let (x, _) = buffer.set_stringn(x, area.y, selected, room, self.theme.selected);
            buffer.set_stringn(x, area.y, "]", 1, self.theme.dim);
            return;
        }
        let before = prefix(text, self.line.cursor());
        // A text that is too long is scrolled, so that the cursor is visible.
        let hidden = (before.width() + 1).saturating_sub(room);
        let (mut column, mut at) = (0, 0);
        let (mut x, mut cursor) = (begin, begin);
        for grapheme in text.graphemes(true) {
            let wrong = self.wrong.as_ref().is_some_and(|wrong| wrong.contains(&at));
            let style = if wrong { self.theme.bad } else { self.theme.strong };
            if column >= hidden && x < area.right() {
                let room = usize::from(area.right() - x);
                (x, _) = buffer.set_stringn(x, area.y, grapheme, room, style);
            }
            column += grapheme.width();
            at += grapheme.chars().count();
            if at <= self.line.cursor() {
                cursor = x;
            }
        }
        if let Some(cell) = buffer.cell_mut((cursor.min(area.right() - 1), area.y)) {
            cell.set_style(self.theme.selected);
        }
    }
}

fn prefix(text: &str, characters: usize) -> &str {
    text.char_indices().nth(characters).map_or(text, |(at, _)| &text[..at])
}
