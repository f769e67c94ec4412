//! Draws the tiles of a map, cell by cell.

mod dots;
mod halves;

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;

use crate::debugger::mip_levels::MipLevels;
use crate::geom::{TilePos, Vec2};
use crate::map::{Map, Obstacle, TILE_RADIUS};
use crate::tile::TileKind;
use crate::tui;
use crate::tui::camera::{Stretch, View, Zoom};
use crate::tui::glyph;
use crate::tui::theme::Theme;

/// The cells of one tile of a kind, row by row. Each cell has its symbol and style.
struct Look {
    cells: Vec<Cell>,
}

impl Look {
    fn of(kind: &TileKind, view: &View, theme: &Theme) -> Self {
        let sign = sign(kind);
        let (columns, rows) = view.zoom.cells();
        let mut signs = vec![" "; (columns * rows) as usize];
        match kind.obstacle {
            // Floor and round obstacles have one sign. Other tiles are filled.
            None if sign == glyph::FLOOR => signs[0] = sign,
            None => signs.fill(sign),
            Some(_) if !view.zoom.shows_exact_positions() => signs[0] = sign,
            Some(radius) => {
                for (index, cell) in signs.iter_mut().enumerate() {
                    let (x, y) = (index as i32 % columns, index as i32 / columns);
                    let at = Vec2::new(x as f32 + 0.5, y as f32 + 0.5) / view.zoom.scale();
                    if (at - Vec2::splat(0.5)).length() <= radius {
                        *cell = sign;
                    }
                }
                // Even small obstacles are visible.
                signs[(rows / 2 * columns + columns / 2) as usize] = sign;
            }
        }
        let style = theme.tile(kind);
        let finished = |sign: &str| {
            let mut cell = Cell::EMPTY;
            cell.set_symbol(sign).set_style(style);
            cell
        };
        Self { cells: signs.into_iter().map(finished).collect() }
    }
}

/// Returns the symbol of a kind of tile. Floor (`.`) becomes a small dot.
fn sign(kind: &TileKind) -> &str {
    let sign = glyph::safe(&kind.drawn);
    if sign == "." { glyph::FLOOR } else { sign }
}

/// Draws the visible tiles and round obstacles of a map. `levels` are the map's mip levels. Zoom
/// levels at which a cell shows many tiles need them.
pub fn draw(map: &Map, levels: &MipLevels, view: &View, theme: &Theme, buffer: &mut Buffer) {
    if view.area.is_empty() {
        return;
    }
    match view.zoom {
        Zoom::Dots(exponent) => dots::draw(map, (levels, exponent), view, theme, buffer),
        Zoom::Halves => halves::draw(map, view, theme, buffer),
        Zoom::Narrow | Zoom::Square | Zoom::Large | Zoom::Huge => near(map, view, theme, buffer),
    }
    obstacles(map, view, theme, buffer);
}

fn near(map: &Map, view: &View, theme: &Theme, buffer: &mut Buffer) {
    let looks: Vec<_> = map.legend().iter().map(|kind| Look::of(kind, view, theme)).collect();
    let width = map.width() as usize;
    let columns: Vec<Stretch> = (0..view.area.width).map(|x| view.column(x)).collect();
    for y in 0..view.area.height {
        let row = view.row(y);
        let tiles = &map.tiles().cells()[row.first as usize * width..][..width];
        let parts = (row.part * view.zoom.cells().0) as usize;
        for (cell, column) in row_of(view.area, y, buffer).iter_mut().zip(&columns) {
            let look = &looks[usize::from(tiles[column.first as usize])];
            cell.clone_from(&look.cells[parts + column.part as usize]);
        }
    }
}

/// Returns the cells of row `y` of an area. Row 0 is the area's first row.
fn row_of(area: Rect, y: u16, buffer: &mut Buffer) -> &mut [Cell] {
    let first = buffer.index_of(area.x, area.y + y);
    &mut buffer.content[first..first + usize::from(area.width)]
}

/// Draws round obstacles. Obstacles that fit into a tile are omitted if a cell is more than two
/// tiles wide.
fn obstacles(map: &Map, view: &View, theme: &Theme, buffer: &mut Buffer) {
    large_obstacles(map, view, theme, buffer);
    let (across, _) = view.zoom.tiles();
    if across > 2 {
        return;
    }
    let is_small = |obstacle: &&Obstacle| obstacle.radius <= TILE_RADIUS;
    for obstacle in map.obstacles().standing().iter().filter(is_small) {
        let tile = TilePos::containing(obstacle.centre);
        if let Some(cell) = view.body(tile, obstacle.centre) {
            buffer[(cell.x, cell.y)].set_symbol(glyph::OBSTACLE).set_style(theme.obstacle);
        }
        if view.zoom.shows_exact_positions() {
            disc(obstacle.centre, obstacle.radius, map, view, theme, buffer);
        }
    }
}

/// Draws the obstacles that are wider than a tile: the cell at the centre, and all cells whose
/// centre is inside.
fn large_obstacles(map: &Map, view: &View, theme: &Theme, buffer: &mut Buffer) {
    if map.obstacles().large().is_empty() {
        return;
    }
    let mut draw = |cell: tui::input::Cell| {
        buffer[(cell.x, cell.y)].set_symbol(glyph::OBSTACLE).set_style(theme.obstacle);
    };
    let centres = map.obstacles().large().iter().map(|obstacle| obstacle.centre);
    centres.filter_map(|centre| view.place(centre)).for_each(&mut draw);
    for position in view.area.positions() {
        let cell = tui::input::Cell { x: position.x, y: position.y };
        let mut is_covered = false;
        map.visit_obstacles_near(view.point(cell), 0.0, |obstacle| {
            is_covered |= obstacle.radius > TILE_RADIUS;
        });
        if is_covered {
            draw(cell);
        }
    }
}

/// Draws all cells whose centre is inside a circle in tiles.
fn disc(centre: Vec2, radius: f32, map: &Map, view: &View, theme: &Theme, buffer: &mut Buffer) {
    let reach = (view.zoom.scale() * radius).ceil();
    for y in -reach.y as i32..=reach.y as i32 {
        for x in -reach.x as i32..=reach.x as i32 {
            let at = centre + Vec2::new(x as f32, y as f32) / view.zoom.scale();
            let Some(cell) = view.place(map.wrap(at)) else { continue };
            if map.offset(centre, view.point(cell)).length() <= radius {
                buffer[(cell.x, cell.y)].set_symbol(glyph::OBSTACLE).set_style(theme.obstacle);
            }
        }
    }
}
