//! Restores a world to an earlier frame, switches it to another scenario, or moves an agent.
//!
//! After a switch, agents are matched by name. An agent continues if the new scenario has an
//! equivalent mode with the same name, and if the terrain allows the agent's position. The column
//! declarations in `state.rs` define when an agent keeps its entry of a column.

use core::mem;
use std::sync::Arc;

use crate::agent::{Drive, Mode};
use crate::event::{Event, Obstruction};
use crate::geom::{TilePos, Vec2};
use crate::id::AgentId;
use crate::scenario::Scenario;
use crate::steering::SightTarget;
use crate::time::Frame;

use super::population::Presence;
use super::progress::Detectors;
use super::sight::Sight;
use super::state::{Kept, State};
use super::{DriveState, Flags, World};

impl World {
    /// Returns the saved state of this frame. Apart from the events of the frame, all other data
    /// follows from this state and the scenario.
    pub(crate) fn state(&self) -> &State {
        &self.state
    }

    /// Returns the size of the saved state of this frame, in bytes.
    pub fn state_bytes(&self) -> usize {
        self.state.bytes()
    }

    /// Restores a saved frame. Also restores the frame's events, because transitions of the next
    /// frame can depend on them.
    ///
    /// # Panics
    /// Panics if `state` and `scenario` have different numbers of agents.
    pub(crate) fn restore(
        &mut self,
        scenario: &Arc<Scenario>,
        frame: Frame,
        state: &State,
        events: &[Event],
    ) {
        if !Arc::ptr_eq(&self.scenario, scenario) {
            let mut new = Self::new(Arc::clone(scenario));
            new.take_cancel(self);
            *self = new;
        }
        assert_eq!(self.state.x.len(), state.x.len(), "a state of the same agents");
        self.state.clone_from(state);
        self.neighbours.gaps.forget();
        self.rename_instances();
        self.frame = frame;
        self.events.clear();
        self.events.extend_from_slice(events);
    }

    /// Copies the scenario, state and events of another world. If the scenario is the same, keeps
    /// derived data such as the route cache.
    pub fn copy_frame(&mut self, other: &Self) {
        self.restore(&other.scenario, other.frame, &other.state, &other.events);
    }

    /// Copies the planned routes of another world. Does nothing if the worlds have different
    /// scenarios.
    pub(crate) fn learn_routes(&mut self, other: &Self) {
        if Arc::ptr_eq(&self.scenario, &other.scenario) {
            self.route_cache.learn(&other.route_cache);
        }
    }

    /// Moves an agent to a position, in tiles, and stops it. Does nothing if the agent is absent or
    /// the body does not fit there.
    pub(crate) fn put(&mut self, id: AgentId, at: Vec2) {
        if !self.is_present(id) || self.scenario.is_traced(id) {
            return;
        }
        let map = &self.scenario.map;
        let at = map.wrap(at);
        let tile = TilePos::containing(at);
        let at = if self.is_on_tiles(id) { tile.centre() } else { at };
        if !self.has_room(id, at) {
            return;
        }
        let index = id.index();
        self.neighbours.gaps.forget();
        self.state.set_position(index, at);
        self.state.set_velocity(index, Vec2::ZERO);
        self.state.angular_velocity[index] = 0.0;
        self.state.detectors[index] = Detectors::at(at);
        if let Some(slot) = self.oscillation_slot(id) {
            self.state.oscillation[slot] = None;
        }
        self.state.obstruction[index] = None;
        self.state.flags[index].set(Flags::BLOCKED, false);
        self.forget_contact(id);
        self.restart_drive(id, self.drive_state(id).due_in());
    }

    /// Returns true if the terrain has room for an agent at a position, in tiles. Ignores other
    /// agents.
    pub fn has_room(&self, id: AgentId, at: Vec2) -> bool {
        self.has_room_for(at, self.body(id).radius, self.is_on_tiles(id))
    }

    /// Returns true if the terrain has room for a body at a position. Position and radius are in
    /// tiles. If `on_tiles` is true, checks only whether the tile is open.
    pub(crate) fn has_room_for(&self, at: Vec2, radius: f32, on_tiles: bool) -> bool {
        let map = &self.scenario.map;
        if on_tiles { map.is_open(TilePos::containing(at)) } else { map.fits(at, radius) }
    }

    /// Switches to another scenario. Agents present in both (matched by name) keep their state
    /// where mode and terrain still allow it. New agents start fresh, and missing agents are
    /// dropped.
    pub(crate) fn adopt(&mut self, scenario: &Arc<Scenario>) {
        let mut old = mem::replace(self, Self::new(Arc::clone(scenario)));
        self.take_cancel(&mut old);
        self.frame = old.frame;
        self.adopt_rules(&old);
        let predecessors = predecessors(scenario, &old);
        let mut continued = predecessors.clone();
        for (id, predecessor) in self.all_ids().zip(&mut continued) {
            *predecessor =
                predecessor.filter(|&was| Succession { old: &old, was, new: self, id }.transfer());
        }
        self.adopt_references(&old, &predecessors);
        self.adopt_sights(&old, &continued);
        self.rename_instances();
        self.remember_headings();
    }

