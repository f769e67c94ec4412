//! The list of an agent's values, where the inspector is, so that the map stays in sight.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Clear, Widget};

use crate::files::relevance::Ranked;
use crate::files::settings::Setting;
use crate::tui::glyph;
use crate::tui::layout::{self, Layout};
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

/// Where the values stand; below them is the line, and what is said about the marked one.
fn list(tuner: &Tuner, area: Rect) -> Rect {
    let inside = layout::inside(area);
    let below = 1 + notes(tuner, inside).len() as u16;
    Rect { height: inside.height.saturating_sub(below), ..inside }
}

/// How many values are in view.
pub fn rows(tuner: &Tuner, area: Rect) -> u16 {
    list(tuner, area).height
}

/// The place in the list of the value in a row of the screen.
pub fn value_at_row(tuner: &Tuner, area: Rect, row: u16) -> Option<usize> {
    let list = list(tuner, area);
    let row = row.checked_sub(list.y).filter(|row| *row < list.height)?;
    let count = tuner.listed().len();
    let place = first_shown(tuner.marked(), count, list.height) + usize::from(row);
    (place < count).then_some(place)
}

/// What is wrong with what is typed; else what has no room beside the marked value.
fn notes(tuner: &Tuner, inside: Rect) -> Vec<String> {
    let room = usize::from(inside.width.saturating_sub(2));
    // A value, at least, and the line stay in sight.
    let most = usize::from(inside.height.saturating_sub(2));
    if let Some(why) = tuner.complaint() {
        let mut lines = pane::wrapped(&glyph::clean(why), room);
        lines.truncate(most);
        return lines;
    }
    let about = tuner.marked_value().filter(|_| !is_wide(inside)).map(about);
    about.map(|text| pane::fitted(&text, room)).into_iter().take(most).collect()
}

impl Widget for Values<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        if area.is_empty() {
            return;
        }
        Clear.render(area, buffer);
        let tuner = self.tuner;
        let title = format!("values of {}", tuner.kind());
        let count = format!("{} listed, defaults in ( )", tuner.listed().len());
        let inside = pane::frame(&title, &count, self.theme, area, buffer);
        if inside.height < 2 {
            return;
        }
        let row = Rect { y: inside.bottom() - 1, height: 1, ..inside };
        let (sign, line) = match tuner.editor() {
            Some(line) => (" = ", line),
            None => (" / ", tuner.filter()),
        };
        let wrong = tuner.complaint().map(|_| 0..line.text().chars().count());
        LineRow { sign, line, wrong, theme: self.theme }.render(row, buffer);
        let list = list(tuner, area);
        let style = if tuner.complaint().is_some() { self.theme.warn } else { self.theme.dim };
        let room = usize::from(inside.width.saturating_sub(2));
        for (y, text) in (list.bottom()..row.y).zip(notes(tuner, inside)) {
            buffer.set_stringn(inside.x + 2, y, text, room, style);
        }
        self.list(list, buffer);
    }
}

/// Is there room for everything about a value in its row?
fn is_wide(area: Rect) -> bool {
    area.width >= WIDE
}

/// The range of a value and what it belongs to; or why nothing depends on it.
fn about(value: &Ranked) -> String {
    let offer = &value.offer;
    let (low, high) = (offer.range.start(), offer.range.end());
    if let Some(why) = value.unused() {
        return why.to_string();
    }
    let what = offer.what.trim_end_matches(" behaviour");
    let what = what.strip_prefix("an ").or(what.strip_prefix("a ")).unwrap_or(what);
    format!("{low} … {high}  {what}")
}

impl Values<'_> {
    fn list(&self, area: Rect, buffer: &mut Buffer) {
        let (tuner, width) = (self.tuner, usize::from(area.width));
        let count = tuner.listed().len();
        if count == 0 {
            buffer.set_stringn(area.x, area.y, " no matching value", width, self.theme.warn);
            return;
        }
        let longest = tuner.listed().map(|value| tuner.name(&value.offer).len()).max().unwrap_or(0);
        let name = longest.min(width / 2);
        let first = first_shown(tuner.marked(), count, area.height);
        for (y, (index, value)) in
            (area.y..area.bottom()).zip(tuner.listed().enumerate().skip(first))
        {
            self.row(value, index == tuner.marked(), name, Rect { y, height: 1, ..area }, buffer);
        }
    }

    fn row(&self, value: &Ranked, marked: bool, name: usize, area: Rect, buffer: &mut Buffer) {
        let (theme, offer) = (self.theme, &value.offer);
        let unused = value.unused();
        let style = match (marked, unused) {
            (true, _) => theme.strong,
            (false, None) => theme.text,
            (false, Some(_)) => theme.dim,
        };
        let strong = if unused.is_some() { style } else { theme.strong };
        let changed = is_changed(offer, self.changed);
        let sign = if marked { glyph::MARKER } else { " " };
        let star = if changed { "*" } else { " " };
        let number = match (offer.present(), &offer.value) {
            (text, Some(_)) => text,
            (text, None) if text.is_empty() => "none".to_owned(),
            (text, None) => format!("({text})"),
        };
        let unit = if unused.is_some() { String::new() } else { format!("{:<9} ", offer.unit) };
        let more = if is_wide(area) || unused.is_some() { about(value) } else { String::new() };
        let parts = [
            (format!("{sign}{star}"), style),
            (format!("{:<name$} ", pane::fitted(self.tuner.name(offer), name)), style),
            (format!("{:>VALUE$} ", pane::fitted(&number, VALUE)), strong),
            (unit, theme.dim),
            (more, theme.dim),
        ];
        let mut x = area.x;
        for (text, style) in parts {
            let room = usize::from(area.right().saturating_sub(x));
            (x, _) = buffer.set_stringn(x, area.y, pane::fitted(&text, room), room, style);
        }
        if marked {
            buffer.set_style(area, theme.chosen);
        }
    }
}
