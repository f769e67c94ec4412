//! The inspector: pages about the selected agent, or facts about the selected tile.
//!
//! A page is a list of [`Facts`] from the report on an agent. To mark changes, the page is also
//! built for the previous frame.
//!
//! Only the current frame has an explanation. Facts that need an explanation are therefore not
//! compared. The state of each behaviour is an exception, because the plots record that state for
//! past frames.

mod about;
mod agent;
mod body;
mod compare;
mod drive;
mod edit;
mod events_tab;
mod forces;
mod modes;
mod pages;
mod pattern_tab;
mod plots;
mod reasons;
mod shown;
mod tile;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use ratatui::widgets::Widget;

use crate::debugger::session::{Session, Subject};
use crate::id::AgentId;
use crate::tui::action::{Action, Context, Keymap};
use crate::tui::glyph;
use crate::tui::input::Cell;
use crate::tui::layout;
use crate::tui::tab::{self, Tab};
use crate::tui::theme::Theme;

use super::facts::{FactRow, Facts, Shown};
use super::pane;
use about::About;

/// The inspector pane with its border. Wide panes show several pages side by side.
#[derive(Debug)]
pub struct Inspector<'a> {
    /// The session with the current frame, the selected agent or tile, and the pinned agent.
    pub session: &'a Session,
    /// The selected page. Its name is highlighted in the lower border.
    pub tab: Tab,
    /// Number of lines of the selected page that are scrolled off the top.
    pub scroll: usize,
    /// Key bindings for the hints in the border.
    pub keymap: &'a Keymap,
    /// Theme with the styles of the border and of all facts.
    pub theme: &'a Theme,
}

/// The reports on the inspected agents. Several pages side by side share the reports.
struct Content<'a> {
    session: &'a Session,
    /// The selected agent, followed by the pinned agent if both are compared. Each has a report at
    /// the current and at the previous frame.
    agents: Vec<Agent<'a>>,
}

impl<'a> Content<'a> {
    fn of(session: &'a Session) -> Self {
        let selected = match session.subject() {
            Subject::Agent(id) => Some(id),
            Subject::None | Subject::Tile(_) => None,
        };
        let pinned = session.compared().map(|(_, pinned)| pinned);
        let agents = selected.into_iter().chain(pinned).map(|id| {
            let about = About::now(session, id);
            let before = about.before();
            (about, before)
        });
        Self { session, agents: agents.collect() }
    }

    /// Returns the lines of a page. `inside` is the area of the page without border and heading.
    fn rows(&self, tab: Tab, theme: &Theme, inside: Rect) -> Vec<FactRow> {
        let width = usize::from(inside.width.saturating_sub(1));
        let mut facts = Facts::new(theme, width);
        match (self.session.subject(), self.agents.as_slice()) {
            (Subject::Tile(at), _) => {
                let (before, now) = (self.session.before(), self.session.world());
                tile::describe(now, at, &mut facts);
                if before.frame() != now.frame() {
                    let mut past = Facts::new(theme, width);
                    tile::describe(before, at, &mut past);
                    facts.mark_changes(&past);
                }
            }
            (Subject::Agent(_), [one, other]) => {
                return compared([one, other], tab, facts).into_iter().map(FactRow::from).collect();
            }
            (Subject::Agent(_), [agent, ..]) => return of_agent(agent, tab, inside, facts),
            (Subject::Agent(_), []) | (Subject::None, _) => {
                facts.fact("", why_no_agent(self.session));
            }
        }
        facts.rows()
    }
}

/// Describes why the inspector shows no agent.
fn why_no_agent(session: &Session) -> String {
    let world = session.world();
    match session.absent_selection() {
        Some((_, why)) => format!("not in the world: {why}"),
        None if world.is_empty() => "no agents on this map".to_owned(),
        None if world.population() == 0 => "no agents at this frame".to_owned(),
        None => "no agent is selected".to_owned(),
    }
}

/// Returns the lines of the page `tab` about the selected agent or tile. `inside` is the area of
/// the page without border and heading.
pub fn rows(session: &Session, tab: Tab, theme: &Theme, inside: Rect) -> Vec<FactRow> {
    Content::of(session).rows(tab, theme, inside)
}

/// An agent's reports at the current frame and at the previous frame. The second report is `None`
/// at frame 0, or if the agent did not exist at the previous frame.
type Agent<'a> = (About<'a>, Option<About<'a>>);

fn of_agent(agent: &Agent, tab: Tab, inside: Rect, mut facts: Facts) -> Vec<FactRow> {
    marked(agent, tab, &mut facts);
    let mut rows = facts.rows();
    if tab == Tab::Why {
        let mut below = Facts::new(facts.theme, facts.width());
        plots::describe(agent.0.session, agent.0.id, &mut below);
        let below = below.rows();
        // Plots are added only if all rows fit.
        if rows.len() + below.len() <= usize::from(inside.height) {
            rows.extend(below);
        }
    }
    rows
}

fn compared(agents: [&Agent; 2], tab: Tab, mut facts: Facts) -> Vec<Line<'static>> {
    let names = agents.map(|(about, _)| about.report.agent.as_str());
    let mut others = Facts::new(facts.theme, facts.width());
    for (agent, facts) in agents.into_iter().zip([&mut facts, &mut others]) {
        match tab {
            // The force breakdown is too wide for two columns.
            Tab::ForceBreakdown => reasons::rows(&agent.0, facts),
            Tab::Why | Tab::Body | Tab::Pattern | Tab::Modes | Tab::Plots | Tab::Events => {
                marked(agent, tab, facts);
            }
        }
    }
    let facts = [&facts, &others];
    // Plots are too wide for two columns.
    if tab == Tab::Plots { compare::stacked(names, facts) } else { compare::lines(names, facts) }
}

