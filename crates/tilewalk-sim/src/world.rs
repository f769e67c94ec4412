//! The state of one frame, built from a scenario, and queries about that state.
//!
//! A [`World`] is a structure of arrays. Each property is a column with one entry per agent, in
//! agent order. Only `step` changes a world. All other code only reads it. Another thread can
//! cancel a step (see [`World::set_cancel`]).

mod adopt;
mod agents;
pub(crate) mod bodies;
mod drive_state;
mod facts;
pub(crate) mod holds;
mod modes;
pub(crate) mod neighbours;
pub mod oscillation;
mod patterns;
pub(crate) mod population;
pub mod progress;
mod routes;
pub(crate) mod saved;
mod sight;
mod state;
mod traced;

use core::mem;
use std::sync::{Arc, OnceLock};

use crate::agent::{AgentKind, Mode};
use crate::cancel::Cancel;
use crate::event::{Event, EventKind, Removal, Term};
use crate::geom::Instructions;
use crate::id::AgentId;
use crate::locomotion::vehicle::Pushes;
use crate::map::route::RouteField;
use crate::rng::{RngKey, name_hash};
use crate::scenario::Scenario;
use crate::steering::Intent;
use crate::steering::orca::Planes;
use crate::time::Frame;
use crate::world::agents::Smoother;
use crate::world::bodies::{Bodies, Occupancy};
use crate::world::holds::Holds;
use crate::world::neighbours::Neighbours;
use crate::world::routes::{RouteCache, Routes};
use crate::world::state::Hasher;

pub use crate::world::agents::ManualControl;
pub use crate::world::drive_state::{ChaseLine, DriveState, Flags, RouteProgress, StepTimer};
pub use crate::world::facts::Look;
pub use crate::world::neighbours::gaps::NearestPair;
pub use crate::world::patterns::SavedPattern;
pub use crate::world::population::{Birth, Spawner};
pub use crate::world::sight::{Sight, ViewCheck};
pub(crate) use crate::world::state::State;

/// The route fields of one mode: one field for each pattern. A field is computed when first needed.
type Fields = Box<[OnceLock<RouteField>]>;

/// The state of a run at one frame, with the lookup data derived from that state.
#[derive(Debug)]
pub struct World {
    scenario: Arc<Scenario>,
    frame: Frame,
    pub(crate) state: State,
    pub(crate) events: Vec<Event>,
    /// Hash of each agent's name, used in RNG keys. Copies of a world share the hashes.
    pub(crate) names: Arc<[u64]>,
    /// The tiles occupied by solid agents. Rebuilt every frame, never saved.
    pub(crate) occupancy: Occupancy,
    /// The neighbour indexes. Rebuilt every frame, never saved.
    pub(crate) neighbours: Neighbours,
    /// The index of solid bodies. `None` if no solid body can push another. Rebuilt every frame,
    /// never saved.
    pub(crate) bodies: Option<Bodies>,
    /// The route fields to patterns, by kind and mode. They depend only on the scenario, so all
    /// copies of a world share them.
    route_fields: Arc<[Box<[Fields]>]>,
    /// The cached routes of agents that follow routes on tiles. Never saved.
    pub(crate) route_cache: RouteCache,
    /// Start of each kind's entries in the `per_kind` columns. Copies of a world share the layout.
    layout: Arc<Layout>,
    /// Mode changes, removals and spawns that conditions decided for the current step. Never saved.
    pub(crate) decisions: Decisions,
    /// The manually controlled agents of the current step, in agent order. Never saved.
    pub(crate) controls: Vec<(AgentId, ManualControl)>,
    /// Flow fields for steering. They depend only on the scenario, so all copies of a world share
    /// them.
    routes: Arc<Routes>,
    /// Steering outputs and intents of the current step. Never saved.
    pub(crate) thoughts: Thoughts,
    cancellation: Cancellation,
}

/// Steering outputs, intents and scratch data of a step, in agent order.
#[derive(Debug, Clone)]
pub(crate) struct Thoughts {
    /// The steering output of each agent.
    pub pushes: Pushes,
    /// The intent of each agent. Valid only for steered agents that have a destination.
    pub intents: Vec<Intent>,
    /// Agents whose steering failed in this step, each with the row and the term that was not finite.
    pub failed: Vec<(AgentId, Option<u32>, Term)>,
    /// Scratch space of `avoid_crowd`. `None` until its first use.
    pub planes: Option<Box<Planes>>,
    /// The graph of agents that hold each other. Rebuilt when it is needed.
    pub holds: Holds,
    /// The SIMD instructions of the steps. They change no result.
    pub instructions: Instructions,
}

