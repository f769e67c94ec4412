//! Reads pattern files. A [`Library`] finds the patterns that a map names, and reads each
//! pattern once.
//!
//! The tiles of a path or matrix are moved so that the anchor is (0, 0). With `absolute =
//! true`, they keep their map coordinates.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use crate::disk::store::Store;
use crate::keys::pattern::{AMOUNT, ANY_PATTERN, LEG, MATRIX, PATH, STEPS, STEPS_ROW, THRUST};
use crate::keys::table::Table;
use crate::keys::words::{DEAD_ENDS, ENDS, HEADINGS, UNITS};
use crate::show;
use crate::text::diagnostic::{Diagnostic, Issues};
use crate::text::reader::{Entry, TableReader, document};
use crate::text::report::{Report, read_source};
use crate::text::source::{Found, Source};
use tilewalk_sim::geom::{LineKind, TilePos, line as lines};
use tilewalk_sim::pattern::path::PathRules;
use tilewalk_sim::pattern::steps::{StepsPattern, StepsRow, Unit};
use tilewalk_sim::pattern::thrust::{Leg, ThrustPattern};
use tilewalk_sim::pattern::{MAX_TILES, MatrixPattern, PathPattern, Pattern, PatternError};

/// Content of a pattern file.
#[derive(Debug, Clone)]
pub struct Design {
    pub pattern: Pattern,
    /// Whether the coordinates of the pattern are map coordinates. Otherwise they are relative to
    /// the anchor.
    pub absolute: bool,
}

/// Function that reads one kind of pattern.
type ReadPattern = fn(&TableReader) -> Option<Design>;

pub fn read(text: &str, issues: &Issues) -> Option<Design> {
    document(text, &ANY_PATTERN, issues, |mut table| {
        crate::text::reader::check_format(&table);
        if !table.has("kind") && (table.has("tiles") || table.has("agent")) {
            issues.error(table.span(), "this file is a map, not a pattern: it has no key `kind`");
            return None;
        }
        let kinds: [(&str, (&Table, ReadPattern)); 4] = [
            ("path", (&PATH, read_path)),
            ("matrix", (&MATRIX, read_matrix)),
            ("steps", (&STEPS, read_steps)),
            ("thrust", (&THRUST, read_thrust)),
        ];
        let (keys, read) = table.require("kind")?.word(&kinds)?;
        table.describe(keys);
        let design = read(&table);
        table.finish();
        design.filter(|_| issues.is_sound())
    })
}

/// Reads `moves`. Returns true if diagonal steps are allowed. Reports numbers other than 4 and 8
/// and returns `None`.
fn diagonal(entry: &Entry) -> Option<bool> {
    match entry.integer(4..=8)? {
        4 => Some(false),
        8 => Some(true),
        other => {
            entry.error(format!("`moves` must be 4 or 8, but is {other}"));
            None
        }
    }
}

fn read_matrix(table: &TableReader) -> Option<Design> {
    let line = table.word("line", &LineKind::WORDS).unwrap_or_default();
    let moves = table.take("moves");
    let diagonal = moves.and_then(|moves| diagonal(&moves)).unwrap_or(true);
    let dead_end = table.take("dead_end");
    let is_dead_end_meant = dead_end.is_some();
    let dead_end = dead_end.and_then(|value| value.word(&DEAD_ENDS));
    let absolute = table.flag("absolute");
    let (segments, cells) = (table.take("segments"), table.take("cells"));
    let Some(span) = segments.as_ref().or(cells.as_ref()).map(Entry::span) else {
        let message = "a matrix needs `segments`, `cells` or both";
        table.issues.error(table.span(), message);
        return None;
    };
    let segments = segments.map(|entry| read_segments(&entry));
    let cells = cells.map(|entry| read_cells(&entry));
    // A missing key adds no tiles, but an invalid value is an error.
    let segments = segments.map_or(Some(Vec::new()), |read| read)?;
    let mut tiles = cells.map_or(Some(Vec::new()), |read| read)?;
    // The anchor is the first point of the first segment, or else the first cell in reading order.
    let anchor = segments.first().map(|segment| segment[0]).or_else(|| tiles.first().copied());

    let length = |[a, b]: &[TilePos; 2]| u64::from(a.king_distance(*b) as u32) + 1;
    // Checked before the segments are drawn. Tiles of two segments count twice.
    if segments.iter().map(length).sum::<u64>() + tiles.len() as u64 > MAX_TILES as u64 {
        table.issues.error(span, PatternError::TooManyTiles.to_string());
        return None;
    }
    tiles.extend(segments.iter().flat_map(|&[a, b]| lines::tiles(line, a, b)));
    match MatrixPattern::new(tiles, diagonal, dead_end.unwrap_or_default()) {
        Ok(matrix) => {
            lint_matrix(&matrix, span, is_dead_end_meant, table.issues);
            let anchor = anchor.filter(|_| !absolute).unwrap_or_default();
            Some(Design { pattern: Pattern::Matrix(matrix.normalised(anchor)), absolute })
        }
        Err(error) => {
            table.issues.error(span, error.to_string());
            None
        }
    }
}

