//! Queries about one agent, its manual control and its displayed heading. Functions panic for ids
//! that do not exist in the scenario.
//!
//! Manual control is set by the commands of a frame and applies only to that frame, so it is never
//! saved.
//!
//! The displayed heading can be smoothed, so that a body pushed from several sides does not jitter.
//! It is then the mean of the last few headings (Buckland's smoother). Steering, traces and
//! conditions use the actual heading.
//!
//! The last headings are saved, hashed and restored like any other column, so stepping back shows
//! the same heading as before. Only agents with smoothing have entries. The slot to write depends
//! only on the frame number, so no cursor is saved.

use core::ops::Range;

use crate::agent::{AgentKind, Drive, Mode};
use crate::body::{Body, Motion};
use crate::event::Obstruction;
use crate::geom::{Direction, TilePos, Vec2, heading, unit};
use crate::id::AgentId;
use crate::map::Touch;
use crate::map::search::FoundPath;
use crate::scenario::Scenario;
use crate::time::Frame;
use crate::world::oscillation::OscillationDetector;
use crate::world::progress::{Detectors, EventCounts};
use crate::world::state::State;
use crate::world::{DriveState, Flags, World};

impl World {
    /// Returns an agent's position, velocity, heading and angular velocity as one value.
    #[inline]
    pub fn motion(&self, id: AgentId) -> Motion {
        self.state.motion(id.index())
    }

    /// Returns the position of the centre of an agent's body, in tiles.
    #[inline]
    pub fn position(&self, id: AgentId) -> Vec2 {
        self.state.position(id.index())
    }

    /// Returns an agent's velocity, in tiles/s.
    #[inline]
    pub fn velocity(&self, id: AgentId) -> Vec2 {
        self.state.velocity(id.index())
    }

    /// Returns an agent's heading, a unit vector.
    #[inline]
    pub fn heading(&self, id: AgentId) -> Vec2 {
        self.state.heading(id.index())
    }

    /// Returns an agent's heading in degrees, clockwise from east, in [0, 360).
    pub fn heading_degrees(&self, id: AgentId) -> f32 {
        heading::to_degrees(self.heading(id))
    }

    /// Returns the tile that contains an agent's position.
    #[inline]
    pub fn tile(&self, id: AgentId) -> TilePos {
        TilePos::containing(self.position(id))
    }

    /// Returns the position where an agent started, in tiles.
    pub fn home(&self, id: AgentId) -> Vec2 {
        self.birth(id).map_or(self.scenario.starts[id.index()].position, |birth| birth.home)
    }

    /// Returns the kind that defines an agent's body and modes.
    #[inline]
    pub fn kind(&self, id: AgentId) -> &AgentKind {
        self.scenario.kind(id)
    }

    /// Returns the size, mass, limits and senses of an agent.
    #[inline]
    pub fn body(&self, id: AgentId) -> &Body {
        &self.kind(id).body
    }

    /// Returns the current mode of an agent, which defines how the agent moves.
    #[inline]
    pub fn mode(&self, id: AgentId) -> &Mode {
        &self.kind(id).modes[usize::from(self.state.mode[id.index()])]
    }

    /// Returns the number of frames since the agent entered its mode.
    pub fn frames_in_mode(&self, id: AgentId) -> u32 {
        self.state.mode_frames[id.index()]
    }

    /// Returns the time since the agent entered its mode, in seconds.
    pub(crate) fn seconds_in_mode(&self, id: AgentId) -> f32 {
        let now = self.frame();
        let since = Frame(now.0.saturating_sub(self.frames_in_mode(id).into()));
        self.scenario.seconds_between(since, now)
    }

    /// Returns an agent's status flags, such as blocked or arrived.
    #[inline]
    pub fn flags(&self, id: AgentId) -> Flags {
        self.state.flags[id.index()]
    }

    /// Returns the state of an agent's drive, such as the progress along a pattern.
    #[inline]
    pub fn drive_state(&self, id: AgentId) -> DriveState {
        self.state.drive[id.index()]
    }

    /// Returns the reason why an agent is blocked. For a deadlocked vehicle, returns the agent that
    /// holds it. Otherwise returns `None`.
    pub fn obstruction(&self, id: AgentId) -> Option<Obstruction> {
        self.state.obstruction[id.index()]
    }

    /// Returns the tile, obstacle or wall that an agent's body touches; `None` if it touches
    /// nothing.
    pub fn touches(&self, id: AgentId) -> Option<Touch> {
        self.state.touches[id.index()]
    }

    /// Returns the index of the current pattern in the mode's list; 0 if there is no list.
    #[inline]
    pub fn pick(&self, id: AgentId) -> u16 {
        self.state.pick[id.index()]
    }

    /// Returns true if an agent moves from tile centre to tile centre in its current mode and
    /// pattern.
    pub fn is_on_tiles(&self, id: AgentId) -> bool {
        self.mode(id).is_on_tiles(self.pick(id))
    }

    /// Returns the state of an agent's stuck and circling detectors.
    pub fn detectors(&self, id: AgentId) -> Detectors {
        self.state.detectors[id.index()]
    }

