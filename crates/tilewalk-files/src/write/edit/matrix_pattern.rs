//! Edits the cells of a matrix pattern.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use toml_edit::{Document, Item};

use super::Patch;
use super::{Edit, Located, document, pattern_of, put, written};
use crate::read::pattern_file;
use crate::show;
use crate::text::diagnostic::Issues;
use crate::text::report::Report;
use crate::text::source::Source;
use crate::text::span_tree;
use tilewalk_sim::geom::TilePos;
use tilewalk_sim::pattern::Pattern;
use tilewalk_sim::scenario::sources::{FileRole, Sources};
use tilewalk_sim::sort::SmallCollect;

/// Maximum coordinate of a cell: the last tile of the largest map.
const FARTHEST: i32 = 4095;

/// The allowed tiles of a matrix pattern, in the file's coordinates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cells {
    /// Tiles that the matrix's cells allow.
    pub painted: BTreeSet<TilePos>,
    /// Tiles that the matrix's segments allow but its cells do not.
    pub drawn: BTreeSet<TilePos>,
    /// Whether the coordinates are map coordinates. Otherwise they are relative to the anchor.
    pub absolute: bool,
    /// Anchor of the matrix. Ignored if the coordinates are map coordinates.
    pub anchor: TilePos,
    /// Whether the first allowed cell is the anchor.
    by_cell: bool,
}

/// Reads the matrix pattern with this name.
///
/// # Errors
/// Returns the reason if there is no editable matrix, in a line that is safe to print.
pub fn read(name: &str, files: &Sources) -> Result<Cells, String> {
    let text = pattern_of(name, files)?;
    let document = document(text)?;
    let shown = show::text(name);
    if document.get("kind").and_then(|kind| kind.as_str()) != Some("matrix") {
        return Err(format!("the pattern `{shown}` is not a matrix"));
    }
    let absolute = document.get("absolute").and_then(Item::as_bool).unwrap_or(false);
    let painted = rows(&document).map_or_else(BTreeSet::new, |rows| allowed(&rows));
    let first = first_point(&document);
    let anchor = first.or(painted.first().copied()).unwrap_or_default();
    // A matrix that is being drawn can have fewer cells than a pattern needs.
    if document.get("segments").is_none() {
        let by_cell = first.is_none() && !absolute;
        return Ok(Cells { painted, drawn: BTreeSet::new(), absolute, anchor, by_cell });
    }
    let mut report = Report::default();
    let file = report.add_source(Source::new(shown.clone(), None, text));
    let design = pattern_file::read(text, &Issues::new(file, Arc::from(text)));
    let Some(Pattern::Matrix(matrix)) = design.map(|design| design.pattern) else {
        return Err(format!("the matrix `{shown}` has errors"));
    };
    let shift = if absolute { TilePos::default() } else { anchor };
    let all = matrix.tiles().iter().map(|&tile| tile + shift);
    let drawn = all.filter(|tile| !painted.contains(tile)).small_collect();
    Ok(Cells { painted, drawn, absolute, anchor, by_cell: first.is_none() && !absolute })
}

/// Returns the rows of `cells`; `None` if the pattern has no cells.
fn rows(document: &Document<&str>) -> Option<Vec<String>> {
    let value = document.get("cells")?.as_str()?;
    let value = value.strip_suffix('\n').unwrap_or(value);
    Some(value.split('\n').map(|row| row.strip_suffix('\r').unwrap_or(row).to_owned()).collect())
}

fn allowed(rows: &[String]) -> BTreeSet<TilePos> {
    let row = |(y, row): (usize, &String)| {
        let ones = row.chars().enumerate().filter(|(_, cell)| *cell == '1');
        ones.map(|(x, _)| TilePos::new(x as i32, y as i32)).collect::<Vec<_>>()
    };
    rows.iter().enumerate().flat_map(row).small_collect()
}

fn first_point(document: &Document<&str>) -> Option<TilePos> {
    let segment = document.get("segments")?.as_array()?.get(0)?.as_array()?;
    let point = segment.get(0)?.as_array()?;
    let number = |index| i32::try_from(point.get(index)?.as_integer()?).ok();
    Some(TilePos::new(number(0)?, number(1)?))
}

/// Returns the text of a new matrix pattern in map coordinates, without cells.
pub fn text() -> String {
    "# A matrix drawn on the map.\nformat   = 1\nkind     = \"matrix\"\n\
     absolute = true   # cells are map tiles\n"
        .to_owned()
}

