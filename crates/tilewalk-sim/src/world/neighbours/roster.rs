//! The members of an index, by rank: their place in the order of agents.

use crate::id::{AgentId, GroupId};
use crate::scenario::Scenario;

use super::{State, neighbourhoods};

/// Who is indexed, and who of them may ask for sums.
#[derive(Debug)]
pub struct Roster {
    /// The group; `None`: everyone.
    pub group: Option<GroupId>,
    who: Who,
    /// By kind: may its members ask, mode by mode? Empty when all always may.
    asking: Vec<(AgentId, Box<[bool]>)>,
}

/// The members, in agent order.
#[derive(Debug)]
enum Who {
    /// So many, from this one on.
    Run(AgentId, usize),
    /// These.
    List(Box<[AgentId]>),
}

impl Roster {
    /// The members of a group, or everyone.
    pub fn new(scenario: &Scenario, group: Option<GroupId>) -> Self {
        let who = match group.map(|group| scenario.members(group)) {
            None => Who::Run(AgentId(0), scenario.starts.len()),
            Some([]) => Who::Run(AgentId(0), 0),
            Some(members @ [first, .., last])
                if (last.0 - first.0) as usize + 1 == members.len() =>
            {
                Who::Run(*first, members.len())
            }
            Some(members) => Who::List(members.into()),
        };
        let mut roster = Self { group, who, asking: Vec::new() };
        let asks = |mode| neighbourhoods(mode).any(|each| each.of == group);
        let kinds = scenario.kinds.iter();
        let asking = kinds.map(|kind| (kind.first, kind.modes.iter().map(asks).collect()));
        let asking: Vec<(AgentId, Box<[bool]>)> = asking.collect();
        let member = |kind: &&(AgentId, Box<[bool]>)| roster.rank(kind.0).is_some();
        if !asking.iter().filter(member).all(|(_, modes)| modes.iter().all(|&asks| asks)) {
            roster.asking = asking;
        }
        roster
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match &self.who {
            Who::Run(_, count) => *count,
            Who::List(ids) => ids.len(),
        }
    }

    /// The member of a rank.
    #[inline]
    pub fn id(&self, rank: usize) -> AgentId {
        match &self.who {
            Who::Run(first, _) => AgentId(first.0 + rank as u32),
            Who::List(ids) => ids[rank],
        }
    }

    /// The rank of an agent, if it is a member.
    #[inline]
    pub fn rank(&self, id: AgentId) -> Option<usize> {
        match &self.who {
            Who::Run(first, count) => {
                id.0.checked_sub(first.0).map(|rank| rank as usize).filter(|rank| rank < count)
            }
            Who::List(ids) => ids.binary_search(&id).ok(),
        }
    }

    /// May a member ask for sums in its present mode?
    #[inline]
    pub fn asks(&self, rank: u32, state: &State) -> bool {
        if self.asking.is_empty() {
            return true;
        }
        let id = self.id(rank as usize);
        let kind = self.asking.partition_point(|(first, _)| *first <= id) - 1;
        self.asking[kind].1[usize::from(state.mode[id.index()])]
    }
}