/// Adds a page about an agent. Marks the phrases that changed since the previous frame.
fn marked((about, before): &Agent, tab: Tab, facts: &mut Facts) {
    page(about, tab, facts);
    // Plots and events are not compared with the previous frame.
    let compared = !matches!(tab, Tab::Plots | Tab::Events);
    if let Some(before) = before.as_ref().filter(|_| compared) {
        let mut past = Facts::new(facts.theme, facts.width());
        page(before, tab, &mut past);
        facts.mark_changes(&past);
    }
}

fn page(about: &About, tab: Tab, facts: &mut Facts) {
    match tab {
        Tab::Why => agent::describe(about, facts),
        Tab::Body => body::page(about, facts),
        Tab::ForceBreakdown => reasons::describe(about, facts),
        Tab::Pattern => pattern_tab::describe(about, facts),
        Tab::Modes => modes::describe(about, facts),
        Tab::Plots => plots::page(about.session, about.id, facts),
        Tab::Events => events_tab::describe(about, facts),
    }
}

/// Line length of copied pages, in columns.
const COPIED: u16 = 100;

/// Formats the page `tab` as plain text for the clipboard. Plots at the end of the first page are
/// omitted.
pub fn text(session: &Session, tab: Tab, theme: &Theme) -> String {
    let rows = rows(session, tab, theme, Rect::new(0, 0, COPIED, 0));
    let plain = |row: &FactRow| format!("{}\n", row.line.to_string().trim_end());
    rows.iter().map(plain).collect()
}

/// Returns the maximum scroll position of the selected page, in lines. `area` includes the border.
pub fn longest_scroll(session: &Session, tab: Tab, theme: &Theme, area: Rect) -> usize {
    let (tab, inside) = pages::beside(session, tab, layout::inside(area))[0];
    rows(session, tab, theme, inside).len().saturating_sub(usize::from(inside.height))
}

/// Limits the scroll position, in lines, so that no empty row follows the last line. A text shorter
/// than the pane does not scroll.
fn scrolled(scroll: usize, lines: usize, inside: Rect) -> usize {
    scroll.min(lines.saturating_sub(inside.height.into()))
}

impl Inspector<'_> {
    /// Returns the location in the map file of the number drawn at `cell`. Returns `None` if the
    /// cell shows no number from the map file. `area` is the pane including its border.
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
            Subject::None => match self.session.absent_selection() {
                Some((name, _)) => name,
                None => "inspector".to_owned(),
            },
            Subject::Agent(id) => self.named(id),
            Subject::Tile(at) => format!("tile {at}"),
        };
        let pages = pages::beside(self.session, self.tab, layout::inside(area));
        let content = Content::of(self.session);
        let texts = pages.iter().map(|&(tab, inside)| content.rows(tab, self.theme, inside));
        let texts: Vec<Vec<FactRow>> = texts.collect();
        let (scroll, below) = self.out_of_sight(0, &texts[0], pages[0].1);
        let key = |action| self.keymap.named(action, Context::Map);
        let is_tile = matches!(self.session.subject(), Subject::Tile(_));
        let more = if is_tile && (scroll, below) == (0, 0) {
            format!("{}: back", key(Action::Close))
        } else {
            pane::more(&key(Action::PageDown), scroll, below)
        };
        pane::frame(&title, &more, self.theme, area, buffer);
        for (index, (rows, &(tab, inside))) in texts.iter().zip(&pages).enumerate() {
            let (first, below) = self.out_of_sight(index, rows, inside);
            if pages.len() > 1 {
                let hidden = if index == 0 { 0 } else { below };
                pages::heading(tab, inside, hidden, self.theme, buffer);
            }
            pane::write(rows[first..].iter().map(|row| &row.line), inside, buffer);
        }
        if let Subject::Agent(_) = self.session.subject() {
            self.names(area, buffer);
        }
    }
}

impl Inspector<'_> {
    /// Returns the index of a page's first visible row. `index` is the position of the page in the
    /// pane, from the left. Only the selected page, at position 0, scrolls.
    fn first_row(&self, index: usize, rows: usize, inside: Rect) -> usize {
        if index == 0 { scrolled(self.scroll, rows, inside) } else { 0 }
    }

    /// Returns the number of hidden rows above the visible rows of a page, and the number below
    /// them. `index` is the position of the page in the pane.
    fn out_of_sight(&self, index: usize, rows: &[FactRow], inside: Rect) -> (usize, usize) {
        let first = self.first_row(index, rows.len(), inside);
        (first, rows.len().saturating_sub(first + usize::from(inside.height)))
    }

    /// Returns the pane's title for an agent: its name, and whether the agent is pinned or
    /// compared.
    fn named(&self, id: AgentId) -> String {
        let name = |id| self.session.world().name(id).to_string();
        match self.session.compared() {
            Some((_, other)) => format!("{} {} {}", name(id), glyph::DIFFERS, name(other)),
            None if self.session.pinned() == Some(id) => format!("{} pinned", name(id)),
            None => name(id),
        }
    }

    /// Draws the names of all pages into the lower border, with the selected page highlighted.
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

/// Returns the page whose name is at the screen column `column` of the lower border. Returns `None`
/// if no name is there. `shown` is the selected page, and `area` includes the border.
pub fn tab_at(shown: Tab, area: Rect, column: u16) -> Option<Tab> {
    let column = column.checked_sub(area.x + 1)?;
    let strip = tab::strip(shown, layout::inside(area).width);
    let found =
        strip.iter().find(|(_, begin, text)| (*begin..begin + text.len() as u16).contains(&column));
    found.map(|&(tab, ..)| tab)
}
