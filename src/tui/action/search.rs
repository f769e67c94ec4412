//! Search for typed words in names, descriptions and keywords. The search also finds shell commands.

use crate::files::{keys::old_names, show};
use crate::tui::overlays;

use super::{Command, TABLE};

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

/// A shell command that users can search for on the screen.
#[derive(Debug, Clone, Copy)]
pub struct Feature {
    /// The shell command with its options, as the user types it.
    pub usage: &'static str,
    /// The description: an imperative of a few words, without a full stop.
    pub about: &'static str,
    /// Other words users search for, separated by spaces.
    pub keywords: &'static str,
}

const fn feature(usage: &'static str, about: &'static str, keywords: &'static str) -> Feature {
    Feature { usage, about, keywords }
}

/// All shell commands, most common first.
#[rustfmt::skip]
pub const FEATURES: &[Feature] = &[
    feature("tilewalk play MAP --record FILE.twr", "record a session", "recording save capture film"),
    feature("tilewalk replay FILE.twr", "open a recording", "playback recording load"),
    feature("tilewalk share FILE.twr", "print a recording as text to send", "hand over colleague message mail chat paste"),
    feature("tilewalk paste", "open a recording from a text", "shared clipboard message colleague block"),
    feature("tilewalk run MAP --frames N --trace FILE.csv", "export agent positions as CSV", "trace ndjson data table log headless"),
    feature("tilewalk run MAP --frames N --until CONDITION", "run until a condition is true", "headless batch collision sees touching"),
    feature("tilewalk run MAP --frames N --seed S", "run with another random seed", "random rng reproduce headless"),
    feature("tilewalk explain MAP --frame N --agent NAME", "explain a step as text or JSON", "why force"),
    feature("tilewalk diff MAP MAP --seed-b S", "compare two runs", "difference random seed"),
    feature("tilewalk verify FILE.twr", "replay and check a recording", "replay hash determinism"),
    feature("tilewalk new NAME", "create a sample map and pattern", "new start template"),
    feature("tilewalk import FILE.tmx --output MAP", "convert a Tiled or MovingAI map", "tmx octile load"),
    feature("tilewalk check maps patterns", "check files for errors", "lint validate deprecated"),
    feature("tilewalk doctor", "show detected terminal and settings", "configuration colours theme debug options settings preferences"),
];

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn every_listed_command_and_option_exists() {
        for feature in FEATURES {
            let mut words = feature.usage.split_whitespace();
            assert_eq!(words.next(), Some("tilewalk"), "{}", feature.usage);
            let root = crate::cli::Args::command();
            let command = words.next().and_then(|name| root.find_subcommand(name));
            let command = command.unwrap_or_else(|| panic!("no such command: {}", feature.usage));
            for option in words.filter_map(|word| word.strip_prefix("--")) {
                let known = command.get_arguments().any(|each| each.get_long() == Some(option));
                assert!(known, "no such option: {}", feature.usage);
            }
        }
    }
}
