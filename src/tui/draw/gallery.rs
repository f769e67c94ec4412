//! The panes of the gallery: the list of maps, the description and the preview of the selected map.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use crate::debugger::session::Session;
use crate::tui::action::{Action, Context, Keymap};
use crate::tui::camera::{Camera, View, Zoom};
use crate::tui::gallery::Gallery;
use crate::tui::glyph;
use crate::tui::layout;
use crate::tui::library::GalleryEntry;
use crate::tui::theme::Theme;

use super::line::LineRow;
use super::list::List;
use super::map::MapView;
use super::pane;

/// Returns the list of maps that match the search text. Without a search, the list contains all
/// maps.
pub fn list<'a>(gallery: &'a Gallery, theme: &'a Theme, area: Rect) -> List<'a> {
    let (selected, count) = (gallery.selected(), gallery.listed().len());
    let row = |index| {
        let title = gallery.listed().nth(index).map_or("", |entry| entry.title.as_str());
        vec![(format!(" {title}"), theme.text)].into()
    };
    List {
        right: if count == 0 { String::new() } else { format!("{} of {count}", selected + 1) },
        empty: match gallery.filter() {
            Some(line) => format!("no map matches \"{}\"", line.text()),
            None => "no maps found".to_owned(),
        },
        input: gallery.filter().map(|line| LineRow { sign: " / ", line, wrong: None, theme }),
        ..List::new("tilewalk: choose a map", area, count, Some(selected), theme, row)
    }
}

/// The pane with the description of the selected map. If the description is too long, the pane
/// scrolls.
#[derive(Debug)]
pub struct About<'a> {
    pub gallery: &'a Gallery,
    pub keymap: &'a Keymap,
    pub theme: &'a Theme,
}

impl Widget for About<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let Some(entry) = self.gallery.entry().filter(|_| !area.is_empty()) else { return };
        let lines = description(&entry.comment, columns(area), self.theme);
        let rows = usize::from(layout::inside(area).height);
        let scroll = self.gallery.scroll.min(lines.len().saturating_sub(rows));
        let key = self.keymap.named(Action::PageDown, Context::Gallery);
        let more = pane::more(&key, scroll, lines.len().saturating_sub(scroll + rows));
        let inside = pane::frame("description", &more, self.theme, area, buffer);
        pane::write(lines.iter().skip(scroll), inside, buffer);
    }
}

/// Returns the width of text in a pane, in columns, without border and margins. `area` includes the
/// border.
fn columns(area: Rect) -> usize {
    usize::from(area.width.saturating_sub(4))
}

/// Returns the maximum scroll position of the description, in lines. `area` includes the border.
pub fn longest_scroll(entry: Option<&GalleryEntry>, area: Rect) -> usize {
    let lines = entry.map_or(0, |entry| wrapped(&entry.comment, columns(area)).len());
    lines.saturating_sub(layout::inside(area).height.into())
}

fn wrapped(comment: &str, width: usize) -> Vec<String> {
    paragraphs(comment).iter().flat_map(|text| pane::wrapped(text, width)).collect()
}

/// Wraps a map description to `width` columns. Labels such as `Watch:` have the style of keys.
pub fn description(comment: &str, width: usize, theme: &Theme) -> Vec<Line<'static>> {
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

/// Returns the pane height, in rows, that the whole description needs. Height and `width` include
/// the border.
pub fn rows_wanted(entry: Option<&GalleryEntry>, width: u16) -> u16 {
    let width = usize::from(width.saturating_sub(4));
    let lines = entry.map_or(0, |entry| wrapped(&entry.comment, width).len());
    (lines as u16).saturating_add(2)
}

/// Joins the lines of each paragraph. Empty lines and labels such as `Watch:` start a paragraph.
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

/// Returns true if a text is one of the labels in map descriptions. Old maps use "Change first".
fn is_label(text: &str) -> bool {
    matches!(text, "Watch" | "Try" | "Change first")
}

/// The pane with the running preview of the selected map.
#[derive(Debug)]
pub struct Preview<'a> {
    /// The running map, or the error message if the map can't be played. `None` until the map is
    /// read.
    pub preview: Option<&'a Result<Session, String>>,
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
                let agents = crate::words::count(session.world().population() as u64, "agent");
                (session.scenario().title(), format!("{width}×{height} · {agents}"))
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
    /// Returns a view of the whole map if the map fits into `area`. Otherwise returns a view around
    /// the selected agent.
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
