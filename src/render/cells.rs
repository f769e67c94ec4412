//! Pictures of text cells: the screen, or a map as text. They become text, SVG with text, and display lists
//! with the letters of the embedded fonts.

use core::fmt::Write;

use unicode_width::UnicodeWidthStr;

use crate::geom::{TilePos, Vec2};
use crate::palette::{Rgb, channels};
use crate::world::World;

use super::font::{MONO, SANS};
use super::picture::{Outline, Picture, Shape, Stroke};
use super::scene::USUAL;
use super::scene::agents::Colors;
use super::style::Style;
use super::svg::escaped;

/// Width and height of a cell in pixels. Text is stretched to this width.
const CELL: (u32, u32) = (9, 18);

/// Distance from the top of a cell to the baseline of the text, in pixels.
const BASELINE: u32 = 14;

/// Font size in pixels.
const FONT_SIZE: u32 = 15;

/// Height and width of a cell in em, and distance from its top to the baseline: those of the font.
const EM: [f32; 3] = [1.164, 0.602, 0.928];

/// Appearance of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CellStyle {
    pub text: Rgb,
    pub background: Rgb,
    /// Bits of the constants of this type, such as [`CellStyle::BOLD`].
    pub marks: u8,
}

impl CellStyle {
    pub const BOLD: u8 = 1;
    pub const DIM: u8 = 2;
    pub const ITALIC: u8 = 4;
    pub const UNDERLINED: u8 = 8;
    pub const CROSSED_OUT: u8 = 16;

    /// Returns a style with colours only.
    pub fn plain(text: Rgb, background: Rgb) -> Self {
        Self { text, background, marks: 0 }
    }

    /// Returns whether a mark is set.
    pub fn has(self, mark: u8) -> bool {
        self.marks & mark != 0
    }
}

/// A cell of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// One symbol. Empty for a cell that the wide symbol to its left covers.
    pub symbol: String,
    pub style: CellStyle,
}

/// Cells of text, row by row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cells {
    pub width: usize,
    pub cells: Vec<Cell>,
}

/// Adjacent cells of a row with the same appearance.
struct TextRun {
    x: usize,
    columns: usize,
    text: String,
    style: CellStyle,
}

fn runs(row: &[Cell]) -> Vec<TextRun> {
    let mut runs: Vec<TextRun> = Vec::new();
    for (x, cell) in row.iter().enumerate() {
        match runs.last_mut() {
            Some(run) if cell.symbol.is_empty() => run.columns += 1,
            Some(run) if run.style == cell.style => {
                run.text.push_str(&cell.symbol);
                run.columns += 1;
            }
            _ => {
                runs.push(TextRun { x, columns: 1, text: cell.symbol.clone(), style: cell.style });
            }
        }
    }
    runs
}

impl Cells {
    /// Creates cells from a function that returns the symbol and style of each column and row.
    pub fn new(
        width: usize,
        height: usize,
        mut cell: impl FnMut(usize, usize) -> (String, CellStyle),
    ) -> Self {
        let mut cells: Vec<Cell> = Vec::with_capacity(width * height);
        for y in 0..height {
            let mut covered = 0;
            for x in 0..width {
                let (mut symbol, style) = cell(x, y);
                if covered > 0 {
                    symbol.clear();
                    covered -= 1;
                } else {
                    covered = symbol.width().saturating_sub(1);
                }
                cells.push(Cell { symbol, style });
            }
        }
        Self { width, cells }
    }

