//! Draws lines, arcs and circles as Braille dots. A cell has two columns of four dots.
//!
//! Strokes are collected first, and then merged into the buffer. If several strokes share a cell,
//! the last stroke gives the cell its style.

use ratatui::buffer::Buffer;
use ratatui::style::Style;

use crate::geom::vector::rotate_by;
use crate::geom::{TilePos, Vec2};
use crate::map::{Edges, Map};
pub use crate::steering::note::Dash;
use crate::tui::camera::View;
use crate::tui::glyph::braille::{self, DOTS};
use crate::tui::input::Cell;

/// Maximum number of dots that a stroke adds to the canvas.
const LONGEST: f32 = 4096.0;

/// Maximum number of dots along a stroke, including dots out of view. Larger numbers are not exact
/// in an `f32`.
const MOST_DOTS: f32 = 1e7;

/// Returns true if a stroke of the line style `dash` has a dot at index `dot`. The index counts
/// from the start of the stroke.
fn has_dot(dash: Dash, dot: u32) -> bool {
    match dash {
        Dash::Solid => true,
        Dash::Dashed => dot % 4 < 2,
        Dash::Dotted => dot.is_multiple_of(2),
    }
}

/// The strokes collected for the visible part of a map.
#[derive(Debug)]
pub struct Strokes<'a> {
    map: &'a Map,
    view: View,
    /// Size of the whole map, in dots along x and y.
    sheet: (i32, i32),
    /// For each cell of the view, the bits of its dots and an index into `styles`.
    cells: Vec<(u8, u32)>,
    /// Indices of the cells with at least one dot.
    touched: Vec<u32>,
    styles: Vec<Style>,
}

impl<'a> Strokes<'a> {
    pub fn new(map: &'a Map, view: View) -> Self {
        let cells = vec![(0, 0); view.area.area() as usize];
        let sheet = view.extent.sheet(view.zoom);
        let sheet = (sheet.0 * DOTS.0, sheet.1 * DOTS.1);
        Self { map, view, sheet, cells, touched: Vec::new(), styles: Vec::new() }
    }

    /// Adds a straight line between two points in tiles. On a torus, the line continues at the
    /// opposite edge.
    pub fn line(&mut self, from: Vec2, to: Vec2, dash: Dash, style: Style) {
        let style = self.number_of(style);
        let count = self.dots_along(to - from);
        let (first, last) = self.in_view(from, to);
        let dots = (first * count).floor() as u32..=(last * count).ceil() as u32;
        for dot in dots.take(LONGEST as usize) {
            if has_dot(dash, dot) {
                self.dot(from.lerp(to, dot as f32 / count), style);
            }
        }
    }

    /// Adds an arc around `centre`, in tiles. The arc starts at `centre + from` and turns clockwise
    /// by `radians`. A negative angle turns counterclockwise.
    pub fn arc(&mut self, centre: Vec2, from: Vec2, radians: f32, dash: Dash, style: Style) {
        let style = self.number_of(style);
        let length = from.length() * radians.abs();
        let count = (length * self.dots_a_tile().max_element()).ceil().clamp(4.0, LONGEST);
        for dot in 0..=count as u32 {
            if has_dot(dash, dot) {
                let turned = rotate_by(from, radians * dot as f32 / count);
                self.dot(centre + turned, style);
            }
        }
    }

    /// Adds a circle. Centre and radius are in tiles.
    pub fn circle(&mut self, centre: Vec2, radius: f32, dash: Dash, style: Style) {
        self.arc(centre, Vec2::new(radius, 0.0), core::f32::consts::TAU, dash, style);
    }

    /// Draws all collected strokes.
    ///
    /// A stroke replaces the glyph of a tile, unless `keeps` returns true for that tile. A kept
    /// glyph takes the colour of the stroke. If a cell shows several tiles, the dots of the stroke
    /// are added to the dots of the ground.
    pub fn merge(&self, keeps: impl Fn(TilePos) -> bool, buffer: &mut Buffer) {
        let area = self.view.area;
        let far = self.view.zoom.is_far();
        for &index in &self.touched {
            let width = u32::from(area.width);
            let (x, y) = (area.x + (index % width) as u16, area.y + (index / width) as u16);
            let (dots, style) = self.cells[index as usize];
            let cell = &mut buffer[(x, y)];
            cell.set_style(self.styles[style as usize]);
            let ground = if far { braille::dots(cell.symbol()) } else { None };
            let keeps = || far || self.view.tile(Cell { x, y }).is_some_and(&keeps);
            if ground.is_some() || cell.symbol() == " " || !keeps() {
                cell.set_char(braille::symbol(dots | ground.unwrap_or(0)));
            }
        }
    }

