//! Ids of agents, groups and steering paths.

/// An agent id: the index in agent order (the order of the file, then the number in the group).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AgentId(pub u32);

impl AgentId {
    /// Returns the agent's index in all state columns.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A group id: the index in the scenario's list of groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupId(pub u32);

/// A steering path id: the index in the scenario's list of paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SteeringPathId(pub u32);
