//! Breakpoints of a session, and the backward search for a hit.

use std::sync::Arc;

use crate::condition::{ConditionError, Test};
use crate::event::Event;
use crate::files::write::edit::{Edit, agents};
use crate::history::breaks::{Break, Breaks, Trigger};
use crate::history::search::{BreakpointSearch, Progress};
use crate::id::AgentId;
use crate::report::parts::{self, Part};
use crate::scenario::Scenario;
use crate::scenario::never::NeverTrue;
use crate::time::Frame;
use crate::words;
use crate::world::Look;

use super::{Session, Subject};
use crate::debugger::past_event;

/// Breakpoints, and their hits at the current frame.
#[derive(Debug, Clone)]
pub(super) struct Breakpoints {
    pub set: Breaks,
    /// Indices of the enabled breakpoints that hit at the current frame.
    hits: Vec<usize>,
    /// The running backward search. `None` if no search is running.
    pub search: Option<BreakpointSearch>,
}

impl Breakpoints {
    pub fn new(set: Breaks) -> Self {
        Self { set, hits: Vec::new(), search: None }
    }
}

impl Session {
    /// Returns the breakpoints and watchpoints, in the order they were set.
    pub fn breaks(&self) -> &Breaks {
        &self.breakpoints.set
    }

    /// Sets a breakpoint or a watchpoint. Returns its index in the list. If the list has one with
    /// the same trigger and text, enables that one.
    ///
    /// # Errors
    /// Returns an error if the text is not a valid condition or value of this map.
    pub fn set_break(&mut self, trigger: Trigger, text: &str) -> Result<usize, ConditionError> {
        let new = Break::read(trigger, text, self.scenario())?;
        let index = self.breakpoints.set.set(new);
        self.update_hits();
        Ok(index)
    }

    /// Follows an edit that gives an agent another name: replaces the name in all breakpoints and
    /// watchpoints. `scenario` is the edited map. Does nothing for other edits.
    pub(super) fn rename_in_breaks(&mut self, edit: &Edit, scenario: &Arc<Scenario>) {
        let Edit::RenameAgent { from, to } = edit else { return };
        let renamed = |each: &Break| {
            let text = agents::renamed_in(each.text(), from, to);
            let is_named = text != each.text();
            let renamed = is_named.then(|| each.with_text(&text, scenario).ok()).flatten();
            renamed.unwrap_or_else(|| each.clone())
        };
        self.breakpoints.set = self.breaks().iter().map(renamed).collect();
    }

    /// Returns the error in the text of a breakpoint. Returns `None` if the text is valid in any
    /// scenario of the current run.
    pub fn break_error(&self, each: &Break) -> Option<ConditionError> {
        let mut compiled = each.clone();
        let mut scenarios = self.history.run().scenarios();
        if scenarios.any(|scenario| compiled.condition(scenario).is_ok()) {
            return None;
        }
        compiled.condition(self.scenario()).err().cloned()
    }

    /// Enables or disables a breakpoint. Returns true if it is enabled now. Returns `None` if
    /// `index` is out of range.
    pub fn toggle_break(&mut self, index: usize) -> Option<bool> {
        let each = self.breakpoints.set.get_mut(index)?;
        each.enabled = !each.enabled;
        let enabled = each.enabled;
        self.update_hits();
        Some(enabled)
    }

    /// Removes and returns a breakpoint. Returns `None` if `index` is out of range.
    pub fn remove_break(&mut self, index: usize) -> Option<Break> {
        let removed = self.breakpoints.set.remove(index);
        self.update_hits();
        removed
    }

    /// Returns the indices of the enabled breakpoints that hit at the current frame.
    pub fn hits(&self) -> &[usize] {
        &self.breakpoints.hits
    }

    pub(super) fn update_hits(&mut self) {
        let Breakpoints { set, hits, search: _ } = &mut self.breakpoints;
        hits.clear();
        hits.extend(set.hit(self.history.before(), self.history.world()));
    }

    /// Adds the hits at the current frame to the hit counts, and marks the frame on the timeline.
    /// Must be called after a backward search has stopped at the frame.
    pub fn count_hits(&mut self) {
        self.breakpoints.set.stop(self.history.before(), self.history.world());
        self.mark_stop();
    }

    /// Returns the results of a breakpoint's operands at the current frame, such as `3.41, no
    /// (range 9.4 of 8)`. Empty for watchpoints and invalid conditions.
    pub fn results(&self, each: &Break) -> String {
        let (before, world) = (self.before(), self.world());
        let mut compiled = each.clone();
        let Ok(condition) = compiled.condition(world.scenario()) else { return String::new() };
        if each.trigger() == Trigger::Change {
            return String::new();
        }
        let same = Arc::ptr_eq(before.scenario(), world.scenario());
        let before = Some(Look::at(before)).filter(|_| same && world.frame() > Frame(0));
        let look = Look { before: before.as_ref(), ..Look::at(world) };
        let results = parts::parts(condition, &look, None);
        results.iter().map(Part::result_text).collect::<Vec<_>>().join(", ")
    }

