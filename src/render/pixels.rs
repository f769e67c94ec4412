//! Draws pictures as pixels, and writes them as PNG.
//!
//! Each pixel of a shape gets the exact area that the shape covers. The computation has a fixed order and needs
//! only basic arithmetic and roots, so that the pixels are the same for all builds.

use std::io::{self, Write};
use std::sync::LazyLock;

use tiny_skia_path::{LineCap, LineJoin, Path, PathBuilder, PathSegment, StrokeDash};

use crate::geom::Vec2;
use crate::geom::vector::rotate_by;
use crate::palette::{Rgb, channels, from_channels};

use super::picture::{Ink, Outline, Picture, Shape, Step, Stroke};

/// Bytes of a pixel.
const PIXEL: usize = 4;

/// Number of straight lines for a curve.
const PIECES: u8 = 6;

/// Corners of a circle with the radius 1.
static CIRCLE: LazyLock<Vec<Vec2>> = LazyLock::new(|| {
    let corner = |index: u8| rotate_by(Vec2::X, core::f32::consts::TAU * f32::from(index) / 64.0);
    (0..64).map(corner).collect()
});

/// Draws the pictures of a film. What does not change is drawn once.
#[derive(Debug)]
pub struct Canvas {
    /// The ground and the frame, and their `still`.
    still: Option<(Vec<u8>, u64)>,
    image: Image,
}

/// Pixels, and the covered area of a shape that is being drawn.
#[derive(Debug)]
struct Image {
    width: usize,
    height: usize,
    pixels: Vec<u8>,
    /// Changes of the covered area from pixel to pixel.
    cover: Vec<f32>,
}

impl Canvas {
    /// Creates a canvas of the size of a picture.
    pub fn new(picture: &Picture) -> Self {
        let [width, height] = picture.size.map(|side| side as usize);
        let pixels = vec![255; width * height * PIXEL];
        Self { still: None, image: Image { width, height, pixels, cover: Vec::new() } }
    }

    /// Draws a picture, which has the size of the canvas. Returns its pixels row by row, four bytes
    /// each: red, green, blue and 255.
    pub fn draw(&mut self, picture: &Picture) -> &[u8] {
        let known = self.still.as_ref().is_some_and(|(_, still)| *still == picture.still);
        if !known {
            self.image.pixels.fill(255);
            for shape in picture.ground.iter().chain(&*picture.frame) {
                self.image.draw(shape);
            }
            self.still = Some((self.image.pixels.clone(), picture.still));
        }
        let Some((still, _)) = &self.still else { return &[] };
        self.image.pixels.copy_from_slice(still);
        for shape in &picture.moving {
            self.image.draw(shape);
        }
        self.image.restore_margins(still, picture.map);
        for shape in &picture.stamp {
            self.image.draw(shape);
        }
        &self.image.pixels
    }
}

impl Image {
    /// Copies the pixels outside the map.
    fn restore_margins(&mut self, still: &[u8], [from, to]: [[u32; 2]; 2]) {
        let bytes = self.width * PIXEL;
        let rows = self.pixels.chunks_exact_mut(bytes).zip(still.chunks_exact(bytes));
        for (y, (row, kept)) in (0..).zip(rows) {
            if (from[1]..to[1]).contains(&y) {
                let [left, right] = [from[0], to[0]].map(|x| x as usize * PIXEL);
                row[..left].copy_from_slice(&kept[..left]);
                row[right..].copy_from_slice(&kept[right..]);
            } else {
                row.copy_from_slice(kept);
            }
        }
    }

    fn draw(&mut self, shape: &Shape) {
        match shape {
            Shape::Area { outline, ink, text: _ } => self.fill(&parts(outline), *ink),
            Shape::Line { outline, stroke } => {
                if let Some(path) = path(outline) {
                    self.line(&path, stroke);
                }
            }
            Shape::Disc { centre, radius, fill, stroke, name: _ } => {
                let every = if *radius < 4.0 { 4 } else { 1 };
                let corners = CIRCLE.iter().step_by(every);
                let circle: Vec<Vec2> = corners.map(|corner| *centre + *corner * *radius).collect();
                let stroked = stroke.map(|stroke| (stroke, Outline::polygon(circle.clone())));
                if let Some(ink) = fill {
                    self.fill(&[circle], *ink);
                }
                if let Some((stroke, outline)) = stroked
                    && let Some(path) = path(&outline)
                {
                    self.line(&path, &stroke);
                }
            }
        }
    }

    fn line(&mut self, path: &Path, stroke: &Stroke) {
        let dash = stroke.lengths().and_then(|lengths| StrokeDash::new(lengths.to_vec(), 0.0));
        let dashed = dash.and_then(|dash| path.dash(&dash, 1.0));
        let (line_cap, line_join, width) = (LineCap::Round, LineJoin::Round, stroke.width);
        let style = tiny_skia_path::Stroke { width, line_cap, line_join, ..Default::default() };
        if let Some(border) = dashed.as_ref().unwrap_or(path).stroke(&style, 1.0) {
            self.fill(&parts_of_path(&border), stroke.ink);
        }
    }

