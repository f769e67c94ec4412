//! Search for typed words in names, descriptions and keywords. The search also finds conditions and
//! shell commands.

use crate::condition::states::{STATES, StateRow};
use crate::condition::words::EVENTS;
use crate::tui::overlays;

use super::Command;

/// Returns true if every word begins a word of at least one of the texts. Words must be in lower
/// case.
pub fn matches(words: &[String], texts: &[&str]) -> bool {
    words.iter().all(|word| texts.iter().any(|text| is_word_of(word, &text.to_lowercase())))
}

/// Returns true if a word of a text begins with `word`, or with the singular of `word`. In the
/// middle of another word, the letters mean something else, such as `test` in `latest`.
pub(super) fn is_word_of(word: &str, text: &str) -> bool {
    let begins = |word: &str| {
        let before = |at: usize| text[..at].chars().next_back();
        text.match_indices(word).any(|(at, _)| before(at).is_none_or(|c| !c.is_alphanumeric()))
    };
    let singular = word.strip_suffix('s').filter(|singular| singular.len() > 2);
    begins(word) || singular.is_some_and(begins)
}

/// A condition that users can search for, with the command that pauses when it becomes true.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConditionHit {
    /// The command, such as `break touching(everyone)`.
    pub command: String,
    /// The description of the command.
    pub about: String,
}

/// Returns the states and events whose words match, states first. Returns nothing without words.
pub fn conditions(words: &[String]) -> Vec<ConditionHit> {
    if words.is_empty() {
        return Vec::new();
    }
    let states = STATES.iter().filter(|row| matches(words, &[row.word, row.keywords]));
    let state = |row: &StateRow| ConditionHit {
        command: format!("break {}", row.of_everyone),
        about: format!("{}: an agent {}", row.word, row.meaning),
    };
    // Nothing causes the reserved words.
    let events = EVENTS.into_iter().filter(|word| !matches!(*word, "reloaded" | "edited"));
    let events = events.filter(|word| matches(words, &[word, &word.replace('_', " ")]));
    let event = |word: &str| ConditionHit {
        command: format!("break event({word})"),
        about: format!("pause at each event `{}`", word.replace('_', " ")),
    };
    states.map(state).chain(events.map(event)).collect()
}

impl Command {
    /// Returns the texts of the command that a search examines. The keys are not included.
    pub fn texts(&self) -> [&'static str; 4] {
        [self.name, self.about, self.detail, self.keywords]
    }

    /// Returns true if `word` is a short name of the command.
    pub fn is_short(&self, word: &str) -> bool {
        self.short.contains(&word)
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
    feature("tilewalk replay FILE.twr", "open a recording", "playback recording load colleague"),
    feature("tilewalk share FILE.twr", "print a recording as text to send", "hand over colleague message mail chat paste"),
    feature("tilewalk paste", "open a recording from a text", "shared clipboard message colleague block"),
    feature("tilewalk run MAP --frames N --trace FILE.csv", "export agent positions as CSV", "trace ndjson data table log headless"),
    feature("tilewalk run MAP --frames N --until CONDITION", "run until a condition is true", "headless batch collision sees touching"),
    feature("tilewalk run MAP --frames N --seed S", "run with another random seed", "random rng reproduce headless"),
    feature("tilewalk run MAP --frames N", "simulate and count events", "statistics headless totals summary batch"),
    feature("tilewalk test MAP", "judge the expectations of maps", "expectations seeds verdict ci check"),
    feature("tilewalk sweep FILE", "run many seeds and values", "statistics batch optimise parameters compare"),
    feature("tilewalk explain MAP --frame N --agent NAME", "explain a step as text or JSON", "why force"),
    feature("tilewalk diff MAP MAP --seed-b S", "compare two runs", "difference random seed versus"),
    feature("tilewalk verify FILE.twr", "replay and check a recording", "replay hash determinism"),
    feature("tilewalk new NAME", "create a sample map and pattern", "new start template create add"),
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