    fn number_of(&mut self, style: Style) -> u32 {
        let known = self.styles.iter().position(|&each| each == style);
        let number = known.unwrap_or_else(|| {
            self.styles.push(style);
            self.styles.len() - 1
        });
        number as u32
    }

    /// Returns the number of dots per tile along x and y.
    fn dots_a_tile(&self) -> Vec2 {
        self.view.zoom.scale() * Vec2::new(DOTS.0 as f32, DOTS.1 as f32)
    }

    fn dots_along(&self, span: Vec2) -> f32 {
        (span * self.dots_a_tile()).abs().max_element().ceil().clamp(1.0, MOST_DOTS)
    }

    /// Returns the part of a line that can be visible: its start and end as fractions of the line's
    /// length. On a torus, returns the whole line. Returns `(1.0, 0.0)` if the line is out of view.
    fn in_view(&self, from: Vec2, to: Vec2) -> (f32, f32) {
        if self.map.edges() == Edges::Wrap {
            return (0.0, 1.0);
        }
        let scale = self.view.zoom.scale();
        let (offset, area) = (self.view.offset, self.view.area);
        let low = Vec2::new(offset.0 as f32, offset.1 as f32) / scale;
        let high = low + Vec2::new(f32::from(area.width), f32::from(area.height)) / scale;
        let span = to - from;
        let (mut first, mut last) = (0.0_f32, 1.0_f32);
        for (from, span, low, high) in
            [(from.x, span.x, low.x, high.x), (from.y, span.y, low.y, high.y)]
        {
            if span != 0.0 {
                let (enters, leaves) = ((low - from) / span, (high - from) / span);
                first = first.max(enters.min(leaves));
                last = last.min(enters.max(leaves));
            } else if from < low || from > high {
                return (1.0, 0.0);
            }
        }
        if first <= last { (first, last) } else { (1.0, 0.0) }
    }

