//! Lines finer than cells: eight Braille dots in each, so that a line looks like one.
//!
//! Strokes are gathered first and merged into the buffer at the end. Where several meet in a cell,
//! their dots are joined and the last one gives the colour.

use ratatui::buffer::Buffer;
use ratatui::style::Style;

use crate::geom::vector::rotate_by;
use crate::geom::{TilePos, Vec2};
use crate::map::{Edges, Map};
use crate::tui::camera::View;

/// Dots of a cell along x and y.
const DOTS: (i32, i32) = (2, 4);

/// The bit of each dot in the block of Braille patterns, by column and row.
const BITS: [[u8; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];

/// The empty Braille pattern.
const BRAILLE: u32 = 0x2800;

/// Dots of one stroke that are drawn, whatever its length.
const LONGEST: f32 = 4096.0;

/// Dots a stroke is divided into, in view or not: an f32 counts no further.
const MOST_DOTS: f32 = 1e7;

/// How a stroke is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dash {
    /// Not at all.
    Solid,
    /// Two dots on, two off.
    Dashed,
    /// Every second dot.
    Dotted,
}

impl Dash {
    fn has(self, dot: u32) -> bool {
        match self {
            Self::Solid => true,
            Self::Dashed => dot % 4 < 2,
            Self::Dotted => dot.is_multiple_of(2),
        }
    }
}

/// The dots of a view.
#[derive(Debug)]
pub struct Strokes<'a> {
    map: &'a Map,
    view: View,
    /// For each cell its dots, and the number of its style.
    cells: Vec<(u8, u8)>,
    /// Cells with dots.
    touched: Vec<u32>,
    styles: Vec<Style>,
}

impl<'a> Strokes<'a> {
    /// None yet.
    pub fn new(map: &'a Map, view: View) -> Self {
        let cells = vec![(0, 0); view.area.area() as usize];
        Self { map, view, cells, touched: Vec::new(), styles: Vec::new() }
    }

    /// A straight line between two points, in tiles; over the edge of a map that wraps it comes in
    /// again on the other side.
    pub fn line(&mut self, from: Vec2, to: Vec2, dash: Dash, style: Style) {
        let style = self.number_of(style);
        let count = self.dots_along(to - from);
        let (first, last) = self.in_view(from, to);
        let dots = (first * count).floor() as u32..=(last * count).ceil() as u32;
        for dot in dots.take(LONGEST as usize) {
            if dash.has(dot) {
                self.dot(from.lerp(to, dot as f32 / count), style);
            }
        }
    }

    /// A circle, or the part of it that begins at the direction `from` (any length) and goes on for
    /// so many radians clockwise.
    pub fn arc(&mut self, centre: Vec2, from: Vec2, radians: f32, dash: Dash, style: Style) {
        let style = self.number_of(style);
        let length = from.length() * radians.abs();
        let count = (length * self.dots_a_tile()).ceil().clamp(4.0, LONGEST);
        for dot in 0..=count as u32 {
            if dash.has(dot) {
                let turned = rotate_by(from, radians * dot as f32 / count);
                self.dot(centre + turned, style);
            }
        }
    }

    /// A whole circle.
    pub fn circle(&mut self, centre: Vec2, radius: f32, dash: Dash, style: Style) {
        self.arc(centre, Vec2::new(radius, 0.0), core::f32::consts::TAU, dash, style);
    }

    /// Merges them into what is drawn. Signs of tiles for which `keeps` holds stay and take on the
    /// colour; everything else makes way.
    pub fn merge(&self, keeps: impl Fn(TilePos) -> bool, buffer: &mut Buffer) {
        let area = self.view.area;
        for &index in &self.touched {
            let (x, y) = (index as u16 % area.width, index as u16 / area.width);
            let (dots, style) = self.cells[index as usize];
            let column = i32::from(x / self.view.zoom.columns());
            let tile = self.view.origin + TilePos::new(column, i32::from(y));
            let cell = &mut buffer[(area.x + x, area.y + y)];
            cell.set_style(self.styles[usize::from(style)]);
            if cell.symbol() == " " || !keeps(tile) {
                cell.set_char(char::from_u32(BRAILLE + u32::from(dots)).unwrap_or(' '));
            }
        }
    }

    fn number_of(&mut self, style: Style) -> u8 {
        let known = self.styles.iter().position(|&each| each == style);
        let number = known.unwrap_or_else(|| {
            self.styles.push(style);
            self.styles.len() - 1
        });
        number as u8
    }

    /// Dots along x for a tile, which are the most along any axis or as many.
    fn dots_a_tile(&self) -> f32 {
        (i32::from(self.view.zoom.columns()) * DOTS.0).max(DOTS.1) as f32
    }

    fn dots_along(&self, way: Vec2) -> f32 {
        (way.abs().max_element() * self.dots_a_tile()).ceil().clamp(1.0, MOST_DOTS)
    }

    /// The part of a line that may be in view, as shares of its length; all of it on a map that
    /// wraps.
    fn in_view(&self, from: Vec2, to: Vec2) -> (f32, f32) {
        if self.map.edges() == Edges::Wrap {
            return (0.0, 1.0);
        }
        let low = Vec2::new(self.view.origin.x as f32, self.view.origin.y as f32);
        let high = low + Vec2::new(self.view.columns() as f32, self.view.rows() as f32);
        let way = to - from;
        let (mut first, mut last) = (0.0_f32, 1.0_f32);
        for (from, way, low, high) in
            [(from.x, way.x, low.x, high.x), (from.y, way.y, low.y, high.y)]
        {
            if way != 0.0 {
                let (enters, leaves) = ((low - from) / way, (high - from) / way);
                first = first.max(enters.min(leaves));
                last = last.min(enters.max(leaves));
            } else if from < low || from > high {
                return (1.0, 0.0);
            }
        }
        if first <= last { (first, last) } else { (1.0, 0.0) }
    }

    fn dot(&mut self, at: Vec2, style: u8) {
        let at = self.map.wrap(at);
        let columns = f32::from(self.view.zoom.columns());
        let x = ((at.x - self.view.origin.x as f32) * columns * DOTS.0 as f32).floor() as i32;
        let y = ((at.y - self.view.origin.y as f32) * DOTS.1 as f32).floor() as i32;
        let (width, height) = (i32::from(self.view.area.width), i32::from(self.view.area.height));
        if !(0..width * DOTS.0).contains(&x) || !(0..height * DOTS.1).contains(&y) {
            return;
        }
        let index = (y / DOTS.1 * width + x / DOTS.0) as usize;
        let cell = &mut self.cells[index];
        if cell.0 == 0 {
            self.touched.push(index as u32);
        }
        let bit = BITS[(x % DOTS.0) as usize][(y % DOTS.1) as usize];
        *cell = (cell.0 | bit, style);
    }
}