    /// Returns a map with its agents, one cell for each tile.
    pub fn of_map(world: &World, area: [Vec2; 2], colors: &Colors, style: &Style) -> Self {
        let map = world.scenario().map();
        let [from, to] = area.map(|corner| [corner.x as i32, corner.y as i32]);
        let [width, height] = [0, 1].map(|axis: usize| (to[axis] - from[axis]).max(1) as usize);
        let glyph = |text: &str| {
            let is_safe = text.width() == 1 && !text.chars().any(char::is_control);
            if is_safe { text.to_owned() } else { "?".to_owned() }
        };
        let background = style.background();
        let mut cells = Self::new(width, height, |x, y| {
            let tile = TilePos::new(from[0] + x as i32, from[1] + y as i32);
            let Some(kind) = map.kind(tile) else {
                return (" ".to_owned(), CellStyle::plain(background, background));
            };
            let ground = style.ground(kind);
            let rgb = ground.line.or(ground.fill).unwrap_or(style.hues.floor);
            (glyph(&kind.drawn), CellStyle::plain(style.mark(rgb), background))
        });
        for id in world.ids() {
            let TilePos { x, y } = world.tile(id);
            let (x, y) = (x - from[0], y - from[1]);
            if (0..width as i32).contains(&x) && (0..height as i32).contains(&y) {
                let cell = &mut cells.cells[y as usize * width + x as usize];
                cell.symbol = glyph(&world.kind(id).glyph);
                cell.style = CellStyle::plain(style.text(colors.get(world, id)), background);
                cell.style.marks = CellStyle::BOLD;
            }
        }
        cells
    }

    /// Returns the number of rows.
    pub fn height(&self) -> usize {
        self.cells.len() / self.width.max(1)
    }

    /// Returns the rows of cells.
    pub fn rows(&self) -> impl Iterator<Item = &[Cell]> {
        self.cells.chunks(self.width.max(1))
    }

    /// Returns the text, one line per row, without trailing spaces.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for row in self.rows() {
            let line: String = row.iter().map(|cell| cell.symbol.as_str()).collect();
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }

    /// Returns an SVG document with text elements.
    pub fn svg(&self) -> String {
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" \
             font-family=\"monospace\" font-size=\"{FONT_SIZE}\">\n",
            w = self.width as u32 * CELL.0,
            h = self.height() as u32 * CELL.1,
        );
        for (y, row) in (0..).zip(self.rows()) {
            for run in runs(row) {
                svg_run(&mut svg, &run, y);
            }
        }
        svg.push_str("</svg>\n");
        svg
    }

    /// Returns the display list. `width` is the width of the picture in pixels, or `None` for the usual
    /// longer side.
    pub fn picture(&self, width: Option<u32>, is_even: bool) -> Picture {
        let natural =
            [self.width as u32 * CELL.0, self.height() as u32 * CELL.1].map(|it| it as f32);
        let scale = width
            .map_or(USUAL as f32 / natural[0].max(natural[1]), |width| width as f32 / natural[0]);
        let mut size = natural.map(|side| ((side * scale).round() as u32).max(1));
        if is_even {
            size = size.map(|side| side.next_multiple_of(2));
        }
        let cell = Vec2::new(CELL.0 as f32, CELL.1 as f32) * scale;
        let mut shapes = Vec::new();
        for (y, row) in self.rows().enumerate() {
            for run in runs(row) {
                draw_run(&run, y, cell, &mut shapes);
            }
        }
        let map = [[0, 0], size];
        Picture { size, moving: shapes, map, still: 1, ..Picture::default() }
    }

    /// Returns the bytes that change the cells of `last` to these cells on a terminal. Without `last`,
    /// clears the screen first.
    pub fn terminal_text(&self, last: Option<&Self>) -> String {
        let last = last.filter(|last| last.width == self.width && last.height() == self.height());
        let mut text = String::from(if last.is_some() { "" } else { "\x1b[?25l\x1b[0m\x1b[2J" });
        for (y, row) in self.rows().enumerate() {
            let differs =
                |x: &usize| last.is_none_or(|last| last.cells[y * self.width + x] != row[*x]);
            let Some(first) = (0..self.width).find(differs) else { continue };
            let end = (0..self.width).rev().find(differs).unwrap_or(first) + 1;
            // A wide symbol is written as a whole.
            let first = (0..=first).rev().find(|&x| !row[x].symbol.is_empty()).unwrap_or(first);
            let _ = write!(text, "\x1b[{};{}H", y + 1, first + 1);
            for run in runs(&row[first..end]) {
                terminal_run(&run, &mut text);
            }
        }
        text
    }
}

