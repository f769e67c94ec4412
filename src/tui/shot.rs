//! Screenshots as plain text or as SVG.

use core::fmt::Write;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use unicode_width::UnicodeWidthStr;

use super::theme;

/// Width and height of a cell in pixels. Text is stretched to this width.
const CELL: (u32, u32) = (9, 18);

/// Distance from the top of a cell to the baseline of the text, in pixels.
const BASELINE: u32 = 14;

/// Font size in pixels.
const FONT_SIZE: u32 = 15;

/// Text and background colours for cells with the terminal's default colours.
const DEFAULT_COLORS: (u32, u32) = (0xd0_d0d0, 0x10_1010);

/// Returns the text of the screen, one line per row, without trailing spaces.
pub fn text(buffer: &Buffer) -> String {
    let mut text = String::new();
    for row in rows(buffer) {
        let line: String = cells(row).map(|(_, cell)| cell.symbol()).collect();
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// Returns the screen as an SVG image with text and colours.
pub fn svg(buffer: &Buffer) -> String {
    let (width, height) = (u32::from(buffer.area.width), u32::from(buffer.area.height));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" \
         font-family=\"monospace\" font-size=\"{FONT_SIZE}\">\n",
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

/// Returns the cells of a row with their columns. Skips cells covered by a wide symbol.
fn cells(row: &[Cell]) -> impl Iterator<Item = (usize, &Cell)> {
    let mut next_free = 0;
    row.iter().enumerate().filter(move |(x, cell)| {
        let visible = *x >= next_free;
        if visible {
            next_free = x + cell.symbol().width().max(1);
        }
        visible
    })
}

/// Adjacent cells of a row with the same appearance.
struct TextRun {
    x: usize,
    columns: usize,
    text: String,
    style: CellStyle,
}

/// Appearance of a cell, with resolved colours and without `REVERSED`.
#[derive(Clone, Copy, PartialEq)]
struct CellStyle {
    text: u32,
    background: u32,
    modifier: Modifier,
}

fn cell_style(cell: &Cell) -> CellStyle {
    let rgb = |color: Color, default| theme::rgb(color).unwrap_or(default);
    let (text, background) = (rgb(cell.fg, DEFAULT_COLORS.0), rgb(cell.bg, DEFAULT_COLORS.1));
    let modifier = cell.modifier - Modifier::REVERSED;
    if cell.modifier.contains(Modifier::REVERSED) {
        CellStyle { text: background, background: text, modifier }
    } else {
        CellStyle { text, background, modifier }
    }
}

fn runs(row: &[Cell]) -> Vec<TextRun> {
    let mut runs: Vec<TextRun> = Vec::new();
    for (x, cell) in cells(row) {
        let (style, columns) = (cell_style(cell), cell.symbol().width().max(1));
        match runs.last_mut() {
            Some(run) if run.style == style => {
                run.text.push_str(cell.symbol());
                run.columns += columns;
            }
            _ => runs.push(TextRun { x, columns, text: cell.symbol().to_owned(), style }),
        }
    }
    runs
}

/// Appends the background rectangle and the text of a run. `y` is the row.
fn draw(svg: &mut String, run: &TextRun, y: u32) {
    let (x, width) = (run.x as u32 * CELL.0, run.columns as u32 * CELL.0);
    let CellStyle { text, background, modifier } = run.style;
    let (top, height) = (y * CELL.1, CELL.1);
    // Writing to a string never fails.
    let _ = writeln!(
        svg,
        "<rect x=\"{x}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" fill=\"#{background:06x}\"/>"
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
    let content = escape(&run.text);
    let baseline = top + BASELINE;
    let _ = writeln!(
        svg,
        "<text x=\"{x}\" y=\"{baseline}\" textLength=\"{width}\" lengthAdjust=\"spacingAndGlyphs\" \
         fill=\"#{text:06x}\" xml:space=\"preserve\"{style}>{content}</text>"
    );
}

/// Escapes text for XML.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            // XML cannot contain control characters. Cells never contain any.
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
    fn svg_contains_each_symbol_once_with_its_style() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 8, 2));
        let style = Style::new().fg(Color::Rgb(1, 2, 3)).add_modifier(Modifier::REVERSED);
        buffer.set_string(0, 0, "<語&>", style);
        buffer.set_string(0, 1, "ab", Style::new().add_modifier(Modifier::BOLD));
        assert_eq!(text(&buffer), "<語&>\nab\n");
        let svg = svg(&buffer);
        assert!(svg.contains("width=\"72\" height=\"36\""), "{svg}");
        assert!(svg.contains("fill=\"#010203\"/>"), "the background is the text's colour: {svg}");
        assert!(svg.contains("textLength=\"45\""), "five columns: {svg}");
        assert!(svg.contains(">&lt;語&amp;&gt;</text>"), "{svg}");
        assert!(svg.contains("font-weight=\"bold\">ab</text>"), "{svg}");
    }
}
