//! Merges an edited map with a new import of its changed source: the tiles tile by tile, and
//! the other lines line by line.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use toml_edit::{Document, Item};
use unicode_segmentation::UnicodeSegmentation;

use crate::disk::store::Origin;
use crate::import::moved::{Shift, find_shift, moved};
use crate::import::text::literal;
use crate::read::loading::{LoadError, Options, load, reload};
use crate::show;
use crate::text::report::Report;
use tilewalk_sim::scenario::sources::{FileRole, SourceFile, Sources};

/// Placeholder for the tiles while the other lines are merged. TOML files can't contain this text.
const TILES: &str = "\0tiles\0";

/// Result of an update of a text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Update {
    /// Merged text of the map or pattern.
    pub text: String,
    /// Number of tiles that only the new import changed; 0 for a pattern.
    pub taken: usize,
    /// Number of tiles that the user changed and the update kept; 0 for a pattern.
    pub kept: usize,
    /// One message for each part that both the user and the source changed. The merged text has the
    /// user's version of this part, except for tiles outside a smaller source.
    pub conflicts: Vec<String>,
    /// Columns and rows by which the tiles of the source have moved. The user's positions moved
    /// along.
    pub shift: Shift,
    /// Number of positions that moved.
    pub moved: usize,
}

/// Merges `ours`, the map that the user edited, with `theirs`, the new import. `base` is the
/// previous import. If the source has not changed, the result is `ours`, byte by byte. `shift` is
/// the movement of the tiles, if it is known.
///
/// Returns `None` if one of the maps or the merged map is not valid TOML. Also returns `None` if an
/// import has no tiles.
pub fn update_map(base: &str, ours: &str, theirs: &str, shift: Option<Shift>) -> Option<Update> {
    if base == theirs || ours == theirs {
        return Some(Update { text: ours.to_owned(), ..Update::default() });
    }
    let mut update = Update::default();
    let tiles = |text: &str| Some(cut(text)?.tiles?.rows);
    let (old, new) = (tiles(base)?, tiles(theirs)?);
    update.shift = shift.unwrap_or_else(|| find_shift(&row_glyphs(&old), &row_glyphs(&new)));
    let (mut base, mut ours) = (base.to_owned(), ours.to_owned());
    if update.shift != (0, 0) {
        base = moved(&base, update.shift)?.text;
        let along = moved(&ours, update.shift)?;
        (ours, update.moved, update.conflicts) = (along.text, along.moved, along.unmoved);
    }
    let cut: Vec<_> = [&*base, &*ours, theirs].into_iter().map(cut).collect::<Option<_>>()?;
    let (Some(base), Some(theirs)) = (&cut[0].tiles, &cut[2].tiles) else { return None };
    let literal = match &cut[1].tiles {
        Some(ours) => merged_tiles(base, ours, theirs, &mut update),
        None => String::new(),
    };
    if cut[1].tiles.is_none() && base.rows != theirs.rows {
        let message = "the source has other tiles, but the map has no `tiles` of its own any more";
        update.conflicts.push(message.to_owned());
    }
    let merged = merge_lines(&cut[0].rest, &cut[1].rest, &cut[2].rest);
    let line_of_tiles = merged.text.lines().position(|line| line.contains(TILES));
    let rows = literal.matches('\n').count();
    update.conflicts.extend(merged.conflicts.iter().map(|conflict| {
        let is_below = line_of_tiles.is_some_and(|line| conflict.line > line + 1);
        described(conflict, if is_below { rows } else { 0 })
    }));
    update.text = merged.text.replacen(TILES, &literal, 1);
    Document::parse(update.text.as_str()).is_ok().then_some(update)
}