    /// Copies the events of the old world, and updates the agents of events and the agents in
    /// obstructions. Drops those of agents that no longer exist. The other agents of an event keep
    /// their old ids, because conditions do not read them.
    fn adopt_references(&mut self, old: &Self, predecessors: &[Option<AgentId>]) {
        let mut successors = vec![None; old.scenario.starts.len()];
        for (id, was) in self.all_ids().zip(predecessors) {
            if let Some(was) = was {
                successors[was.index()] = Some(id);
            }
        }
        let successor = |was: AgentId| successors.get(was.index()).copied().flatten();
        let moved = |event: &Event| Some(Event { agent: successor(event.agent)?, ..*event });
        self.events = old.events.iter().filter_map(moved).collect();
        for id in self.all_ids() {
            let obstruction = &mut self.state.obstruction[id.index()];
            let Some(Obstruction::Agent(blocker)) = *obstruction else { continue };
            *obstruction = successor(blocker).map(Obstruction::Agent);
            let is_blocked = obstruction.is_some();
            self.state.flags[id.index()].set(Flags::BLOCKED, is_blocked);
        }
    }

    /// Copies the observations of all targets that the agents also watched in the old world. Checks
    /// whether they see the other targets now. `continued` are the agents of the old world whose
    /// state was copied, by id in this world.
    fn adopt_sights(&mut self, old: &Self, continued: &[Option<AgentId>]) {
        let scenario = Arc::clone(&self.scenario);
        for (id, was) in self.all_ids().zip(continued) {
            if !self.is_present(id) {
                continue;
            }
            let known = was.filter(|&was| old.is_present(was));
            let first = self.first_sight(scenario.kind(id), id);
            for (index, &target) in scenario.kind(id).watched.iter().enumerate() {
                match known.and_then(|was| self.old_sight(target, old, was)) {
                    Some(sight) => self.state.sights[first + index] = sight,
                    None => self.look_at(id, index),
                }
            }
        }
    }

    /// Returns the observation of a target by the agent `was` of another world. Returns `None` if
    /// the agent does not watch the target.
    fn old_sight(&self, target: SightTarget, old: &Self, was: AgentId) -> Option<Sight> {
        let name = self.scenario.sight_name(target);
        let olds = &old.kind(was).watched;
        let same = olds.iter().find(|&&other| old.scenario.sight_name(other) == name)?;
        old.sight(was, *same)
    }
}

/// Returns for each agent of a scenario the agent of the old world that it continues, if any.
///
/// Instances whose id no longer exists continue with free ids of their template. Starts with the
/// oldest instance.
fn predecessors(scenario: &Scenario, old: &World) -> Vec<Option<AgentId>> {
    let ids = (0..scenario.starts.len() as u32).map(AgentId);
    let mut all: Vec<_> = ids.map(|id| scenario.counterpart(id, &old.scenario)).collect();
    for kind in scenario.kinds.iter().filter(|kind| kind.template) {
        let Some(same) = old.scenario.template(&kind.name) else { continue };
        let same = &old.scenario.kinds[same];
        let outside = same.ids().skip(kind.count as usize);
        let mut displaced: Vec<AgentId> = outside.filter(|&was| old.is_present(was)).collect();
        displaced.sort_by_key(|&was| old.number(was));
        let places = kind.ids().zip(same.ids());
        let free = places.filter(|&(_, was)| !old.is_present(was));
        for ((id, _), was) in free.zip(displaced) {
            all[id.index()] = Some(was);
        }
    }
    all
}

/// An agent of the new scenario, and the corresponding agent of the old scenario.
struct Succession<'a> {
    old: &'a World,
    was: AgentId,
    new: &'a mut World,
    id: AgentId,
}