/// The index of each kind's first entry in the `per_kind` columns. The layout also lists the kinds
/// whose conditions must be evaluated.
#[derive(Debug)]
struct Layout {
    /// For each kind, the index of its first entry in the column of births.
    births: Box<[usize]>,
    /// For each kind, the index of its first entry in the column of saved patterns.
    saved: Box<[usize]>,
    /// For each kind, the index of its first entry in the column of perceived targets.
    sights: Box<[usize]>,
    smoothers: Box<[Smoother]>,
    /// For each kind, the index of its first entry in the column of oscillation detectors. `None`
    /// if agents of this kind have no destination.
    oscillation: Box<[Option<usize>]>,
    /// The indices of the agent kinds that have transitions.
    ruled: Box<[usize]>,
    /// The indices of the kinds whose agents can be removed by conditions.
    leaving: Box<[usize]>,
}

impl Layout {
    fn new(scenario: &Scenario) -> Self {
        let oscillation = starts(scenario, |kind| usize::from(scenario.has_goal(kind)));
        let goals = scenario.kinds.iter().map(|kind| scenario.has_goal(kind));
        let having = |needs: fn(&AgentKind) -> bool| {
            (0..scenario.kinds.len()).filter(|&kind| needs(&scenario.kinds[kind])).collect()
        };
        Self {
            births: starts(scenario, |kind| usize::from(kind.template)),
            saved: starts(scenario, |kind| patterns::resuming(&kind.modes)),
            sights: starts(scenario, |kind| kind.watched.len()),
            smoothers: agents::smoothers(scenario).collect(),
            oscillation: oscillation
                .iter()
                .zip(goals)
                .map(|(&first, any)| any.then_some(first))
                .collect(),
            ruled: having(AgentKind::has_rules),
            leaving: having(AgentKind::can_leave),
        }
    }
}

/// Changes in the current step, decided by conditions on the previous frame.
#[derive(Debug, Default)]
pub(crate) struct Decisions {
    pub mode_changes: Vec<ModeChange>,
    /// The agents to remove, in agent order.
    pub removals: Vec<(AgentId, Removal)>,
    /// Indices of the spawn rules that are due, in the order of the scenario's list.
    pub spawns: Vec<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ModeChange {
    pub agent: AgentId,
    /// Index of the transition in the old mode's list of transitions. `None` if a trace changes
    /// the mode.
    pub rule: Option<u16>,
    /// Index of the new mode in the kind's list of modes.
    pub to: u16,
}

impl Clone for World {
    fn clone(&self) -> Self {
        Self {
            scenario: Arc::clone(&self.scenario),
            frame: self.frame,
            state: self.state.clone(),
            events: self.events.clone(),
            names: Arc::clone(&self.names),
            occupancy: self.occupancy.clone(),
            neighbours: self.neighbours.clone(),
            bodies: self.bodies.as_ref().map(Bodies::fresh),
            route_fields: Arc::clone(&self.route_fields),
            route_cache: self.route_cache.clone(),
            layout: Arc::clone(&self.layout),
            decisions: Decisions::default(),
            controls: Vec::new(),
            routes: Arc::clone(&self.routes),
            thoughts: self.thoughts.clone(),
            cancellation: self.cancellation.clone(),
        }
    }

