//! The menu of a tile, beside where it was asked for.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::widgets::{Clear, Widget};
use unicode_width::UnicodeWidthStr;

use crate::tui::glyph;
use crate::tui::input::Cell;
use crate::tui::layout;
use crate::tui::menu::Menu;
use crate::tui::theme::Theme;

use super::pane;

/// The menu; its place follows from the screen.
#[derive(Debug)]
pub struct TileMenu<'a> {
    /// The menu.
    pub menu: &'a Menu,
    /// The styles.
    pub theme: &'a Theme,
}

/// Where it stands: right below the cell, or as near to that as the screen allows.
fn place(menu: &Menu, screen: Rect) -> Rect {
    let longest = menu.items.iter().map(|(_, text)| text.width()).max().unwrap_or(0);
    let width = (longest.max(12) as u16 + 5).min(screen.width);
    let height = (menu.items.len() as u16 + 2).min(screen.height);
    let below = screen.bottom().saturating_sub(menu.at.y.saturating_add(1)) >= height;
    let y = if below { menu.at.y + 1 } else { menu.at.y.saturating_sub(height) };
    let x = menu.at.x.min(screen.right().saturating_sub(width));
    Rect { x, y: y.min(screen.bottom().saturating_sub(height)), width, height }
}

/// The item that is drawn on a cell.
pub fn item_at(menu: &Menu, screen: Rect, cell: Cell) -> Option<usize> {
    let inside = layout::inside(place(menu, screen));
    let index = usize::from(cell.y.checked_sub(inside.y)?);
    let there = inside.contains(Position::new(cell.x, cell.y));
    (there && index < menu.items.len()).then_some(index)
}

impl Widget for TileMenu<'_> {
    fn render(self, screen: Rect, buffer: &mut Buffer) {
        let area = place(self.menu, screen);
        if area.is_empty() {
            return;
        }
        Clear.render(area, buffer);
        let title = format!("tile {}", self.menu.tile);
        let inside = pane::frame(&title, "", self.theme, area, buffer);
        let rows = self.menu.items.iter().enumerate().take(inside.height.into());
        for (y, (index, (_, text))) in (inside.y..).zip(rows) {
            let marked = index == self.menu.marked;
            let sign = if marked { glyph::MARKER } else { " " };
            let style = if marked { self.theme.strong } else { self.theme.text };
            let text = pane::fitted(&format!("{sign} {text}"), inside.width.into());
            buffer.set_stringn(inside.x, y, text, inside.width.into(), style);
        }
    }
}
