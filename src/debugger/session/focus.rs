//! The selected agent, the agents shown with it, and explanations of their motion.

use crate::event::Event;
use crate::geom::TilePos;
use crate::id::AgentId;
use crate::pattern::matrix::Choice;
use crate::report::absence;
use crate::step::{self, Explanation};
use crate::world::{DriveState, World};

use super::preview::Preview;
use super::{ManualControl, Session};
use crate::debugger::event_filter::EventFilter;
use crate::debugger::past_event;

/// The agent or tile that the inspector shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// No tile is selected, and no selected agent is in the world.
    None,
    Agent(AgentId),
    Tile(TilePos),
}

/// The selected agent and tile, and the observed agents.
#[derive(Debug, Clone)]
pub(super) struct Focus {
    pub selected: Option<Inspected>,
    /// The selected tile. `None` if no tile is selected. Selecting a tile does not deselect the
    /// agent.
    pub tile: Option<TilePos>,
    observed: Observed,
    /// Whether the explanation of the current frame was cancelled.
    unexplained: bool,
    /// The next positions of the selected agent. `None` while they are not shown.
    pub preview: Option<Preview>,
}

/// The selected or the pinned agent, and cached data about it.
#[derive(Debug, Clone)]
pub(super) struct Inspected {
    pub id: AgentId,
    /// The instance number of the agent, see [`World::number`].
    number: u32,
    /// Explanation of the agent's motion at the current frame. `None` at frame 0.
    explanation: Option<Explanation>,
    /// The direction that a matrix walker will choose in the next frame. `None` if no step is due.
    coming: Option<Choice>,
    events: EventFilter,
}

impl Inspected {
    /// Inspects an agent with its instance number in a world.
    pub fn on(id: AgentId, world: &World) -> Self {
        Self::of(id, world.number(id))
    }

    /// Inspects an agent. `number` is its instance number, or 0 for an agent without one.
    fn of(id: AgentId, number: u32) -> Self {
        Self { id, number, explanation: None, coming: None, events: EventFilter::default() }
    }

    /// Inspects the same agent in another scenario. `here` returns the agent's new id there.
    /// Returns `None` if the agent does not exist there.
    pub fn moved(&self, here: impl Fn(AgentId) -> Option<AgentId>) -> Option<Self> {
        Some(Self::of(here(self.id)?, self.number))
    }

    /// Returns true if the agent is in a world, with the same instance number.
    pub fn is_in(&self, world: &World) -> bool {
        world.is_present_as(self.id, self.number)
    }
}

/// Agents that are not selected, but whose overlays are shown.
#[derive(Debug, Clone, Default)]
struct Observed {
    /// The observed agents, in agent order.
    agents: Vec<AgentId>,
    explanations: Vec<Explanation>,
    /// Number of agents in view that are not observed because there are too many.
    left_out: usize,
}

impl Focus {
    /// Selects the first agent in a world.
    pub fn on_first(world: &World) -> Self {
        let selected = world.ids().next().map(|id| Inspected::on(id, world));
        let observed = Observed::default();
        Self { selected, tile: None, observed, unexplained: false, preview: None }
    }
}

impl Session {
    /// Changes the selected agent without refreshing the cached data.
    pub(super) fn choose(&mut self, id: Option<AgentId>) {
        if self.selected() != id {
            self.focus.selected = id.map(|id| Inspected::on(id, self.history.world()));
        }
    }

    /// Selects the agent of an event, and deselects the tile. The agent can be absent at the
    /// current frame. Does nothing if the current scenario does not contain the agent.
    pub fn select_agent_of(&mut self, event: &Event) {
        let Some(id) = past_event::id(event, &self.history) else { return };
        self.focus.selected = Some(Inspected::of(id, event.number));
        self.focus.tile = None;
        self.refresh();
    }

    /// Selects an agent, and deselects the tile.
    pub fn select(&mut self, id: AgentId) {
        self.choose(Some(id));
        self.focus.tile = None;
        self.refresh();
    }

    /// Selects a tile, and keeps the selected agent. `None` deselects the tile.
    pub fn look_at(&mut self, tile: Option<TilePos>) {
        self.focus.tile = tile;
        self.refresh();
    }

    /// Moves the selection `by` places forward in agent order, with wrap-around. Skips absent
    /// agents. If the selected agent is absent, counts from its place.
    pub fn select_next(&mut self, by: i32) {
        let ids: Vec<_> = self.world().ids().collect();
        let count = ids.len() as u32;
        if count > 0 {
            let selected = self.focus.selected.as_ref().map_or(0, |inspected| inspected.id.0);
            let from = ids.partition_point(|id| id.0 < selected) as u32;
            // `from` is already the agent after an absent one.
            let by = if by > 0 && self.selected().is_none() { by - 1 } else { by };
            let next = (from + count).saturating_add_signed(by) % count;
            self.select(ids[next as usize]);
        }
    }

