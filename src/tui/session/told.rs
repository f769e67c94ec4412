//! Why agents moved as they did: of the selected agent, of who is pinned, and of others in view.

use crate::id::AgentId;
use crate::pattern::matrix::Choice;
use crate::step::{self, Explanation};
use crate::world::DriveState;

use super::{Session, Subject};

impl Session {
    /// Finds out why the selected agent moved as it did, and what a matrix walker will do next.
    pub(super) fn refresh(&mut self) {
        self.follow_reload();
        self.explanation = None;
        self.coming = None;
        if let Some(pinned) = &mut self.pinned {
            pinned.explanation = None;
        }
        self.others.clear();
        self.watched.clear();
        self.recalled = false;
        let plotted: Vec<_> = [self.selected, self.pinned()].into_iter().flatten().collect();
        self.past.plot(&plotted);
        let Subject::Agent(id) = self.subject() else { return };
        self.mine.renew(&self.history, |event| event.agent == id);
        if self.world().frame() != self.before().frame() {
            let mut told = self.explain_last([Some(id), self.pinned()].into_iter().flatten());
            let mine = told.iter().position(|why| why.agent == id);
            self.explanation = mine.map(|index| told.swap_remove(index));
            if let Some(pinned) = &mut self.pinned {
                pinned.explanation = told.pop();
            }
            let other = self.pinned.as_ref().and_then(|pinned| pinned.explanation.as_ref());
            for why in self.explanation.iter().chain(other) {
                self.past.tell(self.history.before(), why);
            }
        }
        self.coming = self.about_to_choose(id);
        self.refresh_pinned();
    }

    /// The choice a matrix walker makes in the next frame, if one is due.
    pub(super) fn about_to_choose(&self, id: AgentId) -> Option<Choice> {
        let DriveState::Matrix { walk, .. } = self.world().drive_state(id) else { return None };
        let due = walk.due_in == 1 && self.driven() != Some(id);
        due.then(|| step::explain(self.world(), id).choice).flatten()
    }

    /// Why agents moved as they did on the way to this frame.
    fn explain_last(&self, agents: impl IntoIterator<Item = AgentId>) -> Vec<Explanation> {
        step::explain_with(self.before(), self.history.commands(), agents)
    }

    /// Tells about all of these besides the selected agent, in this frame; `left_out` are in view,
    /// too.
    pub fn watch(&mut self, agents: Vec<AgentId>, left_out: usize, explained: bool) {
        self.left_out = left_out;
        let enough = !explained || !self.others.is_empty() || agents.is_empty();
        if self.watched == agents && enough {
            return;
        }
        self.others.clear();
        if explained && self.world().frame() != self.before().frame() {
            self.others = self.explain_last(agents.iter().copied());
        }
        self.watched = agents;
    }

    /// Why the selected agent moved as it did on the way to this frame; `None` at frame 0.
    pub fn explanation(&self) -> Option<&Explanation> {
        self.explanation.as_ref()
    }

    /// Why an agent that is told about moved as it did.
    pub fn explanation_of(&self, id: AgentId) -> Option<&Explanation> {
        let known = self.others.binary_search_by_key(&id, |explanation| explanation.agent).ok();
        let other = known.and_then(|index| self.others.get(index));
        let pinned = self.pinned.as_ref().and_then(|pinned| pinned.explanation.as_ref());
        let known = other.into_iter().chain(self.explanation()).chain(pinned);
        known.into_iter().find(|explanation| explanation.agent == id)
    }

    /// Who is told about besides the selected agent.
    pub fn watched(&self) -> &[AgentId] {
        &self.watched
    }

    /// How many are in view and not told about.
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// The choice a matrix walker is about to make, if it is due in the next frame.
    pub fn coming(&self) -> Option<Choice> {
        self.coming
    }
}
