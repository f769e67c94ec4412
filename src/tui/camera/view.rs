//! Conversion between tiles of the map and cells of the screen.
//!
//! At a given zoom level, the whole map is a sheet of cells. A [`View`] is a window on that sheet.
//! On a wrapping map, the sheet repeats, so the window can cross its edge.
//!
//! Drawing and the mouse use this module for all conversions. `tests/it/laws/view.rs`
//! checks that converting a tile to a cell and back returns the same tile. The minimap is a second
//! view. If several tiles share a cell, terrain is drawn from [`crate::debugger::mip_levels`].

use ratatui::layout::{Position, Rect};

use crate::geom::{TilePos, Vec2};
use crate::map::{Edges, Map};
use crate::tui::input::Cell;

use super::Zoom;

/// Size of a map, and whether it wraps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// Width in tiles.
    pub width: i32,
    /// Height in tiles.
    pub height: i32,
    /// Whether the map wraps at all edges (a torus).
    pub wraps: bool,
}

impl Extent {
    /// Returns the size of a map in tiles, and whether the map wraps.
    pub fn of(map: &Map) -> Self {
        let (width, height) = (map.width().cast_signed(), map.height().cast_signed());
        Self { width, height, wraps: map.edges() == Edges::Wrap }
    }

    /// Returns the size of the whole map in cells, rounded up.
    pub fn sheet(self, zoom: Zoom) -> (i32, i32) {
        let ((columns, rows), (across, down)) = (zoom.cells(), zoom.tiles());
        let ceil = |tiles: i32, share: i32| (tiles + share - 1) / share;
        (ceil(self.width, across) * columns, ceil(self.height, down) * rows)
    }
}

/// The range of tiles that one column or row of cells shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stretch {
    /// Coordinate of the first tile.
    pub first: i32,
    /// Coordinate of the last tile. Equal to `first` unless several tiles share a cell.
    pub last: i32,
    /// Index of the cell within its tile, from 0. Always 0 if a tile has one cell along this axis.
    pub part: i32,
}

/// The visible part of a map, and its position on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View {
    /// Screen cells that show the map. Smaller than the pane if the map does not fill the pane.
    pub area: Rect,
    pub zoom: Zoom,
    /// Number of sheet columns to the left of `area`, and number of sheet rows above it.
    pub offset: (i32, i32),
    pub extent: Extent,
}

impl View {
    /// Returns a view of the map that starts at its top left corner. `area` limits the size of the
    /// view.
    pub fn whole(extent: Extent, zoom: Zoom, area: Rect) -> Self {
        let (width, height) = extent.sheet(zoom);
        let (width, height) =
            (width.min(i32::from(area.width)) as u16, height.min(i32::from(area.height)) as u16);
        Self { area: Rect { width, height, ..area }, zoom, offset: (0, 0), extent }
    }

    /// Returns true if the whole map is visible.
    pub fn is_whole(&self) -> bool {
        (i32::from(self.area.width), i32::from(self.area.height)) == self.extent.sheet(self.zoom)
    }

    /// Returns the range of tiles that a column of cells shows. `x` is relative to the area.
    pub fn column(&self, x: u16) -> Stretch {
        let (sheet, _) = self.extent.sheet(self.zoom);
        let (parts, shared) = (self.zoom.cells().0, self.zoom.tiles().0);
        stretch(self.offset.0 + i32::from(x), sheet, parts, shared, self.extent.width)
    }

    /// Returns the range of tiles that a row of cells shows. `y` is relative to the area.
    pub fn row(&self, y: u16) -> Stretch {
        let (_, sheet) = self.extent.sheet(self.zoom);
        let (parts, shared) = (self.zoom.cells().1, self.zoom.tiles().1);
        stretch(self.offset.1 + i32::from(y), sheet, parts, shared, self.extent.height)
    }

    /// Returns the tile at a screen cell. If several tiles share the cell, returns the middle one.
    /// Returns `None` outside the area.
    pub fn tile(&self, cell: Cell) -> Option<TilePos> {
        self.area.contains(Position::new(cell.x, cell.y)).then(|| {
            let (x, y) = (self.column(cell.x - self.area.x), self.row(cell.y - self.area.y));
            TilePos::new(i32::midpoint(x.first, x.last), i32::midpoint(y.first, y.last))
        })
    }

    /// Returns the top left cell of a tile. Returns `None` if that cell is not visible. Several
    /// tiles can have the same cell.
    pub fn cell(&self, tile: TilePos) -> Option<Cell> {
        let ((columns, rows), (across, down)) = (self.zoom.cells(), self.zoom.tiles());
        let on_map =
            (0..self.extent.width).contains(&tile.x) && (0..self.extent.height).contains(&tile.y);
        on_map.then(|| self.on_sheet(tile.x / across * columns, tile.y / down * rows)).flatten()
    }

