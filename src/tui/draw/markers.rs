//! The list of marked frames, over the lower edge of the map.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Clear, Widget};

use crate::tui::action::{Action, Context, Keymap};
use crate::tui::glyph;
use crate::tui::session::Session;
use crate::tui::theme::Theme;

use super::{first_shown, pane};

/// Rows in view at most.
const ROWS: u16 = 12;

/// Columns at most.
const COLUMNS: u16 = 64;

/// The list.
#[derive(Debug)]
pub struct MarkerList<'a> {
    /// Whose.
    pub session: &'a Session,
    /// The chosen one.
    pub chosen: usize,
    /// The keys.
    pub keymap: &'a Keymap,
    /// The styles.
    pub theme: &'a Theme,
}

impl Widget for MarkerList<'_> {
    /// Takes what it needs of the lower end of its area.
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let markers = self.session.markers();
        let rows = (markers.len().max(1) as u16).min(ROWS);
        let height = (rows + 2).min(area.height);
        let width = area.width.min(COLUMNS);
        let area = Rect { y: area.bottom() - height, height, width, ..area };
        Clear.render(area, buffer);
        let inside = pane::frame("bookmarks", "", self.theme, area, buffer);
        if inside.is_empty() {
            return;
        }
        let width = usize::from(inside.width);
        if markers.is_empty() {
            let key = self.keymap.named(Action::ToggleBookmark, Context::Watch);
            let text = format!("none; {key} or :bookmark NAME adds one");
            let text = pane::fitted(&text, width);
            buffer.set_stringn(inside.x, inside.y, text, width, self.theme.dim);
        }
        let (now, end) = (self.session.world().frame(), self.session.history().run().end());
        let first = first_shown(self.chosen, markers.len(), inside.height);
        let shown = markers.iter().enumerate().skip(first);
        for (y, (place, marker)) in (inside.y..inside.bottom()).zip(shown) {
            let chosen = place == self.chosen;
            let sign = if chosen { glyph::MARKER } else { " " };
            let style = if chosen { self.theme.strong } else { self.theme.text };
            let time = self.session.scenario().seconds(marker.frame);
            let note = match marker.frame {
                frame if frame == now => "  current frame",
                frame if frame > end => "  not simulated yet",
                _ => "",
            };
            let (frame, name) = (marker.frame, &marker.name);
            let text = format!("{sign} {} {frame:>8}  {time:>8.2} s  {name}{note}", glyph::FLAG);
            buffer.set_stringn(inside.x, y, pane::fitted(&text, width), width, style);
            if chosen {
                buffer.set_style(Rect { y, height: 1, ..inside }, self.theme.chosen);
            }
        }
    }
}
