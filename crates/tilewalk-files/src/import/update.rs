//! Merges an edited map with a new import of its changed source: the tiles tile by tile, and
//! the other lines key by key.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use toml_edit::{Document, Item, TomlError};
use unicode_segmentation::UnicodeSegmentation;

use crate::disk::store::Origin;
use crate::import::merge::{LineConflict, find_headless, merge};
use crate::import::moved::{Shift, find_shift, moved};
use crate::import::text::literal;
use crate::read::loading::{LoadError, Options, load, reload};
use crate::show;
use crate::text::report::Report;
use tilewalk_sim::scenario::sources::{FileRole, SourceFile, Sources};

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
/// # Errors
/// Returns the reason, with the line of the map, if one of the maps or the merged map is not valid TOML.
/// Also returns an error if an import has no tiles.
pub fn update_map(
    base: &str,
    ours: &str,
    theirs: &str,
    shift: Option<Shift>,
) -> Result<Update, String> {
    if base == theirs || ours == theirs {
        return Ok(Update { text: ours.to_owned(), ..Update::default() });
    }
    let of_import = |text: &str| find_tiles(text).ok().flatten().ok_or("the import has no tiles");
    let (old, new) = (of_import(base)?, of_import(theirs)?);
    let shift = shift.unwrap_or_else(|| find_shift(&row_glyphs(&old.rows), &row_glyphs(&new.rows)));
    let own = find_tiles(ours).map_err(|error| described_fault(ours, &error))?;
    let mut update = Update { shift, ..Update::default() };
    let (mut base, mut ours) = (base.to_owned(), ours.to_owned());
    let along = |text: &str| (shift != (0, 0)).then(|| moved(text, shift)).flatten();
    if let (Some(base_along), Some(along)) = (along(&base), along(&ours)) {
        base = base_along.text;
        (ours, update.moved, update.conflicts) = (along.text, along.moved, along.unmoved);
    }
    if own.is_none() && old.rows != new.rows {
        let message = "the source has other tiles, but the map has no `tiles` of its own any more";
        update.conflicts.push(message.to_owned());
    }
    // All versions get the merged tiles, so that only the other lines can differ.
    let tiles = own.map_or(new.literal.clone(), |own| merged_tiles(&old, &own, &new, &mut update));
    let [base, own, theirs] = [&*base, &*ours, theirs].map(|text| with_tiles(text, &tiles));
    let merged = merge(&base, &own, &theirs);
    if let Err(error) = Document::parse(merged.text.as_str()) {
        let (line, header) = find_headless(&ours, &theirs)
            .ok_or_else(|| format!("the merged map is not valid TOML: {}", error.message()))?;
        return Err(format!(
            "the source adds to a table that line {line} of the map has without a header: write it as a \
             table `{header}`"
        ));
    }
    update.conflicts.extend(merged.conflicts.iter().map(described));
    update.text = merged.text;
    Ok(update)
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

/// Merges a text without tiles, such as a pattern. `base` is the old import, `ours`
/// the version of the user, and `theirs` the new import. Positions move by `shift`.
pub fn update_text(base: &str, ours: &str, theirs: &str, shift: Shift) -> Update {
    let along = |text: &str| {
        let moved = (shift != (0, 0)).then(|| moved(text, shift)).flatten();
        moved.map_or_else(|| text.to_owned(), |moved| moved.text)
    };
    let merged = merge(&along(base), &along(ours), theirs);
    let conflicts = merged.conflicts.iter().map(described).collect();
    Update { text: merged.text, conflicts, ..Update::default() }
}

/// Describes a conflict for the user.
fn described(conflict: &LineConflict) -> String {
    let line = conflict.line;
    match conflict.theirs.join(" ⏎ ") {
        theirs if theirs.is_empty() => format!("line {line} is kept: the source no longer has it"),
        theirs if conflict.is_removed => {
            let theirs = show::text(&theirs);
            format!("above line {line}, lines stay removed: the source now has `{theirs}`")
        }
        theirs => format!("line {line} is kept: the source now has `{}`", show::text(&theirs)),
    }
}

/// Describes an error in the map of the user.
fn described_fault(map: &str, error: &TomlError) -> String {
    let at = error.span().map_or(0, |span| span.start);
    let line = map.bytes().take(at).filter(|&byte| byte == b'\n').count() + 1;
    format!("line {line} of the map is not valid TOML: {}", show::text(error.message()))
}

/// The value of the key `tiles` in a map.
struct Tiles {
    /// The value as written in the file, with quotes.
    literal: String,
    rows: String,
    /// Byte range of the value.
    span: Range<usize>,
}

/// Returns the tiles of a map; `None` if it has no key `tiles`.
///
/// # Errors
/// Returns an error if the text is not valid TOML.
fn find_tiles(text: &str) -> Result<Option<Tiles>, TomlError> {
    let document = Document::parse(text)?;
    let tiles = document.get("tiles").and_then(Item::as_value);
    Ok(tiles.and_then(|value| {
        let (span, rows) = (value.span()?, value.as_str()?.to_owned());
        Some(Tiles { literal: text[span.clone()].to_owned(), rows, span })
    }))
}

/// Replaces the tiles of a map. Does nothing if it has none.
fn with_tiles(map: &str, literal: &str) -> String {
    let mut text = map.to_owned();
    if let Some(tiles) = find_tiles(map).ok().flatten() {
        text.replace_range(tiles.span, literal);
    }
    text
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
    fn entries_that_both_sides_add_to_a_table_are_merged() {
        let legend = "\n[legend]\n\"x\" = { name = \"x\" }\n";
        let (ours, theirs) =
            (BASE.to_owned() + legend, BASE.to_owned() + &legend.replace('x', "y"));
        let update = update_map(BASE, &ours, &ours.replace("...\n'", "..x\n'"), None).unwrap();
        assert_eq!((update.text, update.conflicts.len()), (ours.replace("...\n'", "..x\n'"), 0));
        let update = update_map(BASE, &ours, &theirs, None).unwrap();
        let both = ours.clone() + "\"y\" = { name = \"y\" }\n";
        assert_eq!((update.text, update.conflicts.len()), (both, 0));
    }

    #[test]
    fn a_merge_that_results_in_invalid_toml_is_refused() {
        let headless = BASE.replace("tiles", "legend.x = { name = \"x\" }\ntiles");
        let theirs = BASE.to_owned() + "\n[legend]\n\"y\" = { name = \"y\" }\n";
        let error = update_map(BASE, &headless, &theirs, None).unwrap_err();
        assert!(error.contains("line 2") && error.contains("`[legend]`"), "{error}");
        let error = update_map(BASE, "a = 1\ntiles = [", &theirs, None).unwrap_err();
        assert!(error.contains("line 2 of the map is not valid TOML"), "{error}");
        assert!(update_map("", BASE, &theirs, None).is_err());
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
}
