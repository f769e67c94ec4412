//! Converts rows of glyphs to a grid of legend indices.
//!
//! The rows can be in a TOML string or in a file of their own, so the caller converts offsets to
//! file offsets. A map can have 16 million tiles. Therefore, nothing is allocated per tile, and
//! ASCII glyphs have a lookup table.

use std::collections::BTreeMap;
use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use crate::show;
use crate::text::diagnostic::{Diagnostic, Issues};
use crate::tiles::legend;
use crate::tiles::legend::Legend;
use tilewalk_sim::geom::TilePos;
use tilewalk_sim::grid::Grid;
use tilewalk_sim::map::Map;
use tilewalk_sim::report::words;
use tilewalk_sim::tile::TileKind;

/// Maximum number of positions of an unknown glyph, or of rows of a wrong length, in one message.
const MOST_LISTED: usize = 10;

/// Maximum number of unknown glyphs reported. A file that is not a map can have thousands.
const MOST_UNKNOWN: usize = 20;

/// Positions of an unknown glyph.
struct Unknown {
    first: Range<usize>,
    places: Vec<TilePos>,
    count: usize,
}

/// A row of the text.
struct TileRow {
    /// Number of tiles in the row.
    length: usize,
    /// Byte range in the text, without the line ending.
    span: Range<usize>,
}

/// Reader of rows. Collects the problems in the rows.
struct RowReader<'a> {
    legend: &'a Legend,
    cells: Vec<u8>,
    /// Whether all glyphs so far have legend entries.
    sound: bool,
    unknown: BTreeMap<&'a str, Unknown>,
    list: Vec<TileRow>,
}

/// Reads rows of glyphs. `locate` converts a range in `text` to a range in the file. `span` is the
/// range of all rows in the file. Returns `None` after any error.
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
    let rows = RowReader::read(text, legend, &locate, issues)?;
    let width = rows.list[0].length;
    let is_sound = rows.sound;
    let list = rows.list.iter().enumerate().filter(|(_, row)| row.length != width);
    let ragged = explain_ragged(width, list, &locate);
    let cells = rows.finish(&locate, issues);
    let is_even = ragged.is_none();
    if let Some(ragged) = ragged {
        issues.push(ragged);
    }
    let width = u32::try_from(width).ok().filter(|&width| width > 0 && is_sound && is_even)?;
    Grid::from_cells(width, cells)
}

/// Reads rows of glyphs that can differ in length. Fills short rows and blank lines between rows
/// with the tile kind `pad`. Omits blank lines before and after the map. Warns about filled and
/// omitted lines. Returns `None` after any error.
pub fn read_padded(text: &str, legend: &Legend, pad: u8, issues: &Issues) -> Option<Grid<u8>> {
    let is_blank = |line: &&str| line.trim_matches([' ', '\r']).is_empty();
    let text = text.strip_suffix('\n').unwrap_or(text);
    let add = |(lines, bytes): (usize, usize), line: &str| (lines + 1, bytes + line.len() + 1);
    let (before, begin) = text.split('\n').take_while(is_blank).fold((0, 0), add);
    if begin > text.len() {
        issues.error(0..0, "the map has no tiles");
        return None;
    }
    let (after, end) = text.rsplit('\n').take_while(is_blank).fold((0, 0), add);
    let inner = &text[begin..text.len() - end];
    let blank = before + after;
    let locate = |span: Range<usize>| span.start + begin..span.end + begin;
    let rows = RowReader::read(inner, legend, &locate, issues)?;
    let lengths: Vec<usize> = rows.list.iter().map(|row| row.length).collect();
    let (width, is_sound) = (lengths.iter().copied().max()?, rows.sound);
    let cells = rows.finish(&locate, issues);
    let mut even = Vec::with_capacity(width * lengths.len());
    let mut rest = cells.as_slice();
    for &length in &lengths {
        let (row, others) = rest.split_at(length);
        even.extend_from_slice(row);
        even.resize(even.len() + width - length, pad);
        rest = others;
    }
    let tiles = Grid::from_cells(u32::try_from(width).ok().filter(|_| is_sound)?, even)?;
    let short = lengths.iter().filter(|&&length| length < width).count() as u64;
    let warn = |message| issues.push(Diagnostic::warning(begin..begin, message));
    if short > 0 {
        let rows = words::count_with(short, "short row is", "short rows are");
        let TileKind { glyph, name, .. } = &legend.kinds()[usize::from(pad)];
        let (glyph, name) = (show::text(glyph), show::text(name));
        warn(format!("{rows} filled with `{glyph}` ({name}) to {width} tiles"));
    }
    if blank > 0 {
        let lines = words::count_with(blank as u64, "blank line", "blank lines");
        warn(format!("{lines} before or after the map left out"));
    }
    Some(tiles)
}

