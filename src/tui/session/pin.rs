//! A second agent, pinned beside the selected one to be compared with it.

use crate::event::Event;
use crate::id::AgentId;
use crate::pattern::matrix::Choice;
use crate::step::Explanation;
use crate::tui::sift::Sift;

use super::Session;

/// Who is pinned, and what is known of it.
#[derive(Debug, Clone)]
pub(super) struct Pinned {
    /// Who.
    pub id: AgentId,
    /// Why it moved as it did.
    pub explanation: Option<Explanation>,
    /// The choice it is about to make.
    coming: Option<Choice>,
    /// What happened to it.
    events: Sift,
}

impl Pinned {
    /// An agent of which nothing is known yet.
    pub fn on(id: AgentId) -> Self {
        Self { id, explanation: None, coming: None, events: Sift::default() }
    }
}

impl Session {
    /// Who is pinned.
    pub fn pinned(&self) -> Option<AgentId> {
        self.pinned.as_ref().map(|pinned| pinned.id)
    }

    /// The two who are compared: the selected agent, and who is pinned. Nobody is compared with
    /// itself.
    pub fn compared(&self) -> Option<(AgentId, AgentId)> {
        let pair = self.selected.zip(self.pinned());
        pair.filter(|(selected, pinned)| self.tile.is_none() && selected != pinned)
    }

    /// Pins an agent, or nobody.
    pub fn pin(&mut self, agent: Option<AgentId>) {
        self.pinned = agent.map(Pinned::on);
        self.refresh();
    }

    /// In a run of another scenario the agent may be missing.
    pub(super) fn unpin_missing(&mut self) {
        let count = self.world().len();
        self.pinned = self.pinned.take().filter(|pinned| pinned.id.index() < count);
    }

    /// Finds out what is told of who is pinned, besides its explanation.
    pub(super) fn refresh_pinned(&mut self) {
        let Some(mut pinned) = self.pinned.take() else { return };
        pinned.coming = self.about_to_choose(pinned.id);
        pinned.events.renew(&self.history, |event| event.agent == pinned.id);
        self.pinned = Some(pinned);
    }

    /// The choice a matrix walker is about to make, if it is told about.
    pub fn coming_of(&self, id: AgentId) -> Option<Choice> {
        match &self.pinned {
            Some(pinned) if pinned.id == id && self.selected != Some(id) => pinned.coming,
            _ => self.coming().filter(|_| self.selected == Some(id)),
        }
    }

    /// What happened to an agent that is told about, up to the frame that is looked at, the latest
    /// first.
    pub fn events_of(&self, id: AgentId) -> impl Iterator<Item = &Event> {
        let pinned = self.pinned.as_ref().filter(|pinned| pinned.id == id);
        let mine = Some(&self.mine).filter(|_| self.selected == Some(id));
        let sift = mine.or(pinned.map(|pinned| &pinned.events));
        sift.into_iter().flat_map(|sift| sift.latest(&self.history))
    }
}
