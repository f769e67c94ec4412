//! Ids of agents, groups and courses.

/// An agent, by its place in agent order (the order of the file, then the number in its group).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AgentId(pub u32);

impl AgentId {
    /// The agent's place in every column of the state.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A group of agents, by its place in the scenario's list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupId(pub u32);

/// A path that steering follows, by its place in the scenario's list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CourseId(pub u32);
