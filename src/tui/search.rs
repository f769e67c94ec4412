//! Finding an agent by name while it is typed.

use crate::id::AgentId;
use crate::scenario::Scenario;

use super::input::Key;
use super::line::Line;
use super::rank;

/// Matches that are listed at most.
const LISTED: usize = 100;

/// A name being typed, and the agents it may mean.
#[derive(Debug, Clone, Default)]
pub struct Search {
    line: Line,
    matches: Vec<AgentId>,
    marked: usize,
}

impl Search {
    /// Nothing typed yet: every agent matches.
    pub fn new(scenario: &Scenario) -> Self {
        let mut search = Self::default();
        search.filter(scenario);
        search
    }

    /// A key of the line: text, or moving in it.
    pub fn key(&mut self, key: Key, scenario: &Scenario) {
        if self.line.key(key) {
            self.filter(scenario);
        }
    }

    /// A pasted text; only its first line counts.
    pub fn paste(&mut self, text: &str, scenario: &Scenario) {
        if self.line.paste(text) {
            self.filter(scenario);
        }
    }

    /// Looks again, among the agents of another scenario.
    pub fn renew(&mut self, scenario: &Scenario) {
        self.filter(scenario);
    }

    /// Marks the match so many places further.
    pub fn mark(&mut self, by: isize) {
        let count = self.matches.len().max(1);
        self.marked = (self.marked + count).saturating_add_signed(by) % count;
    }

    /// The agent that is marked.
    pub fn marked(&self) -> Option<AgentId> {
        self.matches.get(self.marked).copied()
    }

    /// The agents that match, those whose name begins with the text first.
    pub fn matches(&self) -> &[AgentId] {
        &self.matches
    }

    /// What is typed.
    pub fn line(&self) -> &Line {
        &self.line
    }

    fn filter(&mut self, scenario: &Scenario) {
        self.marked = 0;
        self.matches = agents(scenario, self.line.text(), LISTED);
    }
}

/// The agents whose names match a text, the best first; at most so many.
pub fn agents(scenario: &Scenario, wanted: &str, most: usize) -> Vec<AgentId> {
    let everybody = (0..scenario.starts.len() as u32).map(AgentId);
    rank::best(everybody, |&id| scenario.name(id).to_string(), wanted, most)
}
