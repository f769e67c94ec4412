//! The list of runs, over the map.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Clear, Widget};

use crate::history::History;
use crate::history::run::RunId;
use crate::tui::glyph;
use crate::tui::theme::Theme;

use super::{first_shown, pane};

/// Columns it takes at most.
const WIDTH: u16 = 64;

/// The list.
#[derive(Debug)]
pub struct Runs<'a> {
    /// Whose runs.
    pub history: &'a History,
    /// The marked one.
    pub marked: usize,
    /// The styles.
    pub theme: &'a Theme,
}

impl Widget for Runs<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let rows = self.history.runs().len().saturating_add(3).min(usize::from(area.height));
        let area = Rect { width: area.width.min(WIDTH), height: rows as u16, ..area };
        if area.is_empty() {
            return;
        }
        Clear.render(area, buffer);
        let inside = pane::frame("runs", "", self.theme, area, buffer);
        if inside.is_empty() {
            return;
        }
        let head =
            format!("  {:>4}  {:<16} {:<7} {:>8} {:>8}", "run", "start", "", "end", "commands");
        let width = usize::from(inside.width);
        buffer.set_stringn(inside.x, inside.y, head, width, self.theme.dim);
        let count = self.history.runs().len();
        let first = first_shown(self.marked, count, inside.height - 1);
        for (index, y) in (first..count).zip(inside.y + 1..inside.bottom()) {
            let style = if index == self.marked { self.theme.chosen } else { self.theme.text };
            buffer.set_stringn(inside.x, y, pane::fitted(&self.row(index), width), width, style);
        }
    }
}

impl Runs<'_> {
    fn row(&self, index: usize) -> String {
        let run = &self.history.runs()[index];
        let id = RunId(index as u32);
        let sign = if index == self.marked { glyph::MARKER } else { " " };
        let begins = match run.branch() {
            None => "frame 0".to_owned(),
            Some(branch) => format!("run {} at {}", branch.parent.0 + 1, branch.at),
        };
        let what = match id {
            id if id == self.history.present() => "current",
            id if Some(id) == self.history.ghost() => "ghost",
            _ => "",
        };
        let (end, commands) = (run.end().0, run.log().len());
        format!("{sign} {:>4}  {begins:<16} {what:<7} {end:>8} {commands:>8}", index + 1)
    }
}
