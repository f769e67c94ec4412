//! Something about each frame of the last seconds before the one that is looked at.

use std::collections::VecDeque;

use crate::time::Frame;

/// How far back it reaches.
const SECONDS: f64 = 5.0;

/// Frames that are kept of these seconds at most; on a map with a short tick not every one is.
const SAMPLES: usize = 200;

/// What is known of the last frames.
#[derive(Debug, Clone)]
pub struct Window<T> {
    /// By frame, ascending. Some lie further back than one looks: whoever steps back needs them next.
    kept: VecDeque<(u64, T)>,
    /// Frames between two samples.
    every: u64,
    /// Frames it reaches back.
    reach: u64,
    /// The frame that is looked at.
    now: u64,
}

impl<T> Window<T> {
    /// An empty one, for a map whose frames last `tick` seconds.
    pub fn new(tick: f64) -> Self {
        let every = (SECONDS / tick / SAMPLES as f64).ceil().max(1.0) as u64;
        let reach = (SECONDS / tick + 1e-9) as u64;
        Self { kept: VecDeque::new(), every, reach, now: 0 }
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.kept.clear();
    }

    /// Frames between two samples.
    pub fn every(&self) -> u64 {
        self.every
    }

    /// Looks at another frame. What comes after it is forgotten, and what lies too far back.
    pub fn look_at(&mut self, now: Frame) {
        self.now = now.0;
        self.kept.truncate(self.kept.partition_point(|&(frame, _)| frame <= now.0));
        let oldest = now.0.saturating_sub(2 * self.reach);
        self.kept.drain(..self.kept.partition_point(|&(frame, _)| frame < oldest));
    }

    /// Is this frame one of those that are kept?
    pub fn takes(&self, frame: Frame) -> bool {
        let oldest = self.now.saturating_sub(2 * self.reach);
        frame.0.is_multiple_of(self.every) && (oldest..=self.now).contains(&frame.0)
    }

    /// What is kept about a frame.
    pub fn get(&mut self, frame: Frame) -> Option<&mut T> {
        let place = self.kept.binary_search_by_key(&frame.0, |&(frame, _)| frame).ok()?;
        self.kept.get_mut(place).map(|(_, value)| value)
    }

    /// Keeps something about a frame, in place of what was kept about it.
    pub fn put(&mut self, frame: Frame, value: T) {
        match self.kept.binary_search_by_key(&frame.0, |&(frame, _)| frame) {
            Ok(place) => self.kept[place].1 = value,
            Err(place) => self.kept.insert(place, (frame.0, value)),
        }
    }

    /// The first frame it reaches back to.
    fn oldest(&self) -> u64 {
        self.now.saturating_sub(self.reach).next_multiple_of(self.every)
    }

    /// Those of the last seconds, the oldest first, as far as they are known.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Frame, &T)> {
        let first = self.kept.partition_point(|&(frame, _)| frame < self.oldest());
        self.kept.range(first..).map(|(frame, value)| (Frame(*frame), value))
    }

    /// The latest frame of the last seconds of which nothing is known, or not enough.
    pub fn latest_missing(&self, enough: impl Fn(&T) -> bool) -> Option<Frame> {
        let mut wanted = self.now / self.every * self.every;
        for (frame, value) in self.iter().rev() {
            if frame.0 < wanted || !enough(value) {
                return Some(Frame(wanted));
            }
            wanted = frame.0.checked_sub(self.every)?;
        }
        (wanted >= self.oldest()).then_some(Frame(wanted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_gap_is_missed_first_and_what_lies_ahead_is_forgotten() {
        let mut window = Window::new(0.05);
        let missing = |window: &Window<bool>| window.latest_missing(|&whole| whole);
        window.look_at(Frame(250));
        assert_eq!(missing(&window), Some(Frame(250)));
        (200..=250).for_each(|frame| window.put(Frame(frame), frame != 230));
        assert_eq!(missing(&window), Some(Frame(230)));
        window.put(Frame(230), true);
        assert_eq!(missing(&window), Some(Frame(199)));
        (150..200).for_each(|frame| window.put(Frame(frame), true));
        assert_eq!((missing(&window), window.iter().count()), (None, 101));
        window.look_at(Frame(249));
        assert_eq!((missing(&window), window.iter().count()), (Some(Frame(149)), 100));
        assert!(!window.takes(Frame(250)) && window.takes(Frame(60)) && !window.takes(Frame(48)));
        window.look_at(Frame(0));
        assert_eq!(missing(&window), Some(Frame(0)));
        window.put(Frame(0), true);
        assert_eq!(missing(&window), None);
    }
}