/// Reports that a map is larger than `Map::MAX_SIDE` along an axis, and returns `None`.
pub fn too_large<T>(span: Range<usize>, issues: &Issues) -> Option<T> {
    let most = Map::MAX_SIDE;
    issues.error(span, format!("the map is larger than {most} × {most} tiles"));
    None
}

impl<'a> RowReader<'a> {
    /// Reads all rows of a text. Reports a text with too many tiles.
    fn read(
        text: &'a str,
        legend: &'a Legend,
        locate: &impl Fn(Range<usize>) -> Range<usize>,
        issues: &Issues,
    ) -> Option<Self> {
        let cells = Vec::with_capacity(text.len().min((Map::MAX_SIDE as usize).pow(2)));
        let (unknown, list) = (BTreeMap::new(), Vec::new());
        let mut rows = Self { legend, cells, sound: true, unknown, list };
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
            rows.list.push(TileRow { length, span: begin..begin + row.len() });
            begin += line.len() + 1;
        }
        Some(rows)
    }

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

    /// Reports the unknown glyphs. Returns the tiles of all rows.
    fn finish(self, locate: &impl Fn(Range<usize>) -> Range<usize>, issues: &Issues) -> Vec<u8> {
        // The legend may be in the unreadable part of the file.
        let unknown = if issues.is_partial() { BTreeMap::new() } else { self.unknown };
        for (glyph, unknown) in unknown {
            issues.push(explain(glyph, &unknown, locate(unknown.first.clone())));
        }
        self.cells
    }
}

/// Creates one error for all rows with a wrong number of tiles; `None` if all rows have the same
/// number.
fn explain_ragged<'a>(
    width: usize,
    rows: impl Iterator<Item = (usize, &'a TileRow)>,
    locate: &impl Fn(Range<usize>) -> Range<usize>,
) -> Option<Diagnostic> {
    let mut rows = rows.take(MOST_LISTED + 1).peekable();
    let &(_, first) = rows.peek()?;
    let mut lengths: Vec<_> = rows.map(|(y, row)| format!("row {y} has {}", row.length)).collect();
    if lengths.len() > MOST_LISTED {
        lengths.pop();
        lengths.push("…".to_owned());
    }
    let tiles = words::count(width as u64, "tile");
    let lengths = lengths.join(", ");
    let message = format!("the rows differ in length: row 0 has {tiles}, {lengths}");
    let label = format!("{} instead of {width}", first.length);
    let help = "write `.` for floor instead of trailing spaces, which editors strip";
    Some(Diagnostic::error(locate(first.span.clone()), message).label(label).help(help))
}

/// Creates one error for all positions of an unknown glyph.
fn explain(glyph: &str, unknown: &Unknown, span: Range<usize>) -> Diagnostic {
    let mut places = unknown.places.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    if unknown.count > unknown.places.len() {
        places += ", …";
    }
    let times = if unknown.count == 1 { "once".into() } else { format!("{} times", unknown.count) };
    let shown = show::text(glyph);
    let fault = if glyph == "\t" { Some("is a tab") } else { legend::glyph_fault(glyph) };
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