    /// Returns the selected tile. Without a selected tile, returns the selected agent.
    pub fn subject(&self) -> Subject {
        match (self.focus.tile, self.selected()) {
            (Some(tile), _) => Subject::Tile(tile),
            (None, Some(id)) => Subject::Agent(id),
            (None, None) => Subject::None,
        }
    }

    /// Returns the selected agent, even if the inspector shows a tile. Returns `None` while the
    /// agent is not in the world. An agent that comes back is selected again.
    pub fn selected(&self) -> Option<AgentId> {
        let selected = self.focus.selected.as_ref();
        selected.filter(|inspected| inspected.is_in(self.world())).map(|inspected| inspected.id)
    }

    /// Returns the id and the instance number of the selected agent, even while the agent is not in
    /// the world. Returns `None` if no agent is selected.
    pub fn selection(&self) -> Option<(AgentId, u32)> {
        self.focus.selected.as_ref().map(|inspected| (inspected.id, inspected.number))
    }

    /// Returns the name of the selected agent, and the reason why it is not in the world. Returns
    /// `None` if the agent is in the world, or if no agent is selected.
    pub fn absent_selection(&self) -> Option<(String, String)> {
        let selected = self.focus.selected.as_ref();
        let Inspected { id, number, .. } = selected.filter(|it| !it.is_in(self.world()))?;
        let name = self.scenario().numbered(*id, *number);
        Some((name.to_string(), absence::of(self.world(), *id, *number)))
    }

    /// Returns a message that explains why no agent is selected.
    pub fn why_no_agent(&self) -> String {
        match self.absent_selection() {
            Some((name, _)) => format!("{name} is not in the world"),
            None if self.world().is_empty() => "this map has no agents".to_owned(),
            None => "no agent is selected".to_owned(),
        }
    }

    /// Iterates over the selected and the pinned agent, if they are in the world.
    fn inspected(&self) -> impl Iterator<Item = &Inspected> {
        let all = self.focus.selected.iter().chain(&self.comparison.pinned);
        all.filter(|inspected| inspected.is_in(self.world()))
    }

    /// Recomputes the cached data of the selected and the pinned agent. Must be called after every
    /// change of the current frame or the selection.
    pub(super) fn refresh(&mut self) {
        self.follow_reload();
        self.judgement.follow(&self.history);
        self.focus.observed.explanations.clear();
        self.focus.observed.agents.clear();
        (self.recalled, self.focus.unexplained) = (false, false);
        let ids: Vec<_> = self.inspected().map(|inspected| inspected.id).collect();
        self.recent.plot(&ids, self.history.world());
        let is_shown = matches!(self.subject(), Subject::Agent(_));
        let is_explained = is_shown && self.world().frame() != self.before().frame();
        let mut found = if is_explained { self.explain_last(ids) } else { Vec::new() };
        let mut inspected = [self.focus.selected.take(), self.comparison.pinned.take()];
        for each in inspected.iter_mut().flatten() {
            if !each.is_in(self.history.world()) {
                (each.explanation, each.coming) = (None, None);
                continue;
            }
            let index = found.iter().position(|explanation| explanation.agent == each.id);
            each.explanation = index.map(|index| found.swap_remove(index));
            each.coming = is_shown.then(|| self.coming_choice(each.id)).flatten();
            each.events.update(&self.history, |event| {
                past_event::is_about(event, (each.id, each.number), &self.history)
            });
            if let Some(explanation) = &each.explanation {
                self.recent.note_explanation(self.history.before(), explanation);
            }
        }
        [self.focus.selected, self.comparison.pinned] = inspected;
    }

    /// Returns the choice of a matrix walker for the next frame. Returns `None` for other agents,
    /// and if no step is due in that frame.
    fn coming_choice(&mut self, id: AgentId) -> Option<Choice> {
        let DriveState::Matrix { timer, .. } = self.world().drive_state(id) else { return None };
        if timer.due_in != 1 || self.driven() == Some(id) {
            return None;
        }
        let explained = step::try_explain(self.world(), &[], [id]);
        self.complete(explained).pop()?.choice
    }

    /// Explains the motion of agents at the current frame. Returns no explanations if the work was
    /// cancelled.
    fn explain_last(&mut self, agents: impl IntoIterator<Item = AgentId>) -> Vec<Explanation> {
        let explained = step::try_explain(self.before(), self.history.commands(), agents);
        self.complete(explained)
    }

