//! Smoothing: the heading that is *shown* is the mean of the last few headings (Buckland's
//! smoother), so that a body pushed from several sides does not tremble. Steering, traces and
//! conditions use the actual heading.
//!
//! The last headings are state. They are saved, hashed and restored like any other column, so a
//! step back shows the same heading as before. Only bodies with smoothing have them. The slot to
//! write follows from the frame number, so no cursor is saved.

use crate::geom::{Vec2, unit};
use crate::id::AgentId;
use crate::scenario::Scenario;
use crate::time::Frame;

use super::World;
use super::state::State;

/// A sum of headings shorter than this has no direction.
const NO_WAY: f32 = 1e-4;

/// Where the last headings of one agent are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Smoother {
    agent: AgentId,
    /// Its first slot.
    first: usize,
    /// How many it has; ≥ 1.
    slots: usize,
}

/// Every agent whose body smooths, in agent order.
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
    /// The slot of a frame's heading, from 0.
    fn slot(self, frame: Frame) -> usize {
        (frame.0 % self.slots as u64) as usize
    }

    /// The mean of the headings there are; `None` when they cancel out.
    fn mean(self, frame: Frame, state: &State) -> Option<Vec2> {
        let there = if frame.0 >= self.slots as u64 { self.slots } else { self.slot(frame) + 1 };
        let sum: Vec2 = state.recent[self.first..self.first + there].iter().sum();
        (sum.length() > NO_WAY).then(|| unit(sum))
    }
}

impl World {
    /// The unit vector an agent is shown to face: the mean of its last headings when its body
    /// smooths, else its heading.
    pub fn shown_heading(&self, id: AgentId) -> Vec2 {
        let mean = self.smoother(id).and_then(|smoother| smoother.mean(self.frame(), &self.state));
        mean.unwrap_or(self.heading(id))
    }

    /// The last headings of an agent whose body smooths, each in the slot of its frame; none of any
    /// other.
    pub fn recent_headings(&self, id: AgentId) -> &[Vec2] {
        let slots = |its: Smoother| &self.state.recent[its.first..its.first + its.slots];
        self.smoother(id).map_or(&[], slots)
    }

    /// An agent of a new scenario shows what it showed in the old one, as far as it smooths as many
    /// headings; else it begins with the one it has.
    pub(super) fn smooth_on(&mut self, id: AgentId, old: &Self, was: AgentId) {
        let Some(mine) = self.smoother(id) else { return };
        let heading = self.state.heading(id.index());
        let recent = &mut self.state.recent[mine.first..mine.first + mine.slots];
        match old.smoother(was).filter(|its| its.slots == mine.slots) {
            Some(its) => {
                recent.copy_from_slice(&old.state.recent[its.first..its.first + its.slots]);
            }
            None => recent.fill(heading),
        }
    }

    fn smoother(&self, id: AgentId) -> Option<Smoother> {
        let found = self.smoothers.binary_search_by_key(&id, |smoother| smoother.agent);
        found.ok().map(|index| self.smoothers[index])
    }

    /// Keeps this frame's headings of those who smooth.
    pub(crate) fn remember_headings(&mut self) {
        for smoother in self.smoothers.iter() {
            let heading = self.state.heading(smoother.agent.index());
            self.state.recent[smoother.first + smoother.slot(self.frame)] = heading;
        }
    }
}
