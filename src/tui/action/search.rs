//! Search for typed words in names, descriptions and keywords.

use super::{Command, FEATURES, Feature, TABLE};
use crate::files::keys::old_names;
use crate::files::show;
use crate::tui::overlays;

/// Returns true if every word occurs in at least one of the texts. Words must be in lower case.
pub fn matches(words: &[String], texts: &[&str]) -> bool {
    words.iter().all(|word| texts.iter().any(|text| text.to_lowercase().contains(word)))
}

impl Command {
    /// Returns the texts of the command that a search examines. The keys are not included.
    pub fn texts(&self) -> [&'static str; 4] {
        [self.name, self.about, self.detail, self.keywords]
    }

    /// Returns true if `word` is one of the command's keywords.
    pub fn has_keyword(&self, word: &str) -> bool {
        self.keywords.split_whitespace().any(|keyword| keyword == word)
    }
}

impl Feature {
    /// Returns the texts of the shell command that a search examines.
    pub fn texts(&self) -> [&'static str; 3] {
        [self.usage, self.about, self.keywords]
    }
}

impl overlays::Overlay {
    /// Returns the texts of the overlay that a search examines.
    pub fn texts(&self) -> [&'static str; 3] {
        [self.name, self.about, self.keywords]
    }
}

/// Returns the command name or keyword most similar to `word`. Returns `None` if no word is similar
/// enough.
pub fn nearest_word(word: &str) -> Option<&'static str> {
    let rows = TABLE.iter().flat_map(|entry| [entry.name, entry.keywords]);
    let layers = overlays::TABLE.iter().flat_map(|entry| [entry.name, entry.keywords]);
    let features = FEATURES.iter().map(|feature| feature.keywords);
    let old = old_names::TABLE.iter().map(|alias| alias.new);
    let words = rows.chain(layers).chain(features).chain(old).flat_map(str::split_whitespace);
    show::nearest(word, words)
}
