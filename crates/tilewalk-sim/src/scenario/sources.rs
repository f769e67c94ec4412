//! The texts a scenario was read from: all it takes to read it again, anywhere.

use std::sync::Arc;

/// Files with their contents, and what was changed of them from outside.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sources {
    /// The map first.
    pub files: Vec<SourceFile>,
    /// Settings in the spelling of the command line, `agent.key=value`, in the order they were made.
    pub set: Vec<String>,
    /// Instead of the map's own seed.
    pub seed: Option<u64>,
}

/// One file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// What it is for the map.
    pub place: Place,
    /// What people call it, safe to print.
    pub label: String,
    /// Its text, as it was before settings.
    pub text: Arc<str>,
}

/// What a file is for a map.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// The map itself.
    Map,
    /// A file beside it, by its name.
    Beside(String),
    /// A pattern, by its name.
    Pattern(String),
}

impl Sources {
    /// The text of a file.
    pub fn file(&self, place: &Place) -> Option<&SourceFile> {
        self.files.iter().find(|file| file.place == *place)
    }
}