fn read_segments(entry: &Entry) -> Option<Vec<[TilePos; 2]>> {
    let segment = |entry: Entry| {
        let ends: Vec<Entry> = entry.array()?.collect();
        let [a, b] = ends.as_slice() else {
            let found = ends.len();
            entry.error(format!(
                "a segment must have two ends, `[[x, y], [x, y]]`, but has {found}"
            ));
            return None;
        };
        let (a, b) = (a.tile(), b.tile());
        Some([a?, b?])
    };
    let segments = entry.array()?;
    if segments.len() == 0 {
        entry.error("`segments` is empty");
        return None;
    }
    // All segments are read, so that all problems are reported at once.
    let read: Vec<_> = segments.map(segment).collect();
    read.into_iter().collect()
}

/// Reads rows of equal length, and returns the allowed tiles. `1` allows a tile; `.`, `0` and space
/// forbid it. Returns `None` for invalid rows.
fn read_cells(entry: &Entry) -> Option<Vec<TilePos>> {
    let text = entry.string()?;
    let at = |offset, length| entry.locate(offset)..entry.locate(offset) + length;
    let mut tiles = Vec::new();
    let (mut begin, mut width, mut sound) = (0, None, true);
    for (y, line) in text.strip_suffix('\n').unwrap_or(text).split('\n').enumerate() {
        let row = line.strip_suffix('\r').unwrap_or(line);
        let length = row.chars().count();
        // Tiles beyond these limits are outside any pattern.
        if y >= MAX_TILES || length > MAX_TILES || tiles.len() > MAX_TILES {
            entry.error(PatternError::TooManyTiles.to_string());
            return None;
        }
        let expected = *width.get_or_insert(length);
        if length != expected {
            let message =
                format!("row {y} of `cells` has length {length}, but row 0 has {expected}");
            let help = "write `.` instead of trailing spaces, which editors strip";
            entry.issues.push(Diagnostic::error(at(begin, row.len()), message).help(help));
            return None;
        }
        for (x, (offset, glyph)) in row.char_indices().enumerate() {
            match glyph {
                '1' => tiles.push(TilePos::new(x as i32, y as i32)),
                '.' | '0' | ' ' => {}
                // Only the first invalid cell is reported; others are probably part of the same
                // mistake.
                _ if !sound => {}
                other => {
                    sound = false;
                    let shown = show::text(other.encode_utf8(&mut [0; 4]));
                    let message = format!(
                        "invalid cell `{shown}`: write `1` for an allowed tile and `.` for any other"
                    );
                    entry.issues.error(at(begin + offset, other.len_utf8()), message);
                }
            }
        }
        begin += line.len() + 1;
    }
    sound.then_some(tiles)
}

