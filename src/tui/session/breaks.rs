//! What stops time in a session: what is set, what was hit, and looking back for a hit.

use std::sync::Arc;

use crate::condition::{ConditionError, Test};
use crate::event::Event;
use crate::history::breaks::{Break, Breaks, Trigger};
use crate::history::search::{Progress, Search};
use crate::time::Frame;
use crate::words;

use super::{Session, Subject};

impl Session {
    /// What stops time.
    pub fn breaks(&self) -> &Breaks {
        &self.breaks
    }

    /// Stops time from now on; says the place in the list.
    ///
    /// # Errors
    /// What is wrong with the text, and where.
    pub fn set_break(&mut self, trigger: Trigger, text: &str) -> Result<usize, ConditionError> {
        let new = Break::read(trigger, text, self.scenario())?;
        let place = self.breaks.set(new);
        self.find_hits();
        Ok(place)
    }

    /// Switches one off or on again; says which it is now, if there is one.
    pub fn toggle_break(&mut self, place: usize) -> Option<bool> {
        let each = self.breaks.get_mut(place)?;
        each.enabled = !each.enabled;
        let enabled = each.enabled;
        self.find_hits();
        Some(enabled)
    }

    /// Removes one.
    pub fn remove_break(&mut self, place: usize) -> Option<Break> {
        let removed = self.breaks.remove(place);
        self.find_hits();
        removed
    }

    /// Those that the frame that is looked at is a hit of, by their places.
    pub fn hits(&self) -> &[usize] {
        &self.hits
    }

    pub(super) fn find_hits(&mut self) {
        self.hits.clear();
        self.hits.extend(self.breaks.hit(self.history.before(), self.history.world()));
    }

    /// The frame that is looked at was looked for: it counts as a hit.
    pub fn count_hits(&mut self) {
        self.breaks.stop(self.history.before(), self.history.world());
    }

    /// What a breakpoint says of the frame that is looked at: its condition, or the value before and
    /// now.
    pub fn told(&self, each: &Break) -> String {
        let (before, world) = (self.before(), self.world());
        let same = Arc::ptr_eq(before.scenario(), world.scenario());
        let value = match each.clone().condition(world.scenario()).map(|it| it.test().clone()) {
            Ok(Test::Changed(value)) if each.trigger() == Trigger::Change && same => {
                format!(": {} → {}", words::value(&value, before), words::value(&value, world))
            }
            _ => String::new(),
        };
        format!("{}{value}", each.text())
    }

    /// Begins to look back from the frame that is looked at for the last hit of some breakpoints.
    pub fn look_back(&mut self, breaks: Breaks) {
        self.history.give_up();
        self.search = Some(Search::new(&self.history, breaks));
    }

    /// Is a look back under way?
    pub fn looks_back(&self) -> bool {
        self.search.is_some()
    }

    /// What is looked for in the past is not looked for any more.
    pub fn stop_looking(&mut self) {
        self.search = None;
    }

    /// Looks on, as long as there is time; what was found is gone to by [`Session::go_to`].
    pub fn look_on(&mut self, in_time: impl FnMut() -> bool) -> Progress {
        let Some(search) = &mut self.search else { return Progress::Nothing };
        let progress = search.look_on(self.history.run(), in_time);
        if !matches!(progress, Progress::Looking(_)) {
            self.search = None;
        }
        progress
    }

    /// The frame of the last event before the one that is looked at, or of the first one after it:
    /// of the selected agent, or of anybody's while a tile is looked at.
    pub fn event_near(&self, later: bool) -> Option<Frame> {
        let whose = match self.subject() {
            Subject::Agent(id) => Some(id),
            Subject::Tile(_) | Subject::Nobody => None,
        };
        let told = |event: &&Event| whose.is_none_or(|id| event.agent == id);
        let events = self.history.run().events();
        let here = self.world().frame();
        let found = if later {
            events.iter().skip(events.count_until(here)).find(told)
        } else {
            let earlier = here.0.checked_sub(1).map_or(0, |last| events.count_until(Frame(last)));
            events.iter().take(earlier).rev().find(told)
        };
        found.map(|event| event.frame)
    }
}
