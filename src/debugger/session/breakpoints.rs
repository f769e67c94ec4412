//! Breakpoints of a session, and searching backwards for a hit.

use std::sync::Arc;

use crate::condition::{ConditionError, Test};
use crate::event::Event;
use crate::history::breaks::{Break, Breaks, Trigger};
use crate::history::search::{Progress, Search};
use crate::time::Frame;
use crate::words;

use super::{Session, Subject};

/// Breakpoints, and their hits at the current frame.
#[derive(Debug, Clone)]
pub(super) struct Breakpoints {
    pub set: Breaks,
    /// Indices of the breakpoints that the current frame hits.
    hits: Vec<usize>,
    /// The current backward search.
    pub search: Option<Search>,
}

impl Breakpoints {
    pub fn new(set: Breaks) -> Self {
        Self { set, hits: Vec::new(), search: None }
    }
}

impl Session {
    /// The breakpoints.
    pub fn breaks(&self) -> &Breaks {
        &self.breakpoints.set
    }

    /// Sets a breakpoint. Returns its index in the list.
    ///
    /// # Errors
    /// If the text is not a valid condition of this map.
    pub fn set_break(&mut self, trigger: Trigger, text: &str) -> Result<usize, ConditionError> {
        let new = Break::read(trigger, text, self.scenario())?;
        let index = self.breakpoints.set.set(new);
        self.update_hits();
        Ok(index)
    }

    /// Enables or disables a breakpoint. Returns whether it is enabled now, or `None` if there is
    /// no such breakpoint.
    pub fn toggle_break(&mut self, index: usize) -> Option<bool> {
        let each = self.breakpoints.set.get_mut(index)?;
        each.enabled = !each.enabled;
        let enabled = each.enabled;
        self.update_hits();
        Some(enabled)
    }

    /// Removes a breakpoint.
    pub fn remove_break(&mut self, index: usize) -> Option<Break> {
        let removed = self.breakpoints.set.remove(index);
        self.update_hits();
        removed
    }

    /// Indices of the breakpoints that the current frame hits.
    pub fn hits(&self) -> &[usize] {
        &self.breakpoints.hits
    }

    pub(super) fn update_hits(&mut self) {
        let Breakpoints { set, hits, search: _ } = &mut self.breakpoints;
        hits.clear();
        hits.extend(set.hit(self.history.before(), self.history.world()));
    }

    /// Adds the current frame to the hit counts, after a search has led to it.
    pub fn count_hits(&mut self) {
        self.breakpoints.set.stop(self.history.before(), self.history.world());
    }

    /// Describes a breakpoint at the current frame: its condition, or the old and the new value.
    pub fn told(&self, each: &Break) -> String {
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

    /// Starts to search backwards from the current frame for the last hit of some breakpoints.
    pub fn search_back(&mut self, breaks: Breaks) {
        self.history.give_up();
        self.breakpoints.search = Some(Search::new(&self.history, breaks));
    }

    /// Whether a backward search is running.
    pub fn is_searching_back(&self) -> bool {
        self.breakpoints.search.is_some()
    }

    /// Cancels the backward search.
    pub fn stop_search(&mut self) {
        self.breakpoints.search = None;
    }

    /// Continues the backward search until `in_time` returns false. The caller then goes to the
    /// frame that was found.
    pub fn continue_search(&mut self, in_time: impl FnMut() -> bool) -> Progress {
        let Some(search) = &mut self.breakpoints.search else { return Progress::Nothing };
        let progress = search.continue_search(self.history.run(), in_time);
        if !matches!(progress, Progress::Looking(_)) {
            self.breakpoints.search = None;
        }
        progress
    }

    /// The frame of the next event after the current frame, or of the last event before it: of the
    /// selected agent, or of any agent while a tile is selected.
    pub fn event_near(&self, later: bool) -> Option<Frame> {
        let agent = match self.subject() {
            Subject::Agent(id) => Some(id),
            Subject::Tile(_) | Subject::Nobody => None,
        };
        let matches = |event: &&Event| agent.is_none_or(|id| event.agent == id);
        let events = self.history.run().events();
        let here = self.world().frame();
        let found = if later {
            events.iter().skip(events.count_until(here)).find(matches)
        } else {
            let earlier = here.0.checked_sub(1).map_or(0, |last| events.count_until(Frame(last)));
            events.iter().take(earlier).rev().find(matches)
        };
        found.map(|event| event.frame)
    }
}
