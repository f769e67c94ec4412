//! The event log of a run.

use std::collections::VecDeque;

use crate::event::Event;
use crate::time::Frame;

/// Maximum number of stored events. Older events are dropped.
const MAX_EVENTS: usize = 1 << 18;

/// The latest events of a run, in the order they happened.
#[derive(Debug, Clone, Default)]
pub struct Events {
    /// The stored events, ascending by frame.
    kept: VecDeque<Event>,
    /// Number of dropped events.
    lost: u64,
    /// The last frame whose events were added.
    until: Frame,
}

impl Events {
    /// Appends the events of the next frame.
    pub(super) fn note(&mut self, frame: Frame, events: &[Event]) {
        self.until = frame;
        for &event in events {
            if self.kept.len() == MAX_EVENTS {
                self.kept.pop_front();
                self.lost += 1;
            }
            self.kept.push_back(event);
        }
    }

    /// Returns a copy with the events up to and including a frame.
    pub(super) fn until(&self, frame: Frame) -> Self {
        let count = self.count_until(frame);
        let kept = self.kept.iter().take(count).copied().collect();
        Self { kept, lost: self.lost, until: self.until.min(frame) }
    }

    /// Returns the memory of the stored events, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.kept.len() * size_of::<Event>()
    }

    /// Returns the last frame whose events were added. For a recording, this is the last replayed
    /// frame.
    pub(crate) fn last_frame(&self) -> Frame {
        self.until
    }

    /// Returns the number of stored events up to and including a frame.
    pub fn count_until(&self, frame: Frame) -> usize {
        self.kept.partition_point(|event| event.frame <= frame)
    }

    /// Returns the number of events that were dropped because the log was full.
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// Returns the number of stored events, at most 2^18.
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Returns true if no events are stored. Dropped events do not count.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Returns the stored event at an index, or `None` if the index is out of range. Index 0 is the
    /// earliest event.
    pub fn get(&self, index: usize) -> Option<&Event> {
        self.kept.get(index)
    }

    /// Iterates over the stored events, earliest first.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Event> + DoubleEndedIterator {
        self.kept.iter()
    }
}
