//! The state of one frame, built from a scenario, and what can be asked of it.
//!
//! A [`World`] is a structure of arrays: one column per property, one entry per agent, in agent
//! order. Only `step` changes it. Everything else, here and above, looks.

mod adopt;
mod agents;
mod ahead;
pub(crate) mod bodies;
mod columns;
pub mod drive_state;
pub mod facts;
pub mod flags;
mod flows;
pub mod hash;
mod held;
pub mod left;
mod modes;
pub mod neighbours;
pub mod occupancy;
mod patterns;
pub mod quarry;
pub mod sight;
mod smoothing;
pub mod state;
mod surroundings;
pub mod watch;
pub mod ways;

use std::sync::{Arc, OnceLock};

use crate::agent::{AgentKind, Mode};
use crate::cancel::Cancel;
use crate::event::{Event, EventKind};
use crate::id::AgentId;
use crate::locomotion::vehicle::Push;
use crate::map::route::RouteField;
use crate::rng::{Dice, name_hash};
use crate::scenario::Scenario;
use crate::time::Frame;

use bodies::Bodies;
pub use drive_state::{DriveState, Walk};
pub use facts::Look;
pub use flags::Flags;
use flows::Flows;
pub use held::Held;
use neighbours::Neighbours;
use occupancy::Occupancy;
pub use sight::Sight;
use smoothing::Smoother;
use state::State;
use ways::Ways;

/// The ways to the patterns of a mode, as far as they have been asked for.
type Fields = Box<[OnceLock<RouteField>]>;

/// One frame of a run.
#[derive(Debug)]
pub struct World {
    scenario: Arc<Scenario>,
    frame: Frame,
    pub(crate) state: State,
    pub(crate) events: Vec<Event>,
    /// Hash of each agent's name: part of the keys of its dice. Shared, as it never changes.
    pub(crate) names: Arc<[u64]>,
    /// Which tiles solid agents hold; made anew every frame, never saved.
    pub(crate) occupancy: Occupancy,
    /// Who is near whom; made anew every frame, never saved.
    pub(crate) neighbours: Neighbours,
    /// Solid bodies that may overlap, if there can be any; made anew every frame, never saved.
    pub(crate) bodies: Option<Bodies>,
    /// The ways to the patterns of each kind's modes, each made when it is first asked for. They
    /// follow from the scenario alone, so all copies of a world share them.
    routes: Arc<[Box<[Fields]>]>,
    /// The ways of travellers; never saved.
    pub(crate) ways: Ways,
    /// Where the entries of each kind begin among what is kept of patterns that were left.
    left_firsts: Arc<[usize]>,
    /// Where the sights of each kind's first agent begin; shared, as it never changes.
    first_sights: Arc<[usize]>,
    /// Who changes the mode in the frame that is being made; never saved.
    pub(crate) switches: Vec<Switch>,
    /// Who is driven by hand in the frame that is being made, in agent order; never saved.
    pub(crate) held: Vec<(AgentId, Held)>,
    /// Who smooths, and where their last headings are. Shared, as it never changes.
    smoothers: Arc<[Smoother]>,
    /// The ways to the tiles that somebody flows to, made when they are asked for. They follow from
    /// the map alone, so all copies of a world share them.
    flows: Arc<Flows>,
    /// What steering makes of vehicles in the frame that is being made; never saved.
    pub(crate) pushes: Vec<Push>,
    /// Stops a step; never saved. See [`World::set_cancel`].
    cancel: Cancel,
    /// The frame to return to if the step is cancelled; never saved.
    undo: Option<Undo>,
}

/// What a cancelled step restores.
#[derive(Debug)]
struct Undo {
    scenario: Arc<Scenario>,
    frame: Frame,
    state: State,
}

/// A change of mode that was decided on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Switch {
    /// Whose.
    pub agent: AgentId,
    /// The rule that holds, by its index.
    pub rule: u16,
    /// The mode it leads to.
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
            routes: Arc::clone(&self.routes),
            ways: self.ways.clone(),
            left_firsts: Arc::clone(&self.left_firsts),
            first_sights: Arc::clone(&self.first_sights),
            switches: Vec::new(),
            held: Vec::new(),
            smoothers: Arc::clone(&self.smoothers),
            flows: Arc::clone(&self.flows),
            pushes: self.pushes.clone(),
            cancel: self.cancel.clone(),
            undo: None,
        }
    }

    /// Reuses what this world has allocated.
    fn clone_from(&mut self, other: &Self) {
        if !Arc::ptr_eq(&self.scenario, &other.scenario) {
            self.neighbours = other.neighbours.clone();
            self.bodies = other.bodies.as_ref().map(Bodies::fresh);
        }
        self.scenario.clone_from(&other.scenario);
        self.frame = other.frame;
        self.state.clone_from(&other.state);
        self.events.clone_from(&other.events);
        self.names.clone_from(&other.names);
        self.occupancy.clone_from(&other.occupancy);
        self.routes.clone_from(&other.routes);
        self.ways.clone_from(&other.ways);
        self.left_firsts.clone_from(&other.left_firsts);
        self.first_sights.clone_from(&other.first_sights);
        self.smoothers.clone_from(&other.smoothers);
        self.flows.clone_from(&other.flows);
        self.pushes.clone_from(&other.pushes);
    }
}

