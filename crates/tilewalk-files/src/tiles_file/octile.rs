//! Reads `MovingAI` `.map` files: a header of four lines, then rows of glyphs.
//!
//! ```text
//! type octile
//! height 49
//! width 49
//! map
//! TTTT…
//! ```

use std::ops::Range;

use crate::diagnostic::{Diagnostic, Issues};
use crate::legend::Legend;
use crate::{show, tiles};
use tilewalk_sim::grid::Grid;
use tilewalk_sim::map::Map;

/// Iterates over lines and their ranges, without line endings.
struct Lines<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lines<'a> {
    fn next(&mut self) -> (&'a str, Range<usize>) {
        let rest = &self.text[self.at..];
        let length = rest.find('\n').unwrap_or(rest.len());
        let begin = self.at;
        self.at = (begin + length + 1).min(self.text.len());
        let line = rest[..length].trim_end();
        (line, begin..begin + line.len())
    }
}

pub fn read(text: &str, legend: &Legend, issues: &Issues) -> Option<Grid<u8>> {
    let mut lines = Lines { text, at: 0 };
    let (line, span) = lines.next();
    if line.split_whitespace().collect::<Vec<_>>() != ["type", "octile"] {
        let message = "a .map file must begin with `type octile`";
        issues.push(Diagnostic::error(span, message).help("other map types are not supported"));
        return None;
    }
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
                issues.error(span, message);
                return None;
            }
        }
    }
    let (Some((width, width_at)), Some((height, height_at))) = (width, height) else {
        issues.error(lines.at..lines.at, "missing `height` or `width` in the header");
        return None;
    };
    let begin = lines.at;
    let rows = text[begin..].trim_end_matches(['\r', '\n']);
    let shift = |span: Range<usize>| span.start + begin..span.end + begin;
    let grid = tiles::read(rows, legend, begin..begin, shift, issues)?;
    if grid.width() != width {
        let message =
            format!("the header gives width {width}, but the rows have width {}", grid.width());
        issues.error(width_at.clone(), message);
    }
    if grid.height() != height {
        let message =
            format!("the header gives height {height}, but the map has height {}", grid.height());
        issues.error(height_at.clone(), message);
    }
    ((grid.width(), grid.height()) == (width, height)).then_some(grid)
}

fn side(number: &str, span: &Range<usize>, issues: &Issues) -> Option<u32> {
    let most = Map::MAX_SIDE;
    let side = number.parse().ok().filter(|side| (1..=most).contains(side));
    if side.is_none() {
        let message = format!(
            "map width and height must be between 1 and {most} tiles; found {}",
            show::text(number)
        );
        issues.error(span.clone(), message);
    }
    side
}
