//! The agents, groups and targets to which a condition refers.

use crate::id::{AgentId, GroupId, Instance};
use crate::steering::Target;

/// The agent that a field belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// The agent of a transition, or the current member inside functions of groups such as `any`.
    Me,
    /// A bound variable, such as `a` in `any(a in boid, …)`. The number is its de Bruijn index: 0
    /// is the variable of the innermost quantifier.
    Bound(u8),
    /// An agent that the condition names.
    Agent(AgentId),
    /// An instance of a template that the condition names. It may be absent from the world.
    Instance(Instance),
}

/// One agent, or all members of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agents {
    /// A single agent, which counts as a group of one.
    One(Subject),
    /// All members of a group that are in the world.
    Group(GroupId),
}

/// The members for which a function of a group evaluates its second argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Members {
    /// The agent or group whose members are evaluated.
    pub of: Agents,
    /// Whether the member has a name. A member without a name is [`Subject::Me`] in the argument.
    pub is_named: bool,
}

/// The target of `sees` or `distance`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Aim {
    /// An agent, a group, a place or a point.
    Target(Target),
    /// A named member. The number counts the names outwards from the innermost name, which is 0.
    Bound(u8),
}

/// One agent, or all members of a group. Absent agents are ignored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Several {
    /// A single agent, by its id.
    One(AgentId),
    /// A group of agents, by its id.
    Group(GroupId),
}

impl Aim {
    /// Returns the agent or group at which the target is. Returns `None` for places and members.
    pub(super) fn agents(self) -> Option<Agents> {
        match self {
            Self::Target(Target::Agent(id)) => Some(Agents::One(Subject::Agent(id))),
            Self::Target(Target::Instance(instance)) => {
                Some(Agents::One(Subject::Instance(instance)))
            }
            Self::Target(Target::Group(group)) => Some(Agents::Group(group)),
            Self::Target(Target::Point(_) | Target::Home | Target::LastSeen(_))
            | Self::Bound(_) => None,
        }
    }

    /// Returns true if a target can be missing while the agent of the condition is in the world.
    pub(super) fn can_be_absent(self) -> bool {
        match self {
            Self::Target(Target::Point(_) | Target::Home) => false,
            Self::Target(
                Target::Agent(_) | Target::Instance(_) | Target::Group(_) | Target::LastSeen(_),
            )
            | Self::Bound(_) => true,
        }
    }
}
