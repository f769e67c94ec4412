//! Edits to a map's files: painted tiles, moved starts and places, drawn paths and matrices, and
//! added, changed and removed agents.
//!
//! An [`Edit`] describes an action of the user. An [`EditChange`] holds the byte replacements that
//! apply an edit to a file. All other bytes stay the same, and undo restores the exact bytes. The
//! module opens no files and does not check whether the edited map is valid.

pub mod agents;
pub mod draft;
pub mod matrix_pattern;
pub mod path_pattern;
pub mod starts;
pub mod tiles;

use std::collections::BTreeMap;
use std::sync::Arc;

use starts::NamedPoint;
use toml_edit::{Document, Item, Value};

use crate::text::span_tree::{PathStep, SpanTree, Splice};
use tilewalk_sim::geom::TilePos;
use tilewalk_sim::scenario::sources::{FileRole, SourceFile, Sources};
use tilewalk_sim::sort::SmallSort;

/// An action of the user that changes one file of a map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edit {
    /// Paints tiles. The value holds the position and the new glyph of each painted tile.
    Paint(BTreeMap<TilePos, String>),
    /// Moves a start or place to a new position.
    Move {
        /// Start or place to move.
        point: NamedPoint,
        /// New x and y coordinates, as the text to write to the file.
        to: [String; 2],
    },
    /// Replaces the vertices of a path pattern.
    Draw {
        /// Name of the path pattern.
        pattern: String,
        /// New vertices, in the file's coordinates.
        vertices: Vec<TilePos>,
        /// Whether the last vertex is connected to the first.
        closed: bool,
    },
    /// Changes cells of a matrix pattern.
    Cells {
        /// Name of the matrix pattern.
        pattern: String,
        /// New state of each changed cell: true allows the tile, false forbids it. Tiles are in the
        /// file's coordinates.
        cells: BTreeMap<TilePos, bool>,
    },
    /// Adds an agent to the map file.
    AddAgent {
        /// Name of the new agent.
        name: String,
        /// The agent's table as TOML text: see [`agents::standing`] and [`agents::copied`].
        table: String,
        /// Name of the agent of which this one is a copy; `None` for any other agent.
        copy_of: Option<String>,
        /// Name of the agent before which the table is added; `None` adds it after all agents.
        before: Option<String>,
    },
    /// Removes an agent from the map file.
    RemoveAgent {
        /// Name of the agent.
        name: String,
    },
    /// Gives an agent another name, wherever the map file uses its name.
    RenameAgent {
        /// Old name.
        from: String,
        /// New name.
        to: String,
    },
    /// Lets an agent follow a pattern. The pattern replaces the movement of the mode.
    Attach {
        /// Name of the agent.
        agent: String,
        /// Name of the mode; `None` for an agent without modes.
        mode: Option<String>,
        /// Name of the pattern.
        pattern: String,
    },
    /// Adds a pattern file. The map does not use it yet.
    NewPattern {
        /// Name of the pattern.
        name: String,
        /// Text of the file.
        text: String,
    },
    /// Forgets a pattern that was added. Reverses [`Edit::NewPattern`], and deletes no file.
    ForgetPattern {
        /// Name of the pattern.
        name: String,
    },
    /// Replaces the table of an agent. Reverses [`Edit::Attach`].
    ReplaceAgent {
        /// Name of the agent.
        name: String,
        /// The agent's table as TOML text.
        table: String,
    },
}

impl Edit {
    /// Returns the name of an agent that the map file has before the edit, but not after it. Returns
    /// `None` if there is no such agent.
    pub fn gone_agent(&self) -> Option<&str> {
        match self {
            Self::RemoveAgent { name } => Some(name),
            Self::RenameAgent { from, .. } => Some(from),
            Self::Paint(_)
            | Self::Move { .. }
            | Self::Draw { .. }
            | Self::Cells { .. }
            | Self::AddAgent { .. }
            | Self::Attach { .. }
            | Self::NewPattern { .. }
            | Self::ForgetPattern { .. }
            | Self::ReplaceAgent { .. } => None,
        }
    }
}

/// An edit, with the bytes that it replaces in one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditChange {
    /// Edit that this change applies.
    pub edit: Edit,
    /// Edit that reverses this change. It can be applied even if other parts of the file have
    /// changed.
    pub back: Edit,
    /// File that the edit changes.
    pub place: FileRole,
    patches: Vec<Patch>,
}

/// Result of an edit: the patches of one file, and the reverse edit.
#[derive(Debug)]
struct Located {
    place: FileRole,
    patches: Vec<Patch>,
    back: Edit,
}