    /// Returns the visible cells of a tile. Returns `None` if no cell of the tile is visible.
    ///
    /// On a wrapping map, a tile can be visible at two opposite edges of the area. Returns only one
    /// of these parts.
    pub fn cells(&self, tile: TilePos) -> Option<Rect> {
        if self.zoom.is_far() {
            return self.cell(tile).map(|cell| Rect::new(cell.x, cell.y, 1, 1));
        }
        let (columns, rows) = self.zoom.cells();
        let (sheet_x, sheet_y) = self.extent.sheet(self.zoom);
        let span = |tile: i32, cells: i32, offset: i32, sheet: i32, length: u16| {
            let mut begin = tile.saturating_mul(cells).saturating_sub(offset);
            if self.extent.wraps {
                begin = begin.rem_euclid(sheet);
                if begin >= i32::from(length) {
                    begin -= sheet;
                }
            }
            let (begin, end) = (begin.max(0), begin.saturating_add(cells).min(length.into()));
            (begin < end).then(|| (begin as u16, (end - begin) as u16))
        };
        let (x, width) = span(tile.x, columns, self.offset.0, sheet_x, self.area.width)?;
        let (y, height) = span(tile.y, rows, self.offset.1, sheet_y, self.area.height)?;
        Some(Rect::new(self.area.x + x, self.area.y + y, width, height))
    }

    /// Returns the cell at a point given in tiles. Returns `None` if the cell is not visible.
    pub fn place(&self, at: Vec2) -> Option<Cell> {
        let at = at * self.zoom.scale();
        self.on_sheet(at.x.floor() as i32, at.y.floor() as i32)
    }

    /// Returns the cell at which an agent is drawn. This is the cell at its exact position if the
    /// zoom level shows positions, otherwise the top left cell of its tile. Returns `None` if the
    /// cell is not visible.
    pub fn body(&self, tile: TilePos, position: Vec2) -> Option<Cell> {
        if self.zoom.shows_exact_positions() { self.place(position) } else { self.cell(tile) }
    }

    /// Returns the centre of a cell, in tiles. On wrapping maps, the point can be outside the map.
    pub fn point(&self, cell: Cell) -> Vec2 {
        let x = self.offset.0 + i32::from(cell.x) - i32::from(self.area.x);
        let y = self.offset.1 + i32::from(cell.y) - i32::from(self.area.y);
        Vec2::new(x as f32 + 0.5, y as f32 + 0.5) / self.zoom.scale()
    }

    /// Returns the visible tiles, row by row. Must only be called at zoom levels where no tiles
    /// share a cell.
    pub fn tiles(&self) -> impl Iterator<Item = TilePos> {
        let is_start = |stretch: &Stretch, cell: u16| stretch.part == 0 || cell == 0;
        let rows = (0..self.area.height).map(|y| (self.row(y), y));
        let rows = rows.filter(move |(row, y)| is_start(row, *y)).map(|(row, _)| row.first);
        rows.flat_map(move |y| {
            let columns = (0..self.area.width).map(|x| (self.column(x), x));
            let columns = columns.filter(move |(column, x)| is_start(column, *x));
            columns.map(move |(column, _)| TilePos::new(column.first, y))
        })
    }

    /// Returns the tiles in the top left and bottom right corners of the view. Returns `None` if
    /// the area is empty.
    pub fn corners(&self) -> Option<(TilePos, TilePos)> {
        let (x, y) = (self.area.width.checked_sub(1)?, self.area.height.checked_sub(1)?);
        let first = TilePos::new(self.column(0).first, self.row(0).first);
        Some((first, TilePos::new(self.column(x).last, self.row(y).last)))
    }

    /// Returns the centre of the view, in tiles.
    pub fn middle(&self) -> Vec2 {
        let x = self.offset.0 as f32 + f32::from(self.area.width) / 2.0;
        let y = self.offset.1 as f32 + f32::from(self.area.height) / 2.0;
        Vec2::new(x, y) / self.zoom.scale()
    }

    /// Converts a cell of the sheet to a screen cell. Returns `None` if the cell is not visible.
    fn on_sheet(&self, x: i32, y: i32) -> Option<Cell> {
        let (mut x, mut y) = (x.saturating_sub(self.offset.0), y.saturating_sub(self.offset.1));
        if self.extent.wraps {
            let sheet = self.extent.sheet(self.zoom);
            (x, y) = (x.rem_euclid(sheet.0), y.rem_euclid(sheet.1));
        }
        let inside = (0..i32::from(self.area.width)).contains(&x)
            && (0..i32::from(self.area.height)).contains(&y);
        inside.then(|| Cell { x: self.area.x + x as u16, y: self.area.y + y as u16 })
    }
}

/// Returns the range of tiles in one column or row of the sheet.
///
/// `at` is the index of the column or row, and `sheet` is the length of the sheet in cells. `parts`
/// is the number of cells per tile, and `shared` is the number of tiles per cell. `tiles` is the
/// length of the map in tiles.
fn stretch(at: i32, sheet: i32, parts: i32, shared: i32, tiles: i32) -> Stretch {
    let at = if at < sheet { at } else { at - sheet };
    let first = at / parts * shared;
    Stretch { first, last: (first + shared - 1).min(tiles - 1), part: at % parts }
}
