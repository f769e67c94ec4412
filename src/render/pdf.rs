//! Writes pictures as PDF: one page with vector graphics. A pixel is 0.75 points, as in CSS.

use std::collections::BTreeSet;
use std::io::Write;

use pdf_writer::types::{LineCapStyle, LineJoinStyle};
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, TextStr};

use crate::geom::Vec2;
use crate::palette::channels;

use super::picture::{Ink, Outline, Picture, Shape, Step, Stroke};

/// Points of a pixel.
const POINTS: f32 = 0.75;

/// Distance of the control points of a quarter circle from its ends, for a radius of 1.
const ROUND: f32 = 0.552_284_8;

/// Returns a picture as a PDF document. `title` is its title for readers and search engines.
pub fn document(picture: &Picture, title: &str) -> Vec<u8> {
    let mut pdf = Pdf::new();
    let [catalog, pages, page, content, info] = [1, 2, 3, 4, 5].map(Ref::new);
    let [width, height] = picture.size.map(|side| side as f32 * POINTS);
    pdf.catalog(catalog).pages(pages);
    pdf.pages(pages).kids([page]).count(1);
    pdf.document_info(info).title(TextStr(title)).creator(TextStr("tilewalk"));
    let mut used = BTreeSet::new();
    let mut drawing = Content::new();
    // Pixels have their origin at the top left corner and y points down.
    drawing.transform([POINTS, 0.0, 0.0, -POINTS, 0.0, height]);
    drawing.set_line_cap(LineCapStyle::RoundCap).set_line_join(LineJoinStyle::RoundJoin);
    for shape in picture.shapes() {
        draw(&mut drawing, shape, &mut used);
    }
    let mut writer = pdf.page(page);
    writer.parent(pages).media_box(Rect::new(0.0, 0.0, width, height)).contents(content);
    let mut resources = writer.resources();
    let mut states = resources.ext_g_states();
    for alpha in used {
        let share = f32::from(alpha) / 255.0;
        let name = state(alpha);
        let mut state =
            states.insert(Name(name.as_bytes())).start::<pdf_writer::writers::ExtGraphicsState>();
        state.non_stroking_alpha(share).stroking_alpha(share);
    }
    states.finish();
    resources.finish();
    writer.finish();
    let packed = packed(&drawing.finish());
    pdf.stream(content, &packed).filter(Filter::FlateDecode);
    pdf.finish()
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::new(6));
    // Writing to a vector never fails.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}

/// Returns the name of the graphics state with an opacity.
fn state(alpha: u8) -> String {
    format!("a{alpha}")
}

fn draw(content: &mut Content, shape: &Shape, used: &mut BTreeSet<u8>) {
    match shape {
        Shape::Area { outline, ink, text: _ } => {
            fill(content, *ink, used);
            path(content, outline);
            content.fill_nonzero();
        }
        Shape::Line { outline, stroke } => {
            line(content, stroke, used);
            path(content, outline);
            content.stroke();
        }
        Shape::Disc { centre, radius, fill: inside, stroke, name: _ } => {
            if let Some(ink) = inside {
                fill(content, *ink, used);
                circle(content, *centre, *radius);
                content.fill_nonzero();
            }
            if let Some(stroke) = stroke {
                line(content, stroke, used);
                circle(content, *centre, *radius);
                content.stroke();
            }
        }
    }
}

fn set_alpha(content: &mut Content, alpha: u8, used: &mut BTreeSet<u8>) {
    // The state without opacity is needed only after another one.
    if alpha < 255 || !used.is_empty() {
        used.insert(alpha);
        content.set_parameters(Name(state(alpha).as_bytes()));
    }
}

fn fill(content: &mut Content, Ink { rgb, alpha }: Ink, used: &mut BTreeSet<u8>) {
    let [red, green, blue] = channels(rgb).map(share);
    set_alpha(content, alpha, used);
    content.set_fill_rgb(red, green, blue);
}

fn line(content: &mut Content, stroke: &Stroke, used: &mut BTreeSet<u8>) {
    let [red, green, blue] = channels(stroke.ink.rgb).map(share);
    set_alpha(content, stroke.ink.alpha, used);
    content.set_stroke_rgb(red, green, blue).set_line_width(rounded(stroke.width));
    content.set_dash_pattern(stroke.lengths().into_iter().flatten().map(rounded), 0.0);
}

fn share(channel: u8) -> f32 {
    (f32::from(channel) / 255.0 * 1000.0).round() / 1000.0
}

fn rounded(number: f32) -> f32 {
    (number * 100.0).round() / 100.0
}

fn path(content: &mut Content, outline: &Outline) {
    let mut here = Vec2::ZERO;
    for step in &outline.0 {
        match *step {
            Step::Move(at) => {
                content.move_to(rounded(at.x), rounded(at.y));
                here = at;
            }
            Step::Line(at) => {
                content.line_to(rounded(at.x), rounded(at.y));
                here = at;
            }
            Step::Curve(control, at) => {
                let [first, second] = [here, at].map(|end| end + (control - end) * (2.0 / 3.0));
                curve(content, first, second, at);
                here = at;
            }
            Step::Close => {
                content.close_path();
            }
        }
    }
}

fn curve(content: &mut Content, first: Vec2, second: Vec2, to: Vec2) {
    let [x1, y1, x2, y2, x3, y3] = [first.x, first.y, second.x, second.y, to.x, to.y].map(rounded);
    content.cubic_to(x1, y1, x2, y2, x3, y3);
}

fn circle(content: &mut Content, centre: Vec2, radius: f32) {
    let start = centre + Vec2::new(radius, 0.0);
    content.move_to(rounded(start.x), rounded(start.y));
    let mut from = Vec2::new(radius, 0.0);
    for _ in 0..4 {
        let to = Vec2::new(-from.y, from.x);
        let (first, second) = (from + to * ROUND, to + from * ROUND);
        curve(content, centre + first, centre + second, centre + to);
        from = to;
    }
    content.close_path();
}
