//! The tile menu, next to the cell it was opened on.

use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr;

use crate::tui::menu::Menu;
use crate::tui::theme::Theme;

use super::list::List;

/// Lists the items of a tile menu.
pub fn list<'a>(menu: &'a Menu, theme: &'a Theme, screen: Rect) -> List<'a> {
    let row = |index: usize| vec![(format!(" {}", menu.items[index].1), theme.text)].into();
    let title = format!("tile {}", menu.tile);
    List::new(title, place(menu, screen), menu.items.len(), Some(menu.selected), theme, row)
}

/// Returns the area of the menu: below its cell, or as near to that as the screen allows.
fn place(menu: &Menu, screen: Rect) -> Rect {
    let longest = menu.items.iter().map(|(_, text)| text.width()).max().unwrap_or(0);
    let width = (longest.max(12) as u16 + 5).min(screen.width);
    let height = (menu.items.len() as u16 + 2).min(screen.height);
    let below = screen.bottom().saturating_sub(menu.at.y.saturating_add(1)) >= height;
    let y = if below { menu.at.y + 1 } else { menu.at.y.saturating_sub(height) };
    let x = menu.at.x.min(screen.right().saturating_sub(width));
    Rect { x, y: y.min(screen.bottom().saturating_sub(height)), width, height }
}
