//! The list of events below the map.

use ratatui::layout::Rect;

use crate::debugger::session::Session;
use crate::tui::action::{Action, Context, Keymap};
use crate::tui::layout::{self, Layout};
use crate::tui::log::{EventText, Log};
use crate::tui::theme::Theme;

use super::line::LineRow;
use super::list::{List, ListRow};
use super::pane;

/// Width of the column with frame numbers, in terminal columns.
const FRAME: usize = 8;
const NAME: usize = 12;
const KIND: usize = 11;

/// Minimum width of the list, without the border, for a column with the event kind.
const ROOMY: u16 = 52;

/// Returns the area of the event log.
///
/// If the layout has no area for the log, the log covers the rows of the inspector, over the full
/// width of the screen.
pub fn place(layout: &Layout, screen: Rect) -> Rect {
    if layout.log.is_empty() {
        Rect { width: screen.width, ..layout.inspector }
    } else {
        layout.log
    }
}

/// Returns the list of events that match the filters, with frame, agent, kind and text.
pub fn list<'a>(
    log: &'a Log,
    session: &'a Session,
    keymap: &Keymap,
    theme: &'a Theme,
    area: Rect,
) -> List<'a> {
    let about = log.about();
    let comma = if about.is_empty() { "" } else { ", " };
    let empty = if session.history().run().events().is_empty() {
        "no events yet".to_owned()
    } else {
        let key = keymap.named(Action::Close, Context::Log);
        format!("no matching event; {key} clears the filter")
    };
    let has_filter = log.is_typing() || !log.filter().text().is_empty();
    let input = LineRow { sign: " / ", line: log.filter(), wrong: None, theme };
    let is_roomy = layout::inside(area).width >= ROOMY;
    let row = move |index| row(log, session, index, is_roomy, theme);
    List {
        right: format!("{} listed{comma}{about}", log.len()),
        empty,
        input: has_filter.then_some(input),
        ..List::new("events", area, log.len(), Some(log.selected()), theme, row)
    }
}

/// Formats an event. Events of frames after the current one are dim, with the frame number in
/// parentheses.
fn row(log: &Log, session: &Session, index: usize, is_roomy: bool, theme: &Theme) -> ListRow {
    let Some(event) = log.get(index, session) else { return ListRow::default() };
    let world = session.world();
    let is_later = event.frame > world.frame();
    let style = if is_later { theme.dim } else { theme.text };
    let frame = if is_later { format!("({})", event.frame) } else { event.frame.to_string() };
    let EventText { name, kind, text } = EventText::of(event, session.history());
    let name = pane::fitted(&name, NAME);
    let kind = if is_roomy { format!("{kind:<KIND$} ") } else { String::new() };
    vec![(format!("{frame:>FRAME$}  {name:<NAME$} {kind}{text}"), style)].into()
}
