//! The graph of agents that hold each other: its agents, its edges and its cycles.
//!
//! The graph contains only agents that hold a *suspect*, directly or indirectly. `step::holds`
//! decides which agents are suspects, and what the graph means.

use core::mem;
use core::ops::Range;

use crate::geom::TilePos;
use crate::id::AgentId;
use crate::steering::Intent;

/// The agents that hold each other in one frame. Keeps its allocations from frame to frame.
#[derive(Debug, Clone, Default)]
pub struct Holds {
    /// Pairs of an agent and an agent that holds it.
    pairs: Vec<[AgentId; 2]>,
    /// The agents that hold each agent.
    holders: Adjacency,
    /// The agents that each agent holds.
    held: Adjacency,
    /// The suspects and the agents that hold them, directly or indirectly; sorted.
    pub involved: Vec<AgentId>,
    /// The data of each agent, by id.
    agents: Vec<HeldAgent>,
    queue: Vec<AgentId>,
    /// All agents by tile; empty until [`Holds::sort_by_tile`].
    by_tile: Vec<(TilePos, AgentId)>,
    /// Agents of the depth-first search, and the indices of their holders that are still to visit.
    calls: Vec<(AgentId, Range<usize>)>,
    open: Vec<AgentId>,
}

/// The data of an agent in the graph.
#[expect(clippy::struct_excessive_bools, reason = "independent marks of several searches")]
#[derive(Debug, Clone, Copy, Default)]
pub struct HeldAgent {
    is_involved: bool,
    /// Whether the agent has made no headway for long enough to be stuck.
    pub is_suspect: bool,
    /// The goal of the agent's motion.
    pub intent: Intent,
    /// Whether the agent moves on, or waits for an agent that moves on.
    pub waits: bool,
    /// Whether the agent is at its place, or has gathered around it.
    pub gathered: bool,
    /// An agent that stands for the agent's strongly connected component. `None` if the component
    /// consists of one agent.
    pub component: Option<AgentId>,
    /// Whether the next agent of the cycle is known.
    pub is_in_cycle: bool,
    /// The previous agent in a search for a cycle.
    before: Option<AgentId>,
    /// Number in the order of the depth-first search, from 1. 0 if the agent is not visited yet.
    order: u32,
    /// Smallest number of an agent that the search can return to from this agent.
    low: u32,
    is_open: bool,
}

/// The neighbours of each agent in a directed graph.
#[derive(Debug, Clone, Default)]
struct Adjacency {
    /// For each agent, the index of its first neighbour in `neighbours`; then the number of all
    /// neighbours.
    starts: Vec<u32>,
    neighbours: Vec<AgentId>,
}

impl Adjacency {
    /// Sets the neighbours of `count` agents. `ends` returns an agent and its neighbour for each
    /// pair. Keeps the order of the pairs.
    fn set(
        &mut self,
        count: usize,
        pairs: &[[AgentId; 2]],
        ends: impl Fn([AgentId; 2]) -> [AgentId; 2],
    ) {
        let Self { starts, neighbours } = self;
        // A counting sort. While neighbours are added, an entry is the next index of the agent
        // before it.
        starts.clear();
        starts.resize(count + 2, 0);
        for &pair in pairs {
            starts[ends(pair)[0].index() + 2] += 1;
        }
        for index in 2..starts.len() {
            starts[index] += starts[index - 1];
        }
        neighbours.clear();
        neighbours.resize(pairs.len(), AgentId(0));
        for &pair in pairs {
            let [agent, neighbour] = ends(pair);
            let next = &mut starts[agent.index() + 1];
            neighbours[*next as usize] = neighbour;
            *next += 1;
        }
    }

    fn range(&self, id: AgentId) -> Range<usize> {
        self.starts[id.index()] as usize..self.starts[id.index() + 1] as usize
    }

    fn of(&self, id: AgentId) -> &[AgentId] {
        &self.neighbours[self.range(id)]
    }
}

impl Holds {
    /// Empties the graph. `count` is the number of agent ids.
    pub fn clear(&mut self, count: usize) {
        self.pairs.clear();
        self.involved.clear();
        self.agents.clear();
        self.agents.resize(count, HeldAgent::default());
    }

    /// Adds an agent and an agent that holds it.
    pub fn add(&mut self, held: AgentId, holder: AgentId) {
        self.pairs.push([held, holder]);
    }

    /// Sets the tiles of all agents.
    pub fn sort_by_tile(&mut self, agents: impl Iterator<Item = (TilePos, AgentId)>) {
        self.by_tile.clear();
        self.by_tile.extend(agents);
        self.by_tile.sort_unstable();
    }

