//! The box in which an agent's name is typed, over the lower edge of the map.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Clear, Widget};

use crate::tui::glyph;
use crate::tui::layout;
use crate::tui::search::Search;
use crate::tui::session::Session;
use crate::tui::theme::Theme;

use super::line::LineRow;
use super::{first_shown, pane};

/// Matches in view at most.
const ROWS: u16 = 8;

/// The box.
#[derive(Debug)]
pub struct SearchBox<'a> {
    /// What was typed and what it may mean.
    pub search: &'a Search,
    /// Whose agents.
    pub session: &'a Session,
    /// The styles.
    pub theme: &'a Theme,
}

impl Widget for SearchBox<'_> {
    fn render(self, map: Rect, buffer: &mut Buffer) {
        let inside = layout::inside(map);
        // Where rows are dear the border of the map gives two.
        let room = if inside.height < 6 { map } else { inside };
        if room.height < 3 || room.width < 12 {
            return;
        }
        let matches = self.search.matches();
        let rows = (matches.len().max(1) as u16).min(ROWS).min(room.height.saturating_sub(3)) + 3;
        let width = room.width.min(40);
        let area = Rect { x: room.x, y: room.bottom() - rows, width, height: rows };
        Clear.render(area, buffer);
        let place = format!("{} found", matches.len());
        let inside = pane::frame("find an agent", &place, self.theme, area, buffer);
        let row = Rect { height: 1, ..inside };
        LineRow { sign: "/ ", line: self.search.line(), wrong: None, theme: self.theme }
            .render(row, buffer);
        let list = Rect { y: inside.y + 1, height: inside.height.saturating_sub(1), ..inside };
        self.list(list, buffer);
    }
}

impl SearchBox<'_> {
    fn list(&self, area: Rect, buffer: &mut Buffer) {
        let (matches, world) = (self.search.matches(), self.session.world());
        if matches.is_empty() {
            let text = "no matching agent";
            buffer.set_stringn(area.x, area.y, text, area.width.into(), self.theme.warn);
            return;
        }
        let marked = matches.iter().position(|&id| Some(id) == self.search.marked()).unwrap_or(0);
        let first = first_shown(marked, matches.len(), area.height);
        for (row, &id) in matches.iter().skip(first).take(area.height.into()).enumerate() {
            let chosen = first + row == marked;
            let kind = world.kind(id);
            let sign = if chosen { glyph::MARKER } else { " " };
            let name = world.scenario().name(id);
            let text = format!("{sign} {} {name}  {}", glyph::safe(&kind.glyph), world.tile(id));
            let style = if chosen { self.theme.strong } else { self.theme.text };
            let text = pane::fitted(&text, area.width.into());
            buffer.set_stringn(area.x, area.y + row as u16, text, area.width.into(), style);
        }
    }
}
