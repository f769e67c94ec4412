//! Reads pattern files.
//!
//! The tiles of a path or matrix are moved so that the anchor is (0, 0). With `absolute = true`,
//! they keep their map coordinates.

mod matrix;
mod path;
mod steps;
mod thrust;

use toml::de::DeTable;

use super::diagnostic::Issues;
use super::keys::Table;
use super::keys::pattern::{ANY_PATTERN, MATRIX, PATH, STEPS, THRUST};
use super::reader::{Entry, TableReader, document};
use super::weight::too_heavy;
use tilewalk_sim::pattern::Pattern;

/// Content of a pattern file.
#[derive(Debug, Clone)]
pub struct Design {
    pub pattern: Pattern,
    /// Whether the coordinates of the pattern are map coordinates. Otherwise they are relative to
    /// the anchor.
    pub absolute: bool,
}

/// Function that reads one kind of pattern.
type Read = fn(&TableReader) -> Option<Design>;

/// Returns false for a text with the key `kind` and without the key `tiles`: a pattern. Returns
/// true for all other texts, and for a text that is too heavy to parse.
pub fn is_map(text: &str) -> bool {
    if too_heavy(text).is_some() {
        return true;
    }
    let (tree, _) = DeTable::parse_recoverable(text);
    !tree.get_ref().contains_key("kind") || tree.get_ref().contains_key("tiles")
}

/// Returns true if a text has the key `tiles`. Also returns true for a text without the key `kind`
/// if it has syntax errors or one of the keys `tiles_file`, `tiled` and `agent`. Returns true for a
/// text that is too heavy to parse.
pub fn has_map(text: &str) -> bool {
    if too_heavy(text).is_some() {
        return true;
    }
    let (tree, errors) = DeTable::parse_recoverable(text);
    let has = |key: &str| tree.get_ref().contains_key(key);
    let has_map_key = ["tiles_file", "tiled", "agent"].into_iter().any(has);
    has("tiles") || !has("kind") && (has_map_key || !errors.is_empty())
}

pub fn read(text: &str, issues: &Issues) -> Option<Design> {
    document(text, &ANY_PATTERN, issues, |mut table| {
        super::format(&table);
        if !table.has("kind") && (table.has("tiles") || table.has("agent")) {
            issues.error(table.span(), "this file is a map, not a pattern: it has no key `kind`");
            return None;
        }
        let kinds: [(&str, (&Table, Read)); 4] = [
            ("path", (&PATH, path::read)),
            ("matrix", (&MATRIX, matrix::read)),
            ("steps", (&STEPS, steps::read)),
            ("thrust", (&THRUST, thrust::read)),
        ];
        let (keys, read) = table.require("kind")?.word(&kinds)?;
        table.describe(keys);
        let design = read(&table);
        table.finish();
        design.filter(|_| issues.is_sound())
    })
}

/// Reads `moves`. Returns true if diagonal steps are allowed. Reports numbers other than 4 and 8
/// and returns `None`.
fn diagonal(entry: &Entry) -> Option<bool> {
    match entry.integer(4..=8)? {
        4 => Some(false),
        8 => Some(true),
        other => {
            entry.error(format!("`moves` must be 4 or 8, but is {other}"));
            None
        }
    }
}