    /// Adds an agent and all other agents on a tile, which hold it.
    pub fn add_on_tile(&mut self, held: AgentId, tile: TilePos) {
        self.add_touching(held, tile, |_| true);
    }

    /// Adds an agent and the other agents on a tile that hold it.
    pub fn add_touching(&mut self, held: AgentId, tile: TilePos, holds: impl Fn(AgentId) -> bool) {
        let first = self.by_tile.partition_point(|&(other, _)| other < tile);
        let on_tile = self.by_tile[first..].iter().take_while(|&&(other, _)| other == tile);
        let holders = on_tile.map(|&(_, id)| id).filter(|&id| id != held && holds(id));
        self.pairs.extend(holders.map(|holder| [held, holder]));
    }

    /// Adds a suspect.
    pub fn add_suspect(&mut self, id: AgentId) {
        self.agents[id.index()] =
            HeldAgent { is_involved: true, is_suspect: true, ..HeldAgent::default() };
        self.involved.push(id);
    }

    /// Returns true if the graph has no suspects.
    pub fn is_empty(&self) -> bool {
        self.involved.is_empty()
    }

    /// Finds all agents that hold the suspects. All suspects and edges must have been added.
    pub fn find_involved(&mut self) {
        let Self { pairs, holders, held, involved, agents, .. } = self;
        holders.set(agents.len(), pairs, |[held, holder]| [held, holder]);
        held.set(agents.len(), pairs, |[held, holder]| [holder, held]);
        let mut next = 0;
        while let Some(&id) = involved.get(next) {
            next += 1;
            for &holder in holders.of(id) {
                if !mem::replace(&mut agents[holder.index()].is_involved, true) {
                    involved.push(holder);
                }
            }
        }
        involved.sort_unstable();
    }

    /// Returns true if another agent holds the agent.
    pub fn is_held(&self, id: AgentId) -> bool {
        !self.holders.of(id).is_empty()
    }

    pub fn agent(&self, id: AgentId) -> &HeldAgent {
        &self.agents[id.index()]
    }

    pub fn agent_mut(&mut self, id: AgentId) -> &mut HeldAgent {
        &mut self.agents[id.index()]
    }

    /// Spreads a mark from agents to the agents that they hold, directly and indirectly. `starts`
    /// returns true for the agents that have the mark already. `spreads` receives an agent and an
    /// agent that it holds. It returns true if the second agent gets the mark, too.
    pub fn spread(
        &mut self,
        mark: impl Fn(&mut HeldAgent) -> &mut bool,
        spreads: impl Fn(&HeldAgent, &HeldAgent) -> bool,
    ) {
        let Self { held, involved, agents, queue, .. } = self;
        queue.clear();
        queue.extend(involved.iter().copied().filter(|id| *mark(&mut agents[id.index()])));
        while let Some(holder) = queue.pop() {
            for &id in held.of(holder) {
                let by = agents[holder.index()];
                let agent = &mut agents[id.index()];
                if agent.is_involved && !*mark(agent) && spreads(&by, agent) {
                    *mark(agent) = true;
                    queue.push(id);
                }
            }
        }
    }

    /// Finds the strongly connected components of the agents for which `includes` returns true
    /// (Tarjan 1972).
    pub fn find_components(&mut self, includes: impl Fn(AgentId) -> bool) {
        let Self { holders, involved, agents, calls, open, .. } = self;
        let mut count = 0;
        let mut enter = |id: AgentId, agents: &mut [HeldAgent], open: &mut Vec<AgentId>| {
            count += 1;
            let agent = &mut agents[id.index()];
            (agent.order, agent.low, agent.is_open) = (count, count, true);
            open.push(id);
            (id, holders.range(id))
        };
        for &root in &*involved {
            if agents[root.index()].order > 0 || !includes(root) {
                continue;
            }
            calls.push(enter(root, agents, open));
            while let Some((at, edges)) = calls.last_mut() {
                let at = *at;
                if let Some(to) = edges.next().map(|edge| holders.neighbours[edge]) {
                    let HeldAgent { order, is_open, .. } = agents[to.index()];
                    if is_open {
                        let low = &mut agents[at.index()].low;
                        *low = (*low).min(order);
                    } else if order == 0 && includes(to) {
                        calls.push(enter(to, agents, open));
                    }
                    continue;
                }
                calls.pop();
                let HeldAgent { order, low, .. } = agents[at.index()];
                if let Some((caller, _)) = calls.last() {
                    let above = &mut agents[caller.index()].low;
                    *above = (*above).min(low);
                }
                if low == order {
                    let first = open.iter().rposition(|&id| id == at).unwrap_or(0);
                    let component = (open.len() - first > 1).then_some(at);
                    for id in open.drain(first..) {
                        let agent = &mut agents[id.index()];
                        (agent.component, agent.is_open) = (component, false);
                    }
                }
            }
        }
    }

