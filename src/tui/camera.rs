//! The camera: panning, zooming, and following the selected agent.

mod view;
mod zoom;

use ratatui::layout::Rect;

use crate::debugger::Session;
use crate::geom::Vec2;

use super::input::Cell;

pub use view::{Extent, Stretch, View};
pub use zoom::Zoom;

/// The position and the zoom level of the view.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// The centre of the view, in tiles. The visible part is limited to the map, even if this point
    /// is near an edge.
    pub centre: Vec2,
    pub zoom: Zoom,
    /// Whether the camera keeps the selected agent in view.
    pub follow: bool,
    pub framing: Framing,
}

/// Who chose the view, and how it adapts to a changed size of the map pane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Framing {
    /// As [`Camera::opening`].
    Opening,
    /// As [`Camera::fitting`].
    Whole,
    /// The user moved or zoomed the view. It does not adapt.
    #[default]
    Chosen,
}

impl Camera {
    /// Creates the first view of a map, centred on the map. Uses the first of the levels large,
    /// square and narrow at which the whole map fits into `area`. If none fits, uses the square
    /// level.
    pub fn opening(extent: Extent, area: Rect) -> Self {
        let zoom = Zoom::USUAL.into_iter().find(|&zoom| fits(extent, zoom, area));
        Self::over(extent, zoom.unwrap_or(Zoom::Square), Framing::Opening)
    }

    /// Creates a view of the whole map at the nearest zoom level that fits into `area`. If no level
    /// fits, uses the farthest one.
    pub fn fitting(extent: Extent, area: Rect) -> Self {
        let zoom = Zoom::all().find(|&zoom| fits(extent, zoom, area));
        Self::over(extent, zoom.unwrap_or(Zoom::Dots(Zoom::FARTHEST)), Framing::Whole)
    }

    /// Adapts the view to a changed `area`, unless the user has chosen the view.
    pub fn refit(&mut self, extent: Extent, area: Rect) {
        *self = match self.framing {
            Framing::Opening => Self { follow: self.follow, ..Self::opening(extent, area) },
            Framing::Whole => Self { follow: self.follow, ..Self::fitting(extent, area) },
            Framing::Chosen => return,
        };
    }

    fn over(extent: Extent, zoom: Zoom, framing: Framing) -> Self {
        let centre = Vec2::new((extent.width / 2) as f32, (extent.height / 2) as f32);
        Self { centre, zoom, follow: false, framing }
    }

    /// Returns the part of a map that is visible in `area`.
    pub fn view(&self, extent: Extent, area: Rect) -> View {
        let (sheet, centre) = (extent.sheet(self.zoom), self.centre * self.zoom.scale());
        // Tiles two columns wide are never cut in half: their first column shows the glyph.
        let step = if self.zoom == Zoom::Square { 2 } else { 1 };
        let (x, width) = span(centre.x, sheet.0, area.width, step, extent.wraps);
        let (y, height) = span(centre.y, sheet.1, area.height, 1, extent.wraps);
        let area = Rect {
            x: area.x + (area.width - width) / 2,
            y: area.y + (area.height - height) / 2,
            width,
            height,
        };
        View { area, zoom: self.zoom, offset: (x, y), extent }
    }

    /// Moves the view by a number of cells. A map that does not wrap limits the view to its edges.
    pub fn pan(&mut self, (x, y): (i32, i32), extent: Extent, area: Rect) {
        self.framing = Framing::Chosen;
        self.shift((x, y), extent, area);
    }

    fn shift(&mut self, (x, y): (i32, i32), extent: Extent, area: Rect) {
        let view = self.view(extent, area);
        let by = Vec2::new(x as f32, y as f32) / self.zoom.scale();
        self.centre = view.middle() + by;
        self.centre = self.view(extent, area).middle();
    }

    /// Centres the view on a point given in tiles. A map that does not wrap limits the view to its
    /// edges.
    pub fn aim(&mut self, at: Vec2, extent: Extent, area: Rect) {
        self.framing = Framing::Chosen;
        self.centre = at;
        self.centre = self.view(extent, area).middle();
    }