impl Succession<'_> {
    /// Copies the state of the agent. Returns false if the agent has no room at its position, and
    /// starts again or leaves the world.
    fn transfer(mut self) -> bool {
        let (from, to) = (self.was.index(), self.id.index());
        self.keep(Kept::Always);
        if let (Some(old), Some(new)) =
            (self.old.birth_place(self.was), self.new.birth_place(self.id))
        {
            self.new.state.births[new] = self.old.state.births[old];
            // The name determines the random numbers of the modes below.
            self.new.rename(self.id, self.old.names[self.was.index()]);
        }
        if !self.old.is_present(self.was) {
            // Only the recent headings of an absent agent are part of the state hash.
            self.new.state.set_heading(to, self.old.heading(self.was));
            self.new.copy_headings(self.id, self.old, self.was);
            return true;
        }
        if self.new.scenario.is_traced(self.id) {
            self.trace();
            return true;
        }
        let before = usize::from(self.old.state.mode[from]);
        let name = &self.old.mode(self.was).name;
        let modes = &self.new.scenario.kind(self.id).modes;
        let same = modes.iter().position(|mode| mode.name == *name);
        // The drive of an agent that followed a trace starts now.
        let taken_over = self
            .old
            .scenario
            .is_traced(self.was)
            .then(|| self.new.scenario.taken_over(self.id).map_or(0, usize::from));
        let same = taken_over.or(same);
        let kept = same.filter(|&after| taken_over.is_none() && self.continues(before, after));
        let pick = if kept.is_some() { self.old.state.pick[from] } else { 0 };
        let on_tiles = modes[same.unwrap_or(0)].is_on_tiles(pick);
        let Some(position) = self.place(self.old.position(self.was), on_tiles) else {
            self.restart();
            return false;
        };
        self.keep(Kept::InPlace);
        self.new.state.set_position(to, position);
        let (map, detectors) = (&self.new.scenario.map, &mut self.new.state.detectors[to]);
        detectors.anchor = map.wrap(detectors.anchor);
        detectors.centre = map.wrap(detectors.centre);
        self.resume();
        match kept {
            Some(mode) => self.keep_mode(mode),
            None => self.new.begin_mode(self.id, same.unwrap_or(0) as u16),
        }
        self.new.copy_headings(self.id, self.old, self.was);
        if let (Some(from), Some(to)) =
            (self.old.oscillation_slot(self.was), self.new.oscillation_slot(self.id))
        {
            self.new.state.oscillation[to] = self.old.state.oscillation[from];
        }
        true
    }

    /// Continues an agent that follows a trace, which determines its position and its mode.
    fn trace(&mut self) {
        let was = self.old.mode(self.was).key;
        self.new.begin_trace(self.id);
        if self.new.is_present(self.id) && self.new.mode(self.id).key == was {
            self.new.state.mode_frames[self.id.index()] =
                self.old.state.mode_frames[self.was.index()];
        }
        self.new.copy_headings(self.id, self.old, self.was);
    }

    /// Handles an agent that has no room at its position. An instance of a template leaves the
    /// world. Any other agent returns to its start.
    fn restart(&mut self) {
        if self.new.birth_place(self.id).is_some() {
            self.new.state.present[self.id.index()] = Presence(false);
        }
    }

    /// Returns the position to continue from. This is `at` if the body has room there, otherwise
    /// the centre of the tile that contains `at`. Both are wrapped onto the new map. Returns `None`
    /// if neither position has room.
    fn place(&self, at: Vec2, on_tiles: bool) -> Option<Vec2> {
        let at = self.new.scenario.map.wrap(at);
        let radius = self.new.body(self.id).radius;
        let places = [at, TilePos::containing(at).centre()];
        places.into_iter().find(|&at| self.new.has_room_for(at, radius, on_tiles))
    }

    fn continues(&self, before: usize, after: usize) -> bool {
        let before = &self.old.kind(self.was).modes[before];
        let after = &self.new.kind(self.id).modes[after];
        let same_ground = self.old.scenario.map == self.new.scenario.map;
        let same_home = self.old.home(self.was) == self.new.home(self.id);
        let placed = before.drive.pattern(0).is_some();
        let steers = matches!(before.drive, Drive::Steer { .. });
        (steers || same_ground) && (same_home || !placed) && same_drive(before, after)
    }

    fn resume(&mut self) {
        let olds = &self.old.kind(self.was).modes;
        for after in 0..self.new.kind(self.id).modes.len() {
            let name = &self.new.kind(self.id).modes[after].name;
            let Some(before) = olds.iter().position(|mode| mode.name == *name) else { continue };
            let left = self.old.saved_slot_of(self.was, before);
            if let (Some(left), Some(slot)) = (left, self.new.saved_slot_of(self.id, after))
                && self.continues(before, after)
            {
                self.new.state.saved_patterns[slot] = self.old.state.saved_patterns[left];
            }
        }
    }

    fn keep(&mut self, kept: Kept) {
        self.new.state.keep(kept, self.id.index(), &self.old.state, self.was.index());
    }

    /// Keeps the agent in its current mode. `mode` is the index of this mode in the new scenario.
    fn keep_mode(&mut self, mode: usize) {
        self.keep(Kept::InMode);
        let (to, state) = (self.id.index(), &mut self.new.state);
        state.mode[to] = mode as u16;
        if let (DriveState::Steer(memory), false) =
            (&mut state.drive[to], self.old.scenario.paths == self.new.scenario.paths)
        {
            *memory = memory.on_other_paths();
        }
    }
}

fn same_drive(before: &Mode, after: &Mode) -> bool {
    let patterns = |mode: &Mode| mode.drive.patterns().count();
    let same_patterns = patterns(before) == patterns(after)
        && before.drive.patterns().zip(after.drive.patterns()).all(|(before, after)| {
            before.placement == after.placement && before.pattern == after.pattern
        });
    let same_keys = match (&before.drive, &after.drive) {
        (Drive::Keys { on_tiles }, Drive::Keys { on_tiles: other }) => on_tiles == other,
        _ => true,
    };
    before.drive.word() == after.drive.word() && same_patterns && same_keys
}
