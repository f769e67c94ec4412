//! The list of maps, what to watch in the chosen one, and the chosen one running.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use crate::tui::action::{Action, Context, Keymap};
use crate::tui::camera::{Camera, View, Zoom};
use crate::tui::gallery::Gallery;
use crate::tui::glyph;
use crate::tui::layout;
use crate::tui::library::Entry;
use crate::tui::session::Session;
use crate::tui::theme::Theme;

use super::line::LineRow;
use super::map::MapView;
use super::{first_shown, pane};

/// The list.
#[derive(Debug)]
pub struct List<'a> {
    /// The maps.
    pub gallery: &'a Gallery,
    /// The styles.
    pub theme: &'a Theme,
}

/// Where the maps stand in the area of the list; below them is what is looked for, while something is.
pub fn rows(area: Rect, gallery: &Gallery) -> Rect {
    let inside = layout::inside(area);
    let filter = u16::from(gallery.filter().is_some());
    Rect { height: inside.height.saturating_sub(filter), ..inside }
}

impl Widget for List<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        if area.is_empty() {
            return;
        }
        let (gallery, theme) = (self.gallery, self.theme);
        let (chosen, count) = (gallery.chosen(), gallery.listed().len());
        let place = format!("{} of {count}", chosen + 1);
        let place = if count == 0 { String::new() } else { place };
        let inside = pane::frame("tilewalk: choose a map", &place, theme, area, buffer);
        if inside.is_empty() {
            return;
        }
        let rows = rows(area, gallery);
        if let Some(line) = gallery.filter() {
            let row = Rect { y: rows.bottom(), height: 1, ..inside };
            LineRow { sign: "/ ", line, wrong: None, theme }.render(row, buffer);
        }
        if count == 0 {
            let text = match gallery.filter() {
                Some(line) => format!("no map matches \"{}\"", line.text()),
                None => "no maps found".to_owned(),
            };
            let text = pane::fitted(&text, rows.width.into());
            buffer.set_stringn(rows.x, rows.y, text, rows.width.into(), theme.warn);
            return;
        }
        let first = first_shown(chosen, count, rows.height);
        let entries = gallery.listed().enumerate().skip(first).take(rows.height.into());
        for (row, (index, entry)) in entries.enumerate() {
            let y = rows.y + row as u16;
            let chosen = index == chosen;
            let sign = if chosen { glyph::MARKER } else { " " };
            let width = usize::from(rows.width);
            let title = pane::fitted(&entry.title, width.saturating_sub(2));
            let style = if chosen { theme.strong } else { theme.text };
            buffer.set_stringn(rows.x, y, sign, width, style);
            buffer.set_stringn(rows.x + 2, y, title, width.saturating_sub(2), style);
            if chosen {
                let row = Rect { y, height: 1, ..rows };
                buffer.set_style(row, theme.chosen);
            }
        }
    }
}

/// What to watch.
#[derive(Debug)]
pub struct About<'a> {
    /// The maps, and which one is chosen.
    pub gallery: &'a Gallery,
    /// The keys.
    pub keymap: &'a Keymap,
    /// The styles.
    pub theme: &'a Theme,
}

impl Widget for About<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let Some(entry) = self.gallery.entry().filter(|_| !area.is_empty()) else { return };
        let lines = told(&entry.comment, columns(area), self.theme);
        let rows = usize::from(layout::inside(area).height);
        let scroll = self.gallery.scroll.min(lines.len().saturating_sub(rows));
        let key = self.keymap.named(Action::PageDown, Context::Gallery);
        let more = pane::more(&key, scroll, lines.len().saturating_sub(scroll + rows));
        let inside = pane::frame("description", &more, self.theme, area, buffer);
        for (row, line) in lines.iter().skip(scroll).take(rows).enumerate() {
            buffer.set_line(inside.x + 1, inside.y + row as u16, line, columns(area) as u16);
        }
    }
}

/// Columns of the text in an area.
fn columns(area: Rect) -> usize {
    usize::from(area.width.saturating_sub(4))
}

