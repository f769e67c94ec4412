//! Reads MovingAI `.map` files: a header of four lines, then rows of glyphs.
//!
//! ```text
//! type octile
//! height 49
//! width 49
//! map
//! TTTT…
//! ```
//!
//! The line of the type can be missing. Then the type is `octile`.
//!
//! In a map of the type `octile-corner`, width and height count the corners of the tiles. The rows
//! of glyphs are preceded by rows of digits, which are the heights of the corners.

use std::ops::Range;

use crate::show;
use crate::text::diagnostic::{Diagnostic, Issues};
use crate::tiles::legend::Legend;
use crate::tiles::rows;
use tilewalk_sim::grid::Grid;
use tilewalk_sim::map::Map;

/// Iterator over lines and their byte ranges, without line endings.
struct SpannedLines<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> SpannedLines<'a> {
    fn next(&mut self) -> (&'a str, Range<usize>) {
        let rest = &self.text[self.at..];
        let length = rest.find('\n').unwrap_or(rest.len());
        let begin = self.at;
        self.at = (begin + length + 1).min(self.text.len());
        let line = rest[..length].trim_end();
        (line, begin..begin + line.len())
    }
}

/// Returns the number of lines above the first row of tiles; `None` if the header has no line
/// `map`.
pub fn header_lines(text: &str) -> Option<usize> {
    let mut above = 0;
    let mut height = 0;
    let mut has_heights = false;
    for line in text.lines() {
        above += 1;
        match line.split_whitespace().collect::<Vec<_>>().as_slice() {
            ["type", kind] => has_heights = *kind == CORNERS,
            ["height", number] => height = number.parse().unwrap_or(0),
            ["map"] => return Some(if has_heights { above + height } else { above }),
            _ => {}
        }
    }
    None
}

/// Advice for a header that can't be read.
const HEADER: &str =
    "write `type octile`, `height N`, `width N` and `map`, each in a line of its own";

/// Advice for wrong numbers in the header.
const CORRECT: &str = "correct the number in the header, or the rows";

/// Type of maps that contain the height of each corner of a tile.
const CORNERS: &str = "octile-corner";

pub fn read(text: &str, legend: &Legend, issues: &Issues) -> Option<Grid<u8>> {
    let mut lines = SpannedLines { text, at: 0 };
    let (line, span) = lines.next();
    let has_heights = match line.split_whitespace().collect::<Vec<_>>().as_slice() {
        ["type", "octile"] => false,
        ["type", kind] => *kind == CORNERS || refuse_type(span, issues)?,
        // Some planners write maps without the line of the type.
        ["height" | "width", _] => {
            lines.at = 0;
            false
        }
        _ => refuse_type(span, issues)?,
    };
    let (mut width, mut height) = (None, None);
    loop {
        let (line, span) = lines.next();
        match line.split_whitespace().collect::<Vec<_>>().as_slice() {
            ["width", number] => width = Some((side(number, &span, issues)?, span)),
            ["height", number] => height = Some((side(number, &span, issues)?, span)),
            ["map"] => break,
            _ => {
                let line = show::text(line);
                let message = format!("expected `height N`, `width N` or `map`, found `{line}`");
                issues.push(Diagnostic::error(span, message).help(HEADER));
                return None;
            }
        }
    }
    let (Some((width, width_at)), Some((height, height_at))) = (width, height) else {
        let message = "missing `height` or `width` in the header";
        issues.push(Diagnostic::error(lines.at..lines.at, message).help(HEADER));
        return None;
    };
    if has_heights {
        skip_heights(&mut lines, width, height, issues)?;
    }
    let begin = lines.at;
    let rows = text[begin..].trim_end_matches(['\r', '\n']);
    let shift = |span: Range<usize>| span.start + begin..span.end + begin;
    let grid = rows::read(rows, legend, begin..begin, shift, issues)?;
    if grid.width() != width {
        let message =
            format!("the header gives width {width}, but the rows have width {}", grid.width());
        issues.push(Diagnostic::error(width_at.clone(), message).help(CORRECT));
    }
    if grid.height() != height {
        let message =
            format!("the header gives height {height}, but the map has height {}", grid.height());
        issues.push(Diagnostic::error(height_at.clone(), message).help(CORRECT));
    }
    if (grid.width(), grid.height()) != (width, height) {
        return None;
    }
    if has_heights { without_last(&grid, height_at, issues) } else { Some(grid) }
}

fn refuse_type<T>(span: Range<usize>, issues: &Issues) -> Option<T> {
    let message = "a .map file must begin with `type octile` or `type octile-corner`";
    issues.push(Diagnostic::error(span, message).help("other map types are not supported"));
    None
}

/// Skips the heights of the corners. They are rows of digits, one for each row of corners. Reports
/// any other line and returns `None`.
fn skip_heights(lines: &mut SpannedLines, width: u32, height: u32, issues: &Issues) -> Option<()> {
    for row in 0..height {
        let (line, span) = lines.next();
        let is_row = line.len() == width as usize && line.bytes().all(|byte| byte.is_ascii_digit());
        if !is_row {
            let message = format!("expected row {row} of the corner heights: {width} digits");
            let help = "without heights, begin the file with `type octile`";
            issues.push(Diagnostic::error(span, message).help(help));
            return None;
        }
    }
    Some(())
}

/// Returns the tiles between the corners, without the last row and the last column. Reports a map
/// without tiles and returns `None`.
fn without_last(grid: &Grid<u8>, at: Range<usize>, issues: &Issues) -> Option<Grid<u8>> {
    let (width, height) = (grid.width() as usize, grid.height() as usize);
    if width.min(height) < 2 {
        let message = "the map has no tiles: width and height count the corners of the tiles";
        issues.push(Diagnostic::error(at, message).help("a tile needs four corners"));
        return None;
    }
    issues.push(Diagnostic::warning(at, "the heights of the corners are ignored"));
    let rows = grid.cells().chunks(width).take(height - 1);
    let cells = rows.flat_map(|row| &row[..width - 1]).copied().collect();
    Grid::from_cells(width as u32 - 1, cells)
}

fn side(number: &str, span: &Range<usize>, issues: &Issues) -> Option<u32> {
    let most = Map::MAX_SIDE;
    let side = number.parse().ok().filter(|side| (1..=most).contains(side));
    if side.is_none() {
        let message = format!(
            "map width and height must be between 1 and {most} tiles; found {}",
            show::text(number)
        );
        issues.push(Diagnostic::error(span.clone(), message).help(CORRECT));
    }
    side
}
