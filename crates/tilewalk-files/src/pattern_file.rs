//! A pattern file: the kind it is of, and where its tiles belong.
//!
//! The tiles of a path and of a matrix are moved so that the anchor is (0, 0), unless the file says
//! `absolute = true`.

mod matrix;
mod path;
mod steps;
mod thrust;

use toml::de::DeTable;

use super::diagnostic::Issues;
use super::keys::pattern::{ANY_PATTERN, MATRIX, PATH, STEPS, THRUST};
use super::reader::document;
use super::value::Entry;
use tilewalk_sim::pattern::Pattern;

/// What a pattern file says.
#[derive(Debug, Clone)]
pub struct Design {
    /// The pattern.
    pub pattern: Pattern,
    /// Do its tiles have map coordinates?
    pub absolute: bool,
}

/// The kinds a file may be of.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Path,
    Matrix,
    Steps,
    Thrust,
}

/// Is this the text of a map rather than of a pattern?
pub fn is_map(text: &str) -> bool {
    let (tree, _) = DeTable::parse_recoverable(text);
    !tree.get_ref().contains_key("kind") || tree.get_ref().contains_key("tiles")
}

/// Reads a pattern file.
pub fn read(text: &str, issues: &Issues) -> Option<Design> {
    document(text, &ANY_PATTERN, issues, |mut table| {
        super::format(&table);
        if !table.has("kind") && (table.has("tiles") || table.has("agent")) {
            issues.error(table.span(), "this file is a map, not a pattern: it has no key `kind`");
            return None;
        }
        let kinds = [
            ("path", Kind::Path),
            ("matrix", Kind::Matrix),
            ("steps", Kind::Steps),
            ("thrust", Kind::Thrust),
        ];
        let design = match table.require("kind")?.word(&kinds)? {
            Kind::Path => {
                table.describe(&PATH);
                path::read(&table)
            }
            Kind::Matrix => {
                table.describe(&MATRIX);
                matrix::read(&table)
            }
            Kind::Steps => {
                table.describe(&STEPS);
                steps::read(&table)
            }
            Kind::Thrust => {
                table.describe(&THRUST);
                thrust::read(&table)
            }
        };
        table.finish();
        design.filter(|_| issues.is_sound())
    })
}

/// Reads `moves`: may it step diagonally?
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
