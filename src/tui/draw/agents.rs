//! The agents pane. Rows outside the pane are not formatted.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::Widget;

use crate::debugger::session::Session;
use crate::geom::TilePos;
use crate::id::AgentId;
use crate::tui::glyph;
use crate::tui::theme::Theme;
use crate::world::Flags;

use super::{first_shown, pane};

/// The table of all agents in the world. Scrolls so that the selected agent is visible.
#[derive(Debug)]
pub struct AgentTable<'a> {
    pub session: &'a Session,
    pub theme: &'a Theme,
}

/// Minimum width of the column for flags, in terminal columns.
const FLAGS: u16 = 7;

/// Width of the column for the mean time between bumps (such as `9999.9`, in seconds), in terminal
/// columns.
const BUMPS: u16 = 6;

/// Width of the longest word in the flags column, in terminal columns.
const LONG_FLAGS: u16 = 11;

const HEADINGS: [&str; 6] = ["name", "mode", "tile", "speed", "s/bump", "flags"];

/// First terminal column and width of each table column. The width is 0 if there is no room for the
/// column.
type Columns = [(u16, u16); HEADINGS.len()];

/// Returns the columns of a table that is `width` terminal columns wide. `tile` is the width of the
/// column for tile coordinates.
fn columns(width: u16, tile: u16) -> Columns {
    let wide = width >= 42;
    let roomy = width >= 4 + 13 + 1 + 9 + 1 + tile + 1 + 5 + 1 + FLAGS;
    let mode = if roomy { 9 } else { 7 };
    let name = match (wide, roomy) {
        (true, true) => 13,
        (true, false) => 10,
        (false, _) => width.saturating_sub(4 + mode + 1 + tile + 1),
    };
    let mut x = 4;
    let mut column = |width: u16| {
        let begin = x;
        x += width + 1;
        (begin, width)
    };
    let (name, mode, tile) = (column(name), column(mode), column(tile));
    let speed = if wide { column(5) } else { (0, 0) };
    let taken = speed.0 + speed.1 + 1;
    let spare = wide && width.saturating_sub(taken) > BUMPS + LONG_FLAGS;
    let bumps = if spare { column(BUMPS) } else { (0, 0) };
    let flags = if wide { (x, width.saturating_sub(x)) } else { (0, 0) };
    [name, mode, tile, speed, bumps, flags]
}

fn tile(at: TilePos) -> String {
    format!("{},{}", at.x, at.y)
}

/// Returns the agent at a row of the pane, for clicks. `rows` is the height of the pane without its
/// border. Returns `None` for the header (row 0) and for rows without an agent.
pub fn agent_at_row(session: &Session, rows: u16, row: u16) -> Option<AgentId> {
    let row = row.checked_sub(1)?;
    session.world().ids().nth(first_agent(session, rows) + usize::from(row))
}

/// Returns the row of the selected agent in the table, counted from 0. Returns `None` if no agent
/// is selected.
fn selected_row(session: &Session) -> Option<usize> {
    let selected = session.selected()?;
    session.world().ids().position(|id| id == selected)
}

fn first_agent(session: &Session, rows: u16) -> usize {
    let selected = selected_row(session).unwrap_or(0);
    first_shown(selected, session.world().population(), rows.saturating_sub(1))
}

impl Widget for AgentTable<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        if area.is_empty() {
            return;
        }
        let count = self.session.world().population();
        let place = selected_row(self.session).map(|row| format!("{} of {count}", row + 1));
        let place = place.unwrap_or_else(|| "none".to_owned());
        let inside = pane::frame("agents", &place, self.theme, area, buffer);
        let (width, height) = self.session.size();
        let last = TilePos::new(width.cast_signed(), height.cast_signed());
        let columns = columns(inside.width, tile(last).len().max(4) as u16);
        if inside.is_empty() || count == 0 {
            return;
        }
        for (column, heading) in columns.into_iter().zip(HEADINGS) {
            put(buffer, inside, 0, column, heading, self.theme.dim);
        }
        let first = first_agent(self.session, inside.height);
        for (id, row) in self.session.world().ids().skip(first).zip(1..inside.height) {
            self.row(id, columns, inside, row, buffer);
        }
    }
}

impl AgentTable<'_> {
    fn row(&self, id: AgentId, columns: Columns, inside: Rect, row: u16, buffer: &mut Buffer) {
        let (world, theme) = (self.session.world(), self.theme);
        let scenario = world.scenario();
        let kind = world.kind(id);
        let chosen = self.session.selected() == Some(id);
        let text = if chosen { theme.strong } else { theme.text };
        if chosen {
            put(buffer, inside, row, (0, 1), glyph::MARKER, theme.key);
        }
        if self.session.pinned() == Some(id) {
            put(buffer, inside, row, (1, 1), glyph::PINNED, theme.strong);
        }
        let look = theme.agents(kind, scenario.starts()[id.index()].kind as usize);
        let driven = self.session.driven() == Some(id);
        let look = match (driven, chosen) {
            (true, _) => look.patch(theme.driven),
            (false, true) => look.patch(theme.selected),
            (false, false) => look,
        };
        put(buffer, inside, row, (2, 1), glyph::safe(&kind.glyph), look);
        let flags = world.flags(id);
        let words: Vec<_> = driven.then_some("driven").into_iter().chain(flags.words()).collect();
        let bumps = world.tally(id).seconds_between_bumps(world.time());
        let warn = if flags.has(Flags::QUARANTINED) { theme.bad } else { theme.warn };
        let texts = [
            (named(&world.name(id).to_string(), columns[0].1.into()), text),
            (world.mode(id).name.clone(), text),
            (tile(world.tile(id)), text),
            (format!("{:>5.2}", world.velocity(id).length()), text),
            (bumps.map_or_else(String::new, |seconds| format!("{seconds:>6.1}")), text),
            (words.join(" "), warn),
        ];
        for (column, (text, style)) in columns.into_iter().zip(texts) {
            put(buffer, inside, row, column, &text, style);
        }
    }
}

/// Shortens an agent's name to `width` terminal columns. Keeps the agent's number in a group, such
/// as 12 in `guard.12`.
fn named(name: &str, width: usize) -> String {
    match name.rsplit_once('.') {
        Some((stem, number)) if name.len() > width && number.len() + 3 < width => {
            format!("{}.{number}", pane::fitted(stem, width - number.len() - 1))
        }
        _ => pane::fitted(name, width),
    }
}

/// Writes a text into a table column, and cuts the text at the column's width.
fn put(
    buffer: &mut Buffer,
    inside: Rect,
    row: u16,
    (x, width): (u16, u16),
    text: &str,
    style: Style,
) {
    let width = width.min(inside.width.saturating_sub(x));
    if width > 0 && row < inside.height {
        let text = pane::fitted(text, width.into());
        buffer.set_stringn(inside.x + x, inside.y + row, text, width.into(), style);
    }
}
