//! The list of what happened, below the map.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Clear, Widget};

use crate::event::Event;
use crate::tui::action::{Action, Context, Keymap};
use crate::tui::glyph;
use crate::tui::layout::{self, Layout};
use crate::tui::log::{Log, Told};
use crate::tui::session::Session;
use crate::tui::theme::Theme;

use super::line::LineRow;
use super::{first_shown, pane};

/// Columns of a frame's number.
const FRAME: usize = 8;

/// Columns of a name.
const NAME: usize = 12;

/// Columns of the word of a kind.
const KIND: usize = 11;

/// From this width on there is room for the word of a kind.
const ROOMY: usize = 52;

/// The list.
#[derive(Debug)]
pub struct EventLog<'a> {
    /// What is listed.
    pub log: &'a Log,
    /// What is watched.
    pub session: &'a Session,
    /// The keys.
    pub keymap: &'a Keymap,
    /// The styles.
    pub theme: &'a Theme,
}

/// Where it stands: below the map, which has made room for it, or on the stacked panes below that.
pub fn place(layout: &Layout, screen: Rect) -> Rect {
    if layout.log.is_empty() {
        Rect { width: screen.width, ..layout.inspector }
    } else {
        layout.log
    }
}

/// Where its lines stand; below them is the filter, if there is one.
fn list(area: Rect, log: &Log) -> Rect {
    let inside = layout::inside(area);
    let filter = log.is_typing() || !log.filter().text().is_empty();
    Rect { height: inside.height.saturating_sub(u16::from(filter)), ..inside }
}

/// The place of the event in a row of the screen.
pub fn event_at_row(log: &Log, area: Rect, row: u16) -> Option<usize> {
    let list = list(area, log);
    let row = row.checked_sub(list.y).filter(|row| *row < list.height)?;
    let place = first_shown(log.marked(), log.len(), list.height) + usize::from(row);
    (place < log.len()).then_some(place)
}

impl Widget for EventLog<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        if area.is_empty() {
            return;
        }
        Clear.render(area, buffer);
        let about = self.log.about();
        let comma = if about.is_empty() { "" } else { ", " };
        let about = format!("{} listed{comma}{about}", self.log.len());
        let inside = pane::frame("events", &about, self.theme, area, buffer);
        if inside.is_empty() {
            return;
        }
        let list = list(area, self.log);
        if list.height < inside.height {
            let row = Rect { y: inside.bottom() - 1, height: 1, ..inside };
            let line = self.log.filter();
            LineRow { sign: " / ", line, wrong: None, theme: self.theme }.render(row, buffer);
        }
        if self.log.is_empty() {
            let text = if self.session.history().run().events().is_empty() {
                " no events yet".to_owned()
            } else {
                let key = self.keymap.named(Action::Close, Context::Log);
                format!(" no matching event; {key} clears the filter")
            };
            let text = pane::fitted(&text, list.width.into());
            buffer.set_stringn(list.x, list.y, text, list.width.into(), self.theme.dim);
        }
        let first = first_shown(self.log.marked(), self.log.len(), list.height);
        for (y, place) in (list.y..list.bottom()).zip(first..self.log.len()) {
            if let Some(event) = self.log.get(place, self.session) {
                self.row(event, place, Rect { y, height: 1, ..list }, buffer);
            }
        }
    }
}

impl EventLog<'_> {
    /// An event in a line; the number of a frame that lies ahead stands in parentheses.
    fn row(&self, event: &Event, place: usize, area: Rect, buffer: &mut Buffer) {
        let (world, theme) = (self.session.world(), self.theme);
        let (marked, ahead) = (place == self.log.marked(), event.frame > world.frame());
        let style = match (marked, ahead) {
            (true, _) => theme.strong,
            (false, true) => theme.dim,
            (false, false) => theme.text,
        };
        let frame = if ahead { format!("({})", event.frame) } else { event.frame.to_string() };
        let Told { name, kind, text } = Told::of(event, world);
        let sign = if marked { glyph::MARKER } else { " " };
        let name = pane::fitted(&name, NAME);
        let width = usize::from(area.width);
        // What happened tells of what kind it is; where columns are dear that is enough.
        let kind = if width < ROOMY { String::new() } else { format!("{kind:<KIND$} ") };
        let line = format!("{sign}{frame:>FRAME$}  {name:<NAME$} {kind}{text}");
        buffer.set_stringn(area.x, area.y, pane::fitted(&line, width), width, style);
        if marked {
            buffer.set_stringn(area.x, area.y, sign, width, theme.key);
            buffer.set_style(area, theme.chosen);
        }
    }
}
