//! Tiles, cell by cell, straight into the buffer.

use ratatui::buffer::Buffer;
use ratatui::style::Style;

use crate::map::Map;
use crate::tile::TileKind;
use crate::tui::camera::{View, Zoom};
use crate::tui::glyph;
use crate::tui::theme::Theme;

/// How a kind of tile is drawn: its first cell, the others, and their style.
struct Look<'a> {
    first: &'a str,
    rest: &'a str,
    style: Style,
}

impl<'a> Look<'a> {
    fn of(kind: &'a TileKind, theme: &Theme) -> Self {
        let sign = glyph::safe(&kind.drawn);
        let first = if sign == "." { glyph::FLOOR } else { sign };
        // Floor and round things stand in their tile; everything else fills it.
        let fills = first != glyph::FLOOR && kind.obstacle.is_none();
        Self { first, rest: if fills { first } else { " " }, style: theme.tile(kind) }
    }
}

/// Draws the tiles of a map that are in view.
pub fn draw(map: &Map, view: &View, theme: &Theme, buffer: &mut Buffer) {
    let looks: Vec<_> = map.legend().iter().map(|kind| Look::of(kind, theme)).collect();
    let width = map.width() as usize;
    let square = view.zoom == Zoom::Square;
    for row in 0..view.rows() {
        let first = (view.origin.y + row) as usize * width + view.origin.x as usize;
        let tiles = &map.tiles().cells()[first..first + view.columns() as usize];
        let y = view.area.y + row as u16;
        let mut x = view.area.x;
        for &tile in tiles {
            let look = &looks[usize::from(tile)];
            buffer[(x, y)].set_symbol(look.first).set_style(look.style);
            x += 1;
            if square {
                buffer[(x, y)].set_symbol(look.rest).set_style(look.style);
                x += 1;
            }
        }
    }
    for obstacle in map.obstacles().standing() {
        let tile = crate::geom::TilePos::containing(obstacle.centre);
        if let Some(cell) = view.cell(tile) {
            buffer[(cell.x, cell.y)].set_symbol(glyph::OBSTACLE).set_style(theme.obstacle);
        }
    }
}
