//! The visible part of a map: which tiles a cell shows, and which cells show a tile.
//!
//! At a given zoom level the whole map is a sheet of cells, and a [`View`] is a window on that
//! sheet. On a map that wraps, the sheet repeats, so a window may cross the edge.
//!
//! Drawing and the mouse both use this module for all conversions between tiles and cells, and
//! `tests/it/properties/laws_view.rs` checks that the two directions agree. The minimap is a second view.
//! Where several tiles share a cell, the ground is drawn from [`crate::tui::pyramid`].

use ratatui::layout::{Position, Rect};

use crate::geom::{TilePos, Vec2};
use crate::map::{Edges, Map};
use crate::tui::input::Cell;

use super::Zoom;

/// How many tiles there are to see, and whether they go round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// Columns of tiles.
    pub width: i32,
    /// Rows of tiles.
    pub height: i32,
    /// Is it a torus?
    pub wraps: bool,
}

impl Extent {
    /// That of a map.
    pub fn of(map: &Map) -> Self {
        let (width, height) = (map.width().cast_signed(), map.height().cast_signed());
        Self { width, height, wraps: map.edges() == Edges::Wrap }
    }

    /// Columns and rows of cells that the whole map takes.
    pub fn sheet(self, zoom: Zoom) -> (i32, i32) {
        let ((columns, rows), (across, down)) = (zoom.cells(), zoom.tiles());
        let ceil = |tiles: i32, share: i32| (tiles + share - 1) / share;
        (ceil(self.width, across) * columns, ceil(self.height, down) * rows)
    }
}

/// A stretch of tiles that a column or a row of cells shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stretch {
    /// The first tile.
    pub first: i32,
    /// The last one, where several share a cell.
    pub last: i32,
    /// Which of the first tile's cells it is, counted from 0.
    pub part: i32,
}

/// The part of a map that is drawn, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View {
    /// The cells it is drawn on: those of the map alone, when the map is smaller than its pane.
    pub area: Rect,
    /// How large tiles are drawn.
    pub zoom: Zoom,
    /// Cells of the sheet left of the area and above it.
    pub offset: (i32, i32),
    /// The map.
    pub extent: Extent,
}

impl View {
    /// The whole of a map, in as many cells of an area as it takes.
    pub fn whole(extent: Extent, zoom: Zoom, area: Rect) -> Self {
        let (width, height) = extent.sheet(zoom);
        let (width, height) =
            (width.min(i32::from(area.width)) as u16, height.min(i32::from(area.height)) as u16);
        Self { area: Rect { width, height, ..area }, zoom, offset: (0, 0), extent }
    }

    /// Is all of the map in view?
    pub fn is_whole(&self) -> bool {
        (i32::from(self.area.width), i32::from(self.area.height)) == self.extent.sheet(self.zoom)
    }

    /// The tiles that a column of the area shows, counted from its left.
    pub fn column(&self, x: u16) -> Stretch {
        let (sheet, _) = self.extent.sheet(self.zoom);
        let (parts, shared) = (self.zoom.cells().0, self.zoom.tiles().0);
        stretch(self.offset.0 + i32::from(x), sheet, parts, shared, self.extent.width)
    }

    /// The tiles that a row of the area shows, counted from its top.
    pub fn row(&self, y: u16) -> Stretch {
        let (_, sheet) = self.extent.sheet(self.zoom);
        let (parts, shared) = (self.zoom.cells().1, self.zoom.tiles().1);
        stretch(self.offset.1 + i32::from(y), sheet, parts, shared, self.extent.height)
    }

    /// The tile a cell shows, if it shows one; of several the one in the middle.
    pub fn tile(&self, cell: Cell) -> Option<TilePos> {
        self.area.contains(Position::new(cell.x, cell.y)).then(|| {
            let (x, y) = (self.column(cell.x - self.area.x), self.row(cell.y - self.area.y));
            TilePos::new(i32::midpoint(x.first, x.last), i32::midpoint(y.first, y.last))
        })
    }

