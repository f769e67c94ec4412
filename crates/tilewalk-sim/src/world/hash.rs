//! The state hash: xxh3 over the little-endian bytes of all saved state, in a fixed order.
//!
//! −0 counts as 0. Events, random numbers, scratch data and display data are excluded, because they
//! follow from the state.

use xxhash_rust::xxh3::Xxh3;

use crate::event::Obstruction;
use crate::geom::{TilePos, Vec2};
use crate::map::StepError;
use crate::steering::memory::{Memory, MemoryValue, Remembered};

use super::progress::{Detectors, EventCounts};
use super::route_progress::{ChaseLine, RouteProgress};
use super::saved_patterns::SavedPattern;
use super::{DriveState, Flags, Sight, StepTimer};

const PENDING: usize = 256;

/// Buffers values before hashing, because many small updates of xxh3 are slow.
pub(super) struct Hasher {
    xxh3: Xxh3,
    pending: [u8; PENDING],
    len: usize,
}

impl Hasher {
    pub(super) fn new() -> Self {
        Self { xxh3: Xxh3::new(), pending: [0; PENDING], len: 0 }
    }

    pub(super) fn finish(mut self) -> u64 {
        self.flush();
        self.xxh3.digest()
    }

    fn bytes<const N: usize>(&mut self, bytes: [u8; N]) {
        if self.len + N > PENDING {
            self.flush();
        }
        self.pending[self.len..self.len + N].copy_from_slice(&bytes);
        self.len += N;
    }

    fn flush(&mut self) {
        self.xxh3.update(&self.pending[..self.len]);
        self.len = 0;
    }

    pub(super) fn u64(&mut self, value: u64) {
        self.bytes(value.to_le_bytes());
    }

    fn u32(&mut self, value: u32) {
        self.bytes(value.to_le_bytes());
    }

    fn bool(&mut self, value: bool) {
        self.u32(u32::from(value));
    }

    fn f32(&mut self, value: f32) {
        // Adding 0 turns −0 into 0.
        self.u32((value + 0.0).to_bits());
    }

    fn vector(&mut self, value: Vec2) {
        self.f32(value.x);
        self.f32(value.y);
    }

    fn tile(&mut self, tile: TilePos) {
        self.u32(tile.x as u32);
        self.u32(tile.y as u32);
    }

    fn walk(&mut self, walk: StepTimer) {
        self.u32(walk.due_in);
    }
}

/// A value that is part of the state hash. The bytes that it adds to the hash must never change.
pub(super) trait Hashed {
    fn hash(&self, hasher: &mut Hasher);
}

impl Hashed for f32 {
    fn hash(&self, hasher: &mut Hasher) {
        hasher.f32(*self);
    }
}

impl Hashed for u16 {
    fn hash(&self, hasher: &mut Hasher) {
        hasher.u32(u32::from(*self));
    }
}

impl Hashed for u32 {
    fn hash(&self, hasher: &mut Hasher) {
        hasher.u32(*self);
    }
}

impl Hashed for Vec2 {
    fn hash(&self, hasher: &mut Hasher) {
        hasher.vector(*self);
    }
}

impl Hashed for Flags {
    fn hash(&self, hasher: &mut Hasher) {
        hasher.u32(u32::from(self.bits()));
    }
}

impl Hashed for Option<TilePos> {
    fn hash(&self, hasher: &mut Hasher) {
        hasher.bool(self.is_some());
        hasher.tile(self.unwrap_or_default());
    }
}

