//! Filters the events of a run incrementally, for the inspector's events page and the event log.
//!
//! The filter keeps the positions of matching events. Each update examines only the events added
//! since the last update.

use std::collections::VecDeque;

use crate::event::Event;
use crate::history::History;
use crate::history::run::RunId;

/// The positions of all events of a run that match a filter, in ascending order.
#[derive(Debug, Clone, Default)]
pub struct EventFilter {
    /// The examined run, and the value of [`History::turns`] at the last update.
    of: Option<(RunId, u64)>,
    /// Number of events examined, including events that the history no longer stores.
    examined: u64,
    /// Positions of matching events, counted from the first event of the run.
    found: VecDeque<u64>,
}

impl EventFilter {
    /// Discards all positions. Must be called when the condition of the filter changes.
    pub fn forget(&mut self) {
        *self = Self::default();
    }

    /// Examines the events added since the last update. If another run is current, starts again
    /// from its first event. `matches` must be the same condition in each call.
    pub fn update(&mut self, history: &History, mut matches: impl FnMut(&Event) -> bool) {
        let of = Some((history.present(), history.turns()));
        if self.of != of {
            *self = Self { of, ..Self::default() };
        }
        let events = history.run().events();
        let (lost, count) = (events.lost(), events.len() as u64);
        while self.found.front().is_some_and(|&index| index < lost) {
            self.found.pop_front();
        }
        let known = self.examined.saturating_sub(lost);
        for (index, event) in (known..).zip(events.iter().skip(known as usize)) {
            if matches(event) {
                self.found.push_back(lost + index);
            }
        }
        self.examined = lost + count;
    }

    /// Returns the number of matching events that the history still stores.
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// Returns true if no stored event matches.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Returns the matching event at an index, or `None` if the index is out of range. Index 0 is
    /// the earliest event.
    pub fn get<'a>(&self, history: &'a History, index: usize) -> Option<&'a Event> {
        let events = history.run().events();
        let at = self.found.get(index)?.checked_sub(events.lost())?;
        events.get(at as usize)
    }

    /// Returns the number of matching events up to and including the current frame.
    pub fn until_now(&self, history: &History) -> usize {
        let events = history.run().events();
        let until = events.lost() + events.count_until(history.frame()) as u64;
        self.found.partition_point(|&index| index < until)
    }

    /// Iterates over the matching events up to and including the current frame, latest first.
    pub fn latest<'a>(&self, history: &'a History) -> impl Iterator<Item = &'a Event> {
        let until = self.until_now(history);
        (0..until).rev().filter_map(|index| self.get(history, index))
    }
}
