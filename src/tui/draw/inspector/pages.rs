//! Pages of the inspector beside each other, where it has room for several.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::tui::session::{Session, Subject};
use crate::tui::tab::Tab;
use crate::tui::theme::Theme;

/// Columns of a page at least, when it is one of several.
const LEAST: u16 = 58;

/// Pages at most: lines of text get no longer than can be read across.
const MOST: u16 = 3;

/// The pages in the inside of the pane, the chosen one first, and where the rows of each stand: below
/// a heading if there are several. A tile has one page, and two agents who are compared need its width.
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

/// The heading of one of several pages, with the number of lines that it has no room for.
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
