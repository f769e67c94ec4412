//! The inspector: pages about the selected agent, or facts about a tile.
//!
//! A page is a list of [`Facts`], computed from an `About`: an agent in a frame. To mark changes,
//! the same page is built for the frame before. Facts that only an explanation can give are not
//! compared, because only the current frame is explained. The exception is the state of each
//! behaviour in the force breakdown, which the plots record.

mod about;
mod agent;
mod body;
mod body_tab;
mod compare;
mod edit;
mod events_tab;
mod hunt;
mod keys;
mod ledger;
mod matrix;
mod mind_tab;
mod pages;
mod path;
mod pattern_tab;
mod plots;
mod reasons;
mod rules;
mod shown;
mod steps;
mod thrust;
mod tile;
mod travel;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use ratatui::widgets::Widget;

use crate::id::AgentId;
use crate::tui::action::{Action, Context, Keymap};
use crate::tui::glyph;
use crate::tui::input::Cell;
use crate::tui::layout;
use crate::tui::session::{Session, Subject};
use crate::tui::tab::{self, Tab};
use crate::tui::theme::Theme;

use super::facts::{Facts, Row, Shown};
use super::pane;
use about::About;

/// The inspector in its border.
#[derive(Debug)]
pub struct Inspector<'a> {
    /// What is watched.
    pub session: &'a Session,
    /// The page that is shown of an agent.
    pub tab: Tab,
    /// Lines that are scrolled away.
    pub scroll: usize,
    /// The keys that hints name.
    pub keymap: &'a Keymap,
    /// The styles.
    pub theme: &'a Theme,
}

/// Everything there is to say, for the inside of the pane.
pub fn rows(session: &Session, tab: Tab, theme: &Theme, inside: Rect) -> Vec<Row> {
    let width = usize::from(inside.width.saturating_sub(1));
    let mut facts = Facts::new(theme, width);
    match session.subject() {
        Subject::Nobody => facts.fact("", "no agents on this map"),
        Subject::Agent(_) if session.compared().is_some() => {
            return of_both(session, tab, facts).into_iter().map(Row::from).collect();
        }
        Subject::Agent(id) => return of_agent(About::now(session, id), tab, inside, facts),
        Subject::Tile(at) => {
            tile::describe(session.world(), at, &mut facts);
            if session.before().frame() != session.world().frame() {
                let mut past = Facts::new(theme, width);
                tile::describe(session.before(), at, &mut past);
                facts.mark_changes(&past);
            }
        }
    }
    facts.rows()
}

fn of_agent(about: About, tab: Tab, inside: Rect, mut facts: Facts) -> Vec<Row> {
    marked(about, tab, &mut facts);
    let mut rows = facts.rows();
    if tab == Tab::Why {
        let mut below = Facts::new(facts.theme, facts.width());
        plots::describe(about.session, about.id, &mut below);
        let below = below.rows();
        // Plots never push out of sight what is said.
        if rows.len() + below.len() <= usize::from(inside.height) {
            rows.extend(below);
        }
    }
    rows
}

/// A page about the two who are compared.
fn of_both(session: &Session, tab: Tab, mut facts: Facts) -> Vec<Line<'static>> {
    let Some((id, other)) = session.compared() else { return Vec::new() };
    let names = [id, other].map(|id| session.scenario().name(id).to_string());
    let mut others = Facts::new(facts.theme, facts.width());
    for (id, facts) in [(id, &mut facts), (other, &mut others)] {
        let about = About::now(session, id);
        match tab {
            // A ledger is wide: its rows are told one by one.
            Tab::Ledger => reasons::rows(about, facts),
            tab => marked(about, tab, facts),
        }
    }
    let (names, facts) = ([names[0].as_str(), &names[1]], [&facts, &others]);
    // Plots are wide, too: they follow each other.
    if tab == Tab::Plots { compare::stacked(names, facts) } else { compare::lines(names, facts) }
}

/// A page about an agent, with marks on what changed in this frame.
fn marked(about: About, tab: Tab, facts: &mut Facts) {
    page(about, tab, facts);
    // The other pages tell nothing that the frame before could be asked for.
    let compared = !matches!(tab, Tab::Plots | Tab::Events);
    if let Some(before) = about.before().filter(|_| compared) {
        let mut past = Facts::new(facts.theme, facts.width());
        page(before, tab, &mut past);
        facts.mark_changes(&past);
    }
}

/// A page about an agent.
fn page(about: About, tab: Tab, facts: &mut Facts) {
    match tab {
        Tab::Why => agent::describe(about, facts),
        Tab::Body => body_tab::describe(about, facts),
        Tab::Ledger => reasons::describe(about, facts),
        Tab::Pattern => pattern_tab::describe(about, facts),
        Tab::Mind => mind_tab::describe(about, facts),
        Tab::Plots => plots::page(about.session, about.id, facts),
        Tab::Events => events_tab::describe(about, facts),
    }
}

/// Columns of what is copied.
const COPIED: u16 = 100;

/// Everything there is to say but the plots, as plain text.
pub fn told(session: &Session, tab: Tab, theme: &Theme) -> String {
    let rows = rows(session, tab, theme, Rect::new(0, 0, COPIED, 0));
    let plain = |row: &Row| {
        let text: String = row.line.spans.iter().map(|span| span.content.as_ref()).collect();
        format!("{}\n", text.trim_end())
    };
    rows.iter().map(plain).collect()
}