    /// Returns the explanations, or an empty list if `explained` is `None` because they were
    /// cancelled. After a cancellation, [`Session::recall`] explains the frame again.
    fn complete(&mut self, explained: Option<Vec<Explanation>>) -> Vec<Explanation> {
        self.focus.unexplained |= explained.is_none();
        self.recalled &= !self.focus.unexplained;
        explained.unwrap_or_default()
    }

    /// Explains the current frame again if its explanation was cancelled. Returns false if it was
    /// cancelled again.
    pub(super) fn explain_again(&mut self) -> bool {
        if self.focus.unexplained {
            self.refresh();
        }
        !self.focus.unexplained
    }

    /// Sets the observed agents, in agent order, until the current frame changes. `left_out` is the
    /// number of agents in view that are not observed. If `explained` is true, explains the motion
    /// of the observed agents.
    pub fn observe(&mut self, agents: Vec<AgentId>, left_out: usize, explained: bool) {
        self.focus.observed.left_out = left_out;
        let observed = &self.focus.observed;
        let enough = !explained || !observed.explanations.is_empty() || agents.is_empty();
        if observed.agents == agents && enough {
            return;
        }
        let explanations = if explained && self.world().frame() != self.before().frame() {
            self.explain_last(agents.iter().copied())
        } else {
            Vec::new()
        };
        self.focus.observed = Observed { agents, explanations, left_out };
    }

    /// Returns the explanation of the selected agent's motion at the current frame. Returns `None`
    /// at frame 0, while a tile is selected, and while the agent is absent.
    pub fn explanation(&self) -> Option<&Explanation> {
        self.focus.selected.as_ref()?.explanation.as_ref()
    }

    /// Returns the explanation of the motion of a selected, pinned or observed agent. Returns
    /// `None` for other agents.
    pub fn explanation_of(&self, id: AgentId) -> Option<&Explanation> {
        let others = &self.focus.observed.explanations;
        let other = others.binary_search_by_key(&id, |each| each.agent).ok();
        let other = other.and_then(|index| others.get(index));
        let inspected = self.inspected().filter_map(|inspected| inspected.explanation.as_ref());
        other.into_iter().chain(inspected).find(|explanation| explanation.agent == id)
    }

    /// Returns the observed agents, in agent order. Empty after a change of the current frame.
    pub fn observed(&self) -> &[AgentId] {
        &self.focus.observed.agents
    }

    /// Returns the number of agents in view that are not observed because there are too many.
    pub fn left_out(&self) -> usize {
        self.focus.observed.left_out
    }

    /// Returns the choice of the selected matrix walker for the next frame. Returns `None` if no
    /// step is due in that frame.
    pub fn coming(&self) -> Option<Choice> {
        self.focus.selected.as_ref()?.coming
    }

    /// Returns the choice of the selected or pinned matrix walker for the next frame. Returns
    /// `None` for other agents, and if no step is due.
    pub fn coming_of(&self, id: AgentId) -> Option<Choice> {
        self.inspected().find(|inspected| inspected.id == id)?.coming
    }

    /// Iterates over the events of the selected or pinned agent up to the current frame, latest
    /// first. Empty for other agents.
    pub fn events_of(&self, id: AgentId) -> impl Iterator<Item = &Event> {
        let found = self.inspected().find(|inspected| inspected.id == id);
        found.into_iter().flat_map(|inspected| inspected.events.latest(&self.history))
    }

    /// Transfers the selection and manual control to a reloaded scenario. `here` returns the new id
    /// of an agent, matched by name.
    pub(super) fn refocus(&mut self, here: impl Fn(AgentId) -> Option<AgentId>) {
        let world = self.history.world();
        let moved = |inspected: &Inspected| inspected.moved(&here);
        let selected = self.focus.selected.as_ref().and_then(moved);
        let before = self.focus.selected.as_ref().map(|inspected| inspected.id);
        if before.is_none() || selected.as_ref().map(|inspected| inspected.id) != before {
            let first = || world.ids().next().map(|id| Inspected::on(id, world));
            self.focus.selected = selected.or_else(first);
        }
        self.comparison.pinned = self.comparison.pinned.as_ref().and_then(moved);
        // The world is the new one, in which the old id can be of another agent, or of none.
        let driven = self.control.as_ref().map(ManualControl::agent);
        if driven.is_some() && driven != driven.and_then(&here) {
            self.control = driven.and_then(here).map(ManualControl::of);
        }
        let tiles = self.history.world().scenario().map().tiles();
        self.focus.tile = self.focus.tile.filter(|&tile| tiles.contains(tile));
    }
}
