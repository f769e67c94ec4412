//! Reads pattern files.
//!
//! The tiles of a path or matrix are moved so that the anchor is (0, 0). With `absolute = true`,
//! they keep their map coordinates.

mod matrix;
mod path;
mod steps;
mod thrust;

use crate::keys::pattern::{ANY_PATTERN, MATRIX, PATH, STEPS, THRUST};
use crate::keys::table::Table;
use crate::text::diagnostic::Issues;
use crate::text::reader::{Entry, TableReader, document};
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

pub fn read(text: &str, issues: &Issues) -> Option<Design> {
    document(text, &ANY_PATTERN, issues, |mut table| {
        crate::text::reader::check_format(&table);
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
