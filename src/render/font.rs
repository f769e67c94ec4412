//! Letters as outlines. The fonts are parts of two fonts of the family `DejaVu`; `font/subset.py` writes
//! their outlines to a compact table and describes its format.

use std::io::Read;
use std::sync::LazyLock;

use crate::geom::Vec2;

use super::picture::{Ink, Outline, Shape, Step, Stroke};

/// An embedded font.
#[derive(Debug)]
pub struct Font(Vec<u8>);

/// The font of texts.
pub static SANS: LazyLock<Font> = LazyLock::new(|| Font::unpacked(include_bytes!("font/sans.bin")));

/// The font of the screen. All letters are equally wide.
pub static MONO: LazyLock<Font> = LazyLock::new(|| Font::unpacked(include_bytes!("font/mono.bin")));

/// Units per em of the outlines.
const EM: f32 = 1024.0;

/// Bytes of a glyph in the table.
const ENTRY: usize = 8;

/// Width of the box that stands for a missing letter, in em.
const MISSING: f32 = 0.6;

/// An outline and its width.
struct Glyph<'a> {
    outline: &'a [u8],
    advance: f32,
}

/// The alignment of a text with its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    Left,
    Centre,
    Right,
}

impl Font {
    fn unpacked(packed: &[u8]) -> Self {
        let mut bytes = Vec::new();
        // The embedded files are valid.
        let _ = flate2::read::ZlibDecoder::new(packed).read_to_end(&mut bytes);
        Self(bytes)
    }

    fn count(&self) -> usize {
        usize::from(u16::from_le_bytes([self.0[0], self.0[1]]))
    }

    fn entry(&self, index: usize) -> (u32, usize, u16) {
        let at = 2 + index * ENTRY;
        let bytes: [u8; ENTRY] = core::array::from_fn(|offset| self.0[at + offset]);
        let [a, b, c, d, e, f, g, h] = bytes;
        let end = u32::from_le_bytes([d, e, f, 0]) as usize;
        (u32::from_le_bytes([a, b, c, 0]), end, u16::from_le_bytes([g, h]))
    }

    fn glyph(&self, letter: char) -> Option<Glyph<'_>> {
        let (mut low, mut high) = (0, self.count());
        while low < high {
            let middle = usize::midpoint(low, high);
            let (point, end, advance) = self.entry(middle);
            match point.cmp(&u32::from(letter)) {
                core::cmp::Ordering::Less => low = middle + 1,
                core::cmp::Ordering::Greater => high = middle,
                core::cmp::Ordering::Equal => {
                    let start = if middle == 0 { 0 } else { self.entry(middle - 1).1 };
                    let data = &self.0[2 + self.count() * ENTRY..];
                    let advance = f32::from(advance) / EM;
                    return Some(Glyph { outline: &data[start..end], advance });
                }
            }
        }
        None
    }

    /// Returns true if the font has a letter.
    pub fn has(&self, letter: char) -> bool {
        self.glyph(letter).is_some()
    }

    /// Returns the width of a text in pixels.
    pub fn width(&self, text: &str, size: f32) -> f32 {
        let advance = |letter| self.glyph(letter).map_or(MISSING, |glyph| glyph.advance);
        text.chars().map(advance).sum::<f32>() * size
    }

    /// Adds the outlines of a text. `at` is the left end of its baseline; `size` is the size of the font
    /// across and down, in pixels.
    pub fn add(&self, text: &str, at: Vec2, size: Vec2, outline: &mut Outline) {
        let mut pen = at;
        for letter in text.chars() {
            if let Some(glyph) = self.glyph(letter) {
                decode(glyph.outline, pen, size / EM, outline);
                pen.x += glyph.advance * size.x;
                continue;
            }
            let corner = |x: f32, y: f32| pen + Vec2::new(x, -y) * size;
            outline.add(Outline::rectangle(corner(0.08, 0.7), corner(MISSING - 0.08, 0.0)));
            // The other direction makes the inside a hole.
            outline.add(Outline::polygon([
                corner(0.14, 0.64),
                corner(0.14, 0.06),
                corner(MISSING - 0.14, 0.06),
                corner(MISSING - 0.14, 0.64),
            ]));
            pen.x += MISSING * size.x;
        }
    }
}

