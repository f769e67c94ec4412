//! Draws pictures as pixels, and writes them as PNG.

use std::io::{self, Write};

use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Rect, StrokeDash,
    Transform,
};

use crate::geom::Vec2;
use crate::palette::{Rgb, channels, from_channels};

use super::picture::{Ink, Outline, Picture, Shape, Step, Stroke};

/// Draws the pictures of a film. What does not change is drawn once.
#[derive(Debug)]
pub struct Canvas {
    /// The ground and the frame, and their `still`.
    still: Option<(Pixmap, u64)>,
    image: Pixmap,
}

impl Canvas {
    /// Creates a canvas of the size of a picture. Returns `None` if the size is 0 or too large.
    pub fn new(picture: &Picture) -> Option<Self> {
        let [width, height] = picture.size;
        Some(Self { still: None, image: Pixmap::new(width, height)? })
    }

    /// Draws a picture, which has the size of the canvas. Returns its pixels row by row, four bytes
    /// each: red, green, blue and 255.
    pub fn draw(&mut self, picture: &Picture) -> &[u8] {
        let known = self.still.as_ref().is_some_and(|(_, still)| *still == picture.still);
        if !known {
            self.image.fill(Color::WHITE);
            for shape in picture.ground.iter().chain(&*picture.frame) {
                draw(&mut self.image, shape);
            }
            self.still = Some((self.image.clone(), picture.still));
        }
        let Some((still, _)) = &self.still else { return &[] };
        self.image.data_mut().copy_from_slice(still.data());
        for shape in &picture.moving {
            draw(&mut self.image, shape);
        }
        restore_margins(&mut self.image, still, picture.map);
        for shape in &picture.stamp {
            draw(&mut self.image, shape);
        }
        self.image.data()
    }
}

/// Copies the pixels outside the map.
fn restore_margins(image: &mut Pixmap, still: &Pixmap, [from, to]: [[u32; 2]; 2]) {
    let width = still.width() as usize;
    let rows =
        image.data_mut().chunks_exact_mut(width * 4).zip(still.data().chunks_exact(width * 4));
    for (y, (row, kept)) in (0..).zip(rows) {
        if (from[1]..to[1]).contains(&y) {
            let [left, right] = [from[0], to[0]].map(|x| x as usize * 4);
            row[..left].copy_from_slice(&kept[..left]);
            row[right..].copy_from_slice(&kept[right..]);
        } else {
            row.copy_from_slice(kept);
        }
    }
}

fn draw(image: &mut Pixmap, shape: &Shape) {
    match shape {
        Shape::Area { outline, ink, text: _ } => {
            if let Some(path) = path(outline) {
                fill(image, &path, *ink);
            }
        }
        Shape::Line { outline, stroke } => {
            if let Some(path) = path(outline) {
                line(image, &path, stroke);
            }
        }
        Shape::Disc { centre, radius, fill: inside, stroke, name: _ } => {
            let Some(path) = PathBuilder::from_circle(centre.x, centre.y, *radius) else { return };
            if let Some(ink) = inside {
                fill(image, &path, *ink);
            }
            if let Some(stroke) = stroke {
                line(image, &path, stroke);
            }
        }
    }
}

/// Returns true if a path can be visible. Far away, coordinates exceed the numbers of the library.
fn is_near(image: &Pixmap, bounds: Rect) -> bool {
    let (width, height) = (image.width() as f32, image.height() as f32);
    bounds.right() >= -8.0
        && bounds.bottom() >= -8.0
        && bounds.left() <= width + 8.0
        && bounds.top() <= height + 8.0
}

fn paint(ink: Ink) -> Paint<'static> {
    let [red, green, blue] = channels(ink.rgb);
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color_rgba8(red, green, blue, ink.alpha);
    paint
}

fn fill(image: &mut Pixmap, path: &Path, ink: Ink) {
    if is_near(image, path.bounds()) {
        image.fill_path(path, &paint(ink), FillRule::Winding, Transform::identity(), None);
    }
}

fn line(image: &mut Pixmap, path: &Path, stroke: &Stroke) {
    if !is_near(image, path.bounds()) {
        return;
    }
    let dash = stroke.lengths().and_then(|lengths| StrokeDash::new(lengths.to_vec(), 0.0));
    let (line_cap, line_join) = (LineCap::Round, LineJoin::Round);
    let width = stroke.width;
    let style =
        tiny_skia::Stroke { width, dash, line_cap, line_join, ..tiny_skia::Stroke::default() };
    image.stroke_path(path, &paint(stroke.ink), &style, Transform::identity(), None);
}

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
