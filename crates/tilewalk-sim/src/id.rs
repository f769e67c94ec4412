//! Ids of agents, groups and steering paths.

/// An agent id: an index in the order of the agents. Agents are ordered as in the file, and by
/// number within a group.
///
/// A template has `max` ids. A new instance takes the first free id of its template. The id becomes
/// free again when the instance is removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AgentId(pub u32);

impl AgentId {
    /// Returns the agent's index in all state columns.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An instance of a template, identified by its number. The instance need not be in the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instance {
    /// Index of the template in the scenario's list of kinds.
    pub kind: u32,
    /// Number of the instance in order of appearance, from 1.
    pub number: u32,
}

/// A group id: the index in the scenario's list of groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupId(pub u32);

impl GroupId {
    /// The built-in group of all agents. Its name is [`EVERYONE`].
    pub const EVERYONE: Self = Self(u32::MAX);
}

/// Name of the built-in group of all agents. A map can use the name for something else.
pub const EVERYONE: &str = "everyone";

/// A steering path id: the index in the scenario's list of paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SteeringPathId(pub u32);