    /// Fills the inside of polygons.
    fn fill(&mut self, polygons: &[Vec<Vec2>], ink: Ink) {
        let points = || polygons.iter().flatten();
        let size = Vec2::new(self.width as f32, self.height as f32);
        let from = points().fold(size, |least, at| least.min(*at)).max(Vec2::ZERO).floor();
        let to = points().fold(Vec2::ZERO, |most, at| most.max(*at)).min(size).ceil();
        if from.x >= to.x || from.y >= to.y {
            return;
        }
        let mut mask = Mask {
            corner: from,
            width: (to.x - from.x) as usize,
            height: (to.y - from.y) as usize,
            cover: core::mem::take(&mut self.cover),
        };
        mask.cover.clear();
        mask.cover.resize((mask.width + 2) * mask.height, 0.0);
        for polygon in polygons {
            for (index, end) in polygon.iter().enumerate() {
                let start = polygon[if index == 0 { polygon.len() - 1 } else { index - 1 }];
                mask.add(start, *end);
            }
        }
        self.blend(&mask, ink);
        self.cover = mask.cover;
    }

    fn blend(&mut self, mask: &Mask, ink: Ink) {
        let color = channels(ink.rgb);
        let opacity = f32::from(ink.alpha) / 255.0;
        let (left, top) = (mask.corner.x as usize, mask.corner.y as usize);
        for (y, row) in mask.cover.chunks_exact(mask.width + 2).enumerate() {
            let start = ((top + y) * self.width + left) * PIXEL;
            let pixels = self.pixels[start..start + mask.width * PIXEL].chunks_exact_mut(PIXEL);
            let mut sum = 0.0_f32;
            for (pixel, change) in pixels.zip(row) {
                sum += change;
                let share = sum.abs().min(1.0) * opacity;
                if share < 0.002 {
                    continue;
                }
                for (channel, wanted) in pixel.iter_mut().zip(color) {
                    let (now, wanted) = (f32::from(*channel), f32::from(wanted));
                    *channel = (now + (wanted - now) * share + 0.5) as u8;
                }
            }
        }
    }
}

/// The covered area of the pixels in a rectangle. The sum of a row up to a pixel is the number of times that
/// polygons wind around it, weighted by area.
struct Mask {
    corner: Vec2,
    width: usize,
    height: usize,
    cover: Vec<f32>,
}

impl Mask {
    /// Adds a side of a polygon.
    fn add(&mut self, start: Vec2, end: Vec2) {
        if start.y == end.y {
            return;
        }
        let (start, end) = (start - self.corner, end - self.corner);
        let (winding, top, bottom) =
            if start.y < end.y { (1.0, start, end) } else { (-1.0, end, start) };
        let slope = (bottom.x - top.x) / (bottom.y - top.y);
        let first = top.y.max(0.0) as usize;
        let last = (bottom.y.ceil().max(0.0) as usize).min(self.height);
        let right = self.width as f32;
        for y in first..last {
            let (from, to) = (top.y.max(y as f32), bottom.y.min((y + 1) as f32));
            let x = |height: f32| (top.x + (height - top.y) * slope).clamp(0.0, right);
            let (a, b) = (x(from), x(to));
            self.add_in_row(y, a.min(b), a.max(b), (to - from) * winding);
        }
    }

    /// Adds the part of a side in one row of pixels. `height` is the part of the row that it crosses.
    fn add_in_row(&mut self, y: usize, left: f32, right: f32, height: f32) {
        let row = &mut self.cover[y * (self.width + 2)..][..self.width + 2];
        let (first, last) = (left as usize, right as usize);
        if first == last {
            // The area to the right of the side, in its only pixel.
            let beyond = f32::midpoint(left, right) - first as f32;
            row[first] += height * (1.0 - beyond);
            row[first + 1] += height * beyond;
            return;
        }
        // The covered area rises as the square of the distance in the first and the last pixel.
        let rise = height / (right - left);
        let mut before = 0.0;
        for (pixel, change) in row.iter_mut().enumerate().take(last + 1).skip(first) {
            let (from, to) = (left.max(pixel as f32), right.min((pixel + 1) as f32));
            let ends = (pixel + 1) as f32;
            let area = rise * (to - from) * (ends - f32::midpoint(from, to)) + rise * (from - left);
            *change += area - before;
            before = area;
        }
        row[last + 1] += height - before;
    }
}

/// Returns the polygons of an outline. Curves become short lines.
fn parts(outline: &Outline) -> Vec<Vec<Vec2>> {
    let mut parts: Vec<Vec<Vec2>> = Vec::new();
    for step in &outline.0 {
        match (*step, parts.last_mut()) {
            (Step::Move(at), _) => parts.push(vec![at]),
            (Step::Line(at), Some(part)) => part.push(at),
            (Step::Curve(control, at), Some(part)) => add_curve(part, control, at),
            (Step::Close, _) | (Step::Line(_) | Step::Curve(..), None) => {}
        }
    }
    parts
}

