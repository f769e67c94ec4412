//! Converts rows of glyphs to a grid of legend indices.
//!
//! The rows can be in a TOML string or in a file of their own, so the caller converts offsets to
//! file offsets. A map can have 16 million tiles; nothing is allocated per tile, and ASCII glyphs
//! have a lookup table.

use std::collections::BTreeMap;
use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use super::diagnostic::{Diagnostic, Issues};
use super::glyph;
use super::legend::Legend;
use super::show;
use tilewalk_sim::geom::TilePos;
use tilewalk_sim::grid::Grid;
use tilewalk_sim::map::Map;

/// Maximum number of positions listed for an unknown glyph, and of rows listed for a wrong length.
const MOST_LISTED: usize = 10;

/// Maximum number of unknown glyphs reported. A file that is not a map can have thousands.
const MOST_UNKNOWN: usize = 20;

/// Positions of an unknown glyph.
struct Unknown {
    first: Range<usize>,
    places: Vec<TilePos>,
    count: usize,
}

/// A row with a wrong length.
struct Ragged {
    row: usize,
    width: usize,
    span: Range<usize>,
}

/// Reads rows and collects the problems in the rows.
struct Rows<'a> {
    legend: &'a Legend,
    cells: Vec<u8>,
    /// Whether all glyphs so far have legend entries.
    sound: bool,
    unknown: BTreeMap<&'a str, Unknown>,
    ragged: Vec<Ragged>,
    ragged_count: usize,
}

/// Reads rows of glyphs. `locate` converts a range in `text` to a range in the file; `span` is the
/// range of all rows.
pub fn read(
    text: &str,
    legend: &Legend,
    span: Range<usize>,
    locate: impl Fn(Range<usize>) -> Range<usize>,
    issues: &Issues,
) -> Option<Grid<u8>> {
    let text = text.strip_suffix('\n').unwrap_or(text);
    let text = text.strip_suffix('\r').unwrap_or(text);
    if text.bytes().all(|byte| matches!(byte, b'\n' | b'\r')) {
        issues.error(span, "the map has no tiles");
        return None;
    }
    let mut rows = Rows {
        legend,
        cells: Vec::with_capacity(text.len().min((Map::MAX_SIDE as usize).pow(2))),
        sound: true,
        unknown: BTreeMap::new(),
        ragged: Vec::new(),
        ragged_count: 0,
    };
    let mut width = 0;
    let mut begin = 0;
    for (y, line) in text.split('\n').enumerate() {
        let row = line.strip_suffix('\r').unwrap_or(line);
        if y >= Map::MAX_SIDE as usize || row.len() > 64 * Map::MAX_SIDE as usize {
            return too_large(locate(begin..begin + 1), issues);
        }
        let length = rows.row(row, begin, y);
        if length > Map::MAX_SIDE as usize {
            return too_large(locate(begin..begin + 1), issues);
        }
        if y == 0 {
            width = length;
        } else if length != width {
            rows.ragged_count += 1;
            if rows.ragged.len() < MOST_LISTED {
                rows.ragged.push(Ragged { row: y, width: length, span: begin..begin + row.len() });
            }
        }
        begin += line.len() + 1;
    }
    rows.finish(width, locate, issues)
}

/// Reports that a map has too many tiles.
pub fn too_large<T>(span: Range<usize>, issues: &Issues) -> Option<T> {
    let most = Map::MAX_SIDE;
    issues.error(span, format!("the map is larger than {most} × {most} tiles"));
    None
}

impl<'a> Rows<'a> {
    /// Reads a row that starts at offset `begin`. Returns the number of tiles in the row.
    fn row(&mut self, row: &'a str, begin: usize, y: usize) -> usize {
        let before = self.cells.len();
        if row.is_ascii() {
            for (x, byte) in row.bytes().enumerate() {
                let index = self.legend.ascii_index(byte);
                let index = index.unwrap_or_else(|| self.note(&row[x..=x], begin + x, x, y));
                self.cells.push(index);
            }
        } else {
            for (x, (at, glyph)) in row.grapheme_indices(true).enumerate() {
                let index = self.legend.index(glyph);
                let index = index.unwrap_or_else(|| self.note(glyph, begin + at, x, y));
                self.cells.push(index);
            }
        }
        self.cells.len() - before
    }

    /// Records an unknown glyph. Returns a placeholder index.
    fn note(&mut self, glyph: &'a str, at: usize, x: usize, y: usize) -> u8 {
        self.sound = false;
        if self.unknown.len() >= MOST_UNKNOWN && !self.unknown.contains_key(glyph) {
            return 0;
        }
        let unknown = self.unknown.entry(glyph).or_insert_with(|| Unknown {
            first: at..at + glyph.len(),
            places: Vec::new(),
            count: 0,
        });
        unknown.count += 1;
        if unknown.places.len() < MOST_LISTED {
            unknown.places.push(TilePos::new(x as i32, y as i32));
        }
        0
    }

    fn finish(
        self,
        width: usize,
        locate: impl Fn(Range<usize>) -> Range<usize>,
        issues: &Issues,
    ) -> Option<Grid<u8>> {
        let sound = self.sound && self.ragged.is_empty();
        // The legend may be in the unreadable part of the file.
        let unknown = if issues.is_partial() { BTreeMap::new() } else { self.unknown };
        for (glyph, unknown) in unknown {
            issues.push(explain(glyph, &unknown, locate(unknown.first.clone())));
        }
        if let Some(first) = self.ragged.first() {
            let lengths =
                self.ragged.iter().map(|each| format!("row {} has {}", each.row, each.width));
            let mut lengths = lengths.collect::<Vec<_>>().join(", ");
            if self.ragged_count > MOST_LISTED {
                lengths += ", …";
            }
            let tiles = tilewalk_sim::words::count(width as u64, "tile");
            let message = format!("the rows differ in length: row 0 has {tiles}, {lengths}");
            let label = format!("{} instead of {width}", first.width);
            let help = "write `.` for floor instead of trailing spaces, which editors strip";
            let problem = Diagnostic::error(locate(first.span.clone()), message);
            issues.push(problem.label(label).help(help));
        }
        let width = u32::try_from(width).ok().filter(|&width| sound && width > 0)?;
        Grid::from_cells(width, self.cells)
    }
}

/// Creates one error for all positions of an unknown glyph.
fn explain(glyph: &str, unknown: &Unknown, span: Range<usize>) -> Diagnostic {
    let mut places = unknown.places.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    if unknown.count > unknown.places.len() {
        places += ", …";
    }
    let times = if unknown.count == 1 { "once".into() } else { format!("{} times", unknown.count) };
    let shown = show::text(glyph);
    let fault = if glyph == "\t" { Some("is a tab") } else { glyph::fault(glyph) };
    let other = "use a glyph that is one character, one column wide".to_owned();
    let (what, help) = match fault {
        Some(fault) => (format!("`{shown}` {fault} and can't be a tile"), other),
        None if glyph.chars().nth(1).is_some() => {
            (format!("`{shown}` has a combining character and no legend entry"), other)
        }
        None => (
            format!("no legend entry for the glyph `{shown}`"),
            format!("add an entry to [legend], as in \"{shown}\" = {{ name = \"…\" }}"),
        ),
    };
    let message = format!("{what}; found {times}, at {places}");
    Diagnostic::error(span, message).label("first occurrence").help(help)
}