    /// Copies the state of `other` into existing allocations. Keeps the cancel flag of this world.
    fn clone_from(&mut self, other: &Self) {
        if !Arc::ptr_eq(&self.scenario, &other.scenario) {
            self.neighbours = other.neighbours.clone();
            self.bodies = other.bodies.as_ref().map(Bodies::fresh);
        }
        self.neighbours.gaps.forget();
        self.scenario.clone_from(&other.scenario);
        self.frame = other.frame;
        self.state.clone_from(&other.state);
        self.events.clone_from(&other.events);
        self.names.clone_from(&other.names);
        self.occupancy.clone_from(&other.occupancy);
        self.route_fields.clone_from(&other.route_fields);
        self.route_cache.clone_from(&other.route_cache);
        self.layout.clone_from(&other.layout);
        self.routes.clone_from(&other.routes);
        self.thoughts.pushes.clone_from(&other.thoughts.pushes);
        self.thoughts.intents.clone_from(&other.thoughts.intents);
    }
}

impl World {
    /// Creates the world at frame 0 of a scenario, without events.
    pub fn new(scenario: Arc<Scenario>) -> Self {
        let ids = (0..scenario.starts.len() as u32).map(AgentId);
        let names = ids.clone().map(|id| name_hash(&scenario.name(id).to_string())).collect();
        let mut world = Self {
            frame: Frame(0),
            state: State::at_start(&scenario),
            events: Vec::new(),
            names,
            occupancy: Occupancy::new(&scenario),
            neighbours: Neighbours::new(&scenario),
            bodies: Bodies::new(&scenario),
            route_fields: scenario.kinds.iter().map(no_fields).collect(),
            route_cache: RouteCache::new(&scenario),
            layout: Arc::new(Layout::new(&scenario)),
            decisions: Decisions::default(),
            controls: Vec::new(),
            routes: Arc::new(Routes::new(&scenario)),
            thoughts: Thoughts {
                pushes: Pushes::none(scenario.starts.len()),
                intents: vec![Intent::default(); scenario.starts.len()],
                failed: Vec::new(),
                planes: None,
                holds: Holds::default(),
                instructions: Instructions::best(),
            },
            cancellation: Cancellation::default(),
            scenario,
        };
        for id in world.ids().collect::<Vec<_>>() {
            let mode = world.scenario.taken_over(id).unwrap_or(0);
            world.begin_mode(id, mode);
        }
        for id in world.all_ids() {
            world.begin_trace(id);
        }
        world.remember_headings();
        for id in world.ids().collect::<Vec<_>>() {
            world.look_around(id);
        }
        // Looking around reports sightings, but frame 0 has no events.
        world.events.clear();
        world
    }

    /// Returns the current scenario. The scenario changes when the world switches to another
    /// scenario.
    pub fn scenario(&self) -> &Arc<Scenario> {
        &self.scenario
    }

    /// Iterates over the agent kinds that have transitions.
    pub(crate) fn ruled_kinds(&self) -> impl Iterator<Item = &AgentKind> {
        self.layout.ruled.iter().map(|&kind| &self.scenario.kinds[kind])
    }

    /// Iterates over the kinds whose agents can be removed by conditions.
    pub(crate) fn leaving_kinds(&self) -> impl Iterator<Item = &AgentKind> {
        self.layout.leaving.iter().map(|&kind| &self.scenario.kinds[kind])
    }

    /// Returns true if removal conditions or spawn rules can change which agents are in the world.
    pub(crate) fn can_change_population(&self) -> bool {
        !self.layout.leaving.is_empty() || !self.scenario.spawns.is_empty()
    }

    /// Returns the number of the current frame, from 0.
    pub fn frame(&self) -> Frame {
        self.frame
    }

    /// Returns the simulated time since frame 0, in seconds.
    pub fn time(&self) -> f32 {
        self.scenario.seconds(self.frame)
    }

    /// Returns the number of agent ids, including the ids of absent agents.
    pub fn len(&self) -> usize {
        self.state.x.len()
    }

    /// Returns true if the scenario has no agents and no templates.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Iterates over the agents in the world, in agent order. Skips absent agents.
    pub fn ids(&self) -> impl Iterator<Item = AgentId> + '_ {
        self.all_ids().filter(|&id| self.is_present(id))
    }

    /// Iterates over all agent ids, including the ids of absent agents.
    pub(crate) fn all_ids(&self) -> impl ExactSizeIterator<Item = AgentId> + use<> {
        (0..self.len() as u32).map(AgentId)
    }

    /// Returns the events of the step that led to the current frame, in the order they happened.
    /// Frame 0 has no events.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Returns the key of an agent's random numbers in a mode at the current frame. During a step,
    /// the current frame is the new frame.
    #[inline]
    pub(crate) fn rng_key(&self, id: AgentId, mode: &Mode) -> RngKey {
        RngKey {
            seed: self.scenario.seed,
            frame: self.frame.0,
            agent: self.names[id.index()],
            mode: mode.key,
            behaviour: 0,
        }
    }

    /// Returns a hash of all saved state. Equal worlds have equal hashes on every machine.
    ///
    /// The hash covers the frame number first. Then it covers the name and the entries of the
    /// `per_agent` columns of each agent in the world. The entries of all other columns come last.
    pub fn hash(&self) -> u64 {
        let mut hasher = Hasher::new();
        hasher.u64(self.frame.0);
        for (index, &name) in self.names.iter().enumerate() {
            if self.state.present[index].0 {
                hasher.u64(name);
                self.state.hash_agent(index, &mut hasher);
            }
        }
        self.state.hash_lists(&mut hasher);
        hasher.finish()
    }

