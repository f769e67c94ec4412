//! Describes which rules made the tiles of a map solid, and which options would change them.

use std::fmt::Write as _;

use crate::formats::tiled::selector::{Selector, SolidityRule};
use crate::show;
use tilewalk_sim::report::words;

/// Maximum number of selectors to suggest.
const MOST_OFFERED: usize = 8;

/// The rules that gave the tiles of a map their kinds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Solidity {
    /// Rules with solid tiles, in order of precedence and then by name.
    pub solid: Vec<AppliedRule>,
    /// Rules with walkable tiles, in order of precedence and then by name.
    pub walkable: Vec<AppliedRule>,
    /// Selectors of tiles and objects that are not solid, by decreasing count. Selectors of all
    /// tiles come last.
    pub candidates: Vec<Candidate>,
    /// Remarks about the layers, each with the options that change their effect.
    pub remarks: Vec<Remark>,
    /// Content that is not imported, and its amount.
    pub left_out: Vec<(&'static str, u64)>,
    /// Number of tiles of the map, solid or not.
    pub tiles: u64,
}

/// A rule, and the number of tiles to which the rule assigned a kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppliedRule {
    /// Rule that gave the tiles their kind.
    pub rule: SolidityRule,
    /// Name of the property, class, layer or selector to which the rule applies, safe to print.
    pub name: String,
    /// Number of map tiles with a kind from this rule.
    pub tiles: u64,
}

/// A selector that would make more tiles solid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// Selector to pass to `--solid`.
    pub selector: Selector,
    /// Number of tiles or objects that the selector selects.
    pub count: u64,
}

/// A remark about layers, with options that change their effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// How the layers were read, safe to print.
    pub text: String,
    /// Effects of other options, as in "to make it solid", each with the option.
    pub options: Vec<(&'static str, String)>,
}

/// Returns an option with a value, quoted for a shell and safe to print.
pub fn option(name: &str, value: &str) -> String {
    format!("{name} {}", show::shell_word(value))
}

/// Returns an option for a part of the map, such as a layer. Returns `None` if the part has no name:
/// then no option can select it.
pub fn option_for(name: &str, keyword: &str, part: &str) -> Option<String> {
    (!part.is_empty()).then(|| option(name, &format!("{keyword}:{part}")))
}

impl Candidate {
    /// Returns the command-line option that applies the selector, quoted for a shell.
    pub fn option(&self) -> String {
        option("--solid", &self.selector.to_string())
    }

    fn text(&self, command: &str) -> String {
        let option = self.option();
        let rule = self.selector.rule;
        let count = if rule == SolidityRule::Entity {
            words::count_with(self.count, "entity", "entities")
        } else {
            words::count(self.count, if rule == SolidityRule::Objects { "object" } else { "tile" })
        };
        format!("{command} {option}  # {count}")
    }
}

impl Solidity {
    /// Returns the number of tiles that all rules together made solid.
    pub fn solid_tiles(&self) -> u64 {
        self.solid.iter().map(|each| each.tiles).sum()
    }

    /// Describes the applied rules, one per line, and suggests some commands. `command` is the
    /// command of this import, to which options can be appended. With `is_full`, the text also
    /// lists walkable tiles and all selectors.
    pub fn text(&self, is_full: bool, command: &str) -> String {
        let (solid, all) = (self.solid_tiles(), words::count(self.tiles, "tile"));
        let mut text = format!("{solid} of {all} are solid:\n");
        if self.solid.is_empty() {
            text = format!("none of {all} is solid\n");
        }
        for each in &self.solid {
            let _ = writeln!(text, "  {:>8}  {}", each.tiles, each.rule.describe(&each.name));
        }
        if is_full && !self.walkable.is_empty() {
            text.push_str("walkable:\n");
            for each in &self.walkable {
                let _ = writeln!(text, "  {:>8}  {}", each.tiles, each.rule.describe(&each.name));
            }
        }
        for remark in &self.remarks {
            let _ = writeln!(text, "{}", remark.text);
            for (effect, option) in &remark.options {
                let _ = writeln!(text, "  {effect}: {command} {option}");
            }
        }
        self.offer(&mut text, is_full, command);
        if !self.left_out.is_empty() {
            text.push_str("not imported, or read in another way:\n");
        }
        for (what, count) in &self.left_out {
            let _ = writeln!(text, "  {count:>8}  {what}");
        }
        text
    }

    /// Appends the selectors that would make more tiles solid.
    fn offer(&self, text: &mut String, is_full: bool, command: &str) {
        let most = if is_full { usize::MAX } else { MOST_OFFERED };
        // Suggestions are most useful if nothing is solid.
        if (is_full || self.solid.is_empty()) && !self.candidates.is_empty() {
            text.push_str("to make more tiles solid, import with one of:\n");
            for candidate in self.candidates.iter().take(most) {
                let _ = writeln!(text, "  {}", candidate.text(command));
            }
            if self.candidates.len() > most {
                let more = self.candidates.len() - most;
                let _ = writeln!(text, "  and {more} more: {command} --explain-solid");
            }
        } else if !self.candidates.is_empty() {
            let more = words::count(self.candidates.len() as u64, "other selector");
            let _ = writeln!(text, "{more}: {command} --explain-solid");
        }
    }
}
