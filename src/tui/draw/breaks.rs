//! The list of breakpoints, over the lower edge of the map.

use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::debugger::session::Session;
use crate::history::breaks::{Break, Trigger};
use crate::tui::glyph;
use crate::tui::theme::Theme;

use super::list::{List, Row};
use super::pane;

/// Maximum number of visible rows.
const ROWS: u16 = 12;

/// Maximum width in columns. Longer lines are hard to read.
const COLUMNS: u16 = 110;

/// Maximum width of an error message in columns.
const ERROR: usize = 40;

/// Returns the breakpoint list, at the bottom of an area.
pub fn list<'a>(session: &'a Session, selected: usize, theme: &'a Theme, area: Rect) -> List<'a> {
    let count = session.breaks().len();
    let area = pane::at_bottom((count.max(1) as u16).min(ROWS) + 2, COLUMNS, area);
    let hidden = count.saturating_sub(usize::from(area.height.saturating_sub(2)));
    let row = move |index| row(session, index, theme);
    List {
        right: if hidden > 0 { format!("{hidden} more") } else { String::new() },
        empty: "none; add with :break CONDITION or :watch FIELD".to_owned(),
        ..List::new("breakpoints", area, count, Some(selected), theme, row)
    }
}

fn row(session: &Session, index: usize, theme: &Theme) -> Row {
    let Some(each) = session.breaks().get(index) else { return Row::default() };
    let style = if each.enabled { theme.text } else { theme.dim };
    let check = if each.enabled { "[x]" } else { "[ ]" };
    let hit = if session.hits().contains(&index) { glyph::BREAK } else { " " };
    let word = match each.trigger() {
        Trigger::Condition => "",
        Trigger::Change => "watch ",
    };
    let text = format!("{check} {hit} {} {word}{}", index + 1, each.text());
    Row { spans: vec![(text, style)], right: Some(hits(session, each, theme)) }
}

/// Returns the number of hits, or why the condition cannot be evaluated.
fn hits(session: &Session, each: &Break, theme: &Theme) -> (String, Style) {
    if let Err(error) = each.clone().condition(session.scenario()) {
        return (pane::fitted(&error.message, ERROR), theme.warn);
    }
    let text = match each.last() {
        Some(frame) if each.hits() == 1 => format!("1 hit, at frame {frame} "),
        Some(frame) => format!("{} hits, last at frame {frame} ", each.hits()),
        None => "no hits ".to_owned(),
    };
    (text, theme.dim)
}
