//! The names that conditions of expectations can use: those of targets, and the modes of agents.

use super::Scene;
use crate::agent::AgentDraft;
use tilewalk_sim::condition::{Named, Scope};
use tilewalk_sim::id::{AgentId, GroupId};

impl Scene<'_> {
    /// Returns the index of an agent's draft.
    fn draft_of(&self, id: AgentId) -> Option<usize> {
        self.drafts.partition_point(|draft| draft.kind.first <= id).checked_sub(1)
    }

    /// Returns the draft of an agent or instance.
    fn draft(&self, of: Named) -> Option<&AgentDraft> {
        let index = match of {
            Named::Agent(id) => self.draft_of(id)?,
            Named::Instance(instance) => instance.kind as usize,
            Named::Group(_) | Named::Place(_) => return None,
        };
        self.drafts.get(index)
    }
}

impl Scope for Scene<'_> {
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

    /// A mode without a valid name, which is already reported, can have any name.
    fn modes(&self, of: Named) -> Option<Vec<&str>> {
        let mut drafts = Vec::new();
        if let Named::Group(group) = of {
            let members = &self.targets.groups[group.0 as usize].members;
            drafts.extend(members.iter().filter_map(|&id| self.draft_of(id)));
            drafts.dedup();
        }
        let drafts = drafts.into_iter().map(|index| &self.drafts[index]).chain(self.draft(of));
        let mut names = Vec::new();
        for draft in drafts {
            let is_named =
                draft.modes.len() == 1 || draft.modes.iter().all(|spans| spans.name.is_some());
            if !is_named {
                return None;
            }
            names.extend(draft.kind.modes.iter().map(|mode| mode.name.as_str()));
        }
        Some(names)
    }

    fn name(&self, of: Named) -> String {
        let kind = self.draft(of).map(|draft| &draft.kind);
        match (of, kind) {
            (Named::Agent(id), Some(kind)) if kind.count > 1 => {
                format!("{}.{}", kind.name, id.0 - kind.first.0 + 1)
            }
            (Named::Instance(instance), Some(kind)) => format!("{}.{}", kind.name, instance.number),
            (_, Some(kind)) => kind.name.clone(),
            (_, None) => Scope::name(self.targets, of),
        }
    }
}