/// Returns the patches that change cells. The value true allows the tile of a cell, and false
/// forbids it.
pub(super) fn paint(
    name: &str,
    cells: &BTreeMap<TilePos, bool>,
    files: &Sources,
) -> Result<Located, String> {
    let matrix = read(name, files)?;
    let text = pattern_of(name, files)?;
    let document = document(text)?;
    if let Some((tile, _)) = cells.iter().find(|(tile, on)| !**on && matrix.drawn.contains(tile)) {
        return Err(format!(
            "can't erase {tile}: a segment of `{}` contains the tile",
            show::text(name)
        ));
    }
    let shift = matrix.shift(cells)?;
    let old = rows(&document).unwrap_or_default();
    let changed = cells.iter().filter(|(tile, on)| matrix.painted.contains(tile) != **on);
    let changed: BTreeMap<_, _> =
        changed.map(|(&tile, &on)| (tile + TilePos::new(shift, 0), on)).small_collect();
    let new = grown(&old, &changed, shift);
    let patches = match document.get("cells").and_then(|item| written(item, text)) {
        _ if changed.is_empty() => Vec::new(),
        Some((begin, raw)) => row_patches(raw, begin, &old, &new)?,
        None => {
            let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
            let value = format!("'''{newline}{}{newline}'''", new.join(newline));
            vec![put(text, &document, "cells", &value)?]
        }
    };
    let pattern = name.to_owned();
    let cells = changed.into_iter().map(|(tile, on)| (tile, !on)).small_collect();
    let back = Edit::Cells { pattern: pattern.clone(), cells };
    Ok(Located { place: FileRole::Pattern(pattern), patches, back })
}

impl Cells {
    /// Returns the number of columns to insert before the first column. Returns the reason if the
    /// cells can't be changed.
    fn shift(&self, cells: &BTreeMap<TilePos, bool>) -> Result<i32, String> {
        let on = || cells.iter().filter(|(_, on)| **on).map(|(tile, _)| *tile);
        if self.by_cell {
            let first = self.painted.first();
            let moved = first.is_none_or(|first| on().any(|tile| tile < *first));
            let gone = first.is_some_and(|first| cells.get(first) == Some(&false));
            if moved || gone {
                return Err("the first allowed cell is the matrix anchor and must stay first; \
                            `absolute = true` removes this restriction"
                    .to_owned());
            }
        }
        let least = on().map(|tile| tile.x).min().unwrap_or(0).min(0);
        let above = on().any(|tile| tile.y < 0) || (least < 0 && !self.by_cell);
        let far = on().any(|tile| tile.x.saturating_sub(least) > FARTHEST || tile.y > FARTHEST);
        match (above, far) {
            (true, _) => Err("can't add cells above or to the left of (0, 0)".into()),
            (_, true) => Err(format!("cell coordinates can't exceed {FARTHEST}")),
            _ => Ok(-least),
        }
    }
}

/// Returns the rows with changed cells, extended where necessary. `shift` is the number of columns
/// to insert on the left.
fn grown(old: &[String], changed: &BTreeMap<TilePos, bool>, shift: i32) -> Vec<String> {
    let is_used = |cell: char| old.iter().any(|row| row.contains(cell));
    let off = if is_used('.') || !is_used('0') { '.' } else { '0' };
    let on = || changed.iter().filter(|(_, on)| **on).map(|(tile, _)| *tile);
    let width = old.first().map_or(0, |row| row.chars().count()) + shift as usize;
    let width = on().map(|tile| tile.x as usize + 1).fold(width, usize::max);
    let height = on().map(|tile| tile.y as usize + 1).fold(old.len(), usize::max);
    let before = off.to_string().repeat(shift as usize);
    let mut rows: Vec<Vec<char>> =
        old.iter().map(|row| format!("{before}{row}").chars().collect()).collect();
    rows.resize(height, Vec::new());
    for row in &mut rows {
        row.resize(width, off);
    }
    for (tile, on) in changed {
        let cell = rows.get_mut(tile.y as usize).and_then(|row| row.get_mut(tile.x as usize));
        if let Some(cell) = cell {
            *cell = if *on { '1' } else { off };
        }
    }
    rows.into_iter().map(|row| row.into_iter().collect()).collect()
}

/// Returns a patch for each changed row. New rows are part of the patch of the last row.
fn row_patches(
    raw: &str,
    begin: usize,
    old: &[String],
    new: &[String],
) -> Result<Vec<Patch>, String> {
    if !span_tree::is_plain(raw) || (new.len() > old.len() && !raw.contains('\n')) {
        return Err("can't edit `cells`: first write the value as rows between '''".to_owned());
    }
    let newline = if raw.contains("\r\n") { "\r\n" } else { "\n" };
    let mut at = span_tree::locate_in_string(raw, begin, 0);
    let mut patches = Vec::new();
    for (index, (before, after)) in old.iter().zip(new).enumerate() {
        let mut after = after.clone();
        if index + 1 == old.len() {
            for row in &new[old.len()..] {
                after.push_str(newline);
                after.push_str(row);
            }
        }
        patches.push(Patch { at, before: before.clone(), after });
        let rest = raw.get(at - begin + before.len()..).unwrap_or_default();
        at += before.len() + if rest.starts_with("\r\n") { 2 } else { 1 };
    }
    Ok(patches)
}
