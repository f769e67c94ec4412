//! The list of an agent's values, where the inspector is, so that the map stays in sight.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Clear, Widget};

use crate::files::offer::Offer;
use crate::files::settings::Setting;
use crate::tui::glyph;
use crate::tui::layout::Layout;
use crate::tui::theme::Theme;
use crate::tui::tuner::{Tuner, is_changed};

use super::line::LineRow;
use super::{first_shown, pane};

/// Columns of a value.
const VALUE: usize = 12;

/// Columns from which on the range stands in the row of its value.
const WIDE: u16 = 60;

/// The list.
#[derive(Debug)]
pub struct Values<'a> {
    /// What is listed, and what is typed.
    pub tuner: &'a Tuner,
    /// What the map's file doesn't have.
    pub changed: &'a [Setting],
    /// The styles.
    pub theme: &'a Theme,
}

/// Where it stands: on the inspector, or at the lower edge of a map that has the whole screen.
pub fn place(layout: &Layout, screen: Rect) -> Rect {
    if layout.inspector.is_empty() {
        let height = layout.map.height / 2;
        return Rect { y: layout.map.bottom() - height, height, ..layout.map };
    }
    // Stacked panes are low: the list takes the table of agents beside it as well.
    let low = layout.inspector.y == layout.agents.y;
    let width = if low { screen.width } else { layout.inspector.width };
    Rect { width, ..layout.inspector }
}

impl Widget for Values<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        if area.is_empty() {
            return;
        }
        Clear.render(area, buffer);
        let title = format!("values of {}", self.tuner.kind());
        let count = format!("{} listed, defaults in ( )", self.tuner.listed().len());
        let inside = pane::frame(&title, &count, self.theme, area, buffer);
        if inside.height < 2 {
            return;
        }
        let row = Rect { y: inside.bottom() - 1, height: 1, ..inside };
        let (sign, line) = match self.tuner.editor() {
            Some(line) => (" = ", line),
            None => (" / ", self.tuner.filter()),
        };
        LineRow { sign, line, wrong: None, theme: self.theme }.render(row, buffer);
        let mut list = Rect { height: inside.height - 1, ..inside };
        if let (false, Some(offer)) = (is_wide(inside), self.tuner.marked_offer()) {
            // What has no room beside the value is told below, of the marked one.
            list.height -= 1;
            let (text, room) = (about(offer), usize::from(inside.width - 2));
            let text = pane::fitted(&text, room);
            buffer.set_stringn(inside.x + 2, list.bottom(), text, room, self.theme.dim);
        }
        self.list(list, buffer);
    }
}

/// Is there room for everything about a value in its row?
fn is_wide(area: Rect) -> bool {
    area.width >= WIDE
}

/// The range of a value, and what it belongs to.
fn about(offer: &Offer) -> String {
    let (low, high) = (offer.range.start(), offer.range.end());
    format!("{low} … {high}  {}", offer.what)
}

impl Values<'_> {
    fn list(&self, area: Rect, buffer: &mut Buffer) {
        let (tuner, width) = (self.tuner, usize::from(area.width));
        let count = tuner.listed().len();
        if count == 0 {
            buffer.set_stringn(area.x, area.y, " no value is called so", width, self.theme.warn);
            return;
        }
        let longest = tuner.listed().map(|offer| tuner.name(offer).len()).max().unwrap_or(0);
        let name = longest.min(width / 2);
        let first = first_shown(tuner.marked(), count, area.height);
        for (y, (index, offer)) in
            (area.y..area.bottom()).zip(tuner.listed().enumerate().skip(first))
        {
            self.row(offer, index == tuner.marked(), name, Rect { y, height: 1, ..area }, buffer);
        }
    }

    fn row(&self, offer: &Offer, marked: bool, name: usize, area: Rect, buffer: &mut Buffer) {
        let theme = self.theme;
        let style = if marked { theme.strong } else { theme.text };
        let changed = is_changed(offer, self.changed);
        let sign = if marked { glyph::MARKER } else { " " };
        let star = if changed { "*" } else { " " };
        let value = match (offer.present(), &offer.value) {
            (text, Some(_)) => text,
            (text, None) if text.is_empty() => "none".to_owned(),
            (text, None) => format!("({text})"),
        };
        let more = if is_wide(area) { about(offer) } else { String::new() };
        let parts = [
            (format!("{sign}{star}"), style),
            (format!("{:<name$} ", pane::fitted(self.tuner.name(offer), name)), style),
            (format!("{:>VALUE$} ", pane::fitted(&value, VALUE)), theme.strong),
            (format!("{:<9} ", offer.unit()), theme.dim),
            (more, theme.dim),
        ];
        let mut x = area.x;
        for (text, style) in parts {
            let room = usize::from(area.right().saturating_sub(x));
            (x, _) = buffer.set_stringn(x, area.y, pane::fitted(&text, room), room, style);
        }
    }
}
