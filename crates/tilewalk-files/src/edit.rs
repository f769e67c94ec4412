//! Edits of a map's files: painted tiles, moved starts and places, drawn paths and matrices.
//!
//! An [`Edit`] describes what the user did. On the text of a file it becomes a [`Change`]: bytes,
//! and the bytes that replace them. All other bytes stay, and undo restores the exact bytes. This
//! module opens no file and does not check whether the edited map can still be played.

pub mod cells;
pub mod draft;
pub mod ground;
pub mod patch;
pub mod route;
pub mod spots;

use std::collections::BTreeMap;
use std::sync::Arc;

use toml_edit::{Document, Item, Value};

use patch::Patch;
use spots::Thing;
use tilewalk_sim::geom::TilePos;
use tilewalk_sim::scenario::sources::{Place, Sources};

use super::splice;

/// Something that is done to the files of a map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edit {
    /// Tiles get other glyphs.
    Paint(BTreeMap<TilePos, String>),
    /// A start or a place moves; the two numbers as they are written.
    Move {
        /// Which.
        thing: Thing,
        /// Where to.
        to: [String; 2],
    },
    /// A path pattern is drawn anew.
    Draw {
        /// Its name.
        pattern: String,
        /// Its vertices, in coordinates of the file.
        vertices: Vec<TilePos>,
        /// Does the last one lead to the first?
        closed: bool,
    },
    /// Cells of a matrix pattern are allowed, or no longer so.
    Cells {
        /// Its name.
        pattern: String,
        /// The cells, in coordinates of the file.
        cells: BTreeMap<TilePos, bool>,
    },
}

/// An edit of a text: which bytes it replaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// What is done.
    pub edit: Edit,
    /// What would do the opposite, on whatever text.
    pub back: Edit,
    /// The file.
    pub place: Place,
    patches: Vec<Patch>,
}

/// Where an edit meets a file.
#[derive(Debug)]
struct Located {
    place: Place,
    patches: Vec<Patch>,
    back: Edit,
}

impl Change {
    /// What an edit makes of these files; nothing if all is so already.
    ///
    /// # Errors
    /// Why it can't be, in a line that is safe to print.
    pub fn of(edit: Edit, files: &Sources) -> Result<Option<Self>, String> {
        let Located { place, mut patches, back } = match &edit {
            Edit::Paint(cells) => ground::paint(cells, files)?,
            Edit::Move { thing, to } => spots::put(thing, to, files)?,
            Edit::Draw { pattern, vertices, closed } => {
                route::draw(pattern, vertices, *closed, files)?
            }
            Edit::Cells { pattern, cells } => cells::paint(pattern, cells, files)?,
        };
        patches.retain(|patch| patch.before != patch.after);
        patches.sort_by_key(|patch| patch.at);
        if patches.is_empty() {
            return Ok(None);
        }
        let change = Self { edit, back, place, patches };
        if let Edit::Paint(cells) = &change.edit {
            // A glyph may join with what stands beside it, or end the string it stands in.
            let after = change.apply(files).ok_or(UNFIT)?;
            ground::verify(cells, &after)?;
        }
        Ok(Some(change))
    }

    /// The files with the change; `None` if the file is another one than it was made for.
    pub fn apply(&self, files: &Sources) -> Option<Sources> {
        with(files, &self.place, |text| patch::apply(text, &self.patches))
    }

    /// The files as they were before the change.
    pub fn undo(&self, files: &Sources) -> Option<Sources> {
        with(files, &self.place, |text| patch::undo(text, &self.patches))
    }
}

/// Why a change is not made, though nobody has said anything wrong.
const UNFIT: &str = "this part of the file can't be edited";

/// Makes edits one after the other, on whatever is in these files.
///
/// # Errors
/// Why one of them can't be, in a line that is safe to print.
pub fn all(edits: &[Edit], files: &Sources) -> Result<Sources, String> {
    let mut files = files.clone();
    for edit in edits {
        if let Some(change) = Change::of(edit.clone(), &files)? {
            files = change.apply(&files).ok_or(UNFIT)?;
        }
    }
    Ok(files)
}

/// The files, one of them with another text.
fn with(
    files: &Sources,
    place: &Place,
    change: impl FnOnce(&str) -> Option<String>,
) -> Option<Sources> {
    let mut files = files.clone();
    let file = files.files.iter_mut().find(|file| file.place == *place)?;
    file.text = Arc::from(change(&file.text)?);
    Some(files)
}

/// The text of the map.
fn map_of(files: &Sources) -> Result<&str, String> {
    let map = files.file(&Place::Map).ok_or("this map was not read from a file")?;
    Ok(&map.text)
}

/// The text of a pattern.
fn pattern_of<'a>(name: &str, files: &'a Sources) -> Result<&'a str, String> {
    let place = Place::Pattern(name.to_owned());
    let file = files.file(&place).ok_or_else(|| {
        format!("the pattern `{}` was not read from a file", super::show::text(name))
    })?;
    Ok(&file.text)
}

/// A text as TOML.
fn document(text: &str) -> Result<Document<&str>, String> {
    Document::parse(text).map_err(|_| "the file is not valid TOML".to_owned())
}

/// Where the value of an item stands, and its bytes.
fn written<'a>(item: &Item, text: &'a str) -> Option<(usize, &'a str)> {
    let span = item.as_value().and_then(Value::span)?;
    Some((span.start, text.get(span)?))
}

/// Puts a value under a key of the top table, where it stands or on a line of its own.
fn put(text: &str, document: &Document<&str>, key: &str, value: &str) -> Result<Patch, String> {
    let top = splice::Place::Header(document.as_table());
    let splice::Splice { span, text: after } =
        top.put(text, &[key], value).map_err(|_| format!("can't write `{key}` to the file"))?;
    let before = text.get(span.clone()).unwrap_or_default().to_owned();
    Ok(Patch { at: span.start, before, after })
}
