//! Search for agents by name.

use std::sync::Arc;

use crate::id::AgentId;
use crate::scenario::Scenario;
use crate::world::World;

use super::line::{Line, Typed};
use super::rank;

/// Maximum number of listed matches.
const LISTED: usize = 100;

/// The typed name, and the agents whose names match.
#[derive(Debug, Clone, Default)]
pub struct AgentFinder {
    line: Line,
    matches: Vec<AgentId>,
    selected: usize,
    /// The scenario of the last search.
    scenario: Option<Arc<Scenario>>,
}

impl AgentFinder {
    /// Creates a search with an empty name, which matches all agents.
    pub fn new(world: &World) -> Self {
        let mut search = Self::default();
        search.renew(world);
        search
    }

    /// Edits the typed name, and repeats the search.
    pub fn edit(&mut self, typed: Typed, world: &World) {
        if self.line.edit(typed) {
            self.renew(world);
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

    /// Returns the selected agent. Returns `None` if no agent matches.
    pub fn selected(&self) -> Option<AgentId> {
        self.matches.get(self.selected).copied()
    }

    /// Returns the matching agents, best matches first.
    pub fn matches(&self) -> &[AgentId] {
        &self.matches
    }

    /// Returns the typed name with its cursor.
    pub fn line(&self) -> &Line {
        &self.line
    }

    /// Repeats the search in `world`, and selects the first match.
    pub fn renew(&mut self, world: &World) {
        self.selected = 0;
        self.matches = agents(world, self.line.text(), LISTED);
        self.scenario = Some(Arc::clone(world.scenario()));
    }

    /// Repeats the search if `world` has another scenario than the world of the last search.
    pub fn follow(&mut self, world: &World) {
        let is_same = |known: &Arc<Scenario>| Arc::ptr_eq(known, world.scenario());
        if !self.scenario.as_ref().is_some_and(is_same) {
            self.renew(world);
        }
    }
}

/// Returns at most `most` agents whose names match `wanted`, best matches first.
pub fn agents(world: &World, wanted: &str, most: usize) -> Vec<AgentId> {
    rank::best(world.ids(), |&id| world.name(id).to_string(), wanted, most)
}
