//! Which solid bodies are near each other; for zero overlap.
//!
//! Made anew whenever it is needed and never saved.

use std::sync::Arc;

use crate::agent::Mode;
use crate::id::AgentId;
use crate::map::Map;
use crate::scenario::Scenario;

use super::neighbours::cells::{Cells, REACH};
use super::neighbours::index::Index;
use super::neighbours::member;
use super::state::State;

/// The widest two bodies are together, in tiles: twice the largest radius.
const WIDEST_PAIR: f32 = 1.0;

/// The solid bodies of a world.
#[derive(Debug)]
pub struct Bodies {
    /// In agent order.
    pub ids: Arc<[AgentId]>,
    index: Index,
    /// By rank: whom each overlapped first at the beginning of the frame's settling.
    pub partners: Vec<Option<AgentId>>,
    /// Room for those near one of them.
    near: Vec<u32>,
}

impl Bodies {
    /// The solid bodies of a scenario; `None` when fewer than two, or none of them moves freely.
    pub fn new(scenario: &Scenario) -> Option<Self> {
        let ids = (0..scenario.starts.len() as u32).map(AgentId);
        let ids: Arc<[AgentId]> = ids.filter(|&id| scenario.kind(id).body.solid).collect();
        let gives_way = |id: &AgentId| scenario.kind(*id).modes.iter().any(Mode::may_give_way);
        let any = ids.len() > 1 && ids.iter().any(gives_way);
        any.then(|| Self::of(ids, &scenario.map))
    }

    fn of(ids: Arc<[AgentId]>, map: &Map) -> Self {
        let index = Index::new(Cells::new(map, WIDEST_PAIR));
        Self { ids, index, partners: Vec::new(), near: Vec::new() }
    }

    /// The same without what follows from a frame.
    pub fn fresh(&self) -> Self {
        let index = Index::new(self.index.cells);
        Self { ids: Arc::clone(&self.ids), index, partners: Vec::new(), near: Vec::new() }
    }

    /// Sorts everyone to where they are.
    pub fn sort(&mut self, state: &State) {
        self.index.sort(self.ids.len(), |rank| member(state, self.ids[rank]));
    }

    /// Looks for all who may touch the body of a rank and come after it; how many there are.
    pub fn look_near(&mut self, rank: usize, state: &State) -> usize {
        let Self { ids, index, near, .. } = self;
        near.clear();
        let at = member(state, ids[rank]);
        let (column, row) = (index.cells.column(at.x), index.cells.row(at.y));
        index.visit_around(row, (column, column), REACH, |places, _| {
            near.extend(places.map(|place| index.rank(place)).filter(|&other| other > rank as u32));
        });
        near.sort_unstable();
        near.len()
    }

    /// The rank of one of those last found, who are in agent order.
    pub fn near(&self, index: usize) -> usize {
        self.near[index] as usize
    }
}