impl EditChange {
    /// Computes the change that an edit makes to the given files. Returns `None` if the edit
    /// changes nothing.
    ///
    /// # Errors
    /// Returns the reason if the edit is impossible, in a line that is safe to print.
    pub fn of(edit: Edit, files: &Sources) -> Result<Option<Self>, String> {
        let Located { place, mut patches, back } = match &edit {
            Edit::Paint(cells) => tiles::paint(cells, files)?,
            Edit::Move { point, to } => starts::put(point, to, files)?,
            Edit::Draw { pattern, vertices, closed } => {
                path_pattern::draw(pattern, vertices, *closed, files)?
            }
            Edit::Cells { pattern, cells } => matrix_pattern::paint(pattern, cells, files)?,
            Edit::AddAgent { name, table, copy_of: _, before } => {
                agents::add(name, table, before.as_deref(), files)?
            }
            Edit::RemoveAgent { name } => agents::remove(name, files)?,
            Edit::RenameAgent { from, to } => agents::rename(from, to, files)?,
            Edit::Attach { agent, mode, pattern } => {
                agents::attach(agent, mode.as_deref(), pattern, files)?
            }
            Edit::ReplaceAgent { name, table } => agents::replace(name, table, files)?,
            Edit::NewPattern { name, text } => return new_pattern(name, text, files).map(Some),
            Edit::ForgetPattern { name } => return forget_pattern(name, files).map(Some),
        };
        patches.retain(|patch| patch.before != patch.after);
        patches.small_sort_by_key(|patch| patch.at);
        if patches.is_empty() {
            return Ok(None);
        }
        let change = Self { edit, back, place, patches };
        if let Edit::Paint(cells) = &change.edit {
            // A new glyph can combine with neighbouring glyphs or end the string.
            let after = change.apply(files).ok_or(UNFIT)?;
            tiles::verify(cells, &after)?;
        }
        Ok(Some(change))
    }

    fn adds_or_removes_file(&self) -> bool {
        matches!(self.edit, Edit::NewPattern { .. } | Edit::ForgetPattern { .. })
    }

    /// Returns the files with the change. Returns `None` if the edited file does not contain the
    /// bytes to replace.
    pub fn apply(&self, files: &Sources) -> Option<Sources> {
        if self.adds_or_removes_file() {
            return with_file_list(&self.edit, files);
        }
        with(files, &self.place, |text| apply(text, &self.patches))
    }

    /// Returns the files without the change. Returns `None` if the edited file does not contain the
    /// bytes that the change wrote.
    pub fn undo(&self, files: &Sources) -> Option<Sources> {
        if self.adds_or_removes_file() {
            return with_file_list(&self.back, files);
        }
        with(files, &self.place, |text| undo(text, &self.patches))
    }
}

fn new_pattern(name: &str, text: &str, files: &Sources) -> Result<EditChange, String> {
    path_pattern::check_name(name)?;
    let place = FileRole::Pattern(name.to_owned());
    if files.file(&place).is_some() {
        return Err(format!("pattern `{}` already exists", crate::show::text(name)));
    }
    let edit = Edit::NewPattern { name: name.to_owned(), text: text.to_owned() };
    let back = Edit::ForgetPattern { name: name.to_owned() };
    Ok(EditChange { edit, back, place, patches: Vec::new() })
}

fn forget_pattern(name: &str, files: &Sources) -> Result<EditChange, String> {
    let text = pattern_of(name, files)?.to_owned();
    let edit = Edit::ForgetPattern { name: name.to_owned() };
    let back = Edit::NewPattern { name: name.to_owned(), text };
    let place = FileRole::Pattern(name.to_owned());
    Ok(EditChange { edit, back, place, patches: Vec::new() })
}

/// Adds the new pattern of an edit, or removes the forgotten one. Returns `None` for any other edit,
/// and if the file list does not allow it.
fn with_file_list(edit: &Edit, files: &Sources) -> Option<Sources> {
    let (Edit::NewPattern { name, .. } | Edit::ForgetPattern { name }) = edit else { return None };
    let place = FileRole::Pattern(name.to_owned());
    let is_there = files.file(&place).is_some();
    let mut files = files.clone();
    if let Edit::NewPattern { text, .. } = edit {
        let label = format!("{name}.toml");
        files.files.push(SourceFile { place, label, text: Arc::from(text.as_str()) });
        return (!is_there).then_some(files);
    }
    files.files.retain(|file| file.place != place);
    is_there.then_some(files)
}

/// Message for a failure without a more specific reason.
const UNFIT: &str = "this part of the file can't be edited";

