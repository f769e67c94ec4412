//! Edits the tiles of a map, in the map file or in the tiles file.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use super::Patch;
use super::{Edit, Located, document, map_of, written};
use crate::formats::TilesFormat;
use crate::show;
use crate::text::span_tree;
use tilewalk_sim::geom::TilePos;
use tilewalk_sim::scenario::sources::{FileRole, Sources};

/// Rows of tiles in a file.
struct FileRows<'a> {
    place: FileRole,
    /// Text of the rows after escape sequences are resolved.
    value: Cow<'a, str>,
    spelling: Spelling<'a>,
}

/// How the rows are written in the file.
enum Spelling<'a> {
    /// The rows contain no escape sequences. They start at this byte of the file.
    Plain(usize),
    /// The rows contain escape sequences. Stores the string as written, and its offset in the file.
    Escaped(&'a str, usize),
}

/// Checks whether the tiles can be edited.
///
/// # Errors
/// Returns the reason if the tiles can't be edited. For example, the tiles file has a read-only
/// format.
pub fn check(files: &Sources) -> Result<(), String> {
    rows(files).map(drop)
}

/// Returns patches that replace glyphs of tiles.
pub(super) fn paint(cells: &BTreeMap<TilePos, String>, files: &Sources) -> Result<Located, String> {
    let rows = rows(files)?;
    let found = rows.find(cells.keys().copied())?;
    let mut back = BTreeMap::new();
    let mut patches = Vec::with_capacity(found.len());
    for (tile, at) in found {
        let (glyph, old) = (&cells[&tile], &rows.value[at.clone()]);
        if glyph == old {
            continue;
        }
        back.insert(tile, old.to_owned());
        patches.push(rows.patch(at, glyph, files));
    }
    Ok(Located { place: rows.place, patches, back: Edit::Paint(back) })
}

/// Checks that tiles have the given glyphs. Returns an error message if a glyph differs.
pub(super) fn verify(cells: &BTreeMap<TilePos, String>, files: &Sources) -> Result<(), String> {
    let unwritable = || "this glyph can't be written to the tiles".to_owned();
    let rows = rows(files).map_err(|_| unwritable())?;
    let found = rows.find(cells.keys().copied()).map_err(|_| unwritable())?;
    let same = found.into_iter().all(|(tile, at)| rows.value[at] == cells[&tile]);
    if same { Ok(()) } else { Err(unwritable()) }
}

/// Returns the glyph of a tile in the files. Returns `None` for a tile outside the map, or if the
/// tiles can't be edited.
pub fn glyph(tile: TilePos, files: &Sources) -> Option<String> {
    let rows = rows(files).ok()?;
    let at = rows.find([tile]).ok()?.remove(&tile)?;
    Some(rows.value[at].to_owned())
}

fn rows(files: &Sources) -> Result<FileRows<'_>, String> {
    let text = map_of(files)?;
    let document = document(text)?;
    if let Some(item) = document.get("tiles") {
        let missing = || "`tiles` is not a string".to_owned();
        let (begin, raw) = written(item, text).ok_or_else(missing)?;
        let value = item.as_str().ok_or_else(missing)?.to_owned();
        let spelling = if span_tree::is_plain(raw) {
            Spelling::Plain(span_tree::locate_in_string(raw, begin, 0))
        } else {
            Spelling::Escaped(raw, begin)
        };
        return Ok(FileRows { place: FileRole::Map, value: Cow::Owned(value), spelling });
    }
    let name = document.get("tiles_file").and_then(|item| item.as_str());
    let name = name.ok_or("the map has no `tiles`")?;
    let uneditable = TilesFormat::of(name).map_or(Some("not a tiles file"), |it| it.uneditable);
    let shown = show::text(name);
    if let Some(what) = uneditable {
        return Err(format!(
            "{shown} is {what} and can't be edited; convert the file with `tilewalk import {shown}`"
        ));
    }
    let place = FileRole::Beside(name.to_owned());
    let file =
        files.file(&place).ok_or_else(|| format!("can't edit {shown}: the file was not read"))?;
    Ok(FileRows { place, value: Cow::Borrowed(&file.text), spelling: Spelling::Plain(0) })
}

impl FileRows<'_> {
    /// Returns the byte range of each tile's glyph in `value`. The tiles must be in reading order.
    /// Returns an error if a tile is outside the map.
    fn find(
        &self,
        tiles: impl IntoIterator<Item = TilePos>,
    ) -> Result<BTreeMap<TilePos, Range<usize>>, String> {
        let mut found = BTreeMap::new();
        // The tiles are in reading order, so each row is visited once.
        let mut lines = self.value.split('\n').scan(0, |begin, line| {
            let at = *begin;
            *begin += line.len() + 1;
            Some((at, line.strip_suffix('\r').unwrap_or(line)))
        });
        let (mut row, mut next) = (None, 0);
        for tile in tiles {
            let outside = || format!("the file has no tile {tile}");
            while next <= tile.y {
                row = lines.next();
                next += 1;
            }
            let (begin, line) = row.filter(|_| tile.y == next - 1).ok_or_else(outside)?;
            let column = usize::try_from(tile.x).map_err(|_| outside())?;
            let at = if line.is_ascii() {
                (column < line.len()).then_some(column..column + 1)
            } else {
                let glyph = line.grapheme_indices(true).nth(column);
                glyph.map(|(at, glyph)| at..at + glyph.len())
            };
            let at = at.ok_or_else(outside)?;
            found.insert(tile, begin + at.start..begin + at.end);
        }
        Ok(found)
    }

    /// Returns the patch that replaces the byte range `value` of the rows with a glyph.
    fn patch(&self, value: Range<usize>, glyph: &str, files: &Sources) -> Patch {
        let (at, after) = match self.spelling {
            Spelling::Plain(begin) => (begin + value.start..begin + value.end, glyph.to_owned()),
            Spelling::Escaped(raw, begin) => {
                (span_tree::stretch(raw, begin, value), escaped(glyph))
            }
        };
        let text = files.file(&self.place).map_or("", |file| &file.text);
        let before = text.get(at.clone()).unwrap_or_default().to_owned();
        Patch { at: at.start, before, after }
    }
}

/// Escapes a glyph for a basic TOML string.
fn escaped(glyph: &str) -> String {
    match glyph {
        "\"" | "\\" => format!("\\{glyph}"),
        _ => glyph.to_owned(),
    }
}
