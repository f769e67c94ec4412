//! Writes films as GIF. Each frame stores the rectangle that changed, with transparent pixels where
//! nothing changed.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Write};

use ::gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use tilewalk_sim::sort::SmallCollect;

use crate::palette::{Rgb, channels, mix};

use super::picture::{Picture, Shape};

/// Index of the transparent colour.
const TRANSPARENT: u8 = 255;

/// Largest number of colours.
const COLORS: usize = 255;

/// Bits of a channel that select an entry of the table of nearest colours.
const BITS: u32 = 5;

/// The colours of a film.
#[derive(Debug)]
pub struct Colors {
    list: Vec<Rgb>,
    /// Index of the nearest colour, by the upper bits of red, green and blue. `None` before the first
    /// use.
    nearest: Vec<Option<u8>>,
    exact: BTreeMap<Rgb, u8>,
}

impl Colors {
    /// Returns the colours of the pictures of a film: those of the theme that the pictures use, and
    /// mixtures with the background for the edges of shapes. `extra` are colours that later pictures may
    /// use.
    pub fn of(picture: &Picture, extra: &[Rgb], background: Rgb) -> Self {
        let mut used: Vec<Rgb> = vec![background];
        let inks = picture.shapes().flat_map(inks).chain(extra.iter().copied());
        for rgb in inks {
            if !used.contains(&rgb) && used.len() < COLORS {
                used.push(rgb);
            }
        }
        let mut list = used.clone();
        // As many steps between each colour and the background as fit.
        let steps = (COLORS / used.len()).saturating_sub(1).min(7);
        for step in 1..=steps {
            for &rgb in &used[1..] {
                let mixed = mix(background, rgb, step as f32 / (steps + 1) as f32);
                if !list.contains(&mixed) && list.len() < COLORS {
                    list.push(mixed);
                }
            }
        }
        let exact = list.iter().enumerate().map(|(index, &rgb)| (rgb, index as u8)).small_collect();
        Self { list, nearest: vec![None; 1 << (3 * BITS)], exact }
    }

    fn index(&mut self, rgb: Rgb) -> u8 {
        if let Some(index) = self.exact.get(&rgb) {
            return *index;
        }
        let [red, green, blue] = channels(rgb).map(|channel| usize::from(channel >> (8 - BITS)));
        let place = (red << (2 * BITS)) | (green << BITS) | blue;
        if let Some(index) = self.nearest[place] {
            return index;
        }
        // The centre of the colours with the same upper bits, so that the order of pixels has no effect.
        let half = 1_u8 << (7 - BITS);
        let wanted = channels(rgb).map(|channel| channel >> (8 - BITS) << (8 - BITS) | half);
        let distance = |rgb: Rgb| -> u32 {
            let pairs = channels(rgb).into_iter().zip(wanted).zip([2, 4, 3]);
            pairs.map(|((a, b), weight)| weight * u32::from(a.abs_diff(b)).pow(2)).sum()
        };
        let nearest = (0..self.list.len()).min_by_key(|&index| distance(self.list[index]));
        let index = nearest.unwrap_or(0) as u8;
        self.nearest[place] = Some(index);
        index
    }

    fn bytes(&self) -> Vec<u8> {
        let mut list = self.list.clone();
        list.resize(usize::from(TRANSPARENT) + 1, 0);
        list.into_iter().flat_map(channels).collect()
    }
}

/// Returns the colours of a shape.
fn inks(shape: &Shape) -> impl Iterator<Item = Rgb> {
    let (one, other) = match shape {
        Shape::Area { ink, .. } => (Some(ink.rgb), None),
        Shape::Line { stroke, .. } => (Some(stroke.ink.rgb), None),
        Shape::Disc { fill, stroke, .. } => {
            (fill.map(|ink| ink.rgb), stroke.map(|stroke| stroke.ink.rgb))
        }
    };
    one.into_iter().chain(other)
}

/// A film that is being written.
pub struct Film<'a> {
    encoder: Encoder<&'a mut dyn Write>,
    colors: Colors,
    size: [u16; 2],
    /// The colours of the last frame. Empty before the first frame.
    last: Vec<u8>,
    indices: Vec<u8>,
}

fn failed(error: EncodingError) -> io::Error {
    if let EncodingError::Io(error) = error { error } else { io::Error::other(error) }
}

impl<'a> Film<'a> {
    /// Writes the header. The film is repeated without end.
    ///
    /// # Errors
    /// Returns the error of `out`, or an error if the picture is too large.
    pub fn begin(
        out: &'a mut dyn Write,
        size: [u32; 2],
        colors: Colors,
        repeats: bool,
    ) -> io::Result<Self> {
        let side = |side: u32| u16::try_from(side).map_err(io::Error::other);
        let size = [side(size[0])?, side(size[1])?];
        let mut encoder = Encoder::new(out, size[0], size[1], &colors.bytes()).map_err(failed)?;
        if repeats {
            encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
        }
        Ok(Self { encoder, colors, size, last: Vec::new(), indices: Vec::new() })
    }

    /// Writes a frame that is visible for `delay` hundredths of a second.
    ///
    /// # Errors
    /// Returns the error of the output.
    pub fn frame(&mut self, pixels: &[u8], delay: u16) -> io::Result<()> {
        let width = usize::from(self.size[0]);
        self.indices.clear();
        let mut known = (0, self.colors.index(0));
        for rgb in super::pixels::colors(pixels) {
            if rgb != known.0 {
                known = (rgb, self.colors.index(rgb));
            }
            self.indices.push(known.1);
        }
        let (x, y, wide, high) = self.changed();
        let mut part = Vec::with_capacity(wide * high);
        for row in y..y + high {
            let range = row * width + x..row * width + x + wide;
            if self.last.is_empty() {
                part.extend_from_slice(&self.indices[range]);
            } else {
                let pairs = self.indices[range.clone()].iter().zip(&self.last[range]);
                part.extend(pairs.map(|(&now, &then)| if now == then { TRANSPARENT } else { now }));
            }
        }
        let frame = Frame {
            delay,
            dispose: DisposalMethod::Keep,
            transparent: Some(TRANSPARENT),
            left: x as u16,
            top: y as u16,
            width: wide as u16,
            height: high as u16,
            buffer: Cow::Owned(part),
            ..Frame::default()
        };
        core::mem::swap(&mut self.last, &mut self.indices);
        self.encoder.write_frame(&frame).map_err(failed)
    }

    /// Returns the rectangle that differs from the last frame, at least one pixel: its column, row,
    /// width and height.
    fn changed(&self) -> (usize, usize, usize, usize) {
        let [width, height] = self.size.map(usize::from);
        if self.last.is_empty() {
            return (0, 0, width, height);
        }
        let (mut left, mut right, mut top, mut bottom) = (width, 0, height, 0);
        let rows = self.indices.chunks_exact(width).zip(self.last.chunks_exact(width));
        for (y, (now, then)) in rows.enumerate() {
            let differs = |x: &usize| now[*x] != then[*x];
            let Some(first) = (0..width).find(differs) else { continue };
            let last = (0..width).rev().find(differs).unwrap_or(first);
            (left, right) = (left.min(first), right.max(last + 1));
            (top, bottom) = (top.min(y), y + 1);
        }
        if right == 0 { (0, 0, 1, 1) } else { (left, top, right - left, bottom - top) }
    }

    /// Writes the end of the film.
    ///
    /// # Errors
    /// Returns the error of the output.
    pub fn finish(self) -> io::Result<()> {
        self.encoder.into_inner().map(drop).map_err(failed)
    }
}