/// How far the chosen page can be scrolled.
pub fn longest_scroll(session: &Session, tab: Tab, theme: &Theme, area: Rect) -> usize {
    let (tab, inside) = pages::beside(session, tab, layout::inside(area))[0];
    rows(session, tab, theme, inside).len().saturating_sub(usize::from(inside.height))
}

/// Lines that are scrolled away of so many, no more than there is no room for.
fn scrolled(scroll: usize, lines: usize, inside: Rect) -> usize {
    scroll.min(lines.saturating_sub(inside.height.into()))
}

impl Inspector<'_> {
    /// The number of the file that is told in a cell.
    pub fn shown_at(&self, area: Rect, cell: Cell) -> Option<Shown> {
        let pages = pages::beside(self.session, self.tab, layout::inside(area));
        let at = Position::new(cell.x, cell.y);
        let (index, (tab, inside)) =
            pages.into_iter().enumerate().find(|(_, (_, inside))| inside.contains(at))?;
        let column = usize::from(cell.x.checked_sub(inside.x + 1)?);
        let rows = rows(self.session, tab, self.theme, inside);
        let first = self.first_row(index, rows.len(), inside);
        let row = rows.get(first + usize::from(cell.y - inside.y))?;
        let spot = row.spots.iter().find(|spot| spot.columns.contains(&column))?;
        Some(spot.shows)
    }
}

impl Widget for Inspector<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        if area.is_empty() {
            return;
        }
        let title = match self.session.subject() {
            Subject::Nobody => "inspector".to_owned(),
            Subject::Agent(id) => self.named(id),
            Subject::Tile(at) => format!("tile {at}"),
        };
        let pages = pages::beside(self.session, self.tab, layout::inside(area));
        let told = |&(tab, inside): &(Tab, Rect)| rows(self.session, tab, self.theme, inside);
        let told: Vec<Vec<Row>> = pages.iter().map(told).collect();
        let (scroll, below) = self.out_of_sight(0, &told[0], pages[0].1);
        let key = |action| self.keymap.named(action, Context::Watch);
        let more = match (scroll, below, self.session.subject()) {
            (0, 0, Subject::Tile(_)) => format!("{}: back", key(Action::Close)),
            _ => pane::more(&key(Action::PageDown), scroll, below),
        };
        pane::frame(&title, &more, self.theme, area, buffer);
        for (index, (told, &(tab, inside))) in told.iter().zip(&pages).enumerate() {
            let (first, below) = self.out_of_sight(index, told, inside);
            if pages.len() > 1 {
                let hidden = if index == 0 { 0 } else { below };
                pages::heading(tab, inside, hidden, self.theme, buffer);
            }
            let width = inside.width.saturating_sub(1);
            for (y, told) in (inside.y..inside.bottom()).zip(&told[first..]) {
                buffer.set_line(inside.x + 1, y, &told.line, width);
            }
        }
        if let Subject::Agent(_) = self.session.subject() {
            self.names(area, buffer);
        }
    }
}

impl Inspector<'_> {
    /// The first row in sight of a page: the chosen one is scrolled, those beside it are not.
    fn first_row(&self, index: usize, rows: usize, inside: Rect) -> usize {
        if index == 0 { scrolled(self.scroll, rows, inside) } else { 0 }
    }

    /// How many rows of a page are out of sight, above and below.
    fn out_of_sight(&self, index: usize, told: &[Row], inside: Rect) -> (usize, usize) {
        let first = self.first_row(index, told.len(), inside);
        (first, told.len().saturating_sub(first + usize::from(inside.height)))
    }

    /// Whom it is about.
    fn named(&self, id: AgentId) -> String {
        let name = |id| self.session.scenario().name(id).to_string();
        match self.session.compared() {
            Some((_, other)) => format!("{} {} {}", name(id), glyph::DIFFERS, name(other)),
            None if self.session.pinned() == Some(id) => format!("{} pinned", name(id)),
            None => name(id),
        }
    }

    /// The names of the pages, in the lower border.
    fn names(&self, area: Rect, buffer: &mut Buffer) {
        let (x, y) = (area.x + 1, area.bottom() - 1);
        let strip = tab::strip(self.tab, layout::inside(area).width);
        let Some((_, begin, text)) = strip.last() else { return };
        let end = begin + text.len() as u16 + 1;
        buffer.set_stringn(x, y, " ".repeat(end.into()), end.into(), self.theme.dim);
        for (tab, begin, text) in &strip {
            let style = if *tab == self.tab { self.theme.title } else { self.theme.dim };
            buffer.set_stringn(x + begin, y, text, text.len(), style);
        }
    }
}

/// The page whose name is at a column of the lower border of an inspector.
pub fn tab_at(shown: Tab, area: Rect, column: u16) -> Option<Tab> {
    let column = column.checked_sub(area.x + 1)?;
    let strip = tab::strip(shown, layout::inside(area).width);
    let found =
        strip.iter().find(|(_, begin, text)| (*begin..begin + text.len() as u16).contains(&column));
    found.map(|&(tab, ..)| tab)
}
