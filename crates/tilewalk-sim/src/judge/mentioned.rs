//! The agents and groups that an expectation is about: which of them never existed, and why nothing
//! happened to them.

use crate::condition::{Agents, Subject};
use crate::event::EventKind;
use crate::id::AgentId;
use crate::report::explanation::why_it_stays;
use crate::scenario::Scenario;
use crate::scenario::expectation::{Expectation, Form};
use crate::step::blockers_of;
use crate::world::{Flags, World};

/// Largest number of agents and groups of one expectation that are observed.
const MOST: usize = 64;

/// The agents and groups that an expectation names, and what is known about them in a run.
#[derive(Debug, Clone)]
pub(super) struct Mentioned {
    agents: Vec<Agents>,
    /// A bit for each entry of `agents`: whether it was in the world in a frame of the window.
    existed: u64,
    /// The frame at which each agent last became stuck, by id. Empty for expectations whose failure
    /// needs no such reason.
    stuck_since: Vec<u64>,
}

impl Mentioned {
    pub fn new(scenario: &Scenario, expectation: &Expectation) -> Self {
        let mut agents = Vec::new();
        let mut visit = |found: Agents| {
            // Members of groups are part of their group.
            let is_named = !matches!(found, Agents::One(Subject::Me | Subject::Bound(_)));
            if is_named && agents.len() < MOST && !agents.contains(&found) {
                agents.push(found);
            }
        };
        for condition in expectation.form.conditions() {
            condition.test().visit_agents(&mut visit);
        }
        if let Some(value) = expectation.form.value() {
            value.visit_agents(&mut visit);
        }
        let count = if expectation.form.is_liveness() { scenario.starts.len() } else { 0 };
        Self { agents, existed: 0, stuck_since: vec![0; count] }
    }

    /// Notes a frame. `is_in_window` is true if the frame is judged.
    pub fn observe(&mut self, world: &World, is_in_window: bool) {
        if !self.stuck_since.is_empty() {
            let is_stuck = |event: &&crate::event::Event| matches!(event.kind, EventKind::Stuck);
            for event in world.events().iter().filter(is_stuck) {
                self.stuck_since[event.agent.index()] = world.frame().0;
            }
        }
        if is_in_window && !self.all_existed() {
            for (index, &agents) in self.agents.iter().enumerate() {
                let bit = 1 << index;
                if self.existed & bit == 0 && first_of(world, agents).is_some() {
                    self.existed |= bit;
                }
            }
        }
    }

    fn all_existed(&self) -> bool {
        self.existed.count_ones() as usize == self.agents.len()
    }

    /// Returns the names of the agents and groups that were never in the world in the window.
    pub fn absent(&self, scenario: &Scenario) -> Vec<String> {
        let agents = self.agents.iter().enumerate();
        let absent = agents.filter(|(index, _)| self.existed & 1 << index == 0);
        absent.map(|(_, &agents)| name(scenario, agents)).collect()
    }

    /// Returns the first agent in the world that the expectation names, or that is a member of a
    /// named group. Prefers stuck agents for expectations about something that must happen.
    pub fn agent(&self, world: &World) -> Option<AgentId> {
        let first = || self.agents.iter().find_map(|&agents| first_of(world, agents));
        let stuck = if self.stuck_since.is_empty() { None } else { self.stuck(world) };
        stuck.or_else(first)
    }

    /// Returns the first named agent, or member of a named group, that is stuck.
    fn stuck(&self, world: &World) -> Option<AgentId> {
        let is_stuck = |id: &AgentId| world.is_present(*id) && world.flags(*id).has(Flags::STUCK);
        self.agents.iter().find_map(|&agents| match agents {
            Agents::One(_) => first_of(world, agents).filter(is_stuck),
            Agents::Group(group) => {
                world.scenario().members(group).iter().copied().find(|id| is_stuck(id))
            }
        })
    }

    /// Returns the reason why nothing happened, such as `a is stuck since frame 111: waits for b, b
    /// for a`. Returns `None` if no agent of the expectation has come to rest.
    pub fn why_nothing(&self, form: &Form, world: &World) -> Option<String> {
        if !form.is_liveness() {
            return None;
        }
        let Some(id) = self.stuck(world) else {
            let first = first_of(world, *self.agents.first()?);
            let rests = [Flags::ARRIVED, Flags::FINISHED, Flags::QUARANTINED];
            let id = first.filter(|&id| rests.iter().any(|&flag| world.flags(id).has(flag)))?;
            return Some(format!("{} {}", world.name(id), why_it_stays(world, id)));
        };
        let since = match self.stuck_since[id.index()] {
            0 => String::new(),
            since => format!(" since frame {since}"),
        };
        let chain = blockers_of(world, id);
        let mut parts: Vec<String> = Vec::new();
        let mut waiting = id;
        for &holder in &chain {
            let name = world.name(holder);
            parts.push(if parts.is_empty() {
                format!(": waits for {name}")
            } else {
                format!(", {} for {name}", world.name(waiting))
            });
            waiting = holder;
        }
        let is_cycle =
            chain.last().is_some_and(|last| *last == id || chain[..chain.len() - 1].contains(last));
        match chain.last() {
            None => parts.push(format!(": {}", why_it_stays(world, id))),
            Some(&last) if !is_cycle => {
                parts.push(format!(", which {}", why_it_stays(world, last)));
            }
            Some(_) => {}
        }
        Some(format!("{} is stuck{since}{}", world.name(id), parts.concat()))
    }
}

/// Returns an agent in the world: the agent, or the first member of the group.
fn first_of(world: &World, agents: Agents) -> Option<AgentId> {
    match agents {
        Agents::One(Subject::Agent(id)) => Some(id).filter(|&id| world.is_present(id)),
        Agents::One(Subject::Instance(instance)) => world.instance(instance),
        Agents::One(Subject::Me | Subject::Bound(_)) => None,
        Agents::Group(group) => {
            world.scenario().members(group).iter().copied().find(|&id| world.is_present(id))
        }
    }
}

fn name(scenario: &Scenario, agents: Agents) -> String {
    match agents {
        Agents::One(Subject::Agent(id)) => scenario.name(id).to_string(),
        Agents::One(Subject::Instance(instance)) => scenario.instance_name(instance),
        Agents::One(Subject::Me | Subject::Bound(_)) => String::new(),
        Agents::Group(group) => scenario.group(group).name.clone(),
    }
}
