//! Reads `matrix` patterns: allowed tiles as line segments, cells or both.

use std::ops::Range;

use super::{Design, diagonal};
use crate::keys::words::DEAD_ENDS;
use crate::show;
use crate::text::diagnostic::{Diagnostic, Issues};
use crate::text::reader::Entry;
use crate::text::reader::TableReader;
use tilewalk_sim::geom::{LineKind, TilePos, line as lines};
use tilewalk_sim::pattern::{MAX_TILES, MatrixPattern, Pattern, PatternError};

pub fn read(table: &TableReader) -> Option<Design> {
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
            lint(&matrix, span, is_dead_end_meant, table.issues);
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
fn lint(matrix: &MatrixPattern, span: Range<usize>, is_dead_end_meant: bool, issues: &Issues) {
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
