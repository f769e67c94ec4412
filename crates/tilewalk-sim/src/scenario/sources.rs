//! The source texts of a scenario, sufficient to read the scenario again.

use std::sync::Arc;

use super::run::FollowedRun;
use super::setting::Setting;

/// Source files with their contents, and the changes from the command line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sources {
    /// The source files; the map file is first.
    pub files: Vec<SourceFile>,
    /// Value changes from the command line, in order of application.
    pub set: Vec<Setting>,
    /// Random seed that overrides the map's seed; `None` for the map's seed.
    pub seed: Option<u64>,
    /// Name of a scenario that was built in code; `None` for a scenario from files. A scenario that
    /// was built in code has no files. Only the program that built it can build it again.
    pub built: Option<String>,
    /// Run of another program that the agents follow; `None` if they move by themselves.
    pub run: Option<FollowedRun>,
}

/// A file that a scenario was read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// The role of the file: map file, pattern file or other file.
    pub place: FileRole,
    /// The file name shown to users, safe to print.
    pub label: String,
    /// The text of the file, before value changes.
    pub text: Arc<str>,
}

/// The role of a source file for a map.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileRole {
    /// The map file itself.
    Map,
    /// Another file in the directory of the map file. The string is the file name.
    Beside(String),
    /// A pattern file. The string is the name of the pattern.
    Pattern(String),
}

impl Sources {
    /// Creates sources without files for a scenario that was built in code. `name` identifies the
    /// scenario.
    pub fn built(name: String) -> Self {
        Self { built: Some(name), ..Self::default() }
    }

    /// Shares the texts of other sources that are equal.
    pub(crate) fn share_texts(&mut self, other: &Self) {
        for file in &mut self.files {
            if let Some(same) = other.file(&file.place).filter(|same| same.text == file.text) {
                file.text = Arc::clone(&same.text);
            }
        }
    }

    /// Returns true if a text equals one of other sources that it does not share.
    pub(crate) fn could_share_texts(&self, other: &Self) -> bool {
        self.files.iter().any(|file| {
            let same = other.file(&file.place);
            same.is_some_and(|it| !Arc::ptr_eq(&it.text, &file.text) && it.text == file.text)
        })
    }

    /// Returns the first source file with the given role, if any.
    pub fn file(&self, place: &FileRole) -> Option<&SourceFile> {
        self.files.iter().find(|file| file.place == *place)
    }
}
