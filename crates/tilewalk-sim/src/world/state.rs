//! The columns of the world: all state of agents that is saved, hashed and restored.
//!
//! The state hash is xxh3 over the little-endian bytes of all saved state, in a fixed order. −0
//! counts as 0. Events, random numbers and scratch data are excluded, because they follow from the
//! state.

use crate::agent::AgentKind;
use crate::body::Motion;
use crate::event::Obstruction;
use crate::geom::{TilePos, Vec2};
use crate::id::AgentId;
use crate::map::{StepError, Touch};
use crate::scenario::{Scenario, Start};
use crate::steering::memory::{Memory, MemoryValue, Remembered};
use crate::world::oscillation::OscillationDetector;
use crate::world::patterns::{SavedPattern, resuming};
use crate::world::population::{Birth, Presence, Spawner};
use crate::world::progress::{Detectors, EventCounts};
use crate::world::saved::{Saved, SavedPart, SavedVisitor};
use crate::world::{DriveState, Flags, Sight};
use xxhash_rust::xxh3::Xxh3;

/// Declares the columns of `State`. Generates code for copying, initial values, size and hash, and
/// the parts of `adopt` and `diff` that handle columns.
macro_rules! columns {
    (
        $(#[$about:meta])*
        pub(crate) struct State {
            per_agent($start:ident) {
                $(
                    $(#[$column_about:meta])*
                    $column:ident: $Value:ty = $initial:expr,
                    kept $kept:ident, diff $($elsewhere:ident)?$($name:literal)?;
                )*
            }
            per_kind($kind:ident) {
                $(
                    $(#[$list_about:meta])*
                    $list:ident: $Entry:ty = [$initial_entry:expr; $entries:expr];
                )*
            }
            per_scenario($scenario:ident) {
                $(
                    $(#[$table_about:meta])*
                    $table:ident: $Row:ty = $rows:expr;
                )*
            }
        }
    ) => {
        $(#[$about])*
        #[derive(Debug, Default, PartialEq)]
        pub(crate) struct State {
            $($(#[$column_about])* pub $column: Vec<$Value>,)*
            $($(#[$list_about])* pub $list: Vec<$Entry>,)*
            $($(#[$table_about])* pub $table: Vec<$Row>,)*
        }

        impl Clone for State {
            fn clone(&self) -> Self {
                let mut copy = Self::default();
                copy.clone_from(self);
                copy
            }

            /// Copies into the existing allocations of the columns, so that saving many frames into
            /// one state allocates nothing.
            fn clone_from(&mut self, other: &Self) {
                $(self.$column.clone_from(&other.$column);)*
                $(self.$list.clone_from(&other.$list);)*
                $(self.$table.clone_from(&other.$table);)*
            }
        }

        impl State {
            /// Returns the columns at frame 0, before agents enter their first modes.
            pub(super) fn at_start($scenario: &Scenario) -> Self {
                Self {
                    $($column: {
                        let initial = |$start: &Start| {
                            // Avoids a warning: most initial values are constants that do not use
                            // the start.
                            let _ = $start;
                            $initial
                        };
                        $scenario.starts.iter().map(initial).collect()
                    },)*
                    $($list: {
                        let entries = |$kind: &AgentKind| $kind.count as usize * $entries;
                        vec![$initial_entry; $scenario.kinds.iter().map(entries).sum()]
                    },)*
                    $($table: $rows,)*
                }
            }

            /// Resets one agent's entry of every `per_agent` column to its value at frame 0.
            pub(super) fn reset(&mut self, index: usize, $start: &Start) {
                $(self.$column[index] = $initial;)*
            }

            /// Returns the size of the entries of all columns, in bytes.
            pub(crate) fn bytes(&self) -> usize {
                0 $(+ size_of_val(self.$column.as_slice()))*
                    $(+ size_of_val(self.$list.as_slice()))*
                    $(+ size_of_val(self.$table.as_slice()))*
            }

            /// Hashes one agent's entry of every `per_agent` column, in order of declaration.
            #[inline]
            pub(super) fn hash_agent(&self, index: usize, hasher: &mut Hasher) {
                $(self.$column[index].visit("", hasher);)*
            }

            /// Hashes all entries of the `per_kind` and `per_scenario` columns, in order of
            /// declaration.
            pub(super) fn hash_lists(&self, hasher: &mut Hasher) {
                $(self.$list.iter().for_each(|entry| entry.visit("", hasher));)*
                $(self.$table.iter().for_each(|entry| entry.visit("", hasher));)*
            }

            /// Copies entry `from` of `old` to entry `to` in each `per_agent` column that is
            /// declared with `kept`.
            pub(super) fn keep(&mut self, kept: Kept, to: usize, old: &Self, from: usize) {
                $(if kept == Kept::$kept {
                    self.$column[to] = old.$column[from];
                })*
            }

            /// Visits an agent's entries of the `per_agent` columns that have a name in `diff`.
            pub(crate) fn visit_named(&self, index: usize, visitor: &mut impl SavedVisitor) {
                $($(self.$column[index].visit($name, visitor);)?)*
            }
        }
    };
}

// To add a column, declare it here. The macro generates copying, size, hash and the rest.
//
// A `per_agent` column has one entry per agent:
//     name: type = value at the start, kept when, diff "name in `diff`";
// With `diff elsewhere`, `history::diff::facts` must show the column in another form.
//
// A `per_kind` column has a number of entries per agent that depends on the agent's kind:
//     name: type = [value at the start; entries per agent];
//
// A `per_scenario` column has a number of entries that depends only on the scenario:
//     name: type = all entries at the start;
//
// The order is the order of the hash: changing it changes all state hashes.
columns! {
    /// The state of all agents at one frame, as a structure of arrays in agent order.
    ///
    /// Each component of position, velocity and heading has its own column of f32, so that loops
    /// over agents can use SIMD.
    pub(crate) struct State {
        per_agent(start) {
            /// Whether the agent is in the world. The other entries of an absent agent have no
            /// meaning.
            present: Presence = Presence(!start.absent), kept Always, diff elsewhere;
            /// X coordinate of the position, in tiles.
            x: f32 = start.position.x, kept InPlace, diff elsewhere;
            /// Y coordinate of the position, in tiles.
            y: f32 = start.position.y, kept InPlace, diff elsewhere;
            /// X component of the velocity, in tiles/s.
            vx: f32 = 0.0, kept InPlace, diff elsewhere;
            /// Y component of the velocity, in tiles/s.
            vy: f32 = 0.0, kept InPlace, diff elsewhere;
            /// X component of the heading, a unit vector.
            hx: f32 = start.heading.x, kept InPlace, diff elsewhere;
            /// Y component of the heading, a unit vector.
            hy: f32 = start.heading.y, kept InPlace, diff elsewhere;
            /// Angular velocity, in radians/s.
            angular_velocity: f32 = 0.0, kept InPlace, diff "angular velocity";
            /// Index of the current mode in the mode list of the agent's kind.
            mode: u16 = 0, kept InMode, diff elsewhere;
            /// Frames since the agent entered its mode.
            mode_frames: u32 = 0, kept InMode, diff "frames in mode";
            /// Status flags, such as blocked or arrived.
            flags: Flags = Flags::default(), kept InMode, diff "flags";
            /// Index of the current pattern in the mode's list; 0 if there is no list.
            pick: u16 = 0, kept InMode, diff "pattern index";
            /// Values that the drive keeps between frames.
            drive: DriveState = DriveState::Stand, kept InMode, diff "drive";
            /// Tile, obstacle or wall that the body touches; `None` if it touches nothing.
            touches: Option<Touch> = None, kept InMode, diff "touched tile";
            /// Reason why the agent is blocked, or the agent that holds a deadlocked vehicle.
            obstruction: Option<Obstruction> = None, kept InMode, diff "step blocked by";
            /// State of the stuck, circling and jitter detectors.
            detectors: Detectors = Detectors::at(start.position), kept InPlace, diff "detectors";
            /// Event counts since frame 0.
            event_counts: EventCounts = EventCounts::default(), kept Always, diff "event counts";
        }
        per_kind(kind) {
            /// Saved patterns: one entry per mode with `resume = true`. `None` if the mode has no
            /// saved pattern.
            saved_patterns: Option<SavedPattern> = [None; resuming(&kind.modes)];
            /// Perceived targets: one entry per target that the agent's kind watches.
            sights: Sight = [Sight::default(); kind.watched.len()];
            /// Recent headings of an agent: one entry for each frame that the displayed heading
            /// averages.
            recent: Vec2 = [Vec2::ZERO; kind.body.smoothing as usize];
            /// State of the oscillation detector: one entry for each agent with a destination.
            /// `None` if the detector has not started.
            oscillation: Option<OscillationDetector> = [None; usize::from(scenario.has_goal(kind))];
            /// Number, start and lifetime of each instance of a template.
            births: Birth = [Birth::default(); usize::from(kind.template)];
        }
        per_scenario(scenario) {
            /// Number of instances that have appeared since frame 0, by kind. Empty without
            /// templates.
            appeared: u32 = vec![0; scenario.templates()];
            /// Countdown and count of each spawn rule, in the order of the scenario's list.
            spawners: Spawner = scenario.spawns.iter().map(Spawner::new).collect();
        }
    }
}

/// The condition under which an agent keeps its entry of a column. It applies when the world
/// switches to another scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    /// The new scenario has an agent with the same name.
    Always,
    /// The new scenario has an agent with the same name, and the terrain allows the agent's
    /// position.
    InPlace,
    /// Same as `InPlace`, and the new scenario has an equivalent mode with the same name.
    InMode,
}

impl State {
    #[inline]
    pub(crate) fn is_present(&self, id: AgentId) -> bool {
        self.present[id.index()].0
    }

    #[inline]
    pub(crate) fn position(&self, index: usize) -> Vec2 {
        Vec2::new(self.x[index], self.y[index])
    }

    #[inline]
    pub(crate) fn velocity(&self, index: usize) -> Vec2 {
        Vec2::new(self.vx[index], self.vy[index])
    }

    #[inline]
    pub(crate) fn heading(&self, index: usize) -> Vec2 {
        Vec2::new(self.hx[index], self.hy[index])
    }

    #[inline]
    pub(crate) fn motion(&self, index: usize) -> Motion {
        Motion {
            position: self.position(index),
            velocity: self.velocity(index),
            heading: self.heading(index),
            angular_velocity: self.angular_velocity[index],
        }
    }

    #[inline]
    pub(crate) fn set_position(&mut self, index: usize, position: Vec2) {
        (self.x[index], self.y[index]) = (position.x, position.y);
    }

    #[inline]
    pub(crate) fn set_velocity(&mut self, index: usize, velocity: Vec2) {
        (self.vx[index], self.vy[index]) = (velocity.x, velocity.y);
    }

    #[inline]
    pub(crate) fn set_heading(&mut self, index: usize, heading: Vec2) {
        (self.hx[index], self.hy[index]) = (heading.x, heading.y);
    }

    #[inline]
    pub(crate) fn set_motion(&mut self, index: usize, motion: Motion) {
        self.set_position(index, motion.position);
        self.set_velocity(index, motion.velocity);
        self.set_heading(index, motion.heading);
        self.angular_velocity[index] = motion.angular_velocity;
    }
}

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