fn add_curve(part: &mut Vec<Vec2>, control: Vec2, to: Vec2) {
    let from = part.last().copied().unwrap_or(control);
    part.extend((1..=PIECES).map(|piece| {
        let share = f32::from(piece) / f32::from(PIECES);
        from.lerp(control, share).lerp(control.lerp(to, share), share)
    }));
}

/// Returns the polygons of a path of the library.
fn parts_of_path(path: &Path) -> Vec<Vec<Vec2>> {
    let at = |point: tiny_skia_path::Point| Vec2::new(point.x, point.y);
    let mut parts: Vec<Vec<Vec2>> = Vec::new();
    for segment in path.segments() {
        match (segment, parts.last_mut()) {
            (PathSegment::MoveTo(to), _) => parts.push(vec![at(to)]),
            (PathSegment::LineTo(to), Some(part)) => part.push(at(to)),
            (PathSegment::QuadTo(control, to), Some(part)) => add_curve(part, at(control), at(to)),
            (PathSegment::CubicTo(one, two, to), Some(part)) => {
                // Borders of lines have no cubic curves; two quadratic ones come close.
                let middle = (at(one) + at(two)) / 2.0;
                add_curve(part, at(one), middle);
                add_curve(part, at(two), at(to));
            }
            (PathSegment::Close, _)
            | (PathSegment::LineTo(_) | PathSegment::QuadTo(..) | PathSegment::CubicTo(..), None) =>
                {}
        }
    }
    parts
}

/// Returns an outline as a path of the library.
fn path(outline: &Outline) -> Option<Path> {
    let mut builder = PathBuilder::new();
    for step in &outline.0 {
        match *step {
            Step::Move(Vec2 { x, y }) => builder.move_to(x, y),
            Step::Line(Vec2 { x, y }) => builder.line_to(x, y),
            Step::Curve(control, to) => builder.quad_to(control.x, control.y, to.x, to.y),
            Step::Close => builder.close(),
        }
    }
    builder.finish()
}

/// Returns the colours of pixels.
pub fn colors(pixels: &[u8]) -> impl Iterator<Item = Rgb> {
    pixels.chunks_exact(4).map(|pixel| from_channels([pixel[0], pixel[1], pixel[2]]))
}

/// Writes a picture as PNG.
///
/// # Errors
/// Returns the error of `out`.
pub fn write_png(picture: &Picture, pixels: &[u8], out: &mut dyn Write) -> io::Result<()> {
    let rgb: Vec<u8> = colors(pixels).flat_map(channels).collect();
    let [width, height] = picture.size;
    let mut encoder = png::Encoder::new(out, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Balanced);
    encoder.set_filter(png::Filter::Adaptive);
    let failed = |error| match error {
        png::EncodingError::IoError(error) => error,
        png::EncodingError::Format(_)
        | png::EncodingError::Parameter(_)
        | png::EncodingError::LimitsExceeded => io::Error::other("the picture is too large"),
    };
    let mut writer = encoder.write_header().map_err(failed)?;
    writer.write_image_data(&rgb).map_err(failed)?;
    writer.finish().map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the darkness of the pixels of a black shape on white, from 0 to 255.
    fn drawn(size: [u32; 2], shape: Shape) -> Vec<u8> {
        let picture =
            Picture { size, moving: vec![shape], map: [[0, 0], size], ..Picture::default() };
        let pixels = Canvas::new(&picture).draw(&picture).to_vec();
        pixels.chunks(PIXEL).map(|pixel| 255 - pixel[0]).collect()
    }

    #[test]
    fn pixels_are_covered_by_exact_areas() {
        let square = Outline::rectangle(Vec2::new(0.5, 0.0), Vec2::new(2.25, 1.5));
        assert_eq!(drawn([3, 2], Shape::area(square, 0)), [127, 255, 64, 64, 127, 32]);
        let slope = Outline::polygon([Vec2::ZERO, Vec2::new(4.0, 0.0), Vec2::new(0.0, 1.0)]);
        assert_eq!(drawn([4, 1], Shape::area(slope, 0)), [223, 159, 96, 32]);
    }

    #[test]
    fn parts_of_a_line_that_overlap_are_not_drawn_twice() {
        let ends = [Vec2::new(-5.0, 1.0), Vec2::new(9.0, 1.0), Vec2::new(-5.0, 1.0)];
        let stroke = Stroke::solid(Ink { rgb: 0, alpha: 128 }, 2.0);
        let line = Shape::Line { outline: Outline::line(ends), stroke };
        assert_eq!(drawn([3, 2], line), [128; 6]);
    }

    #[test]
    fn a_disc_covers_its_area() {
        let (centre, name) = (Vec2::splat(10.0), String::new());
        let fill = Some(0.into());
        let disc = Shape::Disc { centre, radius: 8.0, fill, stroke: None, name };
        let area: f32 = drawn([20, 20], disc).iter().map(|it| f32::from(*it) / 255.0).sum();
        assert!((area - core::f32::consts::PI * 64.0).abs() < 1.0, "{area}");
    }
}
