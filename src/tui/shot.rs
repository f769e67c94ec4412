//! Pictures of the screen: its text, or an SVG with its colours.

use core::fmt::Write;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use unicode_width::UnicodeWidthStr;

use super::theme;

/// Size of a cell, in pixels; the letters are as wide as this makes them.
const CELL: (u32, u32) = (9, 18);

/// Where letters stand in a cell, from above.
const BASE: u32 = 14;

/// Size of the letters.
const FONT: u32 = 15;

/// Text and ground where the terminal's own would show.
const USUAL: (u32, u32) = (0xd0_d0d0, 0x10_1010);

/// The text of a screen, without spaces at the ends of its rows.
pub fn text(buffer: &Buffer) -> String {
    let mut text = String::new();
    for row in rows(buffer) {
        let line: String = cells(row).map(|(_, cell)| cell.symbol()).collect();
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// The screen as an SVG.
pub fn svg(buffer: &Buffer) -> String {
    let (width, height) = (u32::from(buffer.area.width), u32::from(buffer.area.height));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" \
         font-family=\"monospace\" font-size=\"{FONT}\">\n",
        w = width * CELL.0,
        h = height * CELL.1,
    );
    for (y, row) in (0..).zip(rows(buffer)) {
        for run in runs(row) {
            draw(&mut svg, &run, y);
        }
    }
    svg.push_str("</svg>\n");
    svg
}

fn rows(buffer: &Buffer) -> impl Iterator<Item = &[Cell]> {
    buffer.content().chunks(usize::from(buffer.area.width).max(1))
}

/// The cells of a row with their columns, without those that a wide sign covers.
fn cells(row: &[Cell]) -> impl Iterator<Item = (usize, &Cell)> {
    let mut free = 0;
    row.iter().enumerate().filter(move |(x, cell)| {
        let seen = *x >= free;
        if seen {
            free = x + cell.symbol().width().max(1);
        }
        seen
    })
}

/// Cells of one look beside each other.
struct Run {
    x: usize,
    columns: usize,
    text: String,
    look: Look,
}

/// What a cell looks like.
#[derive(Clone, Copy, PartialEq)]
struct Look {
    text: u32,
    ground: u32,
    modifier: Modifier,
}

fn look(cell: &Cell) -> Look {
    let rgb = |color: Color, usual| theme::rgb(color).unwrap_or(usual);
    let (text, ground) = (rgb(cell.fg, USUAL.0), rgb(cell.bg, USUAL.1));
    let modifier = cell.modifier - Modifier::REVERSED;
    if cell.modifier.contains(Modifier::REVERSED) {
        Look { text: ground, ground: text, modifier }
    } else {
        Look { text, ground, modifier }
    }
}

fn runs(row: &[Cell]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for (x, cell) in cells(row) {
        let (look, columns) = (look(cell), cell.symbol().width().max(1));
        match runs.last_mut() {
            Some(run) if run.look == look => {
                run.text.push_str(cell.symbol());
                run.columns += columns;
            }
            _ => runs.push(Run { x, columns, text: cell.symbol().to_owned(), look }),
        }
    }
    runs
}

/// A rectangle of the ground, and the letters, as wide as their cells.
fn draw(svg: &mut String, run: &Run, y: u32) {
    let (x, width) = (run.x as u32 * CELL.0, run.columns as u32 * CELL.0);
    let Look { text, ground, modifier } = run.look;
    let (top, height) = (y * CELL.1, CELL.1);
    // A string takes all.
    let _ = writeln!(
        svg,
        "<rect x=\"{x}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" fill=\"#{ground:06x}\"/>"
    );
    if run.text.trim().is_empty() && !modifier.contains(Modifier::UNDERLINED) {
        return;
    }
    let mut style = String::new();
    for (flag, attribute) in [
        (Modifier::BOLD, " font-weight=\"bold\""),
        (Modifier::ITALIC, " font-style=\"italic\""),
        (Modifier::UNDERLINED, " text-decoration=\"underline\""),
        (Modifier::CROSSED_OUT, " text-decoration=\"line-through\""),
        (Modifier::DIM, " opacity=\"0.6\""),
    ] {
        if modifier.contains(flag)
            && !(flag == Modifier::CROSSED_OUT && style.contains("underline"))
        {
            style.push_str(attribute);
        }
    }
    let letters = escaped(&run.text);
    let base = top + BASE;
    let _ = writeln!(
        svg,
        "<text x=\"{x}\" y=\"{base}\" textLength=\"{width}\" lengthAdjust=\"spacingAndGlyphs\" \
         fill=\"#{text:06x}\" xml:space=\"preserve\"{style}>{letters}</text>"
    );
}

fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            // No cell has one; XML has no way to say it.
            c if c.is_control() => escaped.push('\u{FFFD}'),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    use super::*;

    #[test]
    fn a_picture_has_every_sign_once_and_its_style() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 8, 2));
        let style = Style::new().fg(Color::Rgb(1, 2, 3)).add_modifier(Modifier::REVERSED);
        buffer.set_string(0, 0, "<語&>", style);
        buffer.set_string(0, 1, "ab", Style::new().add_modifier(Modifier::BOLD));
        assert_eq!(text(&buffer), "<語&>\nab\n");
        let svg = svg(&buffer);
        assert!(svg.contains("width=\"72\" height=\"36\""), "{svg}");
        assert!(svg.contains("fill=\"#010203\"/>"), "the ground is the text's colour: {svg}");
        assert!(svg.contains("textLength=\"45\""), "five columns: {svg}");
        assert!(svg.contains(">&lt;語&amp;&gt;</text>"), "{svg}");
        assert!(svg.contains("font-weight=\"bold\">ab</text>"), "{svg}");
    }
}