/// Warns about unreachable tiles. Also warns about dead ends if the file does not set `dead_end`.
/// The messages use the coordinates of the file.
fn lint_matrix(
    matrix: &MatrixPattern,
    span: Range<usize>,
    is_dead_end_meant: bool,
    issues: &Issues,
) {
    let tiles = matrix.tiles();
    let neighbours = |index: usize| {
        let around =
            matrix.directions().iter().map(move |&direction| tiles[index].neighbour(direction));
        around.filter_map(|tile| matrix.rank(tile))
    };
    let ends: Vec<usize> =
        (0..tiles.len()).filter(|&index| neighbours(index).count() <= 1).collect();
    if let (Some(&first), false) = (ends.first(), is_dead_end_meant) {
        let more =
            if ends.len() > 1 { format!(" and {} more", ends.len() - 1) } else { String::new() };
        let message = format!("the matrix has a dead end at {}{more}", tiles[first]);
        let help = "set `dead_end = \"back\"` or `dead_end = \"stay\"`";
        issues.push(Diagnostic::warning(span.clone(), message).help(help));
    }
    let mut reached = vec![false; tiles.len()];
    let mut waiting = vec![0];
    reached[0] = true;
    while let Some(index) = waiting.pop() {
        for next in neighbours(index).filter(|&next| !std::mem::replace(&mut reached[next], true)) {
            waiting.push(next);
        }
    }
    if let Some(island) = reached.iter().position(|reached| !reached) {
        let (here, there) = (tiles[island], tiles[0]);
        let message = format!("the matrix is not connected: {here} can't be reached from {there}");
        issues.push(Diagnostic::warning(span, message));
    }
}

pub fn read_path(table: &TableReader) -> Option<Design> {
    let entry = table.require("vertices");
    let closed = table.flag("closed");
    let ends = table.take("ends");
    if let Some(ends) = ends.as_ref().filter(|_| closed) {
        let help = "remove `ends` or `closed = true`";
        ends.error_with_help("`ends` can't be used with `closed = true`", help);
    }
    let ends = ends.and_then(|ends| ends.word(&ENDS)).unwrap_or_default();
    let line = table.word("line", &LineKind::WORDS).unwrap_or_default();
    let dwell = table.count("dwell");
    let absolute = table.flag("absolute");
    let rules = PathRules { closed, ends, line, dwell };

    let entry = entry?;
    let elements = entry.array()?;
    let count = elements.len();
    if !(2..=MAX_TILES).contains(&count) {
        let range = format!("between 2 and {MAX_TILES}");
        entry.error(format!("a path needs {range} vertices, but has {count}"));
        return None;
    }
    // All vertices are read, so that all problems are reported at once.
    let vertices: Vec<Option<TilePos>> = elements.map(|element| element.tile()).collect();
    let vertices: Vec<TilePos> = vertices.into_iter().collect::<Option<_>>()?;
    if closed && count > 2 && vertices.first() == vertices.last() {
        let message = "the last vertex of this closed path repeats the first";
        let help = "remove the last vertex: `closed = true` joins the two ends";
        table.issues.push(Diagnostic::warning(entry.span(), message).help(help));
    }
    match PathPattern::new(&vertices, rules) {
        Ok(path) => {
            let path = if absolute { path } else { path.normalised() };
            Some(Design { pattern: Pattern::Path(path), absolute })
        }
        Err(error) => {
            entry.error(error.to_string());
            None
        }
    }
}

pub fn read_steps(table: &TableReader) -> Option<Design> {
    let degrees = table.word("unit", &UNITS);
    let moves = table.take("moves");
    let diagonal = moves.as_ref().and_then(diagonal).unwrap_or(true);
    let unit = match (degrees, diagonal) {
        (Some(()), _) => Unit::Degrees,
        (None, false) => Unit::RightAngles,
        (None, true) => Unit::Notches,
    };
    if let (Some(()), Some(moves)) = (degrees, moves) {
        moves.error("`moves` can't be used with `unit = \"degrees\"`");
    }
    let repeat = table.flag("repeat");
    let steps = table.require("steps")?;
    let count = steps.array()?.len();
    if !(1..=MAX_TILES).contains(&count) {
        steps.error(format!("`steps` needs between 1 and {MAX_TILES} rows, but has {count}"));
        return None;
    }
    let rows = steps.tables(&STEPS_ROW).into_iter().map(|row| read_step(row, unit)).collect();
    let pattern = Pattern::Steps(StepsPattern { rows, repeat, unit });
    Some(Design { pattern, absolute: false })
}

