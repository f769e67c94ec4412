//! The size of a picture, and the places of its parts.

use crate::geom::Vec2;

use super::super::font::SANS;
use super::super::picture::Placed;

/// Longer side of a picture without a given width, in pixels.
pub const USUAL: u32 = 1600;

/// Largest side of a picture, in pixels.
pub const LARGEST: u32 = 8192;

/// Smallest width of a picture, in pixels.
pub const SMALLEST: u32 = 64;

/// Pixels of a tile from which tiles begin at whole pixels.
const WHOLE: f32 = 8.0;

/// Places of the parts of a picture, in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Layout {
    pub size: [u32; 2],
    /// Corners of the map.
    pub map: [[u32; 2]; 2],
    /// Pixels of a tile.
    pub scale: f32,
    /// Size of the font.
    pub font: f32,
    pub margin: f32,
    /// Top of the legend.
    pub legend: f32,
}

/// What a layout must have room for.
#[derive(Debug, Clone, Copy)]
pub struct Contents<'a> {
    /// Width and height of the shown part of the map, in tiles.
    pub tiles: Vec2,
    /// Widths of the entries of the legend, in em.
    pub entries: &'a [f32],
    /// Whether numbers of columns and rows surround the map.
    pub has_rulers: bool,
}

impl Contents<'_> {
    /// Returns the layout of a picture with the given width, or with the usual longer side.
    ///
    /// # Errors
    /// Returns a message if the picture would be too large.
    pub fn layout(&self, width: Option<u32>, is_even: bool) -> Result<Layout, String> {
        let target = width.unwrap_or(USUAL);
        let font = (target as f32 / 64.0).clamp(9.0, 22.0).floor();
        let layout = if let Some(width) = width {
            let room = width as f32 - self.around(font);
            self.with_scale((room / self.tiles.x).max(0.01), font, width)
        } else {
            let longer = |scale| {
                let [width, height] = self.with_scale(scale, font, 0).size;
                width.max(height)
            };
            let (mut low, mut high) = (0.0, USUAL as f32 / self.tiles.max_element());
            for _ in 0..24 {
                let middle = f32::midpoint(low, high);
                if longer(middle) > USUAL { high = middle } else { low = middle }
            }
            let layout = self.with_scale(low.max(0.01), font, 0);
            // The longer side has the usual length, although tiles have whole pixels.
            let [width, height] = layout.size;
            let wide = if width >= height { USUAL } else { width };
            let mut layout = self.with_scale(low.max(0.01), font, wide);
            if layout.size[1] > layout.size[0] && layout.size[1] < USUAL {
                layout.size[1] = USUAL;
            }
            layout
        };
        let mut layout = layout;
        if is_even {
            layout.size = layout.size.map(|side| side.next_multiple_of(2));
        }
        let [width, height] = layout.size;
        if width > LARGEST || height > LARGEST {
            return Err(format!(
                "a picture of {width} × {height} pixels is too large; the limit is {LARGEST} × {LARGEST}"
            ));
        }
        Ok(layout)
    }

    /// Returns the pixels beside the map.
    fn around(&self, font: f32) -> f32 {
        2.0 * font + self.rulers(font)
    }

    fn rulers(&self, font: f32) -> f32 {
        if self.has_rulers { 2.5 * font } else { 0.0 }
    }

    /// Returns the layout for a scale. `width` is the least width of the picture.
    fn with_scale(&self, scale: f32, font: f32, width: u32) -> Layout {
        let scale = if scale >= WHOLE { scale.floor() } else { scale };
        let [across, down] =
            [self.tiles.x, self.tiles.y].map(|tiles| (tiles * scale).round().max(1.0));
        let width = (across + self.around(font)).max(14.0 * font).max(width as f32).floor();
        let left = f32::midpoint(width - across, self.rulers(font)).floor();
        let top = (2.4 * font + self.rulers(font) * 0.6).floor();
        let legend = top + down + 0.6 * font;
        let map = [[left as u32, top as u32], [(left + across) as u32, (top + down) as u32]];
        let size = [width as u32, 0];
        let mut layout = Layout { size, map, scale, font, margin: font, legend };
        let [first, last] = layout.sides();
        let rows = self.places((last - first) / font).last().map_or(0.0, |[_, row]| row + 1.0);
        layout.size[1] = (legend + rows * ROW * font + 0.6 * font).ceil() as u32;
        layout
    }

    /// Returns the places of the legend's entries in a legend of a width in em: the distance from the
    /// left in em, and the row.
    pub fn places(&self, width: f32) -> Vec<[f32; 2]> {
        let (mut x, mut row) = (0.0, 0.0);
        let mut places = Vec::new();
        for entry in self.entries {
            if x > 0.0 && x + entry > width {
                (x, row) = (0.0, row + 1.0);
            }
            places.push([x, row]);
            x += entry + GAP;
        }
        places
    }
}

/// Height of a row of the legend, in em.
pub const ROW: f32 = 1.7;

/// Distance of the entries of the legend, in em.
const GAP: f32 = 1.6;

impl Layout {
    /// Returns how positions become pixels. `corner` is the top left corner of the shown part of the
    /// map, in tiles.
    pub fn placed(&self, corner: Vec2) -> Placed {
        let [left, top] = self.map[0];
        let origin = Vec2::new(left as f32, top as f32) - corner * self.scale;
        Placed { origin, scale: self.scale }
    }

    /// Returns the left and right ends of the title and the legend: those of the map if it is wide.
    pub fn sides(&self) -> [f32; 2] {
        let [from, to] = self.map.map(|[x, _]| x as f32);
        let width = self.size[0] as f32;
        if (to - from) * 3.0 > width * 2.0 {
            [from, to]
        } else {
            [self.margin, width - self.margin]
        }
    }

    /// Returns the corners of the map.
    pub fn corners(&self) -> [Vec2; 2] {
        self.map.map(|[x, y]| Vec2::new(x as f32, y as f32))
    }
}

/// Returns a text that is at most `width` pixels wide. Cut texts end with an ellipsis.
pub fn fitted(text: &str, size: f32, width: f32) -> String {
    if SANS.width(text, size) <= width {
        return text.to_owned();
    }
    let mut shown = text.to_owned();
    while !shown.is_empty() && SANS.width(&shown, size) + size > width {
        shown.pop();
    }
    shown + "…"
}
