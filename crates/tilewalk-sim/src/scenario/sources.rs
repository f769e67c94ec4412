//! The source texts of a scenario, sufficient to read the scenario again.

use std::sync::Arc;

/// Source files with their contents, and the changes made on the command line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sources {
    /// The files, the map first.
    pub files: Vec<SourceFile>,
    /// Value changes in the syntax of the command line, `agent.key=value`, in order.
    pub set: Vec<String>,
    /// Random seed that overrides the map's seed.
    pub seed: Option<u64>,
}

/// A file that a scenario was read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// The role of the file.
    pub place: Place,
    /// The name shown to users, safe to print.
    pub label: String,
    /// The text, before value changes.
    pub text: Arc<str>,
}

/// The role of a source file for a map.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// The file that defines the map.
    Map,
    /// A file next to the map file, by its name.
    Beside(String),
    /// A pattern, by its name.
    Pattern(String),
}

impl Sources {
    /// Returns the file with a role.
    pub fn file(&self, place: &Place) -> Option<&SourceFile> {
        self.files.iter().find(|file| file.place == *place)
    }
}