impl Hashed for DriveState {
    fn hash(&self, hasher: &mut Hasher) {
        match *self {
            DriveState::Stand => hasher.u32(0),
            DriveState::Steer(memory) => {
                hasher.u32(1);
                memory.hash(hasher);
            }
            DriveState::Path { at, walk } => {
                hasher.u32(2);
                hasher.u32(at.index);
                hasher.bool(at.back);
                hasher.walk(walk);
            }
            DriveState::Matrix { at, walk } => {
                hasher.u32(3);
                hasher.u32(at.came_by.map_or(0, |notch| notch as u32 + 1));
                hasher.walk(walk);
            }
            DriveState::Steps { at, walk } => {
                hasher.u32(4);
                hasher.u32(at.row);
                hasher.u32(at.done);
                hasher.bool(at.begun);
                hasher.f32(at.moved);
                hasher.u32(at.pace);
                hasher.walk(walk);
            }
            DriveState::Thrust { at } => {
                hasher.u32(5);
                hasher.u32(at.leg);
                hasher.vector(at.moved);
                hasher.f32(at.turned);
                hasher.bool(at.course.is_some());
                hasher.vector(at.course.unwrap_or_default());
            }
            DriveState::Keys { walk } => {
                hasher.u32(9);
                hasher.walk(walk.unwrap_or_default());
            }
            DriveState::Chase { aim, walk } => {
                hasher.u32(6);
                let ChaseLine { from, to, done } = aim.unwrap_or_default();
                hasher.bool(aim.is_some());
                hasher.tile(from);
                hasher.tile(to);
                hasher.u32(done);
                hasher.walk(walk);
            }
            DriveState::FleeTiles { from, walk } => {
                hasher.u32(7);
                from.hash(hasher);
                hasher.walk(walk);
            }
            DriveState::Travel { trip, walk } => {
                hasher.u32(8);
                let RouteProgress { from, to, at, stands, held, done } = trip.unwrap_or_default();
                hasher.bool(trip.is_some());
                hasher.tile(from);
                hasher.tile(to);
                hasher.tile(at);
                hasher.bool(stands);
                hasher.u32(u32::from(held));
                hasher.u32(done);
                hasher.walk(walk);
            }
        }
    }
}

impl Hashed for Memory {
    #[inline]
    fn hash(&self, hasher: &mut Hasher) {
        let packed = |each: MemoryValue| each.bit.map_or(0, |bit| each.value.bits() << bit);
        hasher.u32(self.values().map(packed).fold(0, |word, bits| word | bits));
        for (index, MemoryValue { bit, value, .. }) in self.values().enumerate() {
            match (bit, value) {
                (Some(_), Remembered::Point(point)) => hasher.vector(point.unwrap_or_default()),
                (Some(_), Remembered::Index(_) | Remembered::Problem(_)) => {}
                (None, value) if value.bits() == 0 => {}
                (None, value) => {
                    hasher.u32(index as u32);
                    hasher.u32(value.bits());
                    if let Remembered::Point(Some(point)) = value {
                        hasher.vector(point);
                    }
                }
            }
        }
    }
}

impl Hashed for Option<Obstruction> {
    fn hash(&self, hasher: &mut Hasher) {
        match *self {
            None => hasher.u32(0),
            Some(Obstruction::Ground(StepError::Edge)) => hasher.u32(1),
            Some(Obstruction::Ground(StepError::Wall(tile))) => {
                hasher.u32(2);
                hasher.tile(tile);
            }
            Some(Obstruction::Ground(StepError::Obstacle(tile))) => {
                hasher.u32(3);
                hasher.tile(tile);
            }
            Some(Obstruction::Ground(StepError::Corner(tile))) => {
                hasher.u32(4);
                hasher.tile(tile);
            }
            Some(Obstruction::Agent(id)) => {
                hasher.u32(5);
                hasher.u32(id.0);
            }
            Some(Obstruction::NoRoute) => hasher.u32(6),
            Some(Obstruction::NoWay) => hasher.u32(7),
        }
    }
}

impl Hashed for Detectors {
    fn hash(&self, hasher: &mut Hasher) {
        hasher.vector(self.anchor);
        hasher.u32(self.frames);
        hasher.vector(self.centre);
        hasher.f32(self.turned);
    }
}

impl Hashed for EventCounts {
    fn hash(&self, hasher: &mut Hasher) {
        for count in [self.bumps, self.blocked, self.stuck, self.circling] {
            hasher.u32(count);
        }
    }
}

impl Hashed for Option<SavedPattern> {
    fn hash(&self, hasher: &mut Hasher) {
        hasher.bool(self.is_some());
        if let Some(SavedPattern { pick, tile, drive }) = *self {
            hasher.u32(u32::from(pick));
            hasher.tile(tile);
            drive.hash(hasher);
        }
    }
}

impl Hashed for Sight {
    fn hash(&self, hasher: &mut Hasher) {
        hasher.bool(self.seen);
        hasher.bool(self.at.is_some());
        hasher.vector(self.at.unwrap_or_default());
    }
}
