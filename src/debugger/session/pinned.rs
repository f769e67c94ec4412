//! A second agent, pinned for comparison with the selected one.

use crate::debugger::event_filter::EventFilter;
use crate::id::AgentId;
use crate::pattern::matrix::Choice;
use crate::step::Explanation;

use super::Session;

/// The pinned agent, and cached data about it.
#[derive(Debug, Clone)]
pub(super) struct Pinned {
    pub id: AgentId,
    /// Explanation of the agent's motion at the current frame.
    pub explanation: Option<Explanation>,
    /// The choice of the agent for the next frame, if the agent is a matrix walker.
    pub coming: Option<Choice>,
    pub events: EventFilter,
}

impl Pinned {
    pub fn on(id: AgentId) -> Self {
        Self { id, explanation: None, coming: None, events: EventFilter::default() }
    }
}

impl Session {
    /// Returns the pinned agent, if there is one.
    pub fn pinned(&self) -> Option<AgentId> {
        self.focus.pinned.as_ref().map(|pinned| pinned.id)
    }

    /// Returns the selected and the pinned agent if both exist and differ, and no tile is selected.
    pub fn compared(&self) -> Option<(AgentId, AgentId)> {
        let pair = self.selected().zip(self.pinned());
        pair.filter(|(selected, pinned)| self.focus.tile.is_none() && selected != pinned)
    }

    /// Pins an agent. `None` removes the pin.
    pub fn pin(&mut self, agent: Option<AgentId>) {
        self.focus.pinned = agent.map(Pinned::on);
        self.refresh();
    }

    /// Updates the data about the pinned agent, except for the explanation.
    pub(super) fn refresh_pinned(&mut self) {
        let Some(mut pinned) = self.focus.pinned.take() else { return };
        pinned.coming = self.coming_choice(pinned.id);
        pinned.events.update(&self.history, |event| event.agent == pinned.id);
        self.focus.pinned = Some(pinned);
    }
}