    /// Increments the frame number, and clears the events and the cached gaps.
    pub(crate) fn begin_frame(&mut self) {
        self.frame = self.frame.next();
        self.events.clear();
        self.neighbours.gaps.forget();
    }

    pub(crate) fn report(&mut self, agent: AgentId, kind: EventKind) {
        let tally = &mut self.state.event_counts[agent.index()];
        tally.bumps += u32::from(matches!(kind, EventKind::Bump(_)));
        tally.blocked += u32::from(matches!(kind, EventKind::Blocked(_)));
        tally.stuck += u32::from(matches!(kind, EventKind::Stuck));
        tally.circling += u32::from(matches!(kind, EventKind::Circling));
        tally.oscillating += u32::from(matches!(kind, EventKind::Oscillating { .. }));
        tally.deadlocked += u32::from(matches!(kind, EventKind::Deadlocked(_)));
        let (number, mode) = (self.number(agent), self.state.mode[agent.index()]);
        self.events.push(Event { frame: self.frame, agent, number, mode, kind });
    }
}

/// Returns the index of each kind's first entry in a column. `each` returns the number of entries
/// per agent of a kind.
fn starts(scenario: &Scenario, each: impl Fn(&AgentKind) -> usize) -> Box<[usize]> {
    let begin = |next: &mut usize, kind: &AgentKind| {
        let first = *next;
        *next += each(kind) * kind.count as usize;
        Some(first)
    };
    scenario.kinds.iter().scan(0, begin).collect()
}

fn no_fields(kind: &AgentKind) -> Box<[Fields]> {
    let none = |mode: &Mode| mode.drive.patterns().map(|_| OnceLock::new()).collect();
    kind.modes.iter().map(none).collect()
}

/// The flag that cancels a step, and the frame to restore after a cancelled step. Never saved.
#[derive(Debug, Default)]
pub(super) struct Cancellation {
    pub flag: Cancel,
    undo: Option<Undo>,
}

#[derive(Debug)]
struct Undo {
    scenario: Arc<Scenario>,
    frame: Frame,
    state: State,
    events: Vec<Event>,
}

impl Clone for Cancellation {
    fn clone(&self) -> Self {
        Self { flag: self.flag.clone(), undo: None }
    }
}

impl World {
    /// Sets the flag by which another thread can cancel the steps of this world and of its clones.
    /// A cancelled step leaves the world unchanged. By default, steps cannot be cancelled.
    pub fn set_cancel(&mut self, cancel: Cancel) {
        self.route_cache.set_cancel(cancel.clone());
        self.cancellation.flag = cancel;
    }

    /// Sets the SIMD instructions of the steps, which change no result. By default, the best instructions
    /// of the CPU are used.
    pub fn use_instructions(&mut self, instructions: Instructions) {
        self.thoughts.instructions = instructions;
    }

    /// Returns the flag by which another thread can cancel a step.
    pub(crate) fn cancel(&self) -> &Cancel {
        &self.cancellation.flag
    }

    /// Takes over the cancel flag and the undo data from `replaced`, the world that this world
    /// replaces.
    pub(crate) fn take_cancel(&mut self, replaced: &mut Self) {
        self.cancellation = mem::take(&mut replaced.cancellation);
        self.route_cache.set_cancel(self.cancellation.flag.clone());
    }

    /// Saves the current frame for [`World::undo_step`]. Does nothing if no other thread can cancel
    /// the step.
    pub(crate) fn prepare_undo(&mut self) {
        if !self.cancellation.flag.is_armed() {
            return;
        }
        if let Some(undo) = &mut self.cancellation.undo {
            undo.scenario.clone_from(&self.scenario);
            undo.frame = self.frame;
            undo.state.clone_from(&self.state);
            undo.events.clone_from(&self.events);
        } else {
            self.cancellation.undo = Some(Undo {
                scenario: Arc::clone(&self.scenario),
                frame: self.frame,
                state: self.state.clone(),
                events: self.events.clone(),
            });
        }
    }

    /// Restores the frame that [`World::prepare_undo`] saved. Does nothing if no frame was saved.
    pub(crate) fn undo_step(&mut self) {
        if let Some(undo) = self.cancellation.undo.take() {
            self.restore(&undo.scenario, undo.frame, &undo.state, &undo.events);
            self.cancellation.undo = Some(undo);
        }
    }
}
