//! Stored frames of a run. All other frames are simulated from them.
//!
//! Keyframes cover the whole run at equal intervals. When they exceed their share of the memory
//! budget, every other keyframe is dropped and the interval doubles. Nearby snapshots have a
//! shorter interval and surround the current frame, so that stepping back is fast. The nearby
//! snapshots farthest from the current frame are dropped first.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::event::Event;
use crate::scenario::Scenario;
use crate::time::Frame;
use crate::world::State;
use crate::world::World;

/// Initial interval between keyframes, in frames.
const KEYFRAME_INTERVAL: u64 = 16;

/// Minimum interval between nearby snapshots, in frames. Smaller intervals would slow down a
/// running simulation.
const MIN_NEARBY_INTERVAL: u64 = 4;

/// The saved state of one frame.
#[derive(Debug)]
pub struct Snapshot {
    frame: Frame,
    scenario: Arc<Scenario>,
    state: State,
    /// The events of the frame. Transitions in the next step can depend on them.
    events: Vec<Event>,
}

impl Snapshot {
    fn of(world: &World) -> Self {
        Self {
            frame: world.frame(),
            scenario: Arc::clone(world.scenario()),
            state: world.state().clone(),
            events: world.events().to_vec(),
        }
    }

    /// Replaces the contents and reuses the allocations.
    fn replace(&mut self, world: &World) {
        self.frame = world.frame();
        self.scenario.clone_from(world.scenario());
        self.state.clone_from(world.state());
        self.events.clear();
        self.events.extend_from_slice(world.events());
    }

    pub(crate) fn frame(&self) -> Frame {
        self.frame
    }

    pub(crate) fn restore(&self, world: &mut World) {
        world.restore(&self.scenario, self.frame, &self.state, &self.events);
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.state.bytes() + size_of_val(self.events.as_slice())
    }
}

/// The stored frames of one run. Runs share the snapshots before their branch points.
#[derive(Debug, Clone)]
pub struct Snapshots {
    /// Memory limit in bytes. At least two snapshots are stored, even if they exceed the limit.
    budget: usize,
    /// Interval between keyframes, in frames. A power of two.
    keyframe_interval: u64,
    /// The keyframes, ascending by frame.
    keyframes: Vec<Arc<Snapshot>>,
    /// The nearby snapshots, ascending by frame, without keyframes.
    nearby: VecDeque<Arc<Snapshot>>,
    /// Memory used by the keyframes, then by the nearby snapshots, in bytes.
    bytes: [usize; 2],
}

impl Snapshots {
    pub(crate) fn new(budget: usize) -> Self {
        let keyframes = Vec::new();
        Self {
            budget,
            keyframe_interval: KEYFRAME_INTERVAL,
            keyframes,
            nearby: VecDeque::new(),
            bytes: [0; 2],
        }
    }

    /// Returns the latest snapshot up to and including `frame`. Returns `None` if all snapshots are
    /// later.
    pub(crate) fn latest(&self, frame: Frame) -> Option<&Snapshot> {
        let keyframe = self.keyframes.partition_point(|snapshot| snapshot.frame <= frame);
        let nearby = self.nearby.partition_point(|snapshot| snapshot.frame <= frame);
        let keyframe = keyframe.checked_sub(1).map(|index| &*self.keyframes[index]);
        let nearby = nearby.checked_sub(1).map(|index| &*self.nearby[index]);
        keyframe.into_iter().chain(nearby).max_by_key(|snapshot| snapshot.frame)
    }

    /// Returns the last two keyframes up to and including `frame`. Returns `None` if there are
    /// fewer than two.
    pub(crate) fn gap_before(&self, frame: Frame) -> Option<[&Snapshot; 2]> {
        let end = self.keyframes.partition_point(|snapshot| snapshot.frame <= frame);
        match self.keyframes[..end] {
            [.., ref before, ref here] => Some([before, here]),
            _ => None,
        }
    }

    /// Returns the frame numbers of the keyframes, ascending.
    pub fn keyframes(&self) -> impl ExactSizeIterator<Item = Frame> {
        self.keyframes.iter().map(|snapshot| snapshot.frame)
    }

    /// Returns the memory used by all snapshots, in bytes. A snapshot shared between runs counts
    /// fully in each run.
    pub fn bytes(&self) -> usize {
        self.bytes[0] + self.bytes[1]
    }

    /// Calls `part` with the address and the size of each snapshot, in bytes. Runs share snapshots.
    pub(super) fn each(&self, mut part: impl FnMut(usize, usize)) {
        for snapshot in self.keyframes.iter().chain(&self.nearby) {
            part(Arc::as_ptr(snapshot).addr(), snapshot.bytes());
        }
    }

    /// Stores a newly simulated frame if a keyframe or a nearby snapshot is due at that frame.
    pub(crate) fn note(&mut self, world: &World) {
        let Frame(frame) = world.frame();
        if !frame.is_multiple_of(MIN_NEARBY_INTERVAL) {
            return;
        }
        if frame.is_multiple_of(self.keyframe_interval) {
            self.note_keyframe(world);
        } else if frame.is_multiple_of(self.nearby_interval(world)) {
            self.note_nearby(world);
        }
    }

    /// Returns the interval between nearby snapshots, in frames. With this interval, the nearby
    /// snapshots of two keyframe intervals fit their share of the budget.
    fn nearby_interval(&self, world: &World) -> u64 {
        let fit = (self.nearby_budget() / world.state().bytes().max(1)).max(1) as u64;
        (2 * self.keyframe_interval).div_ceil(fit).next_power_of_two().max(MIN_NEARBY_INTERVAL)
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

    /// Doubles the interval between keyframes until the keyframes fit their share of the budget.
    fn thin_out(&mut self) {
        while self.bytes[0] > self.budget - self.nearby_budget() && self.keyframes.len() > 1 {
            self.keyframe_interval *= 2;
            let keyframe_interval = self.keyframe_interval;
            self.keyframes.retain(|snapshot| snapshot.frame.0.is_multiple_of(keyframe_interval));
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
        let spare = if room { None } else { self.drop_farthest(frame) };
        let snapshot = match spare.and_then(|spare| Arc::try_unwrap(spare).ok()) {
            Some(mut snapshot) => {
                snapshot.replace(world);
                snapshot
            }
            None => Snapshot::of(world),
        };
        self.bytes[1] += snapshot.bytes();
        let place = self.nearby.partition_point(|other| other.frame < frame);
        self.nearby.insert(place, Arc::new(snapshot));
    }

    /// Drops the nearby snapshot that is farthest from a frame.
    fn drop_farthest(&mut self, from: Frame) -> Option<Arc<Snapshot>> {
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

    pub(crate) fn set_budget(&mut self, budget: usize) {
        self.budget = budget;
        self.thin_out();
        while self.bytes[1] > self.nearby_budget() && self.nearby.len() > 1 {
            self.drop_farthest(Frame(u64::MAX));
        }
    }

    /// Drops all snapshots after a frame.
    pub(crate) fn cut(&mut self, after: Frame) {
        self.keyframes.retain(|snapshot| snapshot.frame <= after);
        self.nearby.retain(|snapshot| snapshot.frame <= after);
        self.bytes = [
            self.keyframes.iter().map(|snapshot| snapshot.bytes()).sum(),
            self.nearby.iter().map(|snapshot| snapshot.bytes()).sum(),
        ];
    }
}