/// Loads the merged map text together with the other files of the map on disk. `patterns` holds the
/// names and texts of the merged patterns. Returns the problems of the merged map. Returns `None`
/// if the map on disk already has errors.
///
/// # Errors
/// Returns an error if the map on disk can't be read.
pub fn check(
    map: &Path,
    text: &str,
    patterns: &[(String, String)],
) -> Result<Option<Report>, LoadError> {
    let before = load(&Origin::Disk(map.to_owned()), &Options::default())?;
    if before.report.errors() > 0 {
        return Ok(None);
    }
    let file = |place, label: &str, text: &str| SourceFile {
        place,
        label: label.to_owned(),
        text: text.into(),
    };
    let label = format!("{} (merged)", before.label());
    let mut files = vec![file(FileRole::Map, &label, text)];
    for (name, text) in patterns {
        files.push(file(FileRole::Pattern(name.clone()), name, text));
    }
    for source in before.report.sources() {
        if files.iter().all(|known| &known.place != source.place()) {
            files.push(file(source.place().clone(), source.label(), source.text()));
        }
    }
    let sources = Arc::new(Sources { files, ..Sources::default() });
    Ok(Some(reload(&sources, &Options::default())?.report))
}

/// Merges a text without tiles, such as a pattern, line by line. `base` is the old import, `ours`
/// the version of the user, and `theirs` the new import. Positions move by `shift`.
pub fn update_text(base: &str, ours: &str, theirs: &str, shift: Shift) -> Update {
    let along = |text: &str| {
        let moved = (shift != (0, 0)).then(|| moved(text, shift)).flatten();
        moved.map_or_else(|| text.to_owned(), |moved| moved.text)
    };
    let merged = merge_lines(&along(base), &along(ours), theirs);
    let conflicts = merged.conflicts.iter().map(|conflict| described(conflict, 0)).collect();
    Update { text: merged.text, conflicts, ..Update::default() }
}

/// Describes a conflict for the user. `rows` is the number of lines that the tiles add above the
/// conflict.
fn described(conflict: &LineConflict, rows: usize) -> String {
    let line = conflict.line + rows;
    match conflict.theirs.join(" ⏎ ") {
        theirs if theirs.is_empty() => format!("line {line} is kept: the source no longer has it"),
        theirs => format!("line {line} is kept: the source now has `{}`", show::text(&theirs)),
    }
}

/// A map text, with its tiles cut out.
struct Cut {
    rest: String,
    /// The tiles; `None` if the map has no key `tiles`.
    tiles: Option<Tiles>,
}

/// The value of the key `tiles` in a map.
struct Tiles {
    /// The value as written in the file, with quotes.
    literal: String,
    rows: String,
}

/// Replaces the tiles of a map by a placeholder. Returns `None` if the text is not valid TOML.
fn cut(text: &str) -> Option<Cut> {
    let document = Document::parse(text).ok()?;
    let tiles = document.get("tiles").and_then(Item::as_value);
    let found: Option<(Range<usize>, &str)> =
        tiles.and_then(|value| Some((value.span()?, value.as_str()?)));
    let Some((span, rows)) = found else {
        return Some(Cut { rest: text.to_owned(), tiles: None });
    };
    let tiles = Tiles { literal: text[span.clone()].to_owned(), rows: rows.to_owned() };
    Some(Cut { rest: [&text[..span.start], TILES, &text[span.end..]].concat(), tiles: Some(tiles) })
}

/// Returns the merged tiles as a TOML string. Adds the tile counts and conflicts to `update`.
fn merged_tiles(base: &Tiles, ours: &Tiles, theirs: &Tiles, update: &mut Update) -> String {
    if base.rows == theirs.rows {
        return ours.literal.clone();
    }
    let Some(merged) = merge_tiles(&base.rows, &ours.rows, &theirs.rows, update.shift) else {
        let message = "the tiles are kept: the map has another size than its source had";
        update.conflicts.push(message.to_owned());
        return ours.literal.clone();
    };
    (update.taken, update.kept) = (merged.taken, merged.kept);
    for TileConflict { at: (x, y), ours, theirs } in &merged.conflicts {
        let (ours, theirs) = (show::text(ours), show::text(theirs));
        update.conflicts.push(if theirs.is_empty() {
            format!("tile ({x}, {y}) is lost: the source is smaller now (it was `{ours}`)")
        } else {
            format!("tile ({x}, {y}) keeps `{ours}`: the source now has `{theirs}`")
        });
    }
    if merged.rows == theirs.rows { theirs.literal.clone() } else { literal(&merged.rows) }
}

