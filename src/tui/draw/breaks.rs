//! The list of what stops time, over the lower edge of the map.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::{Clear, Widget};
use unicode_width::UnicodeWidthStr;

use crate::history::breaks::{Break, Trigger};
use crate::tui::glyph;
use crate::tui::session::Session;
use crate::tui::theme::Theme;

use super::{first_shown, pane};

/// Rows in view at most.
const ROWS: u16 = 12;

/// Columns at most: longer lines are hard to read across.
const COLUMNS: u16 = 110;

/// The list.
#[derive(Debug)]
pub struct BreakList<'a> {
    /// Whose.
    pub session: &'a Session,
    /// The marked one.
    pub marked: usize,
    /// The styles.
    pub theme: &'a Theme,
}

impl Widget for BreakList<'_> {
    /// Takes what it needs of the lower end of its area.
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let breaks = self.session.breaks();
        let rows = (breaks.len().max(1) as u16).min(ROWS);
        let height = (rows + 2).min(area.height);
        let width = area.width.min(COLUMNS);
        let area = Rect { y: area.bottom() - height, height, width, ..area };
        Clear.render(area, buffer);
        let hidden = breaks.len().saturating_sub(usize::from(height.saturating_sub(2)));
        let more = if hidden > 0 { format!("{hidden} more") } else { String::new() };
        let inside = pane::frame("breakpoints", &more, self.theme, area, buffer);
        if inside.is_empty() {
            return;
        }
        if breaks.is_empty() {
            let text = pane::fitted(
                "none; add with :break CONDITION or :watch FIELD",
                inside.width.into(),
            );
            buffer.set_stringn(inside.x, inside.y, text, inside.width.into(), self.theme.dim);
        }
        let first = first_shown(self.marked, breaks.len(), inside.height);
        let shown = breaks.iter().enumerate().skip(first);
        for (y, (place, each)) in (inside.y..inside.bottom()).zip(shown) {
            self.row(place, each, Rect { y, height: 1, ..inside }, buffer);
        }
    }
}

impl BreakList<'_> {
    fn row(&self, place: usize, each: &Break, area: Rect, buffer: &mut Buffer) {
        let theme = self.theme;
        let marked = place == self.marked;
        let style = match (marked, each.enabled) {
            (true, _) => theme.strong,
            (false, true) => theme.text,
            (false, false) => theme.dim,
        };
        let sign = if marked { glyph::MARKER } else { " " };
        let check = if each.enabled { "[x]" } else { "[ ]" };
        let hit = if self.session.hits().contains(&place) { glyph::BREAK } else { " " };
        let word = match each.trigger() {
            Trigger::Condition => "",
            Trigger::Change => "watch ",
        };
        let text = format!("{sign}{check} {hit} {} {word}{}", place + 1, each.text());
        let (count, count_style) = self.count(each);
        let width = usize::from(area.width);
        let room = width.saturating_sub(count.width() + 1);
        buffer.set_stringn(area.x, area.y, pane::fitted(&text, room), room, style);
        let begin = area.right().saturating_sub(count.width() as u16).max(area.x);
        buffer.set_stringn(begin, area.y, &count, usize::from(area.right() - begin), count_style);
    }

    /// How often it has stopped time, be it at the same frame, or why it can't.
    fn count(&self, each: &Break) -> (String, Style) {
        if let Err(error) = each.clone().condition(self.session.scenario()) {
            let why = pane::fitted(&error.message, 40);
            return (why, self.theme.warn);
        }
        let text = match each.last() {
            Some(frame) if each.hits() == 1 => format!("1 hit, at frame {frame} "),
            Some(frame) => format!("{} hits, last at frame {frame} ", each.hits()),
            None => "no hits ".to_owned(),
        };
        (text, self.theme.dim)
    }
}
