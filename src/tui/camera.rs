//! Which part of a map is in view, and which tile a cell shows.

use ratatui::layout::Rect;

use crate::geom::TilePos;

use super::input::Cell;

/// How large tiles are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Zoom {
    /// A tile is one column wide and one row high.
    Narrow,
    /// A tile is two columns wide and one row high: about a square.
    Square,
}

impl Zoom {
    /// Columns a tile takes.
    pub fn columns(self) -> u16 {
        match self {
            Self::Narrow => 1,
            Self::Square => 2,
        }
    }
}

/// What the view is aimed at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Camera {
    /// The tile in the middle of the view, as far as the map's edges let it.
    pub centre: TilePos,
    /// How large tiles are drawn.
    pub zoom: Zoom,
    /// Does it keep the selected agent in view?
    pub follow: bool,
}

/// The part of a map that is drawn, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View {
    /// The cells it is drawn on: those of the map alone, when the map is smaller than its pane.
    pub area: Rect,
    /// The tile in the upper left corner.
    pub origin: TilePos,
    /// How large tiles are drawn.
    pub zoom: Zoom,
}

impl Camera {
    /// Sees a map of that many tiles as large as fits into `area`, from the middle of it.
    pub fn fitting(size: (u32, u32), area: Rect) -> Self {
        let fits = size.0 * 2 <= u32::from(area.width) && size.1 <= u32::from(area.height);
        let narrow = size.0 <= u32::from(area.width) && size.1 <= u32::from(area.height);
        let zoom = if narrow && !fits { Zoom::Narrow } else { Zoom::Square };
        let centre = middle(size);
        Self { centre, zoom, follow: false }
    }

    /// What is seen of a map of that many tiles in `area`.
    pub fn view(&self, size: (u32, u32), area: Rect) -> View {
        let columns = self.zoom.columns();
        let (x, width) = span(self.centre.x, size.0, area.width / columns);
        let (y, height) = span(self.centre.y, size.1, area.height);
        let (width, height) = (width * columns, height);
        let area = Rect {
            x: area.x + (area.width - width) / 2,
            y: area.y + (area.height - height) / 2,
            width,
            height,
        };
        View { area, origin: TilePos::new(x, y), zoom: self.zoom }
    }

    /// Moves the view by so many tiles; at the edges of the map it stops.
    pub fn pan(&mut self, by: TilePos, size: (u32, u32), area: Rect) {
        let view = self.view(size, area);
        self.centre = view.centre() + by;
        self.centre = self.view(size, area).centre();
    }

    /// Moves the view just so far that `tile` is in the middle half of it.
    pub fn keep(&mut self, tile: TilePos, size: (u32, u32), area: Rect) {
        let view = self.view(size, area);
        let centre = view.centre();
        let nudge = |at: i32, middle: i32, extent: i32| {
            let slack = extent / 4;
            (at - middle - slack).max(0) + (at - middle + slack).min(0)
        };
        let by = TilePos::new(
            nudge(tile.x, centre.x, view.columns()),
            nudge(tile.y, centre.y, view.rows()),
        );
        if by != TilePos::default() {
            self.pan(by, size, area);
        }
    }
}

fn middle(size: (u32, u32)) -> TilePos {
    TilePos::new((size.0 / 2).cast_signed(), (size.1 / 2).cast_signed())
}

/// The first tile and the number of tiles in view along one axis.
fn span(centre: i32, tiles: u32, room: u16) -> (i32, u16) {
    let count = tiles.min(u32::from(room));
    let last = (tiles - count).cast_signed();
    ((centre - (count / 2).cast_signed()).clamp(0, last), count as u16)
}

impl View {
    /// Tiles in view along x.
    pub fn columns(&self) -> i32 {
        i32::from(self.area.width / self.zoom.columns())
    }

    /// Tiles in view along y.
    pub fn rows(&self) -> i32 {
        i32::from(self.area.height)
    }

    /// Is all of a map of that many tiles in view?
    pub fn is_whole(&self, size: (u32, u32)) -> bool {
        (self.columns().cast_unsigned(), self.rows().cast_unsigned()) == size
    }

    fn centre(&self) -> TilePos {
        self.origin + TilePos::new(self.columns() / 2, self.rows() / 2)
    }

    /// The tile a cell shows, if it shows one.
    pub fn tile(&self, cell: Cell) -> Option<TilePos> {
        let inside = self.area.contains(ratatui::layout::Position::new(cell.x, cell.y));
        inside.then(|| {
            let x = (cell.x - self.area.x) / self.zoom.columns();
            self.origin + TilePos::new(i32::from(x), i32::from(cell.y - self.area.y))
        })
    }

    /// The first cell of a tile, if it is in view.
    pub fn cell(&self, tile: TilePos) -> Option<Cell> {
        let (x, y) = (i64::from(tile.x), i64::from(tile.y));
        let (x, y) = (x - i64::from(self.origin.x), y - i64::from(self.origin.y));
        let seen =
            (0..i64::from(self.columns())).contains(&x) && (0..i64::from(self.rows())).contains(&y);
        seen.then(|| Cell {
            x: self.area.x + x as u16 * self.zoom.columns(),
            y: self.area.y + y as u16,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PANE: Rect = Rect { x: 1, y: 1, width: 40, height: 10 };

    #[test]
    fn a_small_map_stands_in_the_middle() {
        let camera = Camera::fitting((10, 4), PANE);
        let view = camera.view((10, 4), PANE);
        assert_eq!(view.area, Rect::new(11, 4, 20, 4));
        assert_eq!(view.tile(Cell { x: 10, y: 4 }), None);
        assert_eq!(view.tile(Cell { x: 14, y: 5 }), Some(TilePos::new(1, 1)));
        assert_eq!(view.cell(TilePos::new(1, 1)), Some(Cell { x: 13, y: 5 }));
        assert_eq!(view.cell(TilePos::new(10, 1)), None);
    }

    #[test]
    fn a_large_map_is_seen_in_part_and_the_view_stops_at_its_edges() {
        let mut camera = Camera::fitting((100, 30), PANE);
        assert_eq!(camera.zoom, Zoom::Square);
        camera.pan(TilePos::new(-1000, 0), (100, 30), PANE);
        assert_eq!(camera.view((100, 30), PANE).origin, TilePos::new(0, 10));
        camera.pan(TilePos::new(3, 0), (100, 30), PANE);
        assert_eq!(camera.view((100, 30), PANE).origin, TilePos::new(3, 10), "no debt at the edge");
    }

    #[test]
    fn an_agent_is_kept_in_the_middle_half() {
        let mut camera = Camera::fitting((100, 30), PANE);
        let before = camera.centre;
        camera.keep(before + TilePos::new(4, 1), (100, 30), PANE);
        assert_eq!(camera.centre, before, "within the dead zone");
        camera.keep(before + TilePos::new(7, 1), (100, 30), PANE);
        assert_eq!(camera.centre, before + TilePos::new(2, 0));
    }

    #[test]
    fn nothing_fits_into_an_empty_area() {
        let camera = Camera::fitting((100, 30), Rect::ZERO);
        assert_eq!(camera.view((100, 30), Rect::ZERO).area, Rect::ZERO);
        assert_eq!(camera.view((100, 30), Rect::ZERO).tile(Cell { x: 0, y: 0 }), None);
    }
}
