//! The tile menu, next to the cell on which the menu was opened.

use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr;

use crate::tui::menu::Menu;
use crate::tui::theme::Theme;

use super::list::List;

/// Returns the list of a tile menu's items.
pub fn list<'a>(menu: &'a Menu, theme: &'a Theme, screen: Rect) -> List<'a> {
    let row = |index: usize| vec![(format!(" {}", menu.items[index].1), theme.text)].into();
    let title = format!("tile {}", menu.tile);
    List::new(title, place(menu, screen), menu.items.len(), Some(menu.selected), theme, row)
}

/// Returns the area of the menu: below its cell, or above the cell if there is no room below.
fn place(menu: &Menu, screen: Rect) -> Rect {
    let longest = menu.items.iter().map(|(_, text)| text.width()).max().unwrap_or(0);
    let width = (longest.max(12) as u16 + 5).min(screen.width);
    let height = (menu.items.len() as u16 + 2).min(screen.height);
    let below = screen.bottom().saturating_sub(menu.at.y.saturating_add(1)) >= height;
    let y = if below { menu.at.y + 1 } else { menu.at.y.saturating_sub(height) };
    let x = menu.at.x.min(screen.right().saturating_sub(width));
    Rect { x, y: y.min(screen.bottom().saturating_sub(height)), width, height }
}
