//! Search for agents by name.

use crate::id::AgentId;
use crate::scenario::Scenario;

use super::line::{Line, Typed};
use super::rank;

/// Maximum number of listed matches.
const LISTED: usize = 100;

/// The typed name, and the agents that match it.
#[derive(Debug, Clone, Default)]
pub struct Search {
    line: Line,
    matches: Vec<AgentId>,
    selected: usize,
}

impl Search {
    /// Creates a search with an empty name, which matches all agents.
    pub fn new(scenario: &Scenario) -> Self {
        let mut search = Self::default();
        search.renew(scenario);
        search
    }

    /// Edits the typed name.
    pub fn edit(&mut self, typed: Typed, scenario: &Scenario) {
        if self.line.edit(typed) {
            self.renew(scenario);
        }
    }

    /// Selects the match at an index, or the last match if the index is too large.
    pub fn select(&mut self, index: usize) {
        self.selected = index.min(self.matches.len().saturating_sub(1));
    }

    /// Returns the index of the selected match.
    pub fn selected_row(&self) -> usize {
        self.selected
    }

    /// Returns the selected agent.
    pub fn selected(&self) -> Option<AgentId> {
        self.matches.get(self.selected).copied()
    }

    /// Returns the matching agents, best matches first.
    pub fn matches(&self) -> &[AgentId] {
        &self.matches
    }

    /// Returns the typed name.
    pub fn line(&self) -> &Line {
        &self.line
    }

    /// Repeats the search, for example in another scenario.
    pub fn renew(&mut self, scenario: &Scenario) {
        self.selected = 0;
        self.matches = agents(scenario, self.line.text(), LISTED);
    }
}

/// Returns at most `most` agents whose names match `wanted`, best matches first.
pub fn agents(scenario: &Scenario, wanted: &str, most: usize) -> Vec<AgentId> {
    let all = (0..scenario.starts.len() as u32).map(AgentId);
    rank::best(all, |&id| scenario.name(id).to_string(), wanted, most)
}