    /// Moves the view as little as possible so that a point is in the middle half of the view. The
    /// point is given in tiles.
    pub fn keep(&mut self, at: Vec2, extent: Extent, area: Rect) {
        let view = self.view(extent, area);
        let sheet = extent.sheet(self.zoom);
        let at = at * self.zoom.scale();
        let nudge = |at: f32, offset: i32, room: u16, sheet: i32| {
            let (room, slack) = (i32::from(room), i32::from(room) / 4);
            let mut from_middle = (at.floor() as i32).saturating_sub(offset + room / 2);
            if extent.wraps {
                let half = sheet / 2;
                from_middle = from_middle.saturating_add(half).rem_euclid(sheet) - half;
            }
            from_middle.saturating_sub(slack).max(0) + from_middle.saturating_add(slack).min(0)
        };
        let by = (
            nudge(at.x, view.offset.0, view.area.width, sheet.0),
            nudge(at.y, view.offset.1, view.area.height, sheet.1),
        );
        if by != (0, 0) {
            self.shift(by, extent, area);
        }
    }

    /// Changes the zoom level. The point under `fixed` keeps its screen position if the edges of
    /// the map allow it. If `fixed` is `None`, the centre of the view keeps its position.
    pub fn zoom_to(&mut self, zoom: Zoom, fixed: Option<Cell>, extent: Extent, area: Rect) {
        let view = self.view(extent, area);
        let middle = Vec2::new(
            f32::from(area.x) + f32::from(area.width) / 2.0,
            f32::from(area.y) + f32::from(area.height) / 2.0,
        );
        let (point, from_middle) = match fixed {
            Some(cell) => {
                let at = Vec2::new(f32::from(cell.x) + 0.5, f32::from(cell.y) + 0.5);
                (view.point(cell), at - middle)
            }
            None => (view.middle(), Vec2::ZERO),
        };
        self.zoom = zoom;
        self.aim(point - from_middle / zoom.scale(), extent, area);
    }

    /// Returns the next nearer zoom level if `nearer` is true, otherwise the next farther one.
    /// Zooming out ends at the first Braille level that shows the whole map in `area`.
    pub fn next_zoom(&self, nearer: bool, extent: Extent, area: Rect) -> Zoom {
        let all_dots = matches!(self.zoom, Zoom::Dots(_)) && fits(extent, self.zoom, area);
        match nearer {
            true => self.zoom.nearer(),
            false if all_dots => self.zoom,
            false => self.zoom.farther(),
        }
    }
}

fn fits(extent: Extent, zoom: Zoom, area: Rect) -> bool {
    let (width, height) = extent.sheet(zoom);
    width <= i32::from(area.width) && height <= i32::from(area.height)
}

/// Returns the first visible cell along one axis, and the number of visible cells. Cells are
/// counted from the edge of the map.
fn span(centre: f32, sheet: i32, room: u16, step: i32, wraps: bool) -> (i32, u16) {
    let count = sheet.min(i32::from(room) / step * step);
    if count == sheet {
        return (0, count as u16);
    }
    let first = (centre - count as f32 / 2.0).round() as i32;
    let first = if wraps { first.rem_euclid(sheet) } else { first.clamp(0, sheet - count) };
    (first / step * step, count as u16)
}