    /// Returns the agent that decides a hit of a breakpoint at the current frame. Returns `None` if
    /// no agent decides it, or if the agent is not in the world.
    pub fn agent_of_break(&self, each: &Break) -> Option<AgentId> {
        let (before, world) = (self.before(), self.world());
        let mut compiled = each.clone();
        let condition = compiled.condition(world.scenario()).ok()?;
        let same = Arc::ptr_eq(before.scenario(), world.scenario());
        let before = Some(Look::at(before)).filter(|_| same && world.frame() > Frame(0));
        condition.agent(&Look { before: before.as_ref(), ..Look::at(world) })
    }

    /// Returns the reason why a breakpoint can never have a hit in the current scenario. Returns
    /// `None` for a breakpoint that can have one, and for a watchpoint.
    pub fn never_hits(&self, each: &Break) -> Option<NeverTrue> {
        let scenario = self.scenario();
        let is_condition = each.trigger() == Trigger::Condition;
        let mut compiled = Some(each.clone()).filter(|_| is_condition)?;
        scenario.never_true(compiled.condition(scenario).ok()?)
    }

    /// Returns the text of a breakpoint. For a watchpoint, adds the previous and the current value.
    pub fn describe_break(&self, each: &Break) -> String {
        let (before, world) = (self.before(), self.world());
        let same = Arc::ptr_eq(before.scenario(), world.scenario());
        let mut compiled = each.clone();
        let value = if let Ok(condition) = compiled.condition(world.scenario())
            && let Test::Changed(value) = condition.test()
            && each.trigger() == Trigger::Change
            && same
        {
            format!(": {} → {}", words::value(value, before), words::value(value, world))
        } else {
            String::new()
        };
        format!("{}{value}", each.text())
    }

    /// Starts a search from the current frame back to the last frame at which one of `breaks` hits.
    /// Cancels a seek.
    pub fn search_back(&mut self, breaks: Breaks) {
        self.history.give_up();
        self.breakpoints.search = Some(BreakpointSearch::new(&self.history, breaks));
    }

    /// Returns true if a backward search is running.
    pub fn is_searching_back(&self) -> bool {
        self.breakpoints.search.is_some()
    }

    pub fn stop_search(&mut self) {
        self.breakpoints.search = None;
    }

    /// Continues the backward search until `in_time` returns false. If a frame is found, the caller
    /// must seek to it. Returns [`Progress::Nothing`] if no search is running.
    pub fn continue_search(&mut self, in_time: impl FnMut() -> bool) -> Progress {
        let Some(search) = &mut self.breakpoints.search else { return Progress::Nothing };
        let progress = search.continue_search(self.history.run(), in_time);
        if !matches!(progress, Progress::Looking(_)) {
            self.breakpoints.search = None;
        }
        progress
    }

    /// Returns the next event if `later` is true, otherwise the previous event. If the inspector
    /// shows an agent, only its events count. Otherwise, events of all agents count. Returns `None`
    /// if there is no such event.
    pub fn event_near(&self, later: bool) -> Option<Event> {
        let agent = self.agent_of_events();
        let matches = |event: &&Event| {
            agent.is_none_or(|agent| past_event::is_about(event, agent, &self.history))
        };
        let events = self.history.run().events();
        let here = self.world().frame();
        let found = if later {
            events.iter().skip(events.count_until(here)).find(matches)
        } else {
            let earlier = here.0.checked_sub(1).map_or(0, |last| events.count_until(Frame(last)));
            events.iter().take(earlier).rev().find(matches)
        };
        found.copied()
    }

    /// Returns the name of an event's agent at the time of the event.
    pub fn name_of_event(&self, event: &Event) -> String {
        past_event::name(event, &self.history).to_string()
    }

    /// Returns the text of an event without its frame and agent.
    pub fn text_of_event(&self, event: &Event) -> String {
        past_event::text(event, &self.history)
    }

    /// Returns the agent whose events count in a search, with its instance number. Returns `None`
    /// if events of all agents count.
    fn agent_of_events(&self) -> Option<(AgentId, u32)> {
        match self.subject() {
            Subject::Agent(id) => Some((id, self.world().number(id))),
            Subject::Tile(_) | Subject::None => None,
        }
    }

    /// Simulates frames until an event occurs that counts in a search, for at most `frames` frames
    /// and until `in_time` returns false. Does not stop at breakpoints. Returns the number of
    /// simulated frames, and the event.
    pub fn run_to_event(
        &mut self,
        frames: u32,
        mut in_time: impl FnMut() -> bool,
    ) -> (u32, Option<Event>) {
        let agent = self.agent_of_events();
        let is_wanted = |session: &Self| {
            let mut events = session.world().events().iter();
            events
                .find(|it| {
                    agent.is_none_or(|agent| past_event::is_about(it, agent, &session.history))
                })
                .copied()
        };
        let mut simulated = 0;
        while simulated < frames && (simulated == 0 || in_time()) {
            if self.run_past(1, || true) == 0 {
                break;
            }
            simulated += 1;
            if let Some(event) = is_wanted(self) {
                return (simulated, Some(event));
            }
        }
        (simulated, None)
    }
}
