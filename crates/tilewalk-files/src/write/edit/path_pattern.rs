//! Edits the vertices of path patterns.

use std::fmt::Write;

use toml_edit::{Array, Item, Value};

use super::Patch;
use super::{Edit, Located, document, pattern_of, put};
use crate::read::pattern_file;
use crate::show;
use tilewalk_sim::geom::{LineKind, TilePos};
use tilewalk_sim::scenario::sources::{FileRole, Sources};

/// Maximum number of vertices per line in a new file.
const ON_A_LINE: usize = 8;

/// The route that a path pattern defines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    /// Vertices, in the file's coordinates.
    pub vertices: Vec<TilePos>,
    /// Whether the last vertex is connected to the first.
    pub closed: bool,
    /// Whether the coordinates are map coordinates. Otherwise they are relative to the anchor.
    pub absolute: bool,
    /// Algorithm that draws the line between two vertices.
    pub line: LineKind,
}

/// Checks the name of a new pattern.
///
/// # Errors
/// Returns the reason if the name is invalid, in a line that is safe to print.
pub fn check_name(name: &str) -> Result<(), String> {
    match pattern_file::pattern_name_fault(name) {
        Some(fault) => Err(format!("invalid pattern name `{}`: {fault}", show::text(name))),
        None => Ok(()),
    }
}

/// Reads the route of the path pattern with this name.
///
/// # Errors
/// Returns the reason if there is no editable path, in a line that is safe to print.
pub fn read(name: &str, files: &Sources) -> Result<Route, String> {
    let document = document(pattern_of(name, files)?)?;
    let shown = show::text(name);
    if document.get("kind").and_then(|kind| kind.as_str()) != Some("path") {
        return Err(format!("the pattern `{shown}` is not a path"));
    }
    let flag = |key| document.get(key).and_then(Item::as_bool).unwrap_or(false);
    let list = document.get("vertices").and_then(|item| item.as_array());
    let vertices = list.and_then(|list| list.iter().map(vertex).collect::<Option<Vec<_>>>());
    let vertices = vertices.ok_or_else(|| format!("the path `{shown}` has no vertices"))?;
    let line = match document.get("line").and_then(|line| line.as_str()) {
        Some("book") => LineKind::Book,
        Some("symmetric") => LineKind::Symmetric,
        _ => LineKind::Standard,
    };
    Ok(Route { vertices, closed: flag("closed"), absolute: flag("absolute"), line })
}

fn vertex(value: &Value) -> Option<TilePos> {
    let pair = value.as_array().filter(|pair| pair.len() == 2)?;
    let number = |index| i32::try_from(pair.get(index)?.as_integer()?).ok();
    Some(TilePos::new(number(0)?, number(1)?))
}

/// Returns patches that replace the vertices. Unchanged vertices at the beginning and at the end
/// keep their bytes.
pub(super) fn draw(
    name: &str,
    vertices: &[TilePos],
    closed: bool,
    files: &Sources,
) -> Result<Located, String> {
    let old = read(name, files)?;
    let text = pattern_of(name, files)?;
    let document = document(text)?;
    let list = document.get("vertices").and_then(|item| item.as_array()).ok_or(super::UNFIT)?;
    let mut patches = vec![vertices_patch(text, list, &old.vertices, vertices)?];
    if closed != old.closed {
        patches.push(put(text, &document, "closed", if closed { "true" } else { "false" })?);
    }
    let (pattern, vertices, closed) = (name.to_owned(), old.vertices, old.closed);
    let back = Edit::Draw { pattern: pattern.clone(), vertices, closed };
    Ok(Located { place: FileRole::Pattern(pattern), patches, back })
}

fn vertices_patch(
    text: &str,
    list: &Array,
    old: &[TilePos],
    new: &[TilePos],
) -> Result<Patch, String> {
    let spans: Option<Vec<_>> = list.iter().map(Value::span).collect();
    let (spans, whole) = spans.zip(list.span()).ok_or(super::UNFIT)?;
    let same = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let room = old.len().min(new.len()) - same;
    let ends = old.iter().rev().zip(new.iter().rev());
    let ends = ends.take_while(|(old, new)| old == new).count().min(room);
    let (gone, come) = (same..old.len() - ends, &new[same..new.len() - ends]);
    // New vertices are separated like the first two vertices of the file.
    let between = spans.get(1).and_then(|second| text.get(spans[0].end..second.start));
    let is_gap = |gap: &&str| gap.trim() == ",";
    let gap = between.filter(is_gap).unwrap_or(", ");
    let written: Vec<_> = come.iter().map(|tile| format!("[{}, {}]", tile.x, tile.y)).collect();
    let written = written.join(gap);
    let (at, after) = match (spans.get(gone.start), gone.is_empty()) {
        // Vertices are replaced.
        (Some(first), false) if !come.is_empty() => (first.start..spans[gone.end - 1].end, written),
        // Vertices are removed, with the gap before or after them.
        (Some(first), false) => match (gone.start.checked_sub(1), spans.get(gone.end)) {
            (_, Some(next)) => (first.start..next.start, String::new()),
            (Some(before), None) => (spans[before].end..spans[gone.end - 1].end, String::new()),
            (None, None) => (first.start..spans[gone.end - 1].end, String::new()),
        },
        _ if come.is_empty() => (whole.start..whole.start, String::new()),
        // Vertices are added before another vertex or at the end.
        (Some(next), true) => (next.start..next.start, format!("{written}{gap}")),
        (None, _) => match spans.last() {
            Some(last) => (last.end..last.end, format!("{gap}{written}")),
            None => (whole.start + 1..whole.start + 1, written),
        },
    };
    let before = text.get(at.clone()).ok_or(super::UNFIT)?.to_owned();
    Ok(Patch { at: at.start, before, after })
}

/// Returns the text of a new path pattern in map coordinates.
pub fn text(vertices: &[TilePos], closed: bool) -> String {
    let text = new_path("A path drawn on the map.", vertices.iter().copied(), closed);
    format!("{}   # vertices are map tiles\n", text.trim_end())
}

/// Returns the text of a path pattern in map coordinates. The first line is `comment`, which must
/// be a single line.
pub(crate) fn new_path(
    comment: &str,
    vertices: impl Iterator<Item = TilePos>,
    closed: bool,
) -> String {
    let mut text = format!("# {comment}\nformat   = 1\nkind     = \"path\"\n");
    let pairs: Vec<_> = vertices.map(|tile| format!("[{}, {}]", tile.x, tile.y)).collect();
    if pairs.len() <= ON_A_LINE {
        let _ = writeln!(text, "vertices = [{}]", pairs.join(", "));
    } else {
        text.push_str("vertices = [\n");
        for line in pairs.chunks(ON_A_LINE) {
            let _ = writeln!(text, "  {},", line.join(", "));
        }
        text.push_str("]\n");
    }
    if closed {
        text.push_str("closed   = true\n");
    }
    text.push_str("absolute = true\n");
    text
}