fn terminal_run(run: &TextRun, text: &mut String) {
    let CellStyle { text: front, background, .. } = run.style;
    let ([r, g, b], [br, bg, bb]) = (channels(front), channels(background));
    let _ = write!(text, "\x1b[0;38;2;{r};{g};{b};48;2;{br};{bg};{bb}");
    for (flag, code) in [
        (run.style.has(CellStyle::BOLD), ";1"),
        (run.style.has(CellStyle::DIM), ";2"),
        (run.style.has(CellStyle::ITALIC), ";3"),
        (run.style.has(CellStyle::UNDERLINED), ";4"),
        (run.style.has(CellStyle::CROSSED_OUT), ";9"),
    ] {
        if flag {
            text.push_str(code);
        }
    }
    text.push('m');
    text.push_str(&run.text);
}

/// Appends the background rectangle and the text of a run. `y` is the row.
fn svg_run(svg: &mut String, run: &TextRun, y: u32) {
    let (x, width) = (run.x as u32 * CELL.0, run.columns as u32 * CELL.0);
    let CellStyle { text, background, .. } = run.style;
    let (top, height) = (y * CELL.1, CELL.1);
    // Writing to a string never fails.
    let _ = writeln!(
        svg,
        "<rect x=\"{x}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" fill=\"#{background:06x}\"/>"
    );
    if run.text.trim().is_empty() && !run.style.has(CellStyle::UNDERLINED) {
        return;
    }
    let mut style = String::new();
    for (flag, attribute) in [
        (run.style.has(CellStyle::BOLD), " font-weight=\"bold\""),
        (run.style.has(CellStyle::ITALIC), " font-style=\"italic\""),
        (run.style.has(CellStyle::UNDERLINED), " text-decoration=\"underline\""),
        (
            run.style.has(CellStyle::CROSSED_OUT) && !run.style.has(CellStyle::UNDERLINED),
            " text-decoration=\"line-through\"",
        ),
        (run.style.has(CellStyle::DIM), " opacity=\"0.6\""),
    ] {
        if flag {
            style.push_str(attribute);
        }
    }
    let content = escaped(&run.text);
    let baseline = top + BASELINE;
    let _ = writeln!(
        svg,
        "<text x=\"{x}\" y=\"{baseline}\" textLength=\"{width}\" lengthAdjust=\"spacingAndGlyphs\" \
         fill=\"#{text:06x}\" xml:space=\"preserve\"{style}>{content}</text>"
    );
}

/// Draws the background and the symbols of a run with the embedded fonts.
fn draw_run(run: &TextRun, y: usize, cell: Vec2, shapes: &mut Vec<Shape>) {
    let corner = Vec2::new(run.x as f32, y as f32) * cell;
    let end = corner + Vec2::new(run.columns as f32, 1.0) * cell;
    let CellStyle { text: rgb, background, .. } = run.style;
    // Whole pixels leave no gaps between cells.
    shapes.push(Shape::area(Outline::rectangle(corner.round(), end.round()), background));
    let rgb =
        if run.style.has(CellStyle::DIM) { crate::palette::mix(background, rgb, 0.6) } else { rgb };
    let mut outline = Outline::default();
    let mut at = corner;
    for symbol in run.text.chars() {
        let mut buffer = [0; 4];
        let symbol_text: &str = symbol.encode_utf8(&mut buffer);
        draw_symbol(symbol, symbol_text, at, cell, &mut outline);
        at.x += cell.x * symbol_text.width() as f32;
    }
    let line = |height: f32| {
        let from = corner + Vec2::new(0.0, height * cell.y);
        Shape::line(from, Vec2::new(end.x, from.y), rgb, cell.y * 0.06)
    };
    if !outline.0.is_empty() {
        if run.style.has(CellStyle::BOLD) {
            let stroke = Stroke::solid(rgb, cell.y * 0.035);
            shapes.push(Shape::Line { outline: outline.clone(), stroke });
        }
        let text = run.text.trim().to_owned();
        shapes.push(Shape::Area { outline, ink: rgb.into(), text });
    }
    if run.style.has(CellStyle::UNDERLINED) {
        shapes.push(line(0.93));
    }
    if run.style.has(CellStyle::CROSSED_OUT) {
        shapes.push(line(0.55));
    }
}