fn read_step(table: TableReader, unit: Unit) -> StepsRow {
    let amount = |key| {
        let entry = table.take(key);
        entry.and_then(|entry| read_amount(&entry, unit)).unwrap_or(0.0)
    };
    let (forward, backward) = (amount("forward"), amount("backward"));
    let (left, right) = (amount("left"), amount("right"));
    let wait = table.count("wait");
    let pace = table.integer("pace").map(|pace| pace as u32);
    let signal = read_signal(&table);
    if !STEPS_ROW.names().any(|key| table.has(key)) && !table.issues.is_partial() {
        table.issues.error(table.span(), "a steps row must have at least one key");
    }
    if wait > 0 && [forward, backward, left, right] != [0.0; 4] {
        let message = "`wait` can't be combined with a turn or a move: use two rows";
        table.issues.error(table.span(), message);
    }
    table.finish();
    StepsRow { turn: right - left, forward: forward - backward, wait, pace, signal }
}

/// Reads the signal of a row or a leg, if any.
fn read_signal(table: &TableReader) -> Option<String> {
    table.take("signal")?.line().map(ToOwned::to_owned)
}

/// Reads a turn or distance: an integer, or a float with `unit = "degrees"`.
fn read_amount(entry: &Entry, unit: Unit) -> Option<f32> {
    match unit {
        Unit::Degrees => entry.float(AMOUNT),
        Unit::Notches | Unit::RightAngles => {
            entry.integer(0..=*AMOUNT.end() as i64).map(|number| number as f32)
        }
    }
}

fn read_thrust(table: &TableReader) -> Option<Design> {
    let heading_from = table.word("heading_from", &HEADINGS).unwrap_or_default();
    let repeat = table.flag("repeat");
    let legs = table.require("legs")?;
    let count = legs.array()?.len();
    if !(1..=MAX_TILES).contains(&count) {
        legs.error(format!("`legs` needs between 1 and {MAX_TILES} legs, but has {count}"));
        return None;
    }
    let legs = legs.tables(&LEG).into_iter().map(read_leg).collect();
    let pattern = Pattern::Thrust(ThrustPattern { legs, heading_from, repeat });
    Some(Design { pattern, absolute: false })
}

fn read_leg(table: TableReader) -> Leg {
    let limits = [table.has("until_moved"), table.has("until_turned")];
    let warn = match limits {
        [false, false] => Some((
            "this leg has no limit and never ends",
            "add `until_moved` (tiles) or `until_turned` (degrees)",
        )),
        [true, true] => Some((
            "this leg has two limits and ends at the first limit reached",
            "use two legs to apply one limit after the other",
        )),
        [_, _] => None,
    };
    let leg = Leg {
        port: table.flag("port"),
        starboard: table.flag("starboard"),
        until_moved: table.float("until_moved"),
        until_turned: table.float("until_turned"),
        signal: read_signal(&table),
    };
    if let Some((message, help)) = warn.filter(|_| !table.issues.is_partial()) {
        table.issues.push(Diagnostic::warning(table.span(), message).help(help));
    }
    table.finish();
    leg
}

/// A pattern that several modes can share.
#[derive(Debug, Clone)]
pub struct Shared {
    pub pattern: Arc<Pattern>,
    /// Whether the coordinates of the pattern are map coordinates. Otherwise they are relative to
    /// the anchor.
    pub absolute: bool,
}

/// The patterns that a map uses, read on demand.
#[derive(Debug)]
pub struct Library<'a> {
    pub store: &'a Store,
    /// Problems in all files read so far. The map is the first file.
    pub report: Report,
    /// Patterns by name; `None` for patterns with errors, which are already reported.
    patterns: BTreeMap<String, Option<Shared>>,
    /// Names of all existing patterns, for suggestions; `None` until the first unknown pattern name
    /// is found.
    names: Option<Vec<String>>,
    /// Paths of a Tiled map, by name. A path is used only if no pattern file has its name.
    pub drawn: BTreeMap<String, Shared>,
}