/// Result of merging the tiles of a map.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct TileRows {
    /// Rows of glyphs with line breaks.
    pub rows: String,
    /// Number of tiles that only `theirs` changed.
    pub taken: usize,
    /// Number of tiles that `ours` changed.
    pub kept: usize,
    /// Tiles that both versions changed in different ways.
    pub conflicts: Vec<TileConflict>,
}

/// A tile that both versions changed in different ways.
#[derive(Debug, Clone, PartialEq, Eq)]
struct TileConflict {
    /// Column and row of the tile, from 0.
    pub at: (usize, usize),
    pub ours: String,
    /// Glyph in the other version; empty if the tile is outside that version.
    pub theirs: String,
}

/// Merges rows of glyphs. The result has the size of `theirs`, in which the tiles of `base` have moved
/// by `shift`. Returns `None` if `ours` and `base` have different sizes, because their tiles then
/// can't be matched.
fn merge_tiles(base: &str, ours: &str, theirs: &str, shift: Shift) -> Option<TileRows> {
    let [base, ours, theirs] = [base, ours, theirs].map(row_glyphs);
    let sizes = |rows: &[Vec<&str>]| rows.iter().map(Vec::len).collect::<Vec<_>>();
    if sizes(&base) != sizes(&ours) {
        return None;
    }
    let mut tiles = TileRows::default();
    for (y, row) in theirs.iter().enumerate() {
        for (x, &their) in row.iter().enumerate() {
            let at = before(x, shift.0).zip(before(y, shift.1));
            let old = at.and_then(|(x, y)| base.get(y)?.get(x).copied());
            let our = at.and_then(|(x, y)| ours.get(y)?.get(x).copied());
            tiles.rows.push_str(match our {
                Some(our) if Some(our) != old => {
                    tiles.kept += 1;
                    if Some(their) != old && their != our {
                        let (ours, theirs) = (our.to_owned(), their.to_owned());
                        tiles.conflicts.push(TileConflict { at: (x, y), ours, theirs });
                    }
                    our
                }
                _ => {
                    tiles.taken += usize::from(Some(their) != old);
                    their
                }
            });
        }
        tiles.rows.push('\n');
    }
    for (y, row) in ours.iter().enumerate() {
        for (x, &our) in row.iter().enumerate() {
            let at = before(x, -shift.0).zip(before(y, -shift.1));
            let is_outside = at.is_none_or(|(x, y)| theirs.get(y).is_none_or(|row| x >= row.len()));
            if is_outside && base[y][x] != our {
                let conflict =
                    TileConflict { at: (x, y), ours: our.to_owned(), theirs: String::new() };
                tiles.conflicts.push(conflict);
            }
        }
    }
    Some(tiles)
}

/// Returns the column or row before a movement; `None` for a negative result.
fn before(at: usize, shift: i32) -> Option<usize> {
    usize::try_from(at as i64 - i64::from(shift)).ok()
}

/// Returns the glyphs of each row.
fn row_glyphs(rows: &str) -> Vec<Vec<&str>> {
    rows.lines().map(|row| row.graphemes(true).collect()).collect()
}

/// A merged text, with the lines that could not be merged.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Merged {
    pub text: String,
    pub conflicts: Vec<LineConflict>,
}

/// Lines that both versions changed in different ways. The merged text contains the lines of
/// `ours`.
#[derive(Debug, Clone, PartialEq, Eq)]
struct LineConflict {
    /// Number of the first line in the merged text, from 1.
    pub line: usize,
    /// The lines of the other version, without line breaks.
    pub theirs: Vec<String>,
}

