//! What is known of the selected agent, or of a tile: where it is, and why it moved as it did.

mod agent;
mod body;
mod edit;
mod hunt;
mod keys;
mod ledger;
mod matrix;
mod path;
mod plots;
mod rules;
mod steps;
mod thrust;
mod tile;
mod travel;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Widget;

use crate::tui::session::{Session, Subject};
use crate::tui::theme::Theme;

use super::pane::{self, Facts};

/// The inspector in its border.
#[derive(Debug)]
pub struct Inspector<'a> {
    /// What is watched.
    pub session: &'a Session,
    /// Lines that are scrolled away.
    pub scroll: usize,
    /// The styles.
    pub theme: &'a Theme,
}

/// Everything there is to say, for the inside of the pane.
pub fn lines(session: &Session, theme: &Theme, inside: Rect) -> Vec<Line<'static>> {
    let mut facts = Facts::new(theme, inside.width.saturating_sub(1));
    match session.subject() {
        Subject::Nobody => facts.fact("", "there is no agent on this map"),
        Subject::Agent(id) => agent::describe(session, id, &mut facts),
        Subject::Tile(at) => tile::describe(session, at, &mut facts),
    }
    if let Subject::Agent(id) = session.subject() {
        let said = facts.lines.len();
        plots::describe(session, id, &mut facts);
        // Plots never push out of sight what is said.
        if facts.lines.len() > usize::from(inside.height) {
            facts.lines.truncate(said);
        }
    }
    facts.lines
}

impl Widget for Inspector<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        if area.is_empty() {
            return;
        }
        let title = match self.session.subject() {
            Subject::Nobody => "inspector".to_owned(),
            Subject::Agent(id) => self.session.scenario().name(id).to_string(),
            Subject::Tile(at) => format!("tile {at}"),
        };
        let inner = crate::tui::layout::inside(area);
        let lines = lines(self.session, self.theme, inner);
        let rows = usize::from(inner.height);
        let scroll = self.scroll.min(lines.len().saturating_sub(rows));
        let below = lines.len().saturating_sub(scroll + rows);
        let more = match (scroll, below) {
            (0, 0) => String::new(),
            (_, 0) => "end".to_owned(),
            (_, below) => format!("PgDn: {below} more"),
        };
        let inside = pane::frame(&title, &more, self.theme, area, buffer);
        for (row, line) in lines.iter().skip(scroll).take(rows).enumerate() {
            let width = inside.width.saturating_sub(1);
            buffer.set_line(inside.x + 1, inside.y + row as u16, line, width);
        }
    }
}