/// Adds the contours of a glyph, see `font/subset.py` for their format.
fn decode(mut data: &[u8], origin: Vec2, scale: Vec2, outline: &mut Outline) {
    let mut byte = || {
        let (first, rest) = data.split_first()?;
        data = rest;
        Some(*first)
    };
    let wide = |low: u8, high: u8| i16::from_le_bytes([low, high]);
    while let Some(count) = byte() {
        let count = match count {
            0 => wide(byte().unwrap_or(0), byte().unwrap_or(0)) as u16,
            few => u16::from(few),
        };
        let (mut x, mut y) = (0_i16, 0_i16);
        let (mut start, mut control) = (origin, None);
        for index in 0..count {
            let flags = byte().unwrap_or(0);
            for (coordinate, is_wide, is_zero) in [(&mut x, 2, 8), (&mut y, 4, 16)] {
                if flags & is_zero == 0 {
                    let low = byte().unwrap_or(0);
                    *coordinate += if flags & is_wide == 0 {
                        i16::from(low.cast_signed())
                    } else {
                        wide(low, byte().unwrap_or(0))
                    };
                }
            }
            let point = origin + Vec2::new(f32::from(x), f32::from(y)) * scale;
            if index == 0 {
                start = point;
                outline.0.push(Step::Move(point));
            } else if flags & 1 == 0 {
                control = Some(point);
            } else {
                let step = |control| Step::Curve(control, point);
                outline.0.push(control.take().map_or(Step::Line(point), step));
            }
        }
        if let Some(control) = control {
            outline.0.push(Step::Curve(control, start));
        }
        outline.0.push(Step::Close);
    }
}

/// A text with its size and colour.
#[derive(Debug, Clone, Copy)]
pub struct Text<'a> {
    pub text: &'a str,
    /// Size of the font in pixels.
    pub size: f32,
    pub ink: Ink,
    pub align: Align,
}

impl Text<'_> {
    /// Returns the shape of the text. `at` is on its baseline.
    pub fn shape(&self, at: Vec2) -> Shape {
        let shift = match self.align {
            Align::Left => 0.0,
            Align::Centre => -SANS.width(self.text, self.size) / 2.0,
            Align::Right => -SANS.width(self.text, self.size),
        };
        let mut outline = Outline::default();
        SANS.add(self.text, at + Vec2::new(shift, 0.0), Vec2::splat(self.size), &mut outline);
        Shape::Area { outline, ink: self.ink, text: self.text.to_owned() }
    }

    /// Returns the shapes of the text with a border in the colour of the ground, which keeps it
    /// readable on lines.
    pub fn with_halo(&self, at: Vec2, ground: Ink) -> Vec<Shape> {
        let shape = self.shape(at);
        let mut shapes = Vec::new();
        if let Shape::Area { outline, .. } = &shape {
            let stroke = Stroke::solid(ground, self.size * 0.28);
            shapes.push(Shape::Line { outline: outline.clone(), stroke });
        }
        shapes.push(shape);
        shapes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fonts_contain_letters_and_signs_of_the_screen() {
        for letter in "AZaz09 äöüßéñ–…°αωЖя×≥→".chars() {
            assert!(SANS.has(letter), "{letter}");
        }
        for letter in "AZaz09 │─╭╯█▌░●◎▶→⚑♪√∪∩‡†".chars() {
            assert!(MONO.has(letter), "{letter}");
        }
        assert!(SANS.0.len() + MONO.0.len() <= 150_000);
    }

    #[test]
    fn an_outline_lies_in_the_box_of_its_letter() {
        let mut outline = Outline::default();
        SANS.add("H", Vec2::new(10.0, 20.0), Vec2::splat(10.0), &mut outline);
        let width = SANS.width("H", 10.0);
        assert!((7.0..8.0).contains(&width), "{width}");
        let points = outline.0.iter().filter_map(|step| match *step {
            Step::Move(at) | Step::Line(at) | Step::Curve(_, at) => Some(at),
            Step::Close => None,
        });
        for point in points {
            assert!((10.0..=10.0 + width).contains(&point.x), "{point}");
            assert!((12.0..=20.0).contains(&point.y), "{point}");
        }
        let boxed = SANS.width("\u{4e2d}", 10.0);
        assert_eq!(boxed, MISSING * 10.0, "a missing letter is a box");
    }
}
