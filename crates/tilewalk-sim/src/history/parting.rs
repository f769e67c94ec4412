//! Finds where two runs diverge: the first frame with any difference, and the first one for each
//! agent.
//!
//! Both runs are replayed frame by frame in worlds of their own and compared bit by bit. The search
//! can be interrupted after each frame, so that the screen stays responsive.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::id::AgentId;
use crate::scenario::Scenario;
use crate::time::Frame;
use crate::world::World;

use super::History;
use super::diff::{self, Difference};
use super::run::{Run, RunId};

/// Two runs, and what is known of where they part.
#[derive(Debug, Clone)]
pub struct Parting {
    runs: [RunId; 2],
    /// The next frame to be compared.
    next: Frame,
    /// By name, the first difference of everyone who differs.
    agents: BTreeMap<String, Difference>,
    /// The name of the agent whose difference was found first.
    first: Option<String>,
    /// Is the search over for good?
    over: bool,
    way: Option<Box<Way>>,
}

/// Two worlds on their way, and who of them is to be compared.
#[derive(Debug, Clone)]
struct Way {
    worlds: [World; 2],
    /// The scenarios that `pairs` is about.
    scenarios: [Arc<Scenario>; 2],
    /// Who is in both and has not differed so far.
    pairs: Vec<(AgentId, AgentId)>,
}

impl Parting {
    /// Nothing is known yet of an old run and a new one but the last frame they share for certain.
    pub fn new(old: RunId, new: RunId, shared: Frame) -> Self {
        let (agents, first, way) = (BTreeMap::new(), None, None);
        Self { runs: [old, new], next: shared, agents, first, over: false, way }
    }

    /// The old run and the new one.
    pub fn runs(&self) -> [RunId; 2] {
        self.runs
    }

    /// The first difference, if one has been found.
    pub fn first(&self) -> Option<&Difference> {
        self.agents.get(self.first.as_deref()?)
    }

    /// The first difference of an agent, if one has been found.
    pub fn of(&self, agent: &str) -> Option<&Difference> {
        self.agents.get(agent)
    }

    /// How many frames have been compared, counted from frame 0.
    pub fn compared(&self) -> u64 {
        self.next.0
    }

    /// Has all been compared that there is of both runs?
    pub fn is_at_end(&self, history: &History) -> bool {
        let [old, new] = self.runs.map(|id| history.runs()[id.0 as usize].end());
        self.over || self.next > old.min(new)
    }

    /// Compares on up to the frame to which both runs have come, as long as there is time; says
    /// whether it is there.
    pub fn go_on(&mut self, history: &History, mut in_time: impl FnMut() -> bool) -> bool {
        let [old, new] = self.runs.map(|id| &history.runs()[id.0 as usize]);
        let last = old.end().min(new.end());
        while self.next <= last && !self.over {
            let next = self.next;
            let way = self.way.get_or_insert_with(|| Box::new(Way::to(next, old, new)));
            if !way.lead([old, new], next) {
                return false;
            }
            let found = way.compare();
            self.next = next.next();
            self.note(found);
            if !in_time() {
                break;
            }
        }
        self.over || self.next > last
    }

    fn note(&mut self, found: Vec<Difference>) {
        for difference in found {
            self.first.get_or_insert_with(|| difference.agent.clone());
            self.agents.entry(difference.agent.clone()).or_insert(difference);
        }
        // Those who have differed need not be looked at again; another scenario may bring others.
        let Some(way) = &self.way else { return };
        if way.pairs.is_empty() && !self.agents.is_empty() {
            self.over = true;
            self.way = None;
        }
    }
}

impl Way {
    fn to(frame: Frame, old: &Run, new: &Run) -> Self {
        let worlds = [old, new].map(|run| {
            let mut world = run.first();
            run.jump(&mut world, frame);
            world
        });
        let scenarios = [0, 1].map(|side: usize| Arc::clone(worlds[side].scenario()));
        let pairs = pairs(&scenarios);
        Self { worlds, scenarios, pairs }
    }

    /// Returns false if a step was cancelled.
    fn lead(&mut self, runs: [&Run; 2], frame: Frame) -> bool {
        for (world, run) in self.worlds.iter_mut().zip(runs) {
            while world.frame() < frame {
                if !run.repeat(world) {
                    return false;
                }
            }
        }
        let same = |(world, scenario): (&World, _)| Arc::ptr_eq(world.scenario(), scenario);
        if !self.worlds.iter().zip(&self.scenarios).all(same) {
            self.scenarios = [0, 1].map(|side: usize| Arc::clone(self.worlds[side].scenario()));
            self.pairs = pairs(&self.scenarios);
        }
        true
    }

    /// Those who differ in this frame, in the order of the old run's agents.
    fn compare(&mut self) -> Vec<Difference> {
        let [old, new] = &self.worlds;
        let mut found = Vec::new();
        self.pairs.retain(|&(one, other)| {
            let difference = diff::first_difference((old, one), (new, other));
            let same = difference.is_none();
            found.extend(difference);
            same
        });
        found
    }
}

/// Who is in both scenarios, by name.
fn pairs([old, new]: &[Arc<Scenario>; 2]) -> Vec<(AgentId, AgentId)> {
    let everybody = (0..old.starts.len() as u32).map(AgentId);
    everybody.filter_map(|id| Some((id, new.find(&old.name(id).to_string())?))).collect()
}