    fn dot(&mut self, at: Vec2, style: u32) {
        let at = self.map.wrap(at) * self.dots_a_tile();
        let offset = self.view.offset;
        let mut x = (at.x.floor() as i32).saturating_sub(offset.0 * DOTS.0);
        let mut y = (at.y.floor() as i32).saturating_sub(offset.1 * DOTS.1);
        if self.view.extent.wraps {
            (x, y) = (x.rem_euclid(self.sheet.0), y.rem_euclid(self.sheet.1));
        }
        let (width, height) = (i32::from(self.view.area.width), i32::from(self.view.area.height));
        if !(0..width * DOTS.0).contains(&x) || !(0..height * DOTS.1).contains(&y) {
            return;
        }
        let index = (y / DOTS.1 * width + x / DOTS.0) as usize;
        let cell = &mut self.cells[index];
        if cell.0 == 0 {
            self.touched.push(index as u32);
        }
        let bit = braille::BITS[(x % DOTS.0) as usize][(y % DOTS.1) as usize];
        *cell = (cell.0 | bit, style);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::Map;
    use crate::tui::camera::{Camera, Extent, Zoom};
    use ratatui::layout::Rect;
    use ratatui::style::Color;

    const RED: Style = Style::new().fg(Color::Red);

    fn on(rows: &[&str], zoom: Zoom, draw: impl Fn(&mut Strokes)) -> Buffer {
        let map = Map::drawn(rows, Edges::Wall).unwrap();
        let area = Rect::new(0, 0, 40, rows.len() as u16);
        let extent = Extent::of(&map);
        let camera = Camera { zoom, ..Camera::opening(extent, area) };
        let view = camera.view(extent, area);
        let mut strokes = Strokes::new(&map, view);
        draw(&mut strokes);
        let mut buffer = Buffer::empty(view.area);
        for (y, row) in rows.iter().enumerate() {
            for (x, glyph) in row.char_indices() {
                let x = view.area.x + x as u16 * zoom.cells().0 as u16;
                buffer[(x, y as u16)].set_char(glyph);
            }
        }
        strokes
            .merge(|tile| rows[tile.y as usize].as_bytes()[tile.x as usize] != b'.', &mut buffer);
        buffer
    }

    fn row(buffer: &Buffer, row: u16) -> String {
        let area = buffer.area;
        (area.x..area.right()).map(|x| buffer[(x, row)].symbol()).collect()
    }

    #[test]
    fn each_of_400_strokes_keeps_its_style() {
        let style =
            |number: u16| Style::new().fg(Color::Rgb((number / 20) as u8, (number % 20) as u8, 0));
        let buffer = on(&["...................."; 20], Zoom::Narrow, |strokes| {
            for number in 0..400 {
                let at = Vec2::new((number % 20).into(), (number / 20).into()) + 0.1;
                strokes.line(at, at, Dash::Solid, style(number));
            }
        });
        let colors: Vec<_> = buffer.content().iter().map(|cell| cell.fg).collect();
        let wanted: Vec<_> = (0..400).map(|number| style(number).fg.unwrap()).collect();
        assert_eq!(colors, wanted);
    }

    #[test]
    fn a_line_replaces_floor_but_not_walls() {
        let level = |strokes: &mut Strokes| {
            strokes.line(Vec2::new(0.0, 0.5), Vec2::new(4.9, 0.5), Dash::Solid, RED);
        };
        assert_eq!(row(&on(&["..#.."], Zoom::Square, level), 0), "⠤⠤⠤⠤#⠤⠤⠤⠤⠤");
        let narrow = on(&["..#.."], Zoom::Narrow, level);
        assert_eq!(row(&narrow, 0), "⠤⠤#⠤⠤");
        assert!(narrow.content().iter().all(|cell| cell.fg == Color::Red), "the wall is tinted");
    }

    #[test]
    fn crossing_strokes_merge_their_dots_and_use_the_last_colour() {
        let cross = |strokes: &mut Strokes| {
            strokes.line(Vec2::new(0.0, 0.5), Vec2::new(0.9, 0.5), Dash::Solid, Style::new());
            strokes.line(Vec2::new(0.1, 0.0), Vec2::new(0.1, 0.9), Dash::Solid, RED);
        };
        let buffer = on(&["..."], Zoom::Square, cross);
        assert_eq!(row(&buffer, 0), "⡧⠤. . ");
        assert_eq!((buffer[(17, 0)].fg, buffer[(18, 0)].fg), (Color::Red, Color::Reset));
    }

    /// A screen can have more than 65,536 cells.
    #[test]
    fn a_huge_screen_is_drawn_to_its_last_row() {
        let rows = ["."; 400].map(|_| "....................");
        let map = Map::drawn(&rows, Edges::Wall).unwrap();
        let area = Rect::new(0, 0, 200, 400);
        let extent = Extent::of(&map);
        let view = View { area, offset: (0, 0), zoom: Zoom::Square, extent };
        let mut strokes = Strokes::new(&map, view);
        strokes.line(Vec2::new(0.0, 399.5), Vec2::new(2.9, 399.5), Dash::Solid, RED);
        let mut buffer = Buffer::empty(area);
        strokes.merge(|_| false, &mut buffer);
        assert!(row(&buffer, 399).starts_with("⠤⠤⠤⠤⠤⠤"));
        assert_eq!(row(&buffer, 71).trim(), "");
    }

    #[test]
    fn strokes_outside_the_view_are_not_drawn_at_any_length() {
        let buffer = on(&["....", "...."], Zoom::Square, |strokes| {
            strokes.line(Vec2::new(-1e6, 0.5), Vec2::new(1e6, 0.5), Dash::Solid, RED);
            strokes.line(Vec2::new(-5.0, -5.0), Vec2::new(-5.0, 9.0), Dash::Solid, RED);
            strokes.line(Vec2::new(f32::NAN, 0.0), Vec2::new(1.0, f32::INFINITY), Dash::Solid, RED);
        });
        assert_eq!(row(&buffer, 1), ". . . . ");
        assert!(!row(&buffer, 0).contains(' '), "{}", row(&buffer, 0));
    }
}