    /// Returns the state of an agent's oscillation detector. Returns `None` if the detector has not
    /// started, or if no mode of the agent has a destination.
    pub fn oscillation(&self, id: AgentId) -> Option<OscillationDetector> {
        self.state.oscillation[self.oscillation_slot(id)?]
    }

    /// Returns the index of an agent's entry in the column of oscillation detectors. Returns `None`
    /// if no mode of the agent has a destination.
    #[inline]
    pub(crate) fn oscillation_slot(&self, id: AgentId) -> Option<usize> {
        let kind = self.scenario.starts[id.index()].kind as usize;
        let first = self.layout.oscillation[kind]?;
        Some(first + (id.0 - self.scenario.kinds[kind].first.0) as usize)
    }

    /// Returns an agent's event counts since frame 0, such as the number of bumps.
    pub fn tally(&self, id: AgentId) -> EventCounts {
        self.state.event_counts[id.index()]
    }

    /// Returns the planned route of a travelling agent. Returns `None` for other drives, without a
    /// target, or if the route is not in the cache.
    pub fn found_path(&self, id: AgentId) -> Option<&FoundPath> {
        let DriveState::Travel { progress, .. } = self.drive_state(id) else { return None };
        self.route_cache.known(id, progress?)
    }
}

impl World {
    /// Iterates over the remaining tiles of an agent's chase line or route, nearest first.
    ///
    /// Returns an empty iterator for drives other than `chase` and `travel`, or before the first
    /// step is due.
    pub fn ahead(&self, id: AgentId) -> impl Iterator<Item = TilePos> {
        let map = &self.scenario.map;
        let aim = if let DriveState::Chase { aim, .. } = self.drive_state(id) { aim } else { None };
        let along_line = aim.into_iter().flat_map(move |aim| {
            let line = map.line(aim.from, aim.to);
            (aim.done + 1..=line.len()).map(move |step| line.tile(step))
        });
        let along_path =
            self.steps_ahead(id).iter().scan(self.tile(id), move |tile, &direction| {
                *tile = map.resolve(tile.neighbour(direction))?;
                Some(*tile)
            });
        along_line.chain(along_path).map(|tile| map.resolve(tile).unwrap_or(tile))
    }

    /// Returns the remaining steps of a traveller's route. Returns an empty slice for other drives,
    /// or if the route is not in the cache.
    fn steps_ahead(&self, id: AgentId) -> &[Direction] {
        let DriveState::Travel { progress: Some(progress), .. } = self.drive_state(id) else {
            return &[];
        };
        let done = progress.done as usize;
        self.found_path(id).and_then(|path| path.steps.get(done..)).unwrap_or_default()
    }

    /// Returns the cost of the remaining steps of an agent's route. The cost of a step is its
    /// length in tiles times the cost of the entered tile. Returns 0 without a route.
    pub fn cost_ahead(&self, id: AgentId) -> f64 {
        let map = &self.scenario.map;
        let cost = |(direction, tile): (&Direction, _)| {
            let length = if direction.is_diagonal() { core::f64::consts::SQRT_2 } else { 1.0 };
            length * map.kind(tile).map_or(1.0, |kind| f64::from(kind.cost))
        };
        // `sum` would return −0 for an empty iterator.
        self.steps_ahead(id).iter().zip(self.ahead(id)).map(cost).fold(0.0, |sum, cost| sum + cost)
    }
}

/// Manual control of one agent in one frame, as requested by a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ManualControl {
    /// Direction of the requested motion; `None` to stand still.
    pub direction: Option<Direction>,
}

impl World {
    pub(crate) fn clear_controls(&mut self) {
        self.controls.clear();
    }

    /// Sets the manual control of an agent in the current step. Does nothing if the agent is not
    /// in the world.
    pub(crate) fn control(&mut self, id: AgentId, held: ManualControl) {
        if !self.is_present(id) || self.scenario.is_traced(id) {
            return;
        }
        match self.controls.binary_search_by_key(&id, |(id, _)| *id) {
            Ok(place) => self.controls[place].1 = held,
            Err(place) => self.controls.insert(place, (id, held)),
        }
    }

    /// Returns the manual control of an agent in the current step. Returns `None` without manual
    /// control.
    #[inline]
    pub(crate) fn control_of(&self, id: AgentId) -> Option<ManualControl> {
        let place = self.controls.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        Some(self.controls[place].1)
    }

    /// Returns the number of frames until a manually controlled agent on tiles can take a step.
    /// Returns 1 if the step is possible in the next frame.
    ///
    /// Waiting times of patterns do not apply.
    pub fn step_due_in(&self, id: AgentId) -> u32 {
        self.drive_state(id).due_in().min(self.mode(id).pace)
    }

    /// Returns the manual control that replaces an agent's drive. Returns `None` if the drive moves
    /// the agent. In a mode that only accepts manual control, an agent without a command stands
    /// still. `mode` is the current mode of the agent.
    #[inline]
    pub(crate) fn active_control(&self, id: AgentId, mode: &Mode) -> Option<ManualControl> {
        let waits = matches!(mode.drive, Drive::Keys { .. });
        self.control_of(id).or_else(|| waits.then_some(ManualControl { direction: None }))
    }
}

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