/// How many lines of what to watch can be scrolled away in an area.
pub fn longest_scroll(entry: Option<&Entry>, area: Rect) -> usize {
    let lines = entry.map_or(0, |entry| wrapped(&entry.comment, columns(area)).len());
    lines.saturating_sub(layout::inside(area).height.into())
}

/// What to watch, in lines of a width.
fn wrapped(comment: &str, width: usize) -> Vec<String> {
    paragraphs(comment).iter().flat_map(|text| pane::wrapped(text, width)).collect()
}

/// The same with its labels set off.
pub fn told(comment: &str, width: usize, theme: &Theme) -> Vec<Line<'static>> {
    let line = |text: String| {
        let text = glyph::clean(&text);
        let label = text.split_once(": ").filter(|(label, _)| is_label(label));
        let (label, rest) = text.split_at(label.map_or(0, |(label, _)| label.len() + 1));
        Line::from(vec![
            Span::styled(label.to_owned(), theme.key),
            Span::styled(rest.to_owned(), theme.text),
        ])
    };
    wrapped(comment, width).into_iter().map(line).collect()
}

/// Rows the pane would like to have, `width` columns wide.
pub fn rows_wanted(entry: Option<&Entry>, width: u16) -> u16 {
    let width = usize::from(width.saturating_sub(4));
    let lines = entry.map_or(0, |entry| wrapped(&entry.comment, width).len());
    (lines as u16).saturating_add(2)
}

/// The lines of a comment, those that belong together as one; a label such as `Watch:` begins anew.
fn paragraphs(comment: &str) -> Vec<String> {
    let mut paragraphs: Vec<String> = Vec::new();
    for line in comment.lines().map(str::trim) {
        let begins = line.is_empty() || line.split_once(':').is_some_and(|(l, _)| is_label(l));
        match paragraphs.last_mut() {
            Some(last) if !begins && !last.is_empty() => {
                last.push(' ');
                last.push_str(line);
            }
            _ => paragraphs.push(line.to_owned()),
        }
    }
    paragraphs
}

/// Whether a text is a label of a map's description: what to watch, and what to try ("Change first" in old maps).
fn is_label(text: &str) -> bool {
    matches!(text, "Watch" | "Try" | "Change first")
}

/// The chosen map, running.
#[derive(Debug)]
pub struct Preview<'a> {
    /// The map; nothing while it is not read yet.
    pub preview: Option<&'a Result<Session, String>>,
    /// The styles.
    pub theme: &'a Theme,
}

impl Widget for Preview<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        if area.is_empty() {
            return;
        }
        let (title, right) = match self.preview {
            Some(Ok(session)) => {
                let (width, height) = session.size();
                let agents = crate::words::count(session.world().len() as u64, "agent");
                (session.scenario().title.as_str(), format!("{width}×{height} · {agents}"))
            }
            _ => ("", String::new()),
        };
        let inside = pane::frame(title, &right, self.theme, area, buffer);
        match self.preview {
            Some(Ok(session)) => {
                let view = Self::view(session, inside);
                MapView { session, view, overlays: None, theme: self.theme }.render(inside, buffer);
            }
            Some(Err(text)) => {
                for (row, line) in text.lines().take(inside.height.into()).enumerate() {
                    let line = pane::fitted(line, inside.width.into());
                    let (x, y) = (inside.x, inside.y + row as u16);
                    buffer.set_stringn(x, y, line, inside.width.into(), self.theme.bad);
                }
            }
            None => {}
        }
    }
}

impl Preview<'_> {
    /// All of the map if it fits somehow, else where its first agent is.
    fn view(session: &Session, area: Rect) -> View {
        let extent = session.extent();
        let mut camera = Camera::opening(extent, area);
        if !camera.view(extent, area).is_whole() {
            camera.zoom = Zoom::Narrow;
        }
        if let Some(id) = session.selected() {
            camera.keep(session.world().position(id), extent, area);
        }
        camera.view(extent, area)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_begin_a_paragraph() {
        let comment = "Two walkers\nroam.\nWatch: each\nway.\nTry: `seed`.";
        assert_eq!(paragraphs(comment), ["Two walkers roam.", "Watch: each way.", "Try: `seed`."]);
    }
}