/// Merges `ours` and `theirs`, two changed versions of `base`. Lines that only `theirs` changed
/// come from `theirs`. All other lines come from `ours`, byte by byte. If both versions add
/// different lines at the same place, the result has both, first the lines of `ours`.
fn merge_lines(base: &str, ours: &str, theirs: &str) -> Merged {
    let versions = [base, ours, theirs].map(lines_of);
    let [base, ours, theirs] =
        versions.each_ref().map(|lines| lines.iter().map(line_content).collect::<Vec<_>>());
    let [in_ours, in_theirs] = [&ours, &theirs].map(|other| matching(&base, other));
    let mut merge = LineMerge {
        base,
        ours,
        theirs,
        raw: &versions[1],
        ending: if versions[1].iter().any(|line| line.ends_with("\r\n")) { "\r\n" } else { "\n" },
        text: String::new(),
        line: 0,
        conflicts: Vec::new(),
    };
    let (mut b, mut o, mut t) = (0, 0, 0);
    for line in 0..merge.base.len() {
        let (Some(&our), Some(&their)) = (in_ours.get(&line), in_theirs.get(&line)) else {
            continue;
        };
        merge.resolve(b..line, o..our, t..their);
        merge.push_ours(our..our + 1);
        (b, o, t) = (line + 1, our + 1, their + 1);
    }
    let ends = (merge.base.len(), merge.ours.len(), merge.theirs.len());
    merge.resolve(b..ends.0, o..ends.1, t..ends.2);
    Merged { text: merge.text, conflicts: merge.conflicts }
}

/// Returns the lines of a text with their line breaks.
fn lines_of(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// Returns a line without its line break.
fn line_content<'a>(line: &&'a str) -> &'a str {
    line.trim_end_matches(['\n', '\r'])
}

struct LineMerge<'a> {
    base: Vec<&'a str>,
    ours: Vec<&'a str>,
    theirs: Vec<&'a str>,
    /// The lines of `ours` with their line breaks.
    raw: &'a [&'a str],
    /// Line break of new lines: the line break of `ours`.
    ending: &'static str,
    text: String,
    line: usize,
    conflicts: Vec<LineConflict>,
}

impl LineMerge<'_> {
    /// Appends the merge of one part of the text. The arguments are the line ranges of this part in
    /// each version.
    fn resolve(&mut self, base: Range<usize>, ours: Range<usize>, theirs: Range<usize>) {
        let [b, o, t] =
            [&self.base[base.clone()], &self.ours[ours.clone()], &self.theirs[theirs.clone()]];
        if b == o {
            self.push_theirs(theirs);
        } else if b == t || o == t {
            self.push_ours(ours);
        } else if b.is_empty() {
            self.push_ours(ours);
            self.push_theirs(theirs);
        } else if b.len() > 1 && b.len() == o.len() && b.len() == t.len() {
            // Lines next to each other are independent.
            for ((b, o), t) in base.zip(ours).zip(theirs) {
                self.resolve(b..b + 1, o..o + 1, t..t + 1);
            }
        } else {
            let theirs = t.iter().map(|&line| line.to_owned()).collect();
            self.conflicts.push(LineConflict { line: self.line + 1, theirs });
            self.push_ours(ours);
        }
    }

    fn push_ours(&mut self, lines: Range<usize>) {
        for &line in &self.raw[lines] {
            self.start_line();
            self.text.push_str(line);
        }
    }

    fn push_theirs(&mut self, lines: Range<usize>) {
        for index in lines {
            self.start_line();
            self.text.push_str(self.theirs[index]);
            self.text.push_str(self.ending);
        }
    }

    /// Starts a new line. Adds a line break if the previous line has none.
    fn start_line(&mut self) {
        self.line += 1;
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push_str(self.ending);
        }
    }
}

