//! An incremental filter for the events of a run, for the inspector's events page and the event
//! log.
//!
//! It keeps the positions of matching events and examines only the events added since the last
//! update.

use std::collections::VecDeque;

use crate::event::Event;
use crate::history::History;
use crate::history::run::RunId;

/// Places of some events of a run, in order.
#[derive(Debug, Clone, Default)]
pub struct Sift {
    /// Of what they are: a run, and its turns.
    of: Option<(RunId, u64)>,
    /// How many events have been looked at, with those that are no longer kept.
    seen: u64,
    /// The places of those that are asked for, counted with those that are no longer kept.
    found: VecDeque<u64>,
}

impl Sift {
    /// Everything is asked anew.
    pub fn forget(&mut self) {
        *self = Self::default();
    }

    /// Looks at the events that came since.
    pub fn renew(&mut self, history: &History, mut asked: impl FnMut(&Event) -> bool) {
        let of = Some((history.present(), history.turns()));
        if self.of != of {
            *self = Self { of, ..Self::default() };
        }
        let events = history.run().events();
        let (lost, count) = (events.lost(), events.len() as u64);
        while self.found.front().is_some_and(|&place| place < lost) {
            self.found.pop_front();
        }
        let known = self.seen.saturating_sub(lost);
        for (place, event) in (known..).zip(events.iter().skip(known as usize)) {
            if asked(event) {
                self.found.push_back(lost + place);
            }
        }
        self.seen = lost + count;
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// The one at a place among those that are asked for.
    pub fn get<'a>(&self, history: &'a History, place: usize) -> Option<&'a Event> {
        let events = history.run().events();
        let at = self.found.get(place)?.checked_sub(events.lost())?;
        events.get(at as usize)
    }

    /// How many of them happened up to the frame that is looked at.
    pub fn until_now(&self, history: &History) -> usize {
        let events = history.run().events();
        let until = events.lost() + events.count_until(history.frame()) as u64;
        self.found.partition_point(|&place| place < until)
    }

    /// Those up to the frame that is looked at, the latest first.
    pub fn latest<'a>(&self, history: &'a History) -> impl Iterator<Item = &'a Event> {
        let until = self.until_now(history);
        (0..until).rev().filter_map(|place| self.get(history, place))
    }
}
