//! The menu of overlays, where the inspector is, so that the map stays in sight.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Clear, Widget};

use crate::tui::glyph;
use crate::tui::layout::Layout;
use crate::tui::overlays::{Entry, Overlays, TABLE};
use crate::tui::theme::Theme;

use super::{first_shown, pane};

/// Columns an entry without its description takes.
const NARROW: usize = 22;

/// Columns one with its description needs.
const WIDE: usize = 45;

/// The menu.
#[derive(Debug)]
pub struct Menu<'a> {
    /// What is shown.
    pub overlays: Overlays,
    /// The marked entry.
    pub marked: usize,
    /// The styles.
    pub theme: &'a Theme,
}

/// Where it stands: on the inspector, or at the lower edge of a map that has the whole screen.
pub fn place(layout: &Layout, screen: Rect) -> Rect {
    let wanted = TABLE.len() as u16 + 3;
    if layout.inspector.is_empty() {
        let height = (wanted).min(layout.map.height / 2);
        let y = layout.map.bottom() - height;
        return Rect { y, height, ..layout.map };
    }
    // Stacked panes are low: the menu takes the table of agents beside it as well.
    let low = layout.inspector.y == layout.agents.y;
    let width = if low { screen.width } else { layout.inspector.width };
    let height = layout.inspector.height.min(wanted);
    Rect { width, height, ..layout.inspector }
}

impl Widget for Menu<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        if area.is_empty() {
            return;
        }
        Clear.render(area, buffer);
        let inside = pane::frame("overlays", self.whose(), self.theme, area, buffer);
        let rows = usize::from(inside.height);
        if rows == 0 {
            return;
        }
        // As many columns as it takes, as long as they fit; then it scrolls.
        let fitting = (usize::from(inside.width) / NARROW).max(1);
        let wide = usize::from(inside.width) >= WIDE && rows >= TABLE.len();
        let rows = if wide || rows == 1 { rows } else { rows - 1 };
        let columns = TABLE.len().div_ceil(rows).min(fitting);
        let rows = TABLE.len().div_ceil(columns).min(rows);
        let first = match columns {
            1 => first_shown(self.marked, TABLE.len(), rows as u16),
            // By whole columns, the marked one in view.
            _ => (self.marked / rows).saturating_sub(columns - 1) * rows,
        };
        let width = usize::from(inside.width) / columns;
        if let (false, Some(entry)) = (wide, TABLE.get(self.marked)) {
            // What has no room beside its name is told below, of the marked one.
            let (y, room) = (inside.bottom() - 1, usize::from(inside.width) - 2);
            buffer.set_stringn(
                inside.x + 2,
                y,
                pane::fitted(entry.about, room),
                room,
                self.theme.dim,
            );
        }
        for (place, (index, entry)) in TABLE.iter().enumerate().skip(first).enumerate() {
            let (column, row) = (place / rows, place % rows);
            if column < columns {
                let x = inside.x + (column * width) as u16;
                let about = if wide { entry.about } else { "" };
                self.entry(
                    index,
                    entry,
                    about,
                    Rect::new(x, inside.y + row as u16, width as u16, 1),
                    buffer,
                );
            }
        }
    }
}

impl Menu<'_> {
    fn whose(&self) -> &'static str {
        if self.overlays.all { "a: all agents in view" } else { "a: selected agent" }
    }

    fn entry(&self, index: usize, entry: &Entry, about: &str, area: Rect, buffer: &mut Buffer) {
        let theme = self.theme;
        let marked = index == self.marked;
        let check = if self.overlays.has(entry.layer) { "[x]" } else { "[ ]" };
        let sign = if marked { glyph::MARKER } else { " " };
        let style = if marked { theme.strong } else { theme.text };
        let parts = [
            (format!("{sign}{check} "), style),
            (format!("{} ", entry.key), theme.key),
            (format!("{:<14}", entry.name), style),
            (about.to_owned(), theme.dim),
        ];
        let mut x = area.x;
        for (text, style) in parts {
            let room = usize::from(area.right().saturating_sub(x));
            let text = pane::fitted(&text, room);
            (x, _) = buffer.set_stringn(x, area.y, text, room, style);
        }
    }
}