/// Returns the matched lines of `a`, each with the index of its line in `b`. Lines that occur once
/// in both texts are matched first ("patience diff").
fn matching(a: &[&str], b: &[&str]) -> BTreeMap<usize, usize> {
    let mut found = BTreeMap::new();
    let mut parts = vec![(0..a.len(), 0..b.len())];
    while let Some((mut in_a, mut in_b)) = parts.pop() {
        while !in_a.is_empty() && !in_b.is_empty() && a[in_a.start] == b[in_b.start] {
            found.insert(in_a.start, in_b.start);
            (in_a.start, in_b.start) = (in_a.start + 1, in_b.start + 1);
        }
        while !in_a.is_empty() && !in_b.is_empty() && a[in_a.end - 1] == b[in_b.end - 1] {
            (in_a.end, in_b.end) = (in_a.end - 1, in_b.end - 1);
            found.insert(in_a.end, in_b.end);
        }
        let anchors = increasing(&unique(a, b, &in_a, &in_b));
        if anchors.is_empty() {
            continue;
        }
        let (mut start_a, mut start_b) = (in_a.start, in_b.start);
        for (at_a, at_b) in anchors {
            found.insert(at_a, at_b);
            parts.push((start_a..at_a, start_b..at_b));
            (start_a, start_b) = (at_a + 1, at_b + 1);
        }
        parts.push((start_a..in_a.end, start_b..in_b.end));
    }
    found
}

/// Returns the lines that occur exactly once in each of two ranges: `in_a` of `a`, and `in_b` of
/// `b`. Each pair holds the line's indices in `a` and `b`. The pairs are in the order of `a`.
fn unique(a: &[&str], b: &[&str], in_a: &Range<usize>, in_b: &Range<usize>) -> Vec<(usize, usize)> {
    let places = |lines: &[&str], part: &Range<usize>| {
        let mut places: BTreeMap<String, Option<usize>> = BTreeMap::new();
        for at in part.clone() {
            let place = Some(at);
            places.entry(lines[at].to_owned()).and_modify(|known| *known = None).or_insert(place);
        }
        places
    };
    let (of_a, of_b) = (places(a, in_a), places(b, in_b));
    let mut pairs: Vec<_> =
        of_a.iter().filter_map(|(line, at)| Some(((*at)?, (*of_b.get(line)?)?))).collect();
    pairs.sort_unstable();
    pairs
}