impl World {
    /// Frame 0 of a scenario.
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
            routes: scenario.kinds.iter().map(no_routes).collect(),
            ways: Ways::new(&scenario),
            left_firsts: firsts(&scenario, |kind| left::resuming(&kind.modes)),
            first_sights: firsts(&scenario, |kind| kind.watched.len()),
            switches: Vec::new(),
            held: Vec::new(),
            smoothers: smoothing::smoothers(&scenario).collect(),
            flows: Arc::new(Flows::new(&scenario.map)),
            pushes: vec![Push::default(); scenario.starts.len()],
            cancel: Cancel::default(),
            undo: None,
            scenario,
        };
        for id in ids.clone() {
            world.begin_mode(id, 0);
        }
        world.remember_headings();
        for id in ids {
            world.look_around(id);
        }
        // Frame 0 has no events.
        world.events.clear();
        world
    }

    /// What it was built from.
    pub fn scenario(&self) -> &Arc<Scenario> {
        &self.scenario
    }

    /// The number of the frame.
    pub fn frame(&self) -> Frame {
        self.frame
    }

    /// Seconds since frame 0.
    pub fn time(&self) -> f32 {
        self.scenario.seconds(self.frame)
    }

    /// How many agents there are.
    pub fn len(&self) -> usize {
        self.state.x.len()
    }

    /// Are there no agents?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All agents, in agent order.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = AgentId> + use<> {
        (0..self.len() as u32).map(AgentId)
    }

    /// What happened on the way to this frame, in the order it happened.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The dice of an agent in this frame, in a mode of its kind; while a frame is made, of that one.
    #[inline]
    pub(crate) fn dice(&self, id: AgentId, mode: &Mode) -> Dice {
        Dice {
            seed: self.scenario.seed,
            frame: self.frame.0,
            agent: self.names[id.index()],
            mode: mode.key,
            behaviour: 0,
        }
    }

    /// Lets another thread cancel the steps of this world and of its clones. A cancelled step leaves the
    /// world as it was. By default, steps cannot be cancelled.
    pub fn set_cancel(&mut self, cancel: Cancel) {
        self.ways.set_cancel(cancel.clone());
        self.cancel = cancel;
    }

    /// Takes over the cancel flag of another world, and its memory for undoing a step.
    pub(crate) fn take_cancel(&mut self, other: &mut Self) {
        self.set_cancel(core::mem::take(&mut other.cancel));
        self.undo = other.undo.take();
    }

    /// The flag that cancels steps of this world.
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Remembers the current frame, if the next step can be cancelled.
    pub(crate) fn prepare_undo(&mut self) {
        if !self.cancel.is_armed() {
            return;
        }
        match &mut self.undo {
            Some(undo) => {
                undo.scenario.clone_from(&self.scenario);
                undo.frame = self.frame;
                undo.state.clone_from(&self.state);
            }
            None => {
                let (scenario, state) = (Arc::clone(&self.scenario), self.state.clone());
                self.undo = Some(Undo { scenario, frame: self.frame, state });
            }
        }
    }

    /// Returns to the frame before the current step.
    pub(crate) fn undo_step(&mut self) {
        if let Some(undo) = self.undo.take() {
            self.restore(&undo.scenario, undo.frame, &undo.state);
            self.undo = Some(undo);
        }
    }

    /// A hash of every saved number of the frame; equal worlds have equal hashes on any machine.
    pub fn hash(&self) -> u64 {
        hash::of(self.frame, &self.names, &self.state)
    }

    /// Begins the next frame: its number, and no events yet.
    pub(crate) fn begin_frame(&mut self) {
        self.frame = self.frame.next();
        self.events.clear();
    }

    pub(crate) fn report(&mut self, agent: AgentId, kind: EventKind) {
        let tally = &mut self.state.tallies[agent.index()];
        match kind {
            EventKind::Bump(_) => tally.bumps += 1,
            EventKind::Blocked(_) => tally.blocked += 1,
            EventKind::Stuck => tally.stuck += 1,
            EventKind::Circling => tally.circling += 1,
            _ => {}
        }
        self.events.push(Event { frame: self.frame, agent, kind });
    }
}

/// Where each kind's entries begin in a column that has so many for every agent of a kind.
fn firsts(scenario: &Scenario, each: impl Fn(&AgentKind) -> usize) -> Arc<[usize]> {
    let begin = |next: &mut usize, kind: &AgentKind| {
        let first = *next;
        *next += each(kind) * kind.count as usize;
        Some(first)
    };
    scenario.kinds.iter().scan(0, begin).collect()
}

fn no_routes(kind: &AgentKind) -> Box<[Fields]> {
    let none = |mode: &Mode| mode.drive.patterns().map(|_| OnceLock::new()).collect();
    kind.modes.iter().map(none).collect()
}
