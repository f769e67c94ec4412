//! Finds where two runs diverge: the first frame with any difference, and the first difference of
//! each agent.
//!
//! Both runs are replayed frame by frame in separate worlds and compared bit by bit. The search can
//! be interrupted after each frame, so that the screen stays responsive.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::id::AgentId;
use crate::scenario::Scenario;
use crate::time::Frame;
use crate::world::World;

use super::History;
use super::diff::{self, Difference};
use super::run::{Run, RunId};

/// A search for the frame at which two runs diverge.
#[derive(Debug, Clone)]
pub struct RunDivergence {
    runs: [RunId; 2],
    /// Number of the next frame to compare.
    next: Frame,
    /// The first difference found for each agent, by the agent's name.
    agents: BTreeMap<String, Difference>,
    /// Name of the agent with the earliest difference.
    first: Option<String>,
    /// Whether the result is final. New frames of the runs then change nothing.
    complete: bool,
    replay: Option<Box<Replay>>,
}

/// The replayed worlds of both runs, and the agents to compare.
#[derive(Debug, Clone)]
struct Replay {
    worlds: [World; 2],
    scenarios: [Arc<Scenario>; 2],
    /// Pairs of agents with the same name that have not differed yet. Does not contain instances of
    /// templates, because an instance can have different ids in both runs.
    pairs: Vec<(AgentId, AgentId)>,
    /// Pairs of templates with the same name, as indices of agent kinds.
    templates: Vec<(usize, usize)>,
    /// Instances that have differed: the index of the template in the old run, and the number.
    differed: BTreeSet<(usize, u32)>,
}

impl RunDivergence {
    /// Starts a comparison of an old and a new run. `shared` is the last frame that both runs have
    /// in common.
    pub fn new(old: RunId, new: RunId, shared: Frame) -> Self {
        let (agents, first, replay) = (BTreeMap::new(), None, None);
        Self { runs: [old, new], next: shared, agents, first, complete: false, replay }
    }

    /// Returns the ids of the compared runs: the old one, then the new one.
    pub fn runs(&self) -> [RunId; 2] {
        self.runs
    }

    /// Returns the earliest difference found so far. Returns `None` if no difference was found.
    pub fn first(&self) -> Option<&Difference> {
        self.agents.get(self.first.as_deref()?)
    }

    /// Returns the first difference of the agent with this name. Returns `None` if no difference
    /// was found so far.
    pub fn of(&self, agent: &str) -> Option<&Difference> {
        self.agents.get(agent)
    }

    /// Returns the number of compared frames, including the frames that both runs share.
    pub fn compared(&self) -> u64 {
        self.next.0
    }

    /// Returns true if the comparison is complete. All common frames are then compared, or all
    /// shared agents have differed and the scenarios share no template.
    pub fn is_at_end(&self, history: &History) -> bool {
        let [old, new] = self.runs.map(|id| history.runs()[id].end());
        self.complete || self.next > old.min(new)
    }

    /// Continues the comparison while `in_time` returns true. Returns true if the comparison is
    /// complete (see [`RunDivergence::is_at_end`]). Returns false if a step was cancelled.
    pub fn resume(&mut self, history: &History, mut in_time: impl FnMut() -> bool) -> bool {
        let [old, new] = self.runs.map(|id| &history.runs()[id]);
        let last = old.end().min(new.end());
        while self.next <= last && !self.complete {
            let next = self.next;
            let replay = self.replay.get_or_insert_with(|| Box::new(Replay::to(next, old, new)));
            if !replay.advance_to([old, new], next) {
                return false;
            }
            let found = replay.compare();
            self.next = next.next();
            self.note(found);
            if !in_time() {
                break;
            }
        }
        self.complete || self.next > last
    }

    /// Frees the memory of the comparison. [`RunDivergence::resume`] continues it later.
    pub fn pause(&mut self) {
        self.replay = None;
    }

    fn note(&mut self, found: Vec<Difference>) {
        for difference in found {
            self.first.get_or_insert_with(|| difference.agent.clone());
            self.agents.entry(difference.agent.clone()).or_insert(difference);
        }
        // Without pairs, all shared agents have differed, and nothing is left to compare. Templates
        // can still add instances. If no agent has differed, a new scenario can add shared agents.
        let Some(replay) = &self.replay else { return };
        if replay.pairs.is_empty() && replay.templates.is_empty() && !self.agents.is_empty() {
            self.complete = true;
            self.replay = None;
        }
    }
}