/// Returns a longest subsequence of pairs in which both numbers increase. `pairs` must be sorted.
fn increasing(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // For each length, the index of the pair with the smallest end, and for each pair the previous
    // pair of its sequence.
    let (mut ends, mut previous) = (Vec::<usize>::new(), vec![None; pairs.len()]);
    for (index, pair) in pairs.iter().enumerate() {
        let length = ends.partition_point(|&end| pairs[end].1 < pair.1);
        previous[index] = length.checked_sub(1).map(|shorter| ends[shorter]);
        ends.truncate(ends.len().max(length));
        match ends.get_mut(length) {
            Some(end) => *end = index,
            None => ends.push(index),
        }
    }
    let mut found = Vec::new();
    let mut at = ends.last().copied();
    while let Some(index) = at {
        found.push(pairs[index]);
        at = previous[index];
    }
    found.reverse();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &str =
        "# Imported\ntiles = '''\n...\n...\n'''\n\n[places]\na = [0, 0]\nb = [1, 0]\n";

    #[test]
    fn tiles_places_and_agents_are_merged() {
        let ours = BASE.replacen("...", ".~.", 1) + "\n[[agent]]\nname = \"mine\"\nat = [2, 1]\n";
        let theirs = BASE.replacen("...", "..#", 1).replace("a = [0, 0]", "a = [2, 1]");
        let update = update_map(BASE, &ours, &theirs, None).unwrap();
        let expected = ours.replacen(".~.", ".~#", 1).replace("a = [0, 0]", "a = [2, 1]");
        assert_eq!(update.text, expected);
        assert_eq!((update.taken, update.kept, update.conflicts.len()), (1, 1, 0));
    }

    #[test]
    fn conflicts_keep_the_users_version_and_name_tile_and_line() {
        let ours = BASE.replacen("...", "..~", 1).replace("b = [1, 0]", "b = [1, 1]");
        let theirs = BASE.replacen("...", "..#", 1).replace("b = [1, 0]", "b = [2, 0]");
        let update = update_map(BASE, &ours, &theirs, None).unwrap();
        assert_eq!(update.text, ours);
        let expected = [
            "tile (2, 0) keeps `~`: the source now has `#`",
            "line 9 is kept: the source now has `b = [2, 0]`",
        ];
        assert_eq!(update.conflicts, expected);
        assert_eq!(ours.lines().nth(8), Some("b = [1, 1]"));
    }

    #[test]
    fn a_map_with_other_tiles_keeps_them_and_has_a_conflict() {
        let theirs = BASE.replacen("...", "..#", 1);
        let resized = BASE.replace("...", "....");
        let update = update_map(BASE, &resized, &theirs, None).unwrap();
        assert_eq!((update.text, update.conflicts.len()), (resized, 1));
        let file = "tiles_file = \"other.txt\"\n[places]\na = [0, 0]\nb = [1, 0]\n";
        let update = update_map(BASE, file, &theirs, None).unwrap();
        assert_eq!((update.text.as_str(), update.conflicts.len()), (file, 1));
    }

    #[test]
    fn a_merge_that_results_in_invalid_toml_is_refused() {
        let legend = "\n[legend]\n\"x\" = { name = \"x\" }\n";
        assert_eq!(
            update_map(BASE, &(BASE.to_owned() + legend), &(BASE.to_owned() + legend), None)
                .unwrap()
                .conflicts
                .len(),
            0
        );
        let other = legend.replace('x', "y");
        assert_eq!(
            update_map(BASE, &(BASE.to_owned() + legend), &(BASE.to_owned() + &other), None),
            None
        );
        assert_eq!(update_map(BASE, "tiles = [", &BASE.replace("...", "..#"), None), None);
    }

    #[test]
    fn edited_tiles_are_kept_and_other_tiles_follow_the_source() {
        let tiles = merge_tiles("...\n...\n", "..T\n~.T\n", "#.#\n..#\n", (0, 0)).unwrap();
        assert_eq!(tiles.rows, "#.T\n~.T\n");
        assert_eq!((tiles.taken, tiles.kept, tiles.conflicts.len()), (1, 3, 2));
        let conflict = TileConflict { at: (2, 0), ours: "T".to_owned(), theirs: "#".to_owned() };
        assert_eq!(tiles.conflicts[0], conflict);
    }

    #[test]
    fn a_larger_source_adds_tiles_and_a_resized_map_cannot_be_merged() {
        let tiles = merge_tiles("..\n..\n", ".T\n..\n", "..#\n..#\n###\n", (0, 0)).unwrap();
        assert_eq!(tiles.rows, ".T#\n..#\n###\n");
        let shrunk = merge_tiles("..\n..\n", ".T\n..\n", ".\n", (0, 0)).unwrap();
        assert_eq!((shrunk.rows.as_str(), shrunk.conflicts.len()), (".\n", 1));
        assert_eq!(merge_tiles("..\n..\n", "...\n...\n", "#.\n..\n", (0, 0)), None);
    }

    #[test]
    fn every_tile_follows_the_three_way_merge_rule() {
        let glyphs = ['.', '#', 'T'];
        let versions: Vec<[char; 3]> = glyphs
            .iter()
            .flat_map(|&base| glyphs.map(|ours| (base, ours)))
            .flat_map(|(base, ours)| glyphs.map(|theirs| [base, ours, theirs]))
            .collect();
        let text = |version: usize| -> String {
            versions
                .chunks(9)
                .map(|row| row.iter().map(|tile| tile[version]).collect::<String>() + "\n")
                .collect()
        };
        let merged = merge_tiles(&text(0), &text(1), &text(2), (0, 0)).unwrap();
        let found = merged.rows.chars().filter(|&glyph| glyph != '\n');
        for ([base, ours, theirs], found) in versions.iter().zip(found) {
            assert_eq!(found, *if base == ours { theirs } else { ours });
        }
        let is_conflict =
            |[base, ours, theirs]: &&[char; 3]| base != ours && base != theirs && ours != theirs;
        assert_eq!(merged.conflicts.len(), versions.iter().filter(is_conflict).count());
    }

    /// Checks a merge. Spaces in the arguments stand for line breaks. `expected` is the merged
    /// text, followed by `line:theirs` for each conflict.
    #[track_caller]
    fn check(base: &str, ours: &str, theirs: &str, expected: &str) {
        let [base, ours, theirs] = [base, ours, theirs].map(|text| text.replace(' ', "\n"));
        let merged = merge_lines(&base, &ours, &theirs);
        let conflicts = merged
            .conflicts
            .iter()
            .map(|conflict| format!(" {}:{}", conflict.line, conflict.theirs.join("+")));
        let found = merged.text.replace('\n', " ") + &conflicts.collect::<String>();
        assert_eq!(found, expected);
    }

    #[test]
    fn changes_of_both_sides_are_merged_and_conflicts_keep_the_users_version() {
        check("a b c ", "a b c ", "a x c ", "a x c ");
        check("a b c ", "a y c ", "a b c d ", "a y c d ");
        check("a b c d ", "a y c d ", "a b x d ", "a y x d ");
        check("a b c ", "a y c ", "a x c ", "a y c  2:x");
        check("a b c ", "a c ", "a b c ", "a c ");
        check("a b c ", "a b c ", "a c ", "a c ");
        check("a b c ", "a c ", "a x c ", "a c  2:x");
        check("a ", "a own ", "a new ", "a own new ");
        check("a ", "a same ", "a same ", "a same ");
        check("a b", "a b", "a b c ", "a b c ");
        check("", "own", "new ", "own new ");
    }

    #[test]
    fn a_merge_keeps_crlf_line_endings() {
        let merged = merge_lines("a\nb\nc\n", "a\r\nmine\r\nc\r\n", "a\nb\nc\nd\n");
        assert_eq!(merged.text, "a\r\nmine\r\nc\r\nd\r\n");
    }

    /// Returns all texts of up to three lines. Each line is `a`, `b` or `c`.
    fn texts() -> Vec<String> {
        let mut texts = vec![String::new()];
        for _ in 0..3 {
            let longer =
                texts.iter().flat_map(|text| ["a", "b", "c"].map(|line| format!("{text}{line}\n")));
            let longer: Vec<_> = longer.collect();
            texts.extend(longer);
            texts.sort();
            texts.dedup();
        }
        texts
    }

    #[test]
    fn a_side_without_changes_takes_the_text_of_the_other_side() {
        for base in texts() {
            for other in texts() {
                assert_eq!(merge_lines(&base, &base, &other).text, other, "{base}");
                assert_eq!(merge_lines(&base, &other, &other).text, other, "{base}");
                let kept = merge_lines(&base, &other, &base);
                assert_eq!((kept.text, kept.conflicts), (other, vec![]), "{base}");
            }
        }
    }

    /// The merged text contains all lines that `ours` added to the base.
    #[test]
    fn a_merge_keeps_all_lines_that_the_user_added() {
        let count = |text: &str, line: &str| text.lines().filter(|each| *each == line).count();
        for base in texts() {
            for ours in texts() {
                for theirs in texts().iter().step_by(3) {
                    let merged = merge_lines(&base, &ours, theirs).text;
                    for line in ours.lines().filter(|line| count(&base, line) == 0) {
                        let lines = count(&merged, line);
                        assert!(lines >= count(&ours, line), "{base}\n{ours}\n{theirs}\n{merged}");
                    }
                }
            }
        }
    }
}
