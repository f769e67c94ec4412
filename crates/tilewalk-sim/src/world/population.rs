//! The agents that are in the world, and the instances of templates.
//!
//! A template has `max` ids. An instance takes the first free id, and keeps it until it is removed.
//! The entries of an absent agent in the `per_agent` columns have no meaning, and the state hash
//! omits them.

use core::fmt::{self, Write};
use std::sync::Arc;

use crate::event::{EventKind, Removal};
use crate::geom::Vec2;
use crate::id::{AgentId, Instance};
use crate::rng::name_hash;
use crate::scenario::builder::MAX_NAME;
use crate::scenario::spawn::Spawn;
use crate::scenario::{AgentName, Scenario, Start};

use super::World;

/// Whether an agent is in the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Presence(pub(crate) bool);

/// The number, start and lifetime of an instance of a template. All fields are 0 until an instance
/// takes this id.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Birth {
    /// Number of the instance within its template, from 1, in order of appearance.
    pub number: u32,
    /// Position where the instance appeared, in tiles. The target `home` leads there.
    pub home: Vec2,
    /// Frames until the instance is removed; 0 for no limit.
    pub frames_left: u32,
}

/// The countdown and the count of a spawn rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spawner {
    /// Frames until the next instance can appear. Always 0 for rules that react to signals.
    pub due_in: u32,
    /// Number of instances that the rule has added.
    pub spawned: u32,
}

impl Spawner {
    pub(super) fn new(spawn: &Spawn) -> Self {
        Self { due_in: spawn.clock().map_or(0, |clock| clock.first), spawned: 0 }
    }
}

/// The initial state of a new instance.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arrival {
    /// Index of the spawn rule in the scenario's list.
    pub rule: usize,
    pub position: Vec2,
    /// Initial heading, a unit vector.
    pub heading: Vec2,
    /// Initial velocity, in tiles/s. Ignored for an agent that moves on tiles.
    pub velocity: Vec2,
    /// The agent whose signal added the instance. `None` if a clock added it.
    pub by: Option<AgentId>,
}

impl World {
    /// Returns true if an agent is in the world. Returns false for ids that do not exist.
    #[inline]
    pub fn is_present(&self, id: AgentId) -> bool {
        self.state.present.get(id.index()).is_some_and(|presence| presence.0)
    }

    /// Returns true if an agent is in the world with an instance number, see [`World::number`].
    pub fn is_present_as(&self, id: AgentId, number: u32) -> bool {
        self.is_present(id) && self.number(id) == number
    }

    /// Returns the number of agents in the world. Absent agents do not count.
    pub fn population(&self) -> usize {
        self.state.present.iter().filter(|presence| presence.0).count()
    }

