//! Finds pairs of nearby solid bodies, to resolve overlaps.
//!
//! The index is rebuilt when it is needed and never saved.

use std::sync::Arc;

use crate::agent::Mode;
use crate::id::AgentId;
use crate::scenario::Scenario;

use super::neighbours::cells::{Cells, REACH};
use super::neighbours::index::Index;
use super::neighbours::present_member;
use super::state::State;

/// Largest distance between the centres of two bodies that touch, in tiles: twice the largest
/// radius.
const MAX_CONTACT_DISTANCE: f32 = 1.0;

#[derive(Debug)]
pub struct Bodies {
    /// The solid agents, in agent order. The rank of a body is its index in this list.
    pub ids: Arc<[AgentId]>,
    index: Index,
    /// For each rank, the first body found that overlaps, before the bodies are separated.
    pub partners: Vec<Option<AgentId>>,
    /// The ranks of the bodies that the last search found.
    near: Vec<u32>,
}

impl Bodies {
    /// Returns the solid bodies of a scenario. Returns `None` if there are fewer than two, or if
    /// none of them can be pushed.
    pub fn new(scenario: &Scenario) -> Option<Self> {
        let ids = (0..scenario.starts.len() as u32).map(AgentId);
        let ids: Arc<[AgentId]> = ids.filter(|&id| scenario.kind(id).body.solid).collect();
        let gives_way = |id: &AgentId| scenario.kind(*id).modes.iter().any(Mode::may_give_way);
        let any = ids.len() > 1 && ids.iter().any(gives_way);
        let index = Index::new(Cells::new(&scenario.map, MAX_CONTACT_DISTANCE));
        any.then(|| Self { ids, index, partners: Vec::new(), near: Vec::new() })
    }

    /// Returns a copy without the data of the current frame.
    pub fn fresh(&self) -> Self {
        let index = Index::new(self.index.cells);
        Self { ids: Arc::clone(&self.ids), index, partners: Vec::new(), near: Vec::new() }
    }

    /// Rebuilds the index from the current positions.
    pub fn sort(&mut self, state: &State) {
        self.index.sort(self.ids.len(), |rank| present_member(state, self.ids[rank]));
    }

    /// Finds the bodies that could touch the body with a given rank and have a higher rank. Returns
    /// the number of bodies found. Absent bodies find no others and are not found.
    pub fn find_near(&mut self, rank: usize, state: &State) -> usize {
        let Self { ids, index, near, .. } = self;
        near.clear();
        let Some(at) = present_member(state, ids[rank]) else { return 0 };
        let (column, row) = (index.cells.column(at.x), index.cells.row(at.y));
        index.visit_around(row, (column, column), REACH, |places, _| {
            near.extend(places.map(|place| index.rank(place)).filter(|&other| other > rank as u32));
        });
        near.sort_unstable();
        near.len()
    }

    /// Returns the rank of the body at an index in the results of [`Bodies::find_near`]. The
    /// results are in agent order.
    pub fn near(&self, index: usize) -> usize {
        self.near[index] as usize
    }
}
