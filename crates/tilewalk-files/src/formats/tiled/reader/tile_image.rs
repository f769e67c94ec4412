//! Images of tiles with their collision shapes, before they are placed on a map.

use crate::formats::tiled::reader::properties::Properties;
use crate::formats::tiled::reader::shape::{self, Point};

/// Bits of a tile number that are not part of the number itself: three flips, and one for hexagons.
pub const FLIPS: u32 = 0xF000_0000;

/// Returns the flips of a tile number: horizontal, vertical, and along the diagonal. The flip along the
/// diagonal comes first.
pub fn flips(number: u32) -> [bool; 3] {
    [0x8000_0000, 0x4000_0000, 0x2000_0000].map(|bit| number & bit != 0)
}

/// A collision shape of a tile.
#[derive(Debug, Clone)]
pub struct Outline {
    /// Corners in pixels of the image.
    pub points: Vec<Point>,
    /// Whether the shape is a line without an area.
    pub is_line: bool,
    /// Whether the shape is a rectangle along the axes.
    pub is_upright: bool,
    pub is_round: bool,
    pub properties: Properties,
}

/// Size of the image of a tile, and its collision shapes.
#[derive(Debug, Clone, Default)]
pub struct TileImage {
    /// Width and height in pixels.
    pub size: Point,
    pub outlines: Vec<Outline>,
    /// Whether the tile is a one-way platform.
    pub is_one_way: bool,
}

impl TileImage {
    /// Returns the image as a tile number with flips shows it.
    pub fn flipped(&self, number: u32) -> Self {
        let [across, down, diagonal] = flips(number);
        let turned = |(x, y): Point| if diagonal { (y, x) } else { (x, y) };
        let size = turned(self.size);
        let flip = |point: &Point| {
            let (x, y) = turned(*point);
            (if across { size.0 - x } else { x }, if down { size.1 - y } else { y })
        };
        let outline = |outline: &Outline| {
            let points = outline.points.iter().map(flip).collect();
            Outline { points, ..outline.clone() }
        };
        let outlines = self.outlines.iter().map(outline).collect();
        Self { size, outlines, is_one_way: self.is_one_way }
    }

    /// Returns the image as a tile number with flips shows it. An image that fits on a tile of the size
    /// `grid` keeps its width and height, even if tiles are not square.
    pub fn flipped_within(&self, number: u32, grid: Point) -> Self {
        let mut flipped = self.flipped(number);
        if self.is_larger(grid) || flipped.size == self.size {
            return flipped;
        }
        let (across, down) = (self.size.0 / flipped.size.0, self.size.1 / flipped.size.1);
        for point in flipped.outlines.iter_mut().flat_map(|outline| &mut outline.points) {
            *point = (point.0 * across, point.1 * down);
        }
        flipped.size = self.size;
        flipped
    }

    /// Returns the image scaled to a tile of the map. An image that keeps its proportions is in the
    /// middle of the tile.
    pub fn scaled(&self, tile: Point, keeps_aspect: bool) -> Self {
        let factors = (tile.0 / self.size.0, tile.1 / self.size.1);
        let least = factors.0.min(factors.1);
        let (across, down) = if keeps_aspect { (least, least) } else { factors };
        let left = (tile.0 - self.size.0 * across) / 2.0;
        let top = (tile.1 - self.size.1 * down) / 2.0;
        let mut scaled = Self { size: tile, ..self.clone() };
        for point in scaled.outlines.iter_mut().flat_map(|outline| &mut outline.points) {
            *point = (left + point.0 * across, top + point.1 * down);
        }
        scaled
    }

    /// Returns true if the image covers more than one tile at least half.
    fn is_larger(&self, grid: Point) -> bool {
        let is_long = |side: f64, unit: f64| side > unit * 1.5 - shape::TOLERANCE;
        is_long(self.size.0, grid.0) || is_long(self.size.1, grid.1)
    }

    /// Returns true if the image or its shapes have an effect that the mark of the tile does not
    /// describe.
    pub fn has_effect(&self, grid: Point) -> bool {
        !self.outlines.is_empty() || self.is_one_way || self.is_larger(grid)
    }
}
