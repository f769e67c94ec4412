//! Painting tiles: glyphs in the rows of a map, or of its file of tiles.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use super::patch::Patch;
use super::{Edit, Located, document, map_of, written};
use crate::library::TilesKind;
use crate::{literal, show};
use tilewalk_sim::geom::TilePos;
use tilewalk_sim::scenario::sources::{Place, Sources};

/// The rows of a map, wherever they are written.
struct Rows<'a> {
    place: Place,
    /// The rows as they are meant.
    value: Cow<'a, str>,
    spelling: Spelling<'a>,
}

/// How they are written.
enum Spelling<'a> {
    /// As they are meant, from a byte of the file on.
    Plain(usize),
    /// With escapes, in a string that begins at a byte of the file.
    Escaped(&'a str, usize),
}

/// May the tiles of these files be painted? Else why not, in a line.
///
/// # Errors
/// When they stand in a file of a format that is only read.
pub fn check(files: &Sources) -> Result<(), String> {
    rows(files).map(drop)
}

/// Patches that give tiles other glyphs.
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

/// Are the tiles so now?
pub(super) fn verify(cells: &BTreeMap<TilePos, String>, files: &Sources) -> Result<(), String> {
    let unwritable = || "this glyph can't be written to the tiles".to_owned();
    let rows = rows(files).map_err(|_| unwritable())?;
    let found = rows.find(cells.keys().copied()).map_err(|_| unwritable())?;
    let same = found.into_iter().all(|(tile, at)| rows.value[at] == cells[&tile]);
    if same { Ok(()) } else { Err(unwritable()) }
}

/// The glyph of a tile, as it is written in the files; `None` where there is none.
pub fn glyph(tile: TilePos, files: &Sources) -> Option<String> {
    let rows = rows(files).ok()?;
    let at = rows.find([tile]).ok()?.remove(&tile)?;
    Some(rows.value[at].to_owned())
}

fn rows(files: &Sources) -> Result<Rows<'_>, String> {
    let text = map_of(files)?;
    let document = document(text)?;
    if let Some(item) = document.get("tiles") {
        let missing = || "`tiles` is not a string".to_owned();
        let (begin, raw) = written(item, text).ok_or_else(missing)?;
        let value = item.as_str().ok_or_else(missing)?.to_owned();
        let spelling = if literal::is_plain(raw) {
            Spelling::Plain(literal::locate(raw, begin, 0))
        } else {
            Spelling::Escaped(raw, begin)
        };
        return Ok(Rows { place: Place::Map, value: Cow::Owned(value), spelling });
    }
    let name = document.get("tiles_file").and_then(|item| item.as_str());
    let name = name.ok_or("the map has no `tiles`")?;
    let kind = TilesKind::of(name.rsplit_once('.').map_or("", |(_, ending)| ending));
    let format = match kind {
        Some(TilesKind::Rows) => None,
        Some(TilesKind::Octile) => Some("a MovingAI map"),
        Some(TilesKind::Tiled) => Some("a Tiled map"),
        None => Some("not a tiles file"),
    };
    let shown = show::text(name);
    if let Some(format) = format {
        return Err(format!(
            "{shown} is {format} and can't be edited; convert the file with `tilewalk import {shown}`"
        ));
    }
    let place = Place::Beside(name.to_owned());
    let file =
        files.file(&place).ok_or_else(|| format!("can't edit {shown}: the file was not read"))?;
    Ok(Rows { place, value: Cow::Borrowed(&file.text), spelling: Spelling::Plain(0) })
}

impl Rows<'_> {
    /// Where the glyphs of tiles stand in the value.
    fn find(
        &self,
        tiles: impl IntoIterator<Item = TilePos>,
    ) -> Result<BTreeMap<TilePos, Range<usize>>, String> {
        let mut found = BTreeMap::new();
        // In reading order, so that each row is looked at once.
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

    /// The patch that writes a glyph over a stretch of the value.
    fn patch(&self, value: Range<usize>, glyph: &str, files: &Sources) -> Patch {
        let (at, after) = match self.spelling {
            Spelling::Plain(begin) => (begin + value.start..begin + value.end, glyph.to_owned()),
            Spelling::Escaped(raw, begin) => (literal::stretch(raw, begin, value), escaped(glyph)),
        };
        let text = files.file(&self.place).map_or("", |file| &file.text);
        let before = text.get(at.clone()).unwrap_or_default().to_owned();
        Patch { at: at.start, before, after }
    }
}

/// A glyph as it stands in a string with escapes.
fn escaped(glyph: &str) -> String {
    match glyph {
        "\"" | "\\" => format!("\\{glyph}"),
        _ => glyph.to_owned(),
    }
}
