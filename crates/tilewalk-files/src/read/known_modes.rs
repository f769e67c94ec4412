//! Resolves names in conditions outside of agents, such as conditions of expectations. All modes
//! are known when these conditions are read, so an unknown mode is an error.

use crate::read::agent::AgentDraft;
use crate::read::target::Targets;
use tilewalk_sim::condition::{Named, Scope};
use tilewalk_sim::id::GroupId;
use tilewalk_sim::map::Map;
use tilewalk_sim::steering::SightTarget;

/// The names and modes of a map. All agents of the map must have been read.
#[derive(Debug)]
pub struct KnownModes<'a> {
    pub targets: &'a Targets<'a>,
    pub drafts: &'a [AgentDraft],
}

impl KnownModes<'_> {
    /// Iterates over the tables of an agent or of the members of a group.
    pub fn drafts_named(&self, of: Named) -> impl Iterator<Item = &AgentDraft> {
        let groups = self.targets.groups;
        let is_of = move |(index, draft): &(usize, &AgentDraft)| match of {
            Named::Agent(id) => draft.kind.ids().any(|own| own == id),
            Named::Instance(instance) => *index == instance.kind as usize,
            Named::Group(GroupId::EVERYONE) => true,
            // All agents of a kind are members of the same groups.
            Named::Group(group) => {
                groups[group.0 as usize].members.binary_search(&draft.kind.first).is_ok()
            }
            Named::Place(_) => false,
        };
        self.drafts.iter().enumerate().filter(is_of).map(|(_, draft)| draft)
    }
}

impl Scope for KnownModes<'_> {
    fn find(&self, name: &str) -> Option<Named> {
        Scope::find(self.targets, name)
    }

    fn member(&self, group: &str, number: &str) -> Option<Named> {
        Scope::member(self.targets, group, number)
    }

    fn size(&self, group: GroupId) -> usize {
        self.targets.size(group)
    }

    fn names(&self) -> Vec<&str> {
        self.targets.names()
    }

    fn modes(&self, of: Named) -> Option<Vec<&str>> {
        let modes = self.drafts_named(of).flat_map(|draft| &draft.kind.modes);
        Some(modes.map(|mode| mode.name.as_str()).collect())
    }

    fn watches(&self, observer: Named, target: SightTarget) -> Option<bool> {
        Some(self.drafts_named(observer).any(|draft| draft.kind.watched.contains(&target)))
    }

    fn map(&self) -> Option<&Map> {
        self.targets.map
    }

    fn name(&self, of: Named) -> String {
        let owner = |id| self.drafts.iter().find(|it| it.kind.ids().any(|own| own == id));
        match of {
            Named::Agent(id) => match owner(id) {
                Some(AgentDraft { kind, start, .. }) if start.numbered => {
                    format!("{}.{}", kind.name, id.0 - kind.first.0 + 1)
                }
                Some(draft) => draft.kind.name.clone(),
                None => self.targets.name(of),
            },
            Named::Instance(instance) => match self.drafts.get(instance.kind as usize) {
                Some(draft) => format!("{}.{}", draft.kind.name, instance.number),
                None => self.targets.name(of),
            },
            Named::Group(_) | Named::Place(_) => self.targets.name(of),
        }
    }
}