impl Replay {
    fn to(frame: Frame, old: &Run, new: &Run) -> Self {
        let worlds = [old, new].map(|run| {
            let mut world = run.first();
            run.restore_near(&mut world, frame);
            world
        });
        let scenarios = [0, 1].map(|side: usize| Arc::clone(worlds[side].scenario()));
        let (pairs, templates) = (pairs(&scenarios), templates(&scenarios));
        Self { worlds, scenarios, pairs, templates, differed: BTreeSet::new() }
    }

    /// Advances the worlds of both runs to a frame. Returns false if a step was cancelled.
    fn advance_to(&mut self, runs: [&Run; 2], frame: Frame) -> bool {
        if !advance_both(&mut self.worlds, runs, frame) {
            return false;
        }
        let same = |(world, scenario): (&World, _)| Arc::ptr_eq(world.scenario(), scenario);
        if !self.worlds.iter().zip(&self.scenarios).all(same) {
            self.scenarios = [0, 1].map(|side: usize| Arc::clone(self.worlds[side].scenario()));
            self.pairs = pairs(&self.scenarios);
            self.templates = templates(&self.scenarios);
            self.differed.clear();
        }
        true
    }

    /// Returns the first difference of each agent that differs for the first time. The order is
    /// that of the agents in the old run. Instances of templates come last.
    fn compare(&mut self) -> Vec<Difference> {
        let [old, new] = &self.worlds;
        let mut found = Vec::new();
        self.pairs.retain(|&(one, other)| {
            let difference = diff::first_difference((old, one), (new, other));
            let same = difference.is_none();
            found.extend(difference);
            same
        });
        for &(one, other) in &self.templates {
            let (old_ids, new_ids) = (instances(old, one), instances(new, other));
            let numbers: BTreeSet<u32> = old_ids.keys().chain(new_ids.keys()).copied().collect();
            for number in numbers {
                if self.differed.contains(&(one, number)) {
                    continue;
                }
                let difference = match (old_ids.get(&number), new_ids.get(&number)) {
                    (Some(&one), Some(&other)) => diff::first_difference((old, one), (new, other)),
                    (Some(&id), None) => Some(diff::presence_difference(old, id, [true, false])),
                    (None, Some(&id)) => Some(diff::presence_difference(new, id, [false, true])),
                    (None, None) => None,
                };
                if let Some(difference) = difference {
                    self.differed.insert((one, number));
                    found.push(difference);
                }
            }
        }
        found
    }
}

/// Advances the worlds of two runs to a frame without storing anything. Returns false if a step was
/// cancelled.
pub(super) fn advance_both(worlds: &mut [World; 2], runs: [&Run; 2], frame: Frame) -> bool {
    worlds.iter_mut().zip(runs).all(|(world, run)| {
        while world.frame() < frame {
            if !run.repeat(world) {
                return false;
            }
        }
        true
    })
}

/// Returns the pairs of agents with the same name in both scenarios, without instances of
/// templates.
fn pairs([old, new]: &[Arc<Scenario>; 2]) -> Vec<(AgentId, AgentId)> {
    let everybody = (0..old.starts.len() as u32).map(AgentId);
    let single = everybody.filter(|&id| !old.kind(id).template);
    single.filter_map(|id| Some((id, old.counterpart(id, new)?))).collect()
}

/// Returns the pairs of templates with the same name in both scenarios, as indices of agent kinds.
fn templates([old, new]: &[Arc<Scenario>; 2]) -> Vec<(usize, usize)> {
    let templates = old.kinds.iter().enumerate().filter(|(_, kind)| kind.template);
    templates.filter_map(|(index, kind)| Some((index, new.template(&kind.name)?))).collect()
}

/// Returns the instances of a template that are in the world, by number.
fn instances(world: &World, template: usize) -> BTreeMap<u32, AgentId> {
    let ids = world.scenario().kinds[template].ids();
    ids.filter(|&id| world.is_present(id)).map(|id| (world.number(id), id)).collect()
}
