//! The list of maps, what to watch in the chosen one, and the chosen one running.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::Widget;

use crate::tui::camera::{Camera, View, Zoom};
use crate::tui::glyph;
use crate::tui::library::Entry;
use crate::tui::session::Session;
use crate::tui::theme::Theme;

use super::map::MapView;
use super::{first_shown, pane};

/// The list.
#[derive(Debug)]
pub struct List<'a> {
    /// The maps.
    pub entries: &'a [Entry],
    /// Which one is chosen.
    pub chosen: usize,
    /// The styles.
    pub theme: &'a Theme,
}

impl Widget for List<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        if area.is_empty() {
            return;
        }
        let place = format!("{} of {}", self.chosen + 1, self.entries.len());
        let place = if self.entries.is_empty() { String::new() } else { place };
        let inside = pane::frame("tilewalk: choose a map", &place, self.theme, area, buffer);
        if inside.is_empty() {
            return;
        }
        if self.entries.is_empty() {
            let text = "there are no maps to show";
            buffer.set_stringn(inside.x, inside.y, text, inside.width.into(), self.theme.warn);
            return;
        }
        let first = first_shown(self.chosen, self.entries.len(), inside.height);
        let rows = self.entries.iter().enumerate().skip(first).take(inside.height.into());
        for (row, (index, entry)) in rows.enumerate() {
            let y = inside.y + row as u16;
            let chosen = index == self.chosen;
            let sign = if chosen { glyph::MARKER } else { " " };
            let width = usize::from(inside.width);
            let title = pane::fitted(&entry.title, width.saturating_sub(2));
            let style = if chosen { self.theme.strong } else { self.theme.text };
            buffer.set_stringn(inside.x, y, sign, width, style);
            buffer.set_stringn(inside.x + 2, y, title, width.saturating_sub(2), style);
            if chosen {
                let row = Rect { y, height: 1, ..inside };
                buffer.set_style(row, self.theme.chosen);
            }
        }
    }
}

/// What to watch.
#[derive(Debug)]
pub struct About<'a> {
    /// The chosen map.
    pub entry: Option<&'a Entry>,
    /// The styles.
    pub theme: &'a Theme,
}

impl Widget for About<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let Some(entry) = self.entry.filter(|_| !area.is_empty()) else { return };
        let inside = pane::frame("what to watch", "", self.theme, area, buffer);
        let inside = Rect { x: inside.x + 1, width: inside.width.saturating_sub(2), ..inside };
        let lines = lines(entry, inside.width);
        for (row, line) in lines.iter().take(inside.height.into()).enumerate() {
            let (y, width) = (inside.y + row as u16, usize::from(inside.width));
            let label = line.split_once(": ").filter(|(label, _)| is_label(label));
            let split = label.map_or(0, |(label, _)| label.len() + 1);
            let (x, _) = buffer.set_stringn(inside.x, y, &line[..split], width, self.theme.key);
            let room = usize::from(inside.right().saturating_sub(x));
            buffer.set_stringn(x, y, &line[split..], room, self.theme.text);
        }
    }
}

/// What to watch, in lines of a width.
fn lines(entry: &Entry, width: u16) -> Vec<String> {
    let paragraphs = paragraphs(&entry.comment);
    paragraphs.iter().flat_map(|text| pane::wrapped(text, width.into())).collect()
}

/// Rows the pane would like to have, `width` columns wide.
pub fn rows_wanted(entry: Option<&Entry>, width: u16) -> u16 {
    let lines = entry.map_or(0, |entry| lines(entry, width.saturating_sub(4)).len());
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

/// Is it one of the two words that shipped maps explain themselves with?
fn is_label(text: &str) -> bool {
    matches!(text, "Watch" | "Change first")
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
        let comment = "Two walkers\nroam.\nWatch: each\nway.\nChange first: `seed`.";
        assert_eq!(
            paragraphs(comment),
            ["Two walkers roam.", "Watch: each way.", "Change first: `seed`."]
        );
    }
}
