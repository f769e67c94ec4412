//! Stores values of the frames in the last seconds before the current frame.

use std::collections::VecDeque;

use crate::time::Frame;

/// Length of the covered period, in simulated seconds.
const SECONDS: f64 = 5.0;

/// Maximum number of samples. If the period has more frames, every second, third or n-th frame is
/// sampled.
const MOST: usize = 200;

/// Values for the last frames before the current frame, at regular intervals.
#[derive(Debug, Clone)]
pub struct Samples<T> {
    /// Frame numbers and values, ascending. Values before the covered period are kept for steps
    /// back.
    kept: VecDeque<(u64, T)>,
    /// Number of frames from one sample to the next.
    every: u64,
    /// Number of frames in the covered period.
    reach: u64,
    /// Number of the current frame.
    now: u64,
}

impl<T> Samples<T> {
    /// Creates an empty collection for frames of `tick` seconds.
    pub fn new(tick: f64) -> Self {
        let every = (SECONDS / tick / MOST as f64).ceil().max(1.0) as u64;
        let reach = (SECONDS / tick + 1e-9) as u64;
        Self { kept: VecDeque::new(), every, reach, now: 0 }
    }

    /// Removes all values.
    pub fn clear(&mut self) {
        self.kept.clear();
    }

    /// Returns the number of frames from one sample to the next.
    pub fn every(&self) -> u64 {
        self.every
    }

    /// Sets the current frame. Removes values of later frames, and values older than twice the
    /// covered period.
    pub fn look_at(&mut self, now: Frame) {
        self.now = now.0;
        self.kept.truncate(self.kept.partition_point(|&(frame, _)| frame <= now.0));
        let oldest = now.0.saturating_sub(2 * self.reach);
        self.kept.drain(..self.kept.partition_point(|&(frame, _)| frame < oldest));
    }

    /// Returns true if a frame is sampled and lies within the stored period.
    pub fn takes(&self, frame: Frame) -> bool {
        let oldest = self.now.saturating_sub(2 * self.reach);
        frame.0.is_multiple_of(self.every) && (oldest..=self.now).contains(&frame.0)
    }

    /// Returns the value of a frame. Returns `None` if none is stored.
    pub fn get(&mut self, frame: Frame) -> Option<&mut T> {
        let place = self.kept.binary_search_by_key(&frame.0, |&(frame, _)| frame).ok()?;
        self.kept.get_mut(place).map(|(_, value)| value)
    }

    /// Sets or replaces the value of a frame.
    pub fn put(&mut self, frame: Frame, value: T) {
        match self.kept.binary_search_by_key(&frame.0, |&(frame, _)| frame) {
            Ok(place) => self.kept[place].1 = value,
            Err(place) => self.kept.insert(place, (frame.0, value)),
        }
    }

    /// Returns the number of the first covered frame that is sampled.
    fn oldest(&self) -> u64 {
        self.now.saturating_sub(self.reach).next_multiple_of(self.every)
    }

    /// Iterates over the values of the covered frames, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Frame, &T)> {
        let first = self.kept.partition_point(|&(frame, _)| frame < self.oldest());
        self.kept.range(first..).map(|(frame, value)| (Frame(*frame), value))
    }

    /// Returns the latest covered frame that has no value, or for whose value `enough` returns
    /// false. Returns `None` if there is no such frame.
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
    fn the_latest_missing_frame_is_reported_first_and_later_frames_are_removed() {
        let mut window = Samples::new(0.05);
        let missing = |window: &Samples<bool>| window.latest_missing(|&whole| whole);
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