    /// Returns the name of an agent. The name of an absent instance stays valid until another
    /// instance takes its id. An unknown agent has the name `?`.
    pub fn name(&self, id: AgentId) -> AgentName<'_> {
        self.scenario.numbered(id, self.number(id))
    }

    /// Returns the agent with a name, such as `guard`, `boid.3` or `missile.12`. Returns `None` for
    /// unknown names and for instances that are not in the world.
    pub fn find(&self, name: &str) -> Option<AgentId> {
        match self.scenario.find_instance(name) {
            Some(instance) => self.instance(instance),
            None => self.scenario.find(name),
        }
    }

    /// Returns the agent of another world with the same name as an agent of this world. Returns
    /// `None` if the other world does not contain that agent.
    pub fn same_agent(&self, id: AgentId, other: &Self) -> Option<AgentId> {
        // Usually, both worlds have the same agents in the same order.
        if other.is_present(id) && self.name(id) == other.name(id) {
            return Some(id);
        }
        other.find_present(&self.name(id).to_string())
    }

    /// Returns the agent with a name that is in the world. Returns `None` for unknown names, and
    /// for agents that have left the world.
    pub fn find_present(&self, name: &str) -> Option<AgentId> {
        self.find(name).filter(|&id| self.is_present(id))
    }

    /// Returns the id of an instance. Returns `None` if the instance is not in the world.
    pub fn instance(&self, instance: Instance) -> Option<AgentId> {
        let kind = self.scenario.kinds.get(instance.kind as usize)?;
        kind.ids().find(|&id| self.is_present_as(id, instance.number))
    }

    /// Returns number, start and lifetime of an instance of a template; `None` for other agents.
    pub fn birth(&self, id: AgentId) -> Option<Birth> {
        self.birth_place(id).map(|place| self.state.births[place])
    }

    /// Returns the number of an instance within its template; 0 for other agents.
    pub fn number(&self, id: AgentId) -> u32 {
        self.birth(id).map_or(0, |birth| birth.number)
    }

    /// Returns the number of instances of a template that have appeared since frame 0. `kind` is
    /// the index of the template in the scenario.
    pub fn appeared(&self, kind: u32) -> u32 {
        self.state.appeared.get(kind as usize).copied().unwrap_or(0)
    }

    /// Returns the countdown and the count of each spawn rule, in the order of the scenario's list.
    pub fn spawners(&self) -> &[Spawner] {
        &self.state.spawners
    }

    /// Copies the instance counts of templates and the state of spawn rules from `old`, a world
    /// with another scenario. Templates are matched by name. The timers of a template are matched
    /// by their order, and so are its rules with signals.
    pub(super) fn adopt_rules(&mut self, old: &Self) {
        for (index, kind) in
            self.scenario.kinds.iter().enumerate().filter(|(_, kind)| kind.template)
        {
            let Some(was) = old.scenario.template(&kind.name) else { continue };
            self.state.appeared[index] = old.state.appeared[was];
            let [new, old_rules] = [(&self.scenario, index), (&old.scenario, was)]
                .map(|(scenario, kind)| [true, false].map(|timed| rules(scenario, kind, timed)));
            let pairs = new.iter().zip(&old_rules).flat_map(|(new, old)| new.iter().zip(old));
            for (&rule, &before) in pairs {
                let clock = self.scenario.spawns[rule].clock();
                let most = clock.map_or(0, |clock| clock.every.max(clock.first));
                let Spawner { due_in, spawned } = old.state.spawners[before];
                self.state.spawners[rule] = Spawner { due_in: due_in.min(most), spawned };
            }
        }
    }

    /// Returns the index of an agent's entry in the column of births. Returns `None` if the agent
    /// is not an instance of a template, or does not exist.
    pub(super) fn birth_place(&self, id: AgentId) -> Option<usize> {
        let kind_index = self.scenario.starts.get(id.index())?.kind as usize;
        let kind = &self.scenario.kinds[kind_index];
        let first = self.layout.births[kind_index];
        kind.template.then(|| first + (id.0 - kind.first.0) as usize)
    }

    /// Counts down the lifetime of an instance. Returns true if the lifetime ends in this frame.
    pub(crate) fn expires(&mut self, id: AgentId) -> bool {
        let Some(place) = self.birth_place(id) else { return false };
        let frames_left = &mut self.state.births[place].frames_left;
        let ends = *frames_left == 1;
        *frames_left = frames_left.saturating_sub(1);
        ends
    }

    /// Removes an agent from the world, and reports the reason as an event.
    pub(crate) fn remove(&mut self, id: AgentId, reason: Removal) {
        let index = id.index();
        self.state.present[index] = Presence(false);
        self.state.set_velocity(index, Vec2::ZERO);
        self.state.angular_velocity[index] = 0.0;
        self.forget_all(id);
        self.report(id, EventKind::Removed(reason));
    }

    /// Adds an instance of a template in its first mode, and reports an event. Returns false if the
    /// world already contains the maximum number of instances (`max`).
    pub(crate) fn add_instance(&mut self, arrival: Arrival) -> bool {
        let scenario = Arc::clone(&self.scenario);
        let spawn = &scenario.spawns[arrival.rule];
        let kind = &scenario.kinds[spawn.kind as usize];
        let Some(id) = kind.ids().find(|&id| !self.is_present(id)) else { return false };
        let Some(place) = self.birth_place(id) else { return false };
        let (position, heading) = (arrival.position, arrival.heading);
        let start = Start { position, heading, absent: false, ..scenario.starts[id.index()] };
        self.state.reset(id.index(), &start);
        let number = self.appeared(spawn.kind) + 1;
        self.state.appeared[spawn.kind as usize] = number;
        self.state.spawners[arrival.rule].spawned += 1;
        let frames_left = spawn.lifetime.unwrap_or(0);
        self.state.births[place] = Birth { number, home: position, frames_left };
        self.rename(id, instance_key(&kind.name, number));
        self.forget_all(id);
        self.begin_mode(id, 0);
        if !self.is_on_tiles(id) {
            self.state.set_velocity(id.index(), arrival.velocity);
        }
        self.report(id, EventKind::Spawned { by: arrival.by });
        true
    }

    /// Clears an agent's entries of the `per_kind` columns, except for its birth.
    pub(super) fn forget_all(&mut self, id: AgentId) {
        let kind = self.scenario.kind(id);
        let first = self.first_sight(kind, id);
        let watched = kind.watched.len();
        self.state.sights[first..first + watched].fill(super::Sight::default());
        for mode in 0..kind.modes.len() {
            if let Some(slot) = self.saved_slot_of(id, mode) {
                self.state.saved_patterns[slot] = None;
            }
        }
        if let Some(slot) = self.oscillation_slot(id) {
            self.state.oscillation[slot] = None;
        }
        self.fill_headings(id);
    }

    /// Sets the hash of an agent's name. Other copies of this world keep the old hash.
    pub(super) fn rename(&mut self, id: AgentId, key: u64) {
        if let Some(names) = Arc::get_mut(&mut self.names) {
            names[id.index()] = key;
        } else {
            let mut names = self.names.to_vec();
            names[id.index()] = key;
            self.names = names.into();
        }
    }

    /// Updates the name hashes of all instances. Must be called after births were copied from
    /// another world.
    pub(super) fn rename_instances(&mut self) {
        let scenario = Arc::clone(&self.scenario);
        for kind in scenario.kinds.iter().filter(|kind| kind.template) {
            for id in kind.ids() {
                let number = self.number(id);
                let key = instance_key(&kind.name, number);
                if number > 0 && self.names[id.index()] != key {
                    self.rename(id, key);
                }
            }
        }
    }
}

