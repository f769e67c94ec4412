//! What happened in a run, in order.

use std::collections::VecDeque;

use crate::event::Event;
use crate::time::Frame;

/// How many are kept; of a run with more the latest.
const MOST: usize = 1 << 18;

/// The events of a run.
#[derive(Debug, Clone, Default)]
pub struct Events {
    /// By frame, ascending.
    kept: VecDeque<Event>,
    /// How many have been given up.
    lost: u64,
    /// The last frame whose events are known.
    until: Frame,
}

impl Events {
    /// Adds those of another frame.
    pub(super) fn note(&mut self, frame: Frame, events: &[Event]) {
        self.until = frame;
        for &event in events {
            if self.kept.len() == MOST {
                self.kept.pop_front();
                self.lost += 1;
            }
            self.kept.push_back(event);
        }
    }

    /// Those up to a frame.
    pub(super) fn until(&self, frame: Frame) -> Self {
        let count = self.count_until(frame);
        let kept = self.kept.iter().take(count).copied().collect();
        Self { kept, lost: self.lost, until: self.until.min(frame) }
    }

    /// The last frame whose events are known: of a recorded run that is where it has been made again.
    pub fn known_until(&self) -> Frame {
        self.until
    }

    /// How many of those that are kept lie not after a frame.
    pub fn count_until(&self, frame: Frame) -> usize {
        self.kept.partition_point(|event| event.frame <= frame)
    }

    /// How many at the beginning have been given up.
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// How many are kept.
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Is none kept?
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// The one at a place, from 0.
    pub fn get(&self, index: usize) -> Option<&Event> {
        self.kept.get(index)
    }

    /// Those that are kept, the earliest first.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Event> + DoubleEndedIterator {
        self.kept.iter()
    }
}
