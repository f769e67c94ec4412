//! Describes which rules made the tiles of a Tiled map solid.

use std::fmt::Write as _;

use super::selector::{Rule, Selector};
use crate::show;
use tilewalk_sim::report::words;

/// Maximum number of selectors to suggest.
const MOST_OFFERED: usize = 8;

/// The rules that gave the tiles of a map their kinds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Solidity {
    /// Rules with solid tiles, in order of precedence and then by name.
    pub solid: Vec<Applied>,
    /// Rules with walkable tiles, in order of precedence and then by name.
    pub walkable: Vec<Applied>,
    /// Selectors of layers that are only pictures, although their names suggest walls.
    pub pictures: Vec<Candidate>,
    /// Selectors of tiles and objects that are not solid, by decreasing count. Selectors of all
    /// tiles come last.
    pub candidates: Vec<Candidate>,
    /// Number of tiles of the map, solid or not.
    pub tiles: u64,
}

/// A rule, and the number of tiles to which the rule assigned a kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Applied {
    /// Rule that gave the tiles their kind.
    pub rule: Rule,
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

impl Candidate {
    /// Returns the command-line option that applies the selector, quoted for a shell.
    pub fn option(&self) -> String {
        let text = show::text(&self.selector.to_string());
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, ':' | '-' | '_' | '.');
        if text.chars().all(is_plain) {
            format!("--solid {text}")
        } else {
            format!("--solid '{}'", text.replace('\'', "'\\''"))
        }
    }

    fn text(&self) -> String {
        let option = self.option();
        let noun = if self.selector.rule == Rule::Objects { "object" } else { "tile" };
        format!("{option}  # {}", words::count(self.count, noun))
    }
}

impl Solidity {
    /// Returns the number of tiles that all rules together made solid.
    pub fn solid_tiles(&self) -> u64 {
        self.solid.iter().map(|each| each.tiles).sum()
    }

    /// Describes the applied rules, one per line, and suggests some selectors. With `is_full`, the
    /// text also lists walkable tiles and all selectors.
    pub fn text(&self, is_full: bool) -> String {
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
        for picture in &self.pictures {
            let option = picture.option();
            let _ = writeln!(
                text,
                "a picture, as other rules mark some of its tiles: {}; to make it solid: {option}",
                Rule::Layer.describe(&show::text(&picture.selector.name)),
            );
        }
        let most = if is_full { usize::MAX } else { MOST_OFFERED };
        // Suggestions are most useful if nothing is solid.
        if (is_full || self.solid.is_empty()) && !self.candidates.is_empty() {
            text.push_str("to make more tiles solid, import with:\n");
            for candidate in self.candidates.iter().take(most) {
                let _ = writeln!(text, "  {}", candidate.text());
            }
            if self.candidates.len() > most {
                let _ =
                    writeln!(text, "  and {} more: --explain-solid", self.candidates.len() - most);
            }
        } else if !self.candidates.is_empty() {
            let more = words::count(self.candidates.len() as u64, "other selector");
            let _ = writeln!(text, "{more}: --explain-solid");
        }
        text
    }
}
