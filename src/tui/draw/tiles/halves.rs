//! Draws two tiles per cell, one above the other, as half cells.

use ratatui::buffer::Buffer;
use ratatui::style::{Color, Style};

use crate::geom::TilePos;
use crate::map::Map;
use crate::tile::TileKind;
use crate::tui::camera::View;
use crate::tui::glyph;
use crate::tui::theme::Theme;

#[derive(Clone, Copy)]
struct Fill<'a> {
    /// Fill colour of the half cell. `None` if the theme has no colour for this kind of tile.
    color: Option<Color>,
    /// Whether this kind of tile blocks both sight and movement.
    wall: bool,
    sign: &'a str,
    style: Style,
}

impl<'a> Fill<'a> {
    fn of(kind: &'a TileKind, theme: &Theme) -> Option<Self> {
        let (sign, style) = (super::sign(kind), theme.tile(kind));
        if sign == glyph::FLOOR || sign == " " {
            return None;
        }
        let wall = kind.is_solid() && kind.opaque;
        // Walls have the colour of their sign. Other tiles, such as water, have their background
        // colour if there is one.
        let color = if wall { style.fg } else { style.bg.or(style.fg) };
        Some(Self { color: color.filter(|&color| color != Color::Reset), wall, sign, style })
    }
}

/// Draws the visible tiles of a map at the zoom level with two tiles per cell.
pub fn draw(map: &Map, view: &View, theme: &Theme, buffer: &mut Buffer) {
    let fills: Vec<_> = map.legend().iter().map(|kind| Fill::of(kind, theme)).collect();
    let fill = |x: i32, y: i32| {
        let kind = map.tiles().get(TilePos::new(x, y))?;
        fills[usize::from(*kind)]
    };
    for y in 0..view.area.height {
        let row = view.row(y);
        let cells = super::row_of(view.area, y, buffer);
        for (x, cell) in cells.iter_mut().enumerate() {
            let x = view.column(x as u16).first;
            let upper = fill(x, row.first);
            let lower = if row.last > row.first { fill(x, row.last) } else { None };
            let (sign, style) = half_cell(upper, lower);
            cell.set_symbol(sign).set_style(style);
        }
    }
}

/// Returns the symbol and style of a cell with two tiles. Without colours, walls are drawn as
/// halves, and other tiles as their glyphs.
fn half_cell<'a>(upper: Option<Fill<'a>>, lower: Option<Fill<'a>>) -> (&'a str, Style) {
    let none = Style::new();
    let (up, low) = (upper.and_then(|fill| fill.color), lower.and_then(|fill| fill.color));
    match (up, low) {
        (Some(up), Some(low)) if up == low => (glyph::FULL, none.fg(up)),
        (Some(up), Some(low)) => (glyph::UPPER, none.fg(up).bg(low)),
        (Some(up), None) => (glyph::UPPER, none.fg(up)),
        (None, Some(low)) => (glyph::LOWER, none.fg(low)),
        (None, None) => {
            let wall = |fill: Option<Fill<'a>>| fill.filter(|fill| fill.wall);
            match (wall(upper), wall(lower)) {
                (Some(fill), Some(_)) => (glyph::FULL, fill.style),
                (Some(fill), None) => (glyph::UPPER, fill.style),
                (None, Some(fill)) => (glyph::LOWER, fill.style),
                (None, None) => upper.or(lower).map_or((" ", none), |fill| (fill.sign, fill.style)),
            }
        }
    }
}
