//! Writes pictures as SVG.

use core::fmt::Write;

use crate::geom::Vec2;

use super::picture::{Ink, Outline, Picture, Shape, Step, Stroke};

/// Returns a picture as an SVG document.
///
/// Agents are circles with their name in `data-agent`. If the picture shows a map, the attributes
/// `data-origin` and `data-tile` of the document are the pixels of the map's origin and of a tile.
pub fn document(picture: &Picture) -> String {
    let [width, height] = picture.size;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\""
    );
    if let Some(placed) = picture.placed {
        text += " data-origin=\"";
        point(&mut text, placed.origin);
        // Writing to a string never fails.
        let _ = write!(text, "\" data-tile=\"{}\"", placed.scale);
    }
    text += " stroke-linecap=\"round\" stroke-linejoin=\"round\">\n";
    for shape in picture.shapes() {
        add(&mut text, shape);
    }
    text += "</svg>\n";
    text
}

fn add(text: &mut String, shape: &Shape) {
    match shape {
        Shape::Area { outline, ink, text: label } => {
            path(text, outline);
            paint(text, "fill", *ink);
            if !label.is_empty() {
                let _ = write!(text, " aria-label=\"{}\"", escaped(label));
            }
        }
        Shape::Line { outline, stroke } => {
            path(text, outline);
            text.push_str(" fill=\"none\"");
            line(text, stroke);
        }
        Shape::Disc { centre, radius, fill, stroke, name } => {
            text.push_str("<circle cx=\"");
            exact(text, centre.x);
            text.push_str("\" cy=\"");
            exact(text, centre.y);
            text.push_str("\" r=\"");
            number(text, *radius);
            text.push('"');
            match fill {
                Some(fill) => paint(text, "fill", *fill),
                None => text.push_str(" fill=\"none\""),
            }
            if let Some(stroke) = stroke {
                line(text, stroke);
            }
            if !name.is_empty() {
                let _ = write!(text, " data-agent=\"{}\"", escaped(name));
            }
        }
    }
    text.push_str("/>\n");
}

/// Writes an outline. Lines and curves are relative to the rounded point before them, which is short and
/// accumulates no error.
fn path(text: &mut String, outline: &Outline) {
    let hundredths = |at: Vec2| [at.x, at.y].map(|number| scaled(number, 100.0));
    let (mut here, mut start) = ([0, 0], [0, 0]);
    text.push_str("<path d=\"");
    for step in &outline.0 {
        let (letter, points, count) = match *step {
            Step::Move(at) => ('M', [hundredths(at); 2], 1),
            Step::Line(at) => ('l', [hundredths(at); 2], 1),
            Step::Curve(control, at) => ('q', [hundredths(control), hundredths(at)], 2),
            Step::Close => ('Z', [start; 2], 0),
        };
        text.push(letter);
        let base = if letter == 'M' { [0, 0] } else { here };
        let numbers = points[..count].iter().flat_map(|[x, y]| [x - base[0], y - base[1]]);
        for (index, number) in numbers.enumerate() {
            // A sign separates numbers, too.
            if index > 0 && number >= 0 {
                text.push(' ');
            }
            digits(text, number, 2);
        }
        here = points[1];
        if letter == 'M' {
            start = here;
        }
    }
    text.push('"');
}

fn point(text: &mut String, at: Vec2) {
    number(text, at.x);
    text.push(' ');
    number(text, at.y);
}

fn line(text: &mut String, stroke: &Stroke) {
    paint(text, "stroke", stroke.ink);
    text.push_str(" stroke-width=\"");
    number(text, stroke.width);
    text.push('"');
    if let Some([dash, gap]) = stroke.lengths() {
        text.push_str(" stroke-dasharray=\"");
        point(text, Vec2::new(dash, gap));
        text.push('"');
    }
}

fn paint(text: &mut String, attribute: &str, Ink { rgb, alpha }: Ink) {
    let _ = write!(text, " {attribute}=\"#{rgb:06x}\"");
    if alpha < 255 {
        let _ = write!(text, " {attribute}-opacity=\"");
        number(text, f32::from(alpha) / 255.0);
        text.push('"');
    }
}

/// Writes a number with at most two digits after the point.
fn number(text: &mut String, number: f32) {
    digits(text, scaled(number, 100.0), 2);
}

/// Writes a number with at most four digits after the point.
fn exact(text: &mut String, number: f32) {
    digits(text, scaled(number, 10_000.0), 4);
}

/// Returns a number in units of its last digit after the point.
fn scaled(number: f32, unit: f64) -> i64 {
    (f64::from(number) * unit).round() as i64
}

/// Writes a number in units of its last digit after the point, without needless zeros.
fn digits(text: &mut String, scaled: i64, count: usize) {
    let unit = 10_u64.pow(count as u32);
    let (whole, part) = (scaled.unsigned_abs() / unit, scaled.unsigned_abs() % unit);
    if scaled < 0 {
        text.push('-');
    }
    if whole > 0 || part == 0 {
        let _ = write!(text, "{whole}");
    }
    if part > 0 {
        let part = format!("{part:0count$}");
        let _ = write!(text, ".{}", part.trim_end_matches('0'));
    }
}

/// Escapes a text for an attribute or an element. XML can't contain control characters.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c if c.is_control() => escaped.push('\u{FFFD}'),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_rounded() {
        for (value, expected) in
            [(1.0, "1"), (-0.004, "0"), (-1.256, "-1.26"), (0.05, ".05"), (1e9, "1000000000")]
        {
            let mut text = String::new();
            number(&mut text, value);
            assert_eq!(text, expected);
        }
    }

    #[test]
    fn lines_and_curves_are_relative_to_rounded_points() {
        let at = Vec2::new;
        let mut outline = Outline::polygon([at(10.004, 5.0), at(10.5, 4.0), at(0.0, 4.0)]);
        outline.0.extend([Step::Move(at(1.0, 1.0)), Step::Curve(at(2.0, 1.0), at(2.0, 2.5))]);
        let mut text = String::new();
        path(&mut text, &outline);
        assert_eq!(text, "<path d=\"M10 5l.5-1l-10.5 0ZM1 1q1 0 1 1.5\"");
    }
}
