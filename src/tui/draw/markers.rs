//! The list of bookmarks, over the lower edge of the map.

use ratatui::layout::Rect;

use crate::debugger::session::Session;
use crate::tui::action::{Action, Context, Keymap};
use crate::tui::glyph;
use crate::tui::theme::Theme;

use super::list::{List, Row};
use super::pane;

/// Maximum number of visible rows.
const ROWS: u16 = 12;

const COLUMNS: u16 = 64;

/// Returns the bookmark list, at the bottom of an area.
pub fn list<'a>(
    session: &'a Session,
    selected: usize,
    keymap: &Keymap,
    theme: &'a Theme,
    area: Rect,
) -> List<'a> {
    let count = session.markers().len();
    let area = pane::at_bottom((count.max(1) as u16).min(ROWS) + 2, COLUMNS, area);
    let key = keymap.named(Action::ToggleBookmark, Context::Watch);
    List {
        empty: format!("none; {key} or :bookmark NAME adds one"),
        ..List::new("bookmarks", area, count, Some(selected), theme, move |index| {
            row(session, index, theme)
        })
    }
}

fn row(session: &Session, index: usize, theme: &Theme) -> Row {
    let Some(marker) = session.markers().get(index) else { return Row::default() };
    let (frame, name) = (marker.frame, &marker.name);
    let time = session.scenario().seconds(frame);
    let note = match frame {
        frame if frame == session.world().frame() => "  current frame",
        frame if frame > session.history().run().end() => "  not simulated yet",
        _ => "",
    };
    let text = format!(" {} {frame:>8}  {time:>8.2} s  {name}{note}", glyph::BOOKMARK);
    vec![(text, theme.text)].into()
}