    /// The first cell of a tile, if that is in view; where several tiles share a cell, theirs.
    pub fn cell(&self, tile: TilePos) -> Option<Cell> {
        let ((columns, rows), (across, down)) = (self.zoom.cells(), self.zoom.tiles());
        let on_map =
            (0..self.extent.width).contains(&tile.x) && (0..self.extent.height).contains(&tile.y);
        on_map.then(|| self.on_sheet(tile.x / across * columns, tile.y / down * rows)).flatten()
    }

    /// All cells of a tile that are in view; on a torus that is hardly larger than the view those on
    /// one side only.
    pub fn cells(&self, tile: TilePos) -> Option<Rect> {
        if self.zoom.is_far() {
            return self.cell(tile).map(|cell| Rect::new(cell.x, cell.y, 1, 1));
        }
        let (columns, rows) = self.zoom.cells();
        let (sheet_x, sheet_y) = self.extent.sheet(self.zoom);
        let along = |tile: i32, part: i32, offset: i32, sheet: i32, room: u16| {
            let mut begin = tile.saturating_mul(part).saturating_sub(offset);
            if self.extent.wraps {
                begin = begin.rem_euclid(sheet);
                if begin >= i32::from(room) {
                    begin -= sheet;
                }
            }
            let (begin, end) = (begin.max(0), begin.saturating_add(part).min(room.into()));
            (begin < end).then(|| (begin as u16, (end - begin) as u16))
        };
        let (x, width) = along(tile.x, columns, self.offset.0, sheet_x, self.area.width)?;
        let (y, height) = along(tile.y, rows, self.offset.1, sheet_y, self.area.height)?;
        Some(Rect::new(self.area.x + x, self.area.y + y, width, height))
    }

    /// The cell that shows a point, if it is in view.
    pub fn place(&self, at: Vec2) -> Option<Cell> {
        let at = at * self.zoom.scale();
        self.on_sheet(at.x.floor() as i32, at.y.floor() as i32)
    }

    /// The cell an agent is drawn on: where it is, or the first one of its tile.
    pub fn body(&self, tile: TilePos, position: Vec2) -> Option<Cell> {
        if self.zoom.is_finer_than_tiles() { self.place(position) } else { self.cell(tile) }
    }

    /// The point in the middle of a cell, in tiles.
    pub fn point(&self, cell: Cell) -> Vec2 {
        let x = self.offset.0 + i32::from(cell.x) - i32::from(self.area.x);
        let y = self.offset.1 + i32::from(cell.y) - i32::from(self.area.y);
        Vec2::new(x as f32 + 0.5, y as f32 + 0.5) / self.zoom.scale()
    }

    /// The tiles in view, where none share a cell.
    pub fn tiles(&self) -> impl Iterator<Item = TilePos> {
        let begins = |stretch: &Stretch, place: u16| stretch.part == 0 || place == 0;
        let rows = (0..self.area.height).map(|y| (self.row(y), y));
        let rows = rows.filter(move |(row, y)| begins(row, *y)).map(|(row, _)| row.first);
        rows.flat_map(move |y| {
            let columns = (0..self.area.width).map(|x| (self.column(x), x));
            let columns = columns.filter(move |(column, x)| begins(column, *x));
            columns.map(move |(column, _)| TilePos::new(column.first, y))
        })
    }

    /// The tiles in the upper left and the lower right corner, if anything is in view.
    pub fn corners(&self) -> Option<(TilePos, TilePos)> {
        let (x, y) = (self.area.width.checked_sub(1)?, self.area.height.checked_sub(1)?);
        let first = TilePos::new(self.column(0).first, self.row(0).first);
        Some((first, TilePos::new(self.column(x).last, self.row(y).last)))
    }

    /// The middle of what is in view, in tiles.
    pub fn middle(&self) -> Vec2 {
        let x = self.offset.0 as f32 + f32::from(self.area.width) / 2.0;
        let y = self.offset.1 as f32 + f32::from(self.area.height) / 2.0;
        Vec2::new(x, y) / self.zoom.scale()
    }

    /// A cell of the sheet, if it is in view.
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

/// What a line of cells of a sheet shows.
fn stretch(at: i32, sheet: i32, parts: i32, shared: i32, tiles: i32) -> Stretch {
    let at = if at < sheet { at } else { at - sheet };
    let first = at / parts * shared;
    Stretch { first, last: (first + shared - 1).min(tiles - 1), part: at % parts }
}