impl<'a> Library<'a> {
    pub fn new(store: &'a Store, report: Report) -> Self {
        Self { store, report, patterns: BTreeMap::new(), names: None, drawn: BTreeMap::new() }
    }

    /// Returns the name and the pattern that an entry names. Reports an invalid name or a missing
    /// pattern. Returns `None` after any error.
    pub fn pattern(&mut self, entry: &Entry) -> Option<(String, Shared)> {
        let name = entry.string()?;
        if let Some(fault) = pattern_name_fault(name) {
            let message = format!("invalid pattern name `{}`: {fault}", show::text(name));
            let help = "use a name such as `gate_round`; patterns are read from the map directory, \
                        `patterns/` and `../patterns/`";
            entry.error_with_help(message, help);
            return None;
        }
        if let Some(known) = self.patterns.get(name) {
            return known.clone().map(|shared| (name.to_owned(), shared));
        }
        let shared = match self.store.pattern(name) {
            Found::Read(source, problems) => self.read(source, problems),
            Found::Missing => match self.drawn.get(name) {
                Some(drawn) => Some(drawn.clone()),
                // A missing pattern is reported at each use.
                None => return self.missing(name, entry),
            },
            Found::Refused(why) => {
                entry.error(format!("the pattern `{name}` {why}"));
                return None;
            }
        };
        self.patterns.insert(name.to_owned(), shared.clone());
        shared.map(|shared| (name.to_owned(), shared))
    }

    fn read(&mut self, source: Source, problems: Vec<Diagnostic>) -> Option<Shared> {
        let Design { pattern, absolute } =
            read_source(&mut self.report, source, problems, |issues| read(issues.text(), issues))?;
        Some(Shared { pattern: Arc::new(pattern), absolute })
    }

    fn missing<T>(&mut self, name: &str, entry: &Entry) -> Option<T> {
        if !entry.issues.stores(&entry.span()) {
            entry.error("unknown pattern");
            return None;
        }
        let (store, drawn) = (self.store, &self.drawn);
        let all = || store.pattern_names().into_iter().chain(drawn.keys().cloned()).collect();
        let names: &Vec<String> = self.names.get_or_insert_with(all);
        let near = show::nearest(name, names.iter().map(String::as_str));
        let searched = store.searched().map(|folders| format!("searched in {folders}"));
        let help = match near {
            Some(near) => format!("did you mean `{}`?", show::text(near)),
            None if names.is_empty() => "no patterns found".to_owned(),
            None => {
                let more = if names.len() > 10 { ", …" } else { "" };
                let some = names.iter().take(10).map(String::as_str);
                format!("known patterns: {}{more}", show::list(some))
            }
        };
        let error = Diagnostic::error(entry.span(), format!("unknown pattern `{name}`"));
        let searched = searched.filter(|_| near.is_none()).unwrap_or_default();
        entry.issues.push(error.help(help).help(searched));
        None
    }
}

/// Returns the reason why a text is not a valid pattern name; `None` for a valid name.
pub(crate) fn pattern_name_fault(name: &str) -> Option<&'static str> {
    let strange = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '/' | '.'));
    if name.is_empty() {
        Some("the name is empty")
    } else if name.starts_with('/') {
        Some("names must not begin with `/`")
    } else if name.split('/').any(|part| part == "..") {
        Some("names must not contain `..`")
    } else if name.split('/').any(|part| part.is_empty() || part == ".") {
        Some("names must not have empty or `.` components")
    } else if name.contains(strange) {
        Some("names may contain only letters, digits, `_`, `-` and `/`")
    } else if name.contains('.') {
        Some("names must not contain dots; omit `.toml`")
    } else if name.len() > 200 {
        Some("the name is longer than 200 characters")
    } else {
        None
    }
}
