//! The agent search, over the lower edge of the map.

use ratatui::layout::Rect;

use crate::debugger::session::Session;
use crate::tui::glyph;
use crate::tui::layout;
use crate::tui::search::Search;
use crate::tui::theme::Theme;

use super::line::LineRow;
use super::list::{List, Row};
use super::pane;

/// Maximum number of visible matches.
const ROWS: u16 = 8;

const COLUMNS: u16 = 40;

/// Returns the list of matches, at the bottom of the map's area.
pub fn list<'a>(search: &'a Search, session: &'a Session, theme: &'a Theme, map: Rect) -> List<'a> {
    let inside = layout::inside(map);
    // In a low area, the list covers the border as well.
    let room = if inside.height < 6 { map } else { inside };
    let count = search.matches().len();
    let rows = (count.max(1) as u16).min(ROWS).min(room.height.saturating_sub(3));
    let is_usable = room.height >= 3 && room.width >= 12;
    let area = if is_usable { pane::at_bottom(rows + 3, COLUMNS, room) } else { Rect::ZERO };
    let row = move |index: usize| row(search, session, index, theme);
    List {
        right: format!("{count} found"),
        empty: "no matching agent".to_owned(),
        input: Some(LineRow { sign: " / ", line: search.line(), wrong: None, theme }),
        ..List::new("find an agent", area, count, Some(search.selected_row()), theme, row)
    }
}

fn row(search: &Search, session: &Session, index: usize, theme: &Theme) -> Row {
    let (id, world) = (search.matches()[index], session.world());
    let sign = glyph::safe(&world.kind(id).glyph);
    let text = format!(" {sign} {}  {}", world.scenario().name(id), world.tile(id));
    vec![(text, theme.text)].into()
}
