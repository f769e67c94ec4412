//! Smoothing of the displayed heading, so that a body pushed from several sides does not jitter.
//! The displayed heading is the mean of the last few headings (Buckland's smoother). Steering,
//! traces and conditions use the actual heading.
//!
//! The last headings are saved, hashed and restored like any other column, so stepping back shows
//! the same heading as before. Only agents with smoothing have entries. The slot to write depends
//! only on the frame number, so no cursor is saved.
//!
//! The visibility of targets, and the positions where agents last saw them.

use core::ops::Range;

use crate::agent::AgentKind;
use crate::body::Motion;
use crate::event::EventKind;
use crate::geom::{TilePos, Vec2, unit};
use crate::id::AgentId;
use crate::map::{Obstacle, WallId};
use crate::scenario::Scenario;
use crate::steering::{SightTarget, Target};
use crate::time::Frame;
use crate::world::World;
use crate::world::state::State;

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

/// An agent's latest observation of a target that the agent watches.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sight {
    /// Whether the agent saw the target at the last check.
    pub seen: bool,
    /// The position where the agent last saw the target, in tiles. `None` before the first
    /// sighting.
    pub at: Option<Vec2>,
}

/// The position of a target relative to an agent, and the objects that block the line of sight.
/// Used for explanations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ViewCheck {
    /// Distance from the agent to the target, in tiles.
    pub distance: f32,
    /// Angle between the heading and the direction to the target, in degrees, 0 to 180.
    pub angle: f32,
    /// The first opaque tile on the line of sight, starting at the agent. `None` if no tile blocks
    /// sight.
    pub tile: Option<TilePos>,
    /// The opaque wall that blocks sight; of several walls, the first in the map file. `None` if no
    /// wall blocks sight.
    pub wall: Option<WallId>,
    /// The first opaque obstacle on the line of sight, starting at the agent. `None` if no obstacle
    /// blocks sight.
    pub obstacle: Option<Obstacle>,
}

impl World {
    /// Checks a target against an agent's field of view and line of sight. For a group, checks the
    /// nearest member. Returns `None` if the target does not exist.
    pub fn check_view(&self, id: AgentId, target: Target) -> Option<ViewCheck> {
        let Motion { position, heading, .. } = self.motion(id);
        let offset = self.see(id, target)?.offset;
        let map = &self.scenario().map;
        let other = position + offset;
        Some(ViewCheck {
            distance: offset.length(),
            angle: libm::atan2f(heading.perp_dot(offset), heading.dot(offset)).to_degrees().abs(),
            tile: map.tile_blocking_sight(position, other),
            wall: map.wall_blocking_sight(position, other),
            obstacle: map.obstacle_blocking_sight(position, other),
        })
    }

    /// Returns true if a target is in an agent's field of view and nothing blocks sight.
    ///
    /// For a group, returns true if the agent sees any other member. For a last known position,
    /// returns true if the agent sees that position.
    pub fn sees(&self, id: AgentId, target: Target) -> bool {
        self.visible_offset(id, target).is_some()
    }

    /// Returns the shortest vector to a target that the agent sees, in tiles. For a group, this is
    /// the vector to the nearest visible member. Returns `None` if the agent does not see the
    /// target.
    fn visible_offset(&self, id: AgentId, target: Target) -> Option<Vec2> {
        let Motion { position, heading, .. } = self.motion(id);
        let visible_offset = |target: Target| {
            let offset = self.see(id, target)?.offset;
            let view = self.body(id).view.holds(offset, heading);
            (view && self.scenario().map.sees(position, position + offset)).then_some(offset)
        };
        let Target::Group(group) = target else { return visible_offset(target) };
        let others = self.scenario().members(group).iter().filter(|&&other| other != id);
        let seen = others.filter_map(|&other| visible_offset(Target::Agent(other)));
        let near = |a: Vec2, b: Vec2| if b.length_squared() < a.length_squared() { b } else { a };
        seen.reduce(near)
    }

    /// Returns an agent's latest observation of a target. Returns `None` if the agent does not
    /// watch the target.
    pub fn sight(&self, id: AgentId, target: SightTarget) -> Option<Sight> {
        let kind = self.kind(id);
        let index = kind.watched.iter().position(|&watched| watched == target)?;
        Some(self.state.sights[self.first_sight(kind, id) + index])
    }

    /// Returns an agent's latest observation of each target in [`AgentKind::watched`], in the same
    /// order.
    pub fn sights(&self, id: AgentId) -> &[Sight] {
        let kind = self.kind(id);
        let first = self.first_sight(kind, id);
        &self.state.sights[first..first + kind.watched.len()]
    }

    /// Returns the index of an agent's first entry in the column of perceived targets.
    pub(super) fn first_sight(&self, kind: &AgentKind, id: AgentId) -> usize {
        let kind_index = self.scenario().starts[id.index()].kind as usize;
        self.layout.sights[kind_index] + (id.0 - kind.first.0) as usize * kind.watched.len()
    }

    /// Checks which watched targets an agent sees. Stores the results, and reports changes as
    /// events.
    pub(crate) fn look_around(&mut self, id: AgentId) {
        let scenario = self.scenario().clone();
        let kind = scenario.kind(id);
        let first = self.first_sight(kind, id);
        for (index, &target) in kind.watched.iter().enumerate() {
            let at = self.visible_position(id, target);
            let sight = &mut self.state.sights[first + index];
            let changed = sight.seen != at.is_some();
            *sight = Sight { seen: at.is_some(), at: at.or(sight.at) };
            match at {
                Some(_) if changed => self.report(id, EventKind::Seen(target)),
                None if changed => self.report(id, EventKind::Lost(target)),
                _ => {}
            }
        }
    }

    /// Checks whether an agent sees the watched target with this index, and stores the result as
    /// the first observation. Reports no event.
    pub(super) fn look_at(&mut self, id: AgentId, index: usize) {
        let kind = self.kind(id);
        let (target, first) = (kind.watched[index], self.first_sight(kind, id));
        let at = self.visible_position(id, target);
        self.state.sights[first + index] = Sight { seen: at.is_some(), at };
    }

    /// Returns the position of a target if the agent sees it, in tiles.
    fn visible_position(&self, id: AgentId, target: SightTarget) -> Option<Vec2> {
        let offset = self.visible_offset(id, target.target())?;
        Some(self.scenario().map.wrap(self.position(id) + offset))
    }
}