impl Session {
    /// Returns the size of the session's map in tiles, and whether the map wraps.
    pub fn extent(&self) -> Extent {
        Extent::of(self.scenario().map())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::TilePos;

    const PANE: Rect = Rect { x: 1, y: 1, width: 40, height: 10 };
    const SMALL: Extent = Extent { width: 10, height: 4, wraps: false };
    const LARGE: Extent = Extent { width: 100, height: 30, wraps: false };
    const TORUS: Extent = Extent { wraps: true, ..LARGE };

    #[test]
    fn a_small_map_is_centred() {
        let camera = Camera { zoom: Zoom::Square, ..Camera::opening(SMALL, PANE) };
        let view = camera.view(SMALL, PANE);
        assert_eq!(view.area, Rect::new(11, 4, 20, 4));
        assert_eq!(view.tile(Cell { x: 10, y: 4 }), None);
        assert_eq!(view.tile(Cell { x: 14, y: 5 }), Some(TilePos::new(1, 1)));
        assert_eq!(view.cell(TilePos::new(1, 1)), Some(Cell { x: 13, y: 5 }));
        assert_eq!(view.cell(TilePos::new(10, 1)), None);
    }

    #[test]
    fn fit_selects_the_largest_zoom_that_shows_the_whole_map() {
        assert_eq!(Camera::fitting(SMALL, PANE).zoom, Zoom::Large);
        assert_eq!(Camera::fitting(LARGE, PANE).zoom, Zoom::Dots(1));
        let camera = Camera::fitting(LARGE, PANE);
        assert!(camera.view(LARGE, PANE).is_whole());
        let largest = Extent { width: 4096, height: 4096, wraps: false };
        let one_row = Rect { height: 1, ..PANE };
        assert!(Camera::fitting(largest, one_row).view(largest, one_row).is_whole());
    }

    #[test]
    fn a_map_opens_at_the_largest_zoom_that_fits_or_as_squares() {
        let opened =
            |width, height| Camera::opening(Extent { width, height, wraps: false }, PANE).zoom;
        assert_eq!(opened(10, 5), Zoom::Large);
        assert_eq!(opened(4, 2), Zoom::Large, "never larger");
        assert_eq!(opened(20, 10), Zoom::Square);
        assert_eq!(opened(40, 10), Zoom::Narrow);
        assert_eq!(opened(41, 10), Zoom::Square, "seen in part");
    }

    #[test]
    fn panning_stops_at_the_edges_of_a_large_map() {
        let mut camera = Camera::opening(LARGE, PANE);
        assert_eq!(camera.zoom, Zoom::Square);
        let first = |camera: &Camera| camera.view(LARGE, PANE).corners().map(|(first, _)| first);
        camera.pan((-2000, 0), LARGE, PANE);
        assert_eq!(first(&camera), Some(TilePos::new(0, 10)));
        camera.pan((6, 0), LARGE, PANE);
        assert_eq!(first(&camera), Some(TilePos::new(3, 10)), "no debt at the edge");
    }

    #[test]
    fn panning_wraps_around_a_torus() {
        let mut camera = Camera::opening(TORUS, PANE);
        camera.pan((-82, 0), TORUS, PANE);
        let view = camera.view(TORUS, PANE);
        let (first, last) = view.corners().expect("tiles");
        assert_eq!((first, last), (TilePos::new(99, 10), TilePos::new(18, 19)));
        assert_eq!(view.cell(first), Some(Cell { x: 1, y: 1 }));
        assert_eq!(view.cell(TilePos::new(0, 10)), Some(Cell { x: 3, y: 1 }));
    }

    #[test]
    fn a_followed_agent_stays_in_the_middle_half() {
        let mut camera = Camera::opening(LARGE, PANE);
        let before = camera.centre;
        camera.keep(before + Vec2::new(4.5, 1.5), LARGE, PANE);
        assert_eq!(camera.centre, before, "within the dead zone");
        camera.keep(before + Vec2::new(7.0, 1.5), LARGE, PANE);
        assert_eq!(camera.centre, before + Vec2::new(2.0, 0.0));
        for odd in [f32::NAN, f32::INFINITY, -1e30] {
            camera.keep(Vec2::new(odd, odd), LARGE, PANE);
            camera.keep(Vec2::new(odd, odd), TORUS, PANE);
        }
    }

    #[test]
    fn zooming_keeps_the_tile_under_the_pointer() {
        let mut camera = Camera::opening(LARGE, PANE);
        let cell = Cell { x: 30, y: 3 };
        for zoom in [Zoom::Large, Zoom::Huge, Zoom::Square] {
            let before = camera.view(LARGE, PANE).tile(cell);
            camera.zoom_to(zoom, Some(cell), LARGE, PANE);
            assert_eq!(camera.view(LARGE, PANE).tile(cell), before, "{zoom:?}");
        }
    }

    #[test]
    fn an_empty_area_shows_no_tiles() {
        let camera = Camera::fitting(LARGE, Rect::ZERO);
        assert_eq!(camera.view(LARGE, Rect::ZERO).area, Rect::ZERO);
        assert_eq!(camera.view(LARGE, Rect::ZERO).tile(Cell { x: 0, y: 0 }), None);
        assert_eq!(camera.view(LARGE, Rect::ZERO).corners(), None);
    }
}
