//! Stored frames of a run, from which any other frame is soon simulated again.
//!
//! Keyframes cover the whole run at equal intervals. When they exceed their share of the memory
//! budget, every other keyframe is dropped and the interval doubles. Nearby snapshots lie closer
//! together, around the current frame, so that a step back is fast. The farthest ones are dropped
//! first.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::scenario::Scenario;
use crate::time::Frame;
use crate::world::World;
use crate::world::state::State;

/// Frames between two keyframes of a short run.
const SPACING: u64 = 16;

/// Frames between two nearby snapshots, at least: closer ones would cost a running step too much.
const FINEST: u64 = 4;

/// One frame, as it is saved.
#[derive(Debug)]
pub struct Snapshot {
    frame: Frame,
    scenario: Arc<Scenario>,
    state: State,
}

impl Snapshot {
    fn of(world: &World) -> Self {
        Self {
            frame: world.frame(),
            scenario: Arc::clone(world.scenario()),
            state: world.state().clone(),
        }
    }

    /// Reuses what this one has allocated.
    fn retake(&mut self, world: &World) {
        self.frame = world.frame();
        self.scenario.clone_from(world.scenario());
        self.state.clone_from(world.state());
    }

    /// The number of the frame.
    pub fn frame(&self) -> Frame {
        self.frame
    }

    /// Puts a world back to this frame.
    pub fn put_back(&self, world: &mut World) {
        world.restore(&self.scenario, self.frame, &self.state);
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.state.bytes()
    }
}

/// The frames of one run that are kept. Runs that part share those before.
#[derive(Debug, Clone)]
pub struct Snapshots {
    /// Bytes all of them may take; there are two at least.
    budget: usize,
    /// Frames between two keyframes: a power of two.
    spacing: u64,
    /// Ascending.
    keyframes: Vec<Arc<Snapshot>>,
    /// Ascending, none of them a keyframe.
    nearby: VecDeque<Arc<Snapshot>>,
    /// Bytes of the keyframes and of the nearby ones.
    bytes: [usize; 2],
}

impl Snapshots {
    /// None yet.
    pub fn new(budget: usize) -> Self {
        let keyframes = Vec::new();
        Self { budget, spacing: SPACING, keyframes, nearby: VecDeque::new(), bytes: [0; 2] }
    }

    /// The latest one that is not after a frame.
    pub fn latest(&self, frame: Frame) -> Option<&Snapshot> {
        let keyframe = self.keyframes.partition_point(|snapshot| snapshot.frame <= frame);
        let nearby = self.nearby.partition_point(|snapshot| snapshot.frame <= frame);
        let keyframe = keyframe.checked_sub(1).map(|index| &*self.keyframes[index]);
        let nearby = nearby.checked_sub(1).map(|index| &*self.nearby[index]);
        keyframe.into_iter().chain(nearby).max_by_key(|snapshot| snapshot.frame)
    }

    /// The keyframes before and at the beginning of the gap that a frame lies in: the gap one comes
    /// to next on the way back.
    pub fn gap_before(&self, frame: Frame) -> Option<[&Snapshot; 2]> {
        let end = self.keyframes.partition_point(|snapshot| snapshot.frame <= frame);
        match self.keyframes[..end] {
            [.., ref before, ref here] => Some([before, here]),
            _ => None,
        }
    }

    /// The frames of the keyframes, ascending.
    pub fn keyframes(&self) -> impl ExactSizeIterator<Item = Frame> {
        self.keyframes.iter().map(|snapshot| snapshot.frame)
    }

    /// How much memory all of them take, in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes[0] + self.bytes[1]
    }

    /// Keeps a frame that has just been made, if it is one to keep.
    pub fn note(&mut self, world: &World) {
        let Frame(frame) = world.frame();
        if !frame.is_multiple_of(FINEST) {
            return;
        }
        if frame.is_multiple_of(self.spacing) {
            self.note_keyframe(world);
        } else if frame.is_multiple_of(self.finest(world)) {
            self.note_nearby(world);
        }
    }

    /// Frames between two nearby snapshots, so that they reach across the gap between keyframes in
    /// which one looks, and across the one before.
    fn finest(&self, world: &World) -> u64 {
        let fit = (self.nearby_budget() / world.state().bytes().max(1)).max(1) as u64;
        (2 * self.spacing).div_ceil(fit).next_power_of_two().max(FINEST)
    }

    fn nearby_budget(&self) -> usize {
        self.budget / 4
    }

    fn note_keyframe(&mut self, world: &World) {
        let place = self.keyframes.partition_point(|other| other.frame < world.frame());
        if self.keyframes.get(place).is_some_and(|other| other.frame == world.frame()) {
            return;
        }
        let snapshot = Arc::new(Snapshot::of(world));
        self.bytes[0] += snapshot.bytes();
        self.keyframes.insert(place, snapshot);
        self.thin_out();
    }

    /// Widens the gaps between keyframes until they keep to their share.
    fn thin_out(&mut self) {
        while self.bytes[0] > self.budget - self.nearby_budget() && self.keyframes.len() > 1 {
            self.spacing *= 2;
            let spacing = self.spacing;
            self.keyframes.retain(|snapshot| snapshot.frame.0.is_multiple_of(spacing));
            self.bytes[0] = self.keyframes.iter().map(|snapshot| snapshot.bytes()).sum();
        }
    }

    fn note_nearby(&mut self, world: &World) {
        let frame = world.frame();
        let place = self.nearby.partition_point(|other| other.frame < frame);
        if self.nearby.get(place).is_some_and(|other| other.frame == frame) {
            return;
        }
        let room = self.bytes[1] + world.state().bytes() <= self.nearby_budget();
        let spare = if room { None } else { self.give_up_farthest(frame) };
        let snapshot = match spare.and_then(|spare| Arc::try_unwrap(spare).ok()) {
            Some(mut snapshot) => {
                snapshot.retake(world);
                snapshot
            }
            None => Snapshot::of(world),
        };
        self.bytes[1] += snapshot.bytes();
        let place = self.nearby.partition_point(|other| other.frame < frame);
        self.nearby.insert(place, Arc::new(snapshot));
    }

    /// Gives up the nearby snapshot that is farthest from a frame.
    fn give_up_farthest(&mut self, from: Frame) -> Option<Arc<Snapshot>> {
        let distance = |snapshot: Option<&Arc<Snapshot>>| {
            snapshot.map_or(0, |snapshot| snapshot.frame.0.abs_diff(from.0))
        };
        let spare = if distance(self.nearby.front()) >= distance(self.nearby.back()) {
            self.nearby.pop_front()
        } else {
            self.nearby.pop_back()
        };
        self.bytes[1] -= spare.as_ref().map_or(0, |spare| spare.bytes());
        spare
    }

    /// Keeps to another budget from now on.
    pub fn set_budget(&mut self, budget: usize) {
        self.budget = budget;
        self.thin_out();
        while self.bytes[1] > self.nearby_budget() && self.nearby.len() > 1 {
            self.give_up_farthest(Frame(u64::MAX));
        }
    }

    /// Forgets all frames after one.
    pub fn cut(&mut self, after: Frame) {
        self.keyframes.retain(|snapshot| snapshot.frame <= after);
        self.nearby.retain(|snapshot| snapshot.frame <= after);
        self.bytes = [
            self.keyframes.iter().map(|snapshot| snapshot.bytes()).sum(),
            self.nearby.iter().map(|snapshot| snapshot.bytes()).sum(),
        ];
    }
}