/// Returns the indices of a template's spawn rules: either those with a timer, or those with a
/// signal.
fn rules(scenario: &Scenario, template: usize, timed: bool) -> Vec<usize> {
    let rules = scenario.spawns.iter().enumerate();
    let same =
        rules.filter(|(_, rule)| rule.kind as usize == template && rule.clock().is_some() == timed);
    same.map(|(index, _)| index).collect()
}

/// Returns the [`name_hash`] of an instance's name, without allocating.
pub(crate) fn instance_key(template: &str, number: u32) -> u64 {
    let mut name = NameBuffer { bytes: [0; NAME_SIZE], len: 0 };
    // The buffer has room for every valid name.
    let _ = write!(name, "{template}.{number}");
    core::str::from_utf8(&name.bytes[..name.len]).map_or(0, name_hash)
}

/// Size of the longest name of an instance in bytes: a name, a dot and ten digits.
const NAME_SIZE: usize = MAX_NAME + 11;

struct NameBuffer {
    bytes: [u8; NAME_SIZE],
    len: usize,
}

impl Write for NameBuffer {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.len + text.len();
        self.bytes.get_mut(self.len..end).ok_or(fmt::Error)?.copy_from_slice(text.as_bytes());
        self.len = end;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_of_an_instance_is_the_hash_of_its_name() {
        let long = "x".repeat(MAX_NAME);
        for (template, number) in [("missile", 1), ("missile", 12), (&*long, u32::MAX)] {
            let name = format!("{template}.{number}");
            assert_eq!(instance_key(template, number), name_hash(&name), "{name}");
        }
    }
}