    /// Returns true if `id` is held by `holder`, and both are in the same component.
    pub fn holds_in_cycle(&self, holder: AgentId, id: AgentId) -> bool {
        let component = self.agent(id).component;
        component.is_some()
            && component == self.agents[holder.index()].component
            && self.holders.of(id).contains(&holder)
    }

    /// Finds a shortest cycle in the component of an agent. Calls `visit` with each agent of the
    /// cycle and the agent that holds it, in reverse order. If `fresh` is true, the cycle contains
    /// no agent whose next agent is known already. Returns false if there is no such cycle.
    pub fn find_cycle(
        &mut self,
        first: AgentId,
        fresh: bool,
        mut visit: impl FnMut(AgentId, AgentId),
    ) -> bool {
        let Self { holders, agents, involved, queue, .. } = self;
        let component = agents[first.index()].component;
        for id in &*involved {
            agents[id.index()].before = None;
        }
        queue.clear();
        queue.push(first);
        let mut next = 0;
        while let Some(&at) = queue.get(next) {
            next += 1;
            for &to in holders.of(at) {
                if to == first {
                    let (mut id, mut holder) = (at, first);
                    loop {
                        visit(id, holder);
                        match agents[id.index()].before {
                            Some(before) => (id, holder) = (before, id),
                            None => return true,
                        }
                    }
                }
                let agent = &mut agents[to.index()];
                let is_allowed = agent.component == component && !(fresh && agent.is_in_cycle);
                if agent.before.is_none() && is_allowed {
                    agent.before = Some(at);
                    queue.push(to);
                }
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates a graph of agents that are all suspects. Each pair is an agent and its holder.
    fn graph(count: u32, edges: &[(u32, u32)]) -> Holds {
        let mut holds = Holds::default();
        holds.clear(count as usize);
        (0..count).for_each(|id| holds.add_suspect(AgentId(id)));
        for &(held, holder) in edges {
            holds.add(AgentId(held), AgentId(holder));
        }
        holds.find_involved();
        holds
    }

    fn components(holds: &mut Holds, count: u32) -> Vec<Vec<u32>> {
        holds.find_components(|_| true);
        let mut found: Vec<Vec<u32>> = Vec::new();
        for id in (0..count).map(AgentId) {
            let Some(component) = holds.agent(id).component else { continue };
            let same = |members: &&mut Vec<u32>| {
                holds.agent(AgentId(members[0])).component == Some(component)
            };
            match found.iter_mut().find(same) {
                Some(members) => members.push(id.0),
                None => found.push(vec![id.0]),
            }
        }
        found
    }

    #[test]
    fn components_are_the_agents_in_cycles() {
        // 0 → 1 → 2 → 0 is a cycle, 3 waits for it, and 4 and 5 hold each other.
        let mut holds = graph(7, &[(0, 1), (1, 2), (2, 0), (3, 0), (4, 5), (5, 4), (5, 3)]);
        assert_eq!(components(&mut holds, 7), [vec![0, 1, 2], vec![4, 5]]);
    }

    #[test]
    fn two_cycles_with_a_common_agent_are_one_component() {
        let mut holds = graph(3, &[(0, 1), (1, 0), (1, 2), (2, 1)]);
        assert_eq!(components(&mut holds, 3), [[0, 1, 2]]);
        let mut cycle = Vec::new();
        assert!(holds.find_cycle(AgentId(0), true, |id, holder| cycle.push((id.0, holder.0))));
        assert_eq!(cycle, [(1, 0), (0, 1)]);
        holds.agent_mut(AgentId(1)).is_in_cycle = true;
        assert!(!holds.find_cycle(AgentId(2), true, |_, _| ()), "1 is in a cycle already");
        assert!(holds.find_cycle(AgentId(2), false, |_, _| ()));
    }

    #[test]
    fn a_mark_spreads_to_the_agents_that_are_held() {
        let mut holds = graph(4, &[(0, 1), (1, 2), (3, 0)]);
        holds.agent_mut(AgentId(1)).waits = true;
        holds.spread(|agent| &mut agent.waits, |_, _| true);
        assert_eq!(
            [0, 1, 2, 3].map(|id| holds.agent(AgentId(id)).waits),
            [true, true, false, true]
        );
    }
}