/// Adds the outline of a symbol. `at` is the top left corner of its cell.
fn draw_symbol(symbol: char, text: &str, at: Vec2, cell: Vec2, outline: &mut Outline) {
    let rectangle = |from: Vec2, to: Vec2| Outline::rectangle(at + from * cell, at + to * cell);
    let point = u32::from(symbol);
    match point {
        0x2800..=0x28ff => {
            let spots = [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2], [0, 3], [1, 3]];
            for (bit, [x, y]) in spots.into_iter().enumerate() {
                if (point - 0x2800) >> bit & 1 == 1 {
                    let centre = Vec2::new(0.27 + 0.46 * x as f32, 0.14 + 0.24 * y as f32);
                    let half = Vec2::new(cell.y / cell.x, 1.0) * 0.055;
                    outline.add(rectangle(centre - half, centre + half));
                }
            }
        }
        // Blocks fill their cells without gaps.
        0x2580 => outline.add(rectangle(Vec2::ZERO, Vec2::new(1.0, 0.5))),
        0x2581..=0x2588 => {
            let height = (point - 0x2580) as f32 / 8.0;
            outline.add(rectangle(Vec2::new(0.0, 1.0 - height), Vec2::ONE));
        }
        0x2589..=0x258f => {
            let width = (0x2590 - point) as f32 / 8.0;
            outline.add(rectangle(Vec2::ZERO, Vec2::new(width, 1.0)));
        }
        0x2590 => outline.add(rectangle(Vec2::new(0.5, 0.0), Vec2::ONE)),
        _ => {
            let [height, width, base] = EM;
            let size = Vec2::new(cell.x / width, cell.y / height);
            let baseline = at + Vec2::new(0.0, base * size.y);
            if MONO.has(symbol) {
                MONO.add(text, baseline, size, outline);
            } else {
                // A letter of the other font is as wide as its cells.
                let room = text.width() as f32 * cell.x;
                let own = SANS.width(text, size.x).max(0.1);
                let size = Vec2::new(size.x * (room / own).min(1.0), size.y);
                SANS.add(text, baseline, size, outline);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_rows() -> Cells {
        let rows = [["<", "語", "", "&"], ["a", "b", " ", " "]];
        let style = CellStyle::plain(0x01_0203, 0x10_1010);
        Cells::new(4, 2, |x, y| {
            let style = CellStyle { marks: u8::from(y == 1 && x < 2), ..style };
            (rows[y][x].to_owned(), style)
        })
    }

    #[test]
    fn svg_contains_each_symbol_once_with_its_style() {
        let cells = two_rows();
        assert_eq!(cells.text(), "<語&\nab\n");
        let svg = cells.svg();
        assert!(svg.contains("width=\"36\" height=\"36\""), "{svg}");
        assert!(svg.contains("textLength=\"36\""), "four columns: {svg}");
        assert!(svg.contains(">&lt;語&amp;</text>"), "{svg}");
        assert!(svg.contains("font-weight=\"bold\">ab</text>"), "{svg}");
    }

    #[test]
    fn terminal_text_contains_only_changed_cells() {
        let (last, mut now) = (two_rows(), two_rows());
        assert_eq!(now.terminal_text(Some(&last)), "");
        now.cells[5].symbol = "c".to_owned();
        let text = now.terminal_text(Some(&last));
        assert!(text.starts_with("\x1b[2;2H") && text.ends_with("mc"), "{text:?}");
        assert!(now.terminal_text(None).contains("\x1b[2J"));
    }
}
