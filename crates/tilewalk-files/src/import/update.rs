//! Merges an edited map with a new import of its changed source.

use core::ops::Range;
use std::path::Path;
use std::sync::Arc;

use toml_edit::{Document, Item};

use crate::disk::store::Origin;
use crate::import::grid;
use crate::import::lines;
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
}

/// Merges `ours`, the map that the user edited, with `theirs`, the new import. `base` is the
/// previous import. If the source has not changed, the result is `ours`, byte by byte.
///
/// Returns `None` if one of the maps or the merged map is not valid TOML. Also returns `None` if an
/// import has no tiles.
pub fn update_map(base: &str, ours: &str, theirs: &str) -> Option<Update> {
    if base == theirs || ours == theirs {
        return Some(Update { text: ours.to_owned(), ..Update::default() });
    }
    let cut: Vec<_> = [base, ours, theirs].into_iter().map(cut).collect::<Option<_>>()?;
    let (Some(base), Some(theirs)) = (&cut[0].tiles, &cut[2].tiles) else { return None };
    let mut update = Update::default();
    let literal = match &cut[1].tiles {
        Some(ours) => merged_tiles(base, ours, theirs, &mut update),
        None => String::new(),
    };
    if cut[1].tiles.is_none() && base.rows != theirs.rows {
        let message = "the source has other tiles, but the map has no `tiles` of its own any more";
        update.conflicts.push(message.to_owned());
    }
    let merged = lines::merge(&cut[0].rest, &cut[1].rest, &cut[2].rest);
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
/// the version of the user, and `theirs` the new import.
pub fn update_text(base: &str, ours: &str, theirs: &str) -> Update {
    let merged = lines::merge(base, ours, theirs);
    let conflicts = merged.conflicts.iter().map(|conflict| described(conflict, 0)).collect();
    Update { text: merged.text, conflicts, ..Update::default() }
}

/// Describes a conflict for the user. `rows` is the number of lines that the tiles add above the
/// conflict.
fn described(conflict: &lines::Conflict, rows: usize) -> String {
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
    let Some(merged) = grid::merge(&base.rows, &ours.rows, &theirs.rows) else {
        let message = "the tiles are kept: the map has another size than its source had";
        update.conflicts.push(message.to_owned());
        return ours.literal.clone();
    };
    (update.taken, update.kept) = (merged.taken, merged.kept);
    for grid::TileConflict { at: (x, y), ours, theirs } in &merged.conflicts {
        let (ours, theirs) = (show::text(ours), show::text(theirs));
        update.conflicts.push(if theirs.is_empty() {
            format!("tile ({x}, {y}) is lost: the source is smaller now (it was `{ours}`)")
        } else {
            format!("tile ({x}, {y}) keeps `{ours}`: the source now has `{theirs}`")
        });
    }
    if merged.rows == theirs.rows { theirs.literal.clone() } else { literal(&merged.rows) }
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
        let update = update_map(BASE, &ours, &theirs).unwrap();
        let expected = ours.replacen(".~.", ".~#", 1).replace("a = [0, 0]", "a = [2, 1]");
        assert_eq!(update.text, expected);
        assert_eq!((update.taken, update.kept, update.conflicts.len()), (1, 1, 0));
    }

    #[test]
    fn conflicts_keep_the_users_version_and_name_tile_and_line() {
        let ours = BASE.replacen("...", "..~", 1).replace("b = [1, 0]", "b = [1, 1]");
        let theirs = BASE.replacen("...", "..#", 1).replace("b = [1, 0]", "b = [2, 0]");
        let update = update_map(BASE, &ours, &theirs).unwrap();
        assert_eq!(update.text, ours);
        let expected = [
            "tile (2, 0) keeps `~`: the source now has `#`",
            "line 9 is kept: the source now has `b = [2, 0]`",
        ];
        assert_eq!(update.conflicts, expected);
        assert_eq!(ours.lines().nth(8), Some("b = [1, 1]"));
    }

    #[test]
    fn maps_with_other_or_no_tiles_keep_them() {
        let theirs = BASE.replacen("...", "..#", 1);
        let resized = BASE.replace("...", "....");
        let update = update_map(BASE, &resized, &theirs).unwrap();
        assert_eq!((update.text, update.conflicts.len()), (resized, 1));
        let file = "tiles_file = \"other.txt\"\n[places]\na = [0, 0]\nb = [1, 0]\n";
        let update = update_map(BASE, file, &theirs).unwrap();
        assert_eq!((update.text.as_str(), update.conflicts.len()), (file, 1));
    }

    #[test]
    fn a_merge_that_would_not_be_toml_is_refused() {
        let legend = "\n[legend]\n\"x\" = { name = \"x\" }\n";
        assert_eq!(
            update_map(BASE, &(BASE.to_owned() + legend), &(BASE.to_owned() + legend))
                .unwrap()
                .conflicts
                .len(),
            0
        );
        let other = legend.replace('x', "y");
        assert_eq!(
            update_map(BASE, &(BASE.to_owned() + legend), &(BASE.to_owned() + &other)),
            None
        );
        assert_eq!(update_map(BASE, "tiles = [", &BASE.replace("...", "..#")), None);
    }
}
