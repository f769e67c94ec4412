//! Lays out inspector pages side by side if the inspector is wide enough.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::debugger::session::{Session, Subject};
use crate::tui::tab::Tab;
use crate::tui::theme::Theme;

/// Minimum width of each page in terminal columns, if several pages are side by side.
const LEAST: u16 = 58;

const MOST: u16 = 3;

/// Returns the visible pages with the areas of their lines. The selected page `chosen` comes first.
///
/// If several pages fit side by side, each area leaves a row for the heading above it. A tile, and
/// a comparison of two agents, always fill the whole width as one page.
pub fn beside(session: &Session, chosen: Tab, inside: Rect) -> Vec<(Tab, Rect)> {
    let is_alone = matches!(session.subject(), Subject::Agent(_)) && session.compared().is_none();
    let count = (inside.width / LEAST).clamp(1, MOST);
    if !is_alone || count == 1 || inside.height < 2 {
        return vec![(chosen, inside)];
    }
    let width = inside.width / count;
    let page = |index: u16| {
        let x = inside.x + index * width;
        let rows = Rect { x, y: inside.y + 1, width, height: inside.height - 1 };
        (chosen.further(isize::from(index.cast_signed())), rows)
    };
    (0..count).map(page).collect()
}

/// Draws the heading of a page into the row above `rows`. `hidden` is the number of lines scrolled
/// out of view.
pub fn heading(tab: Tab, rows: Rect, hidden: usize, theme: &Theme, buffer: &mut Buffer) {
    let more = if hidden > 0 { format!("{hidden} more ") } else { String::new() };
    let (y, end) = (rows.y - 1, rows.right() - 1);
    let (x, _) =
        buffer.set_stringn(rows.x + 1, y, tab.word(), usize::from(rows.width), theme.strong);
    for x in x + 1..end {
        buffer[(x, y)].set_symbol("─").set_style(theme.border);
    }
    let begin = end.saturating_sub(more.len() as u16);
    buffer.set_stringn(begin.max(x + 1), y, more, usize::from(end - x), theme.dim);
}
