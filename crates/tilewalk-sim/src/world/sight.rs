//! What agents see of each other, and remember.

use crate::agent::AgentKind;
use crate::body::Motion;
use crate::event::EventKind;
use crate::geom::Vec2;
use crate::id::AgentId;
use crate::steering::{Sighted, Target};

use super::World;

/// What an agent has seen of one it looks out for.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sight {
    /// Did it see them when it last looked?
    pub seen: bool,
    /// Where they were when it last saw them, if it ever did.
    pub at: Option<Vec2>,
}

impl World {
    /// Does an agent see a target now: is it in its view, and nothing opaque between them?
    ///
    /// A group is seen if any other member is; where somebody was last seen, if that place is.
    pub fn sees(&self, id: AgentId, target: Target) -> bool {
        self.spots(id, target).is_some()
    }

    /// Where an agent sees a target now, the short way round; of a group the nearest it sees.
    fn spots(&self, id: AgentId, target: Target) -> Option<Vec2> {
        let Motion { position, heading, .. } = self.motion(id);
        let spots = |target: Target| {
            let offset = self.see(id, target)?.offset;
            let view = self.body(id).view.holds(offset, heading);
            (view && self.scenario().map.sees(position, position + offset)).then_some(offset)
        };
        let Target::Group(group) = target else { return spots(target) };
        let others = self.scenario().members(group).iter().filter(|&&other| other != id);
        let seen = others.filter_map(|&other| spots(Target::Agent(other)));
        let near = |a: Vec2, b: Vec2| if b.length_squared() < a.length_squared() { b } else { a };
        seen.reduce(near)
    }

    /// What an agent has seen of somebody; `None` for those it doesn't look out for.
    pub fn sight(&self, id: AgentId, whom: Sighted) -> Option<Sight> {
        let kind = self.kind(id);
        let index = kind.watched.iter().position(|&watched| watched == whom)?;
        Some(self.state.sights[self.first_sight(kind, id) + index])
    }

    /// What an agent has seen of all it looks out for, in the order of its kind's list.
    pub fn sights(&self, id: AgentId) -> &[Sight] {
        let kind = self.kind(id);
        let first = self.first_sight(kind, id);
        &self.state.sights[first..first + kind.watched.len()]
    }

    /// Where an agent's entries begin among all sights.
    pub(super) fn first_sight(&self, kind: &AgentKind, id: AgentId) -> usize {
        let kind_index = self.scenario().starts[id.index()].kind as usize;
        self.first_sights[kind_index] + (id.0 - kind.first.0) as usize * kind.watched.len()
    }

    /// Looks around for an agent, and reports whom it begins or ceases to see.
    pub(crate) fn look_around(&mut self, id: AgentId) {
        let scenario = self.scenario().clone();
        let kind = scenario.kind(id);
        let first = self.first_sight(kind, id);
        for (index, &whom) in kind.watched.iter().enumerate() {
            let spotted = self.spots(id, whom.target());
            let at = spotted.map(|offset| scenario.map.wrap(self.position(id) + offset));
            let sight = &mut self.state.sights[first + index];
            let changed = sight.seen != at.is_some();
            *sight = Sight { seen: at.is_some(), at: at.or(sight.at) };
            match at {
                Some(_) if changed => self.report(id, EventKind::Seen(whom)),
                None if changed => self.report(id, EventKind::Lost(whom)),
                _ => {}
            }
        }
    }
}
