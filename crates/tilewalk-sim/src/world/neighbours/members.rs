//! The members of a group, and the modes in which they need sums over neighbours.

use crate::agent::Mode;
use crate::id::{AgentId, GroupId};
use crate::scenario::Scenario;
use crate::steering::WeightedBehaviour;
use crate::steering::senses::Neighbourhood;
use crate::world::state::State;

/// The members of a group, and the modes that need sums over neighbours. The rank of a member is
/// its index in the list of members, in agent order.
#[derive(Debug)]
pub struct Members {
    /// The group; `None` for all agents.
    pub group: Option<GroupId>,
    ids: Ids,
    /// For each kind, its first agent, and one bool per mode. The bool is true if the mode needs
    /// sums. Empty if all modes of all members need sums.
    needs_sums: Vec<(AgentId, Box<[bool]>)>,
}

#[derive(Debug)]
enum Ids {
    /// A range of consecutive agents: the first member, and the number of members.
    Range(AgentId, usize),
    List(Box<[AgentId]>),
}

impl Members {
    /// Creates the list of the agents in a group. If `group` is `None`, the list contains all
    /// agents.
    pub fn new(scenario: &Scenario, group: Option<GroupId>) -> Self {
        let ids = match group.map(|group| scenario.members(group)) {
            None => Ids::Range(AgentId(0), scenario.starts.len()),
            Some([]) => Ids::Range(AgentId(0), 0),
            Some(members @ [first, .., last])
                if (last.0 - first.0) as usize + 1 == members.len() =>
            {
                Ids::Range(*first, members.len())
            }
            Some(members) => Ids::List(members.into()),
        };
        let mut agents = Self { group, ids, needs_sums: Vec::new() };
        let needs_sums = |mode| neighbourhoods(mode).any(|each| each.of == group);
        let kinds = scenario.kinds.iter();
        let needs_sums =
            kinds.map(|kind| (kind.first, kind.modes.iter().map(needs_sums).collect()));
        let needs_sums: Vec<(AgentId, Box<[bool]>)> = needs_sums.collect();
        let member = |kind: &&(AgentId, Box<[bool]>)| agents.rank(kind.0).is_some();
        if !needs_sums
            .iter()
            .filter(member)
            .all(|(_, modes)| modes.iter().all(|&needs_sums| needs_sums))
        {
            agents.needs_sums = needs_sums;
        }
        agents
    }

    pub fn len(&self) -> usize {
        match &self.ids {
            Ids::Range(_, count) => *count,
            Ids::List(ids) => ids.len(),
        }
    }

    #[inline]
    pub fn id(&self, rank: usize) -> AgentId {
        match &self.ids {
            Ids::Range(first, _) => AgentId(first.0 + rank as u32),
            Ids::List(ids) => ids[rank],
        }
    }

    /// Returns the rank of an agent among the members. Returns `None` if the agent is not a member.
    #[inline]
    pub fn rank(&self, id: AgentId) -> Option<usize> {
        match &self.ids {
            Ids::Range(first, count) => {
                id.0.checked_sub(first.0).map(|rank| rank as usize).filter(|rank| rank < count)
            }
            Ids::List(ids) => ids.binary_search(&id).ok(),
        }
    }

    /// Returns true if all members need sums over neighbours in all their modes.
    #[inline]
    pub fn all_need_sums(&self) -> bool {
        self.needs_sums.is_empty()
    }

    /// Returns true if the current mode of the member with a given rank needs sums over neighbours.
    #[inline]
    pub fn needs_sums(&self, rank: u32, state: &State) -> bool {
        if self.all_need_sums() {
            return true;
        }
        let id = self.id(rank as usize);
        let kind = self.needs_sums.partition_point(|(first, _)| *first <= id) - 1;
        self.needs_sums[kind].1[usize::from(state.mode[id.index()])]
    }
}

/// Returns the neighbourhoods that the steering of a mode needs.
pub fn neighbourhoods(mode: &Mode) -> impl Iterator<Item = Neighbourhood> {
    enabled_rows(mode).filter_map(|row| row.behaviour.neighbourhood())
}

/// Returns the enabled behaviours of a mode.
pub fn enabled_rows(mode: &Mode) -> impl Iterator<Item = &WeightedBehaviour> {
    mode.drive.steering().iter().filter(|row| row.enabled)
}
