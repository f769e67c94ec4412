//! Smoothing of the displayed heading, so that a body pushed from several sides does not jitter.
//! The displayed heading is the mean of the last few headings (Buckland's smoother). Steering,
//! traces and conditions use the actual heading.
//!
//! The last headings are saved, hashed and restored like any other column, so stepping back shows
//! the same heading as before. Only agents with smoothing have entries. The slot to write depends
//! only on the frame number, so no cursor is saved.

use core::ops::Range;

use crate::geom::{Vec2, unit};
use crate::id::AgentId;
use crate::scenario::Scenario;
use crate::time::Frame;

use super::World;
use super::state::State;

/// Minimum length of a sum of headings. A shorter sum has no reliable direction.
const MIN_SUM: f32 = 1e-4;

/// The range of one agent's entries in the column of recent headings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Smoother {
    agent: AgentId,
    first: usize,
    /// Number of entries, at least 1. Each entry is the heading of one frame.
    slots: usize,
}

/// Iterates over the smoothers of all agents that smooth their heading, in agent order.
pub(super) fn smoothers(scenario: &Scenario) -> impl Iterator<Item = Smoother> {
    let slots = |id: AgentId| (id, scenario.kind(id).body.smoothing as usize);
    let ids = (0..scenario.starts.len() as u32).map(AgentId);
    ids.map(slots).filter(|&(_, slots)| slots > 0).scan(0, |next, (agent, slots)| {
        let first = *next;
        *next += slots;
        Some(Smoother { agent, first, slots })
    })
}

impl Smoother {
    fn range(self) -> Range<usize> {
        self.first..self.first + self.slots
    }

    fn slot(self, frame: Frame) -> usize {
        (frame.0 % self.slots as u64) as usize
    }

    /// Returns the mean of the stored headings as a unit vector. Returns `None` if the headings
    /// cancel out.
    fn mean(self, frame: Frame, state: &State) -> Option<Vec2> {
        let there = if frame.0 >= self.slots as u64 { self.slots } else { self.slot(frame) + 1 };
        let sum: Vec2 = state.recent[self.first..self.first + there].iter().sum();
        (sum.length() > MIN_SUM).then(|| unit(sum))
    }
}

impl World {
    /// Returns the displayed heading, a unit vector. This is the mean of the last headings if the
    /// agent smooths its heading, and the actual heading otherwise.
    pub fn shown_heading(&self, id: AgentId) -> Vec2 {
        let mean = self.smoother(id).and_then(|smoother| smoother.mean(self.frame(), &self.state));
        mean.unwrap_or(self.heading(id))
    }

    /// Returns the last headings of an agent that smooths its heading, one entry per frame. Empty
    /// for other agents. The entry of a frame is at the frame number modulo the length.
    pub(crate) fn recent_headings(&self, id: AgentId) -> &[Vec2] {
        let slots = |smoother: Smoother| &self.state.recent[smoother.range()];
        self.smoother(id).map_or(&[], slots)
    }

    /// Copies the last headings of agent `was` in the world `old` to agent `id`. If the numbers of
    /// entries differ, sets all entries to the agent's current heading.
    pub(super) fn copy_headings(&mut self, id: AgentId, old: &Self, was: AgentId) {
        let Some(smoother) = self.smoother(id) else { return };
        let heading = self.state.heading(id.index());
        let recent = &mut self.state.recent[smoother.range()];
        match old.smoother(was).filter(|before| before.slots == smoother.slots) {
            Some(before) => recent.copy_from_slice(&old.state.recent[before.range()]),
            None => recent.fill(heading),
        }
    }

    /// Sets all recent headings of an agent to its current heading.
    pub(super) fn fill_headings(&mut self, id: AgentId) {
        let Some(smoother) = self.smoother(id) else { return };
        let heading = self.state.heading(id.index());
        self.state.recent[smoother.range()].fill(heading);
    }

    fn smoother(&self, id: AgentId) -> Option<Smoother> {
        let found = self.layout.smoothers.binary_search_by_key(&id, |smoother| smoother.agent);
        found.ok().map(|index| self.layout.smoothers[index])
    }

    /// Stores the current heading of each agent that smooths its heading.
    pub(crate) fn remember_headings(&mut self) {
        for smoother in &self.layout.smoothers {
            let heading = self.state.heading(smoother.agent.index());
            self.state.recent[smoother.first + smoother.slot(self.frame)] = heading;
        }
    }
}