/// Applies edits one after another, and returns the edited files.
///
/// # Errors
/// Returns the reason if an edit is impossible, in a line that is safe to print.
pub fn all(edits: &[Edit], files: &Sources) -> Result<Sources, String> {
    let mut files = files.clone();
    for edit in edits {
        if let Some(change) = EditChange::of(edit.clone(), &files)? {
            files = change.apply(&files).ok_or(UNFIT)?;
        }
    }
    Ok(files)
}

/// Returns the files with a new text for the file at `place`. Returns `None` if this file does not
/// exist or `change` returns `None`.
fn with(
    files: &Sources,
    place: &FileRole,
    change: impl FnOnce(&str) -> Option<String>,
) -> Option<Sources> {
    let mut files = files.clone();
    let file = files.files.iter_mut().find(|file| file.place == *place)?;
    file.text = Arc::from(change(&file.text)?);
    Some(files)
}

fn map_of(files: &Sources) -> Result<&str, String> {
    let map = files.file(&FileRole::Map).ok_or("this map was not read from a file")?;
    Ok(&map.text)
}

fn pattern_of<'a>(name: &str, files: &'a Sources) -> Result<&'a str, String> {
    let place = FileRole::Pattern(name.to_owned());
    let file = files.file(&place).ok_or_else(|| {
        format!("the pattern `{}` was not read from a file", crate::show::text(name))
    })?;
    Ok(&file.text)
}

fn document(text: &str) -> Result<Document<&str>, String> {
    Document::parse(text).map_err(|_| "the file is not valid TOML".to_owned())
}

/// Returns the value of an item as written, and its byte offset in `text`. Returns `None` if the
/// item is not a value.
fn written<'a>(item: &Item, text: &'a str) -> Option<(usize, &'a str)> {
    let span = item.as_value().and_then(Value::span)?;
    Some((span.start, text.get(span)?))
}

/// Returns the patch that sets a top-level key. The patch replaces the key's value, or adds a line
/// for a missing key. Returns an error message if the key can't be set.
fn put(text: &str, document: &Document<&str>, key: &str, value: &str) -> Result<Patch, String> {
    let Splice { span, text: after } = SpanTree::of(document)
        .put(&[PathStep::Key(key)], value)
        .map_err(|_| format!("can't write `{key}` to the file"))?;
    let before = text.get(span.clone()).unwrap_or_default().to_owned();
    Ok(Patch { at: span.start, before, after })
}

/// A reversible byte replacement in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Patch {
    /// Start of the range in the old text, in bytes.
    pub at: usize,
    /// Old content of the range.
    pub before: String,
    /// New content of the range.
    pub after: String,
}

/// Applies patches and returns the new text. The patches must be sorted and must not overlap.
/// Returns `None` if the text does not contain the old content of each patch.
fn apply(text: &str, patches: &[Patch]) -> Option<String> {
    let steps = patches.iter().map(|patch| (patch.at, &*patch.before, &*patch.after));
    replaced(text, steps)
}

/// Returns the text as it was before `patches`. Returns `None` if the text does not contain the new
/// content of each patch.
fn undo(text: &str, patches: &[Patch]) -> Option<String> {
    let mut shift = 0_isize;
    let steps = patches.iter().map(|patch| {
        let at = patch.at.saturating_add_signed(shift);
        shift += patch.after.len().cast_signed() - patch.before.len().cast_signed();
        (at, &*patch.after, &*patch.before)
    });
    replaced(text, steps)
}

fn replaced<'a>(
    text: &str,
    steps: impl Iterator<Item = (usize, &'a str, &'a str)>,
) -> Option<String> {
    let mut made = String::with_capacity(text.len() + 64);
    let mut done = 0;
    for (at, old, new) in steps {
        made.push_str(text.get(done..at)?);
        text.get(at..)?.strip_prefix(old)?;
        made.push_str(new);
        done = at + old.len();
    }
    made.push_str(text.get(done..)?);
    Some(made)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patch(at: usize, before: &str, after: &str) -> Patch {
        Patch { at, before: before.to_owned(), after: after.to_owned() }
    }

    #[test]
    fn undo_restores_the_exact_text() {
        let text = "tiles = 'é.#'\r\n";
        let patches = [patch(9, "é", "#"), patch(11, ".", "~~"), patch(12, "", "é")];
        let after = apply(text, &patches).unwrap();
        assert_eq!(after, "tiles = '#~~é#'\r\n");
        assert_eq!(undo(&after, &patches).unwrap(), text);
    }

    #[test]
    fn a_patch_does_not_apply_to_another_text() {
        assert_eq!(apply("abc", &[patch(1, "x", "y")]), None);
        assert_eq!(apply("abc", &[patch(9, "", "y")]), None);
        assert_eq!(apply("é", &[patch(1, "", "y")]), None);
        assert_eq!(undo("abc", &[patch(1, "b", "c")]), None);
    }
}
