//! The state hash: xxh3 over the little-endian bytes of all saved state, in a fixed order.
//!
//! −0 counts as 0. Events, random numbers and scratch data are excluded, because they follow from
//! the state.

use xxhash_rust::xxh3::Xxh3;

use crate::event::Obstruction;
use crate::geom::{TilePos, Vec2};
use crate::map::StepError;
use crate::steering::memory::{Memory, MemoryValue, Remembered};

use super::saved::{SavedPart, SavedVisitor};

const PENDING: usize = 256;

/// A hasher with a buffer for values, because many small updates of xxh3 are slow.
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
}

impl SavedVisitor for Hasher {
    const VISITS_MISSING: bool = true;

    #[inline]
    fn part(&mut self, _name: &'static str, part: SavedPart) {
        match part {
            SavedPart::Word(code, _) => self.u32(code),
            SavedPart::Count(count) => self.u32(count),
            SavedPart::Yes(yes) => self.bool(yes),
            SavedPart::Flags(flags) => self.u32(flags.bits().into()),
            SavedPart::Number(number) => self.f32(number),
            SavedPart::Point(point) => self.vector(point),
            SavedPart::MaybePoint(point) => {
                self.bool(point.is_some());
                self.vector(point.unwrap_or_default());
            }
            SavedPart::Tile(tile) => self.tile(tile),
            SavedPart::MaybeTile(tile) => {
                self.bool(tile.is_some());
                self.tile(tile.unwrap_or_default());
            }
        }
    }

    #[inline]
    fn detail(&mut self, name: &'static str, part: SavedPart) {
        self.part(name, part);
    }

    #[inline]
    fn memory(&mut self, memory: &Memory) {
        let packed = |each: MemoryValue| each.bit.map_or(0, |bit| each.value.bits() << bit);
        self.u32(memory.values().map(packed).fold(0, |word, bits| word | bits));
        for (index, MemoryValue { bit, value, .. }) in memory.values().enumerate() {
            match (bit, value) {
                (Some(_), Remembered::Point(point)) => self.vector(point.unwrap_or_default()),
                (Some(_), Remembered::Index(_) | Remembered::Problem(_)) => {}
                (None, value) if value.bits() == 0 => {}
                (None, value) => {
                    self.u32(index as u32);
                    self.u32(value.bits());
                    if let Remembered::Point(Some(point)) = value {
                        self.vector(point);
                    }
                }
            }
        }
    }

    #[inline]
    fn obstruction(&mut self, _name: &'static str, reason: Option<Obstruction>) {
        let (code, tile) = match reason {
            None => (0, None),
            Some(Obstruction::Ground(StepError::Edge)) => (1, None),
            Some(Obstruction::Ground(StepError::Wall(tile))) => (2, Some(tile)),
            Some(Obstruction::Ground(StepError::Obstacle(tile))) => (3, Some(tile)),
            Some(Obstruction::Ground(StepError::Corner(tile))) => (4, Some(tile)),
            Some(Obstruction::Agent(_)) => (5, None),
            Some(Obstruction::NoRoute) => (6, None),
            Some(Obstruction::NoWay) => (7, None),
            Some(Obstruction::Ground(StepError::FreeWall(tile, _))) => (8, Some(tile)),
        };
        self.u32(code);
        if let Some(tile) = tile {
            self.tile(tile);
        }
        match reason {
            Some(Obstruction::Agent(id)) => self.u32(id.0),
            Some(Obstruction::Ground(StepError::FreeWall(_, wall))) => self.u32(wall.0),
            Some(Obstruction::Ground(_) | Obstruction::NoRoute | Obstruction::NoWay) | None => {}
        }
    }
}
