//! The state hash: xxh3 over the little-endian bytes of everything saved, in a fixed order.
//!
//! −0 counts as 0. Events, dice, scratch and what is drawn are no part of it, as they follow from
//! the rest.

use xxhash_rust::xxh3::Xxh3;

use crate::event::Obstruction;
use crate::geom::{TilePos, Vec2};
use crate::map::Refusal;
use crate::time::Frame;

use super::left::Left;
use super::quarry::{Aim, Trip};
use super::state::State;
use super::watch::{Spot, Tally};
use super::{DriveState, Walk};

/// Hash of a frame: its number, then for each agent the hash of its name and all its columns;
/// in the end the patterns that were
/// left, what has been seen, and the last headings of those who smooth.
pub(super) fn of(frame: Frame, names: &[u64], state: &State) -> u64 {
    let mut hasher = Hasher(Xxh3::new());
    hasher.u64(frame.0);
    for (index, &name) in names.iter().enumerate() {
        hasher.u64(name);
        hasher.vector(state.position(index));
        hasher.vector(state.velocity(index));
        hasher.vector(state.heading(index));
        hasher.f32(state.angular_velocity[index]);
        hasher.u32(u32::from(state.mode[index]));
        hasher.u32(state.mode_frames[index]);
        hasher.u32(u32::from(state.flags[index].bits()));
        hasher.u32(u32::from(state.pick[index]));
        hasher.drive(state.drive[index]);
        hasher.optional_tile(state.touches[index]);
        hasher.obstruction(state.obstruction[index]);
        hasher.spot(state.spots[index]);
        hasher.tally(state.tallies[index]);
    }
    for &left in &state.left {
        hasher.left(left);
    }
    for sight in &state.sights {
        hasher.u32(u32::from(sight.seen));
        hasher.u32(u32::from(sight.at.is_some()));
        hasher.vector(sight.at.unwrap_or_default());
    }
    for &heading in &state.recent {
        hasher.vector(heading);
    }
    hasher.0.digest()
}

struct Hasher(Xxh3);

impl Hasher {
    fn u64(&mut self, value: u64) {
        self.0.update(&value.to_le_bytes());
    }

    fn u32(&mut self, value: u32) {
        self.0.update(&value.to_le_bytes());
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

    fn optional_tile(&mut self, tile: Option<TilePos>) {
        self.u32(u32::from(tile.is_some()));
        self.tile(tile.unwrap_or_default());
    }

    fn walk(&mut self, walk: Walk) {
        self.u32(walk.due_in);
    }

    fn drive(&mut self, drive: DriveState) {
        match drive {
            DriveState::Stand => self.u32(0),
            DriveState::Steer(memory) => {
                self.u32(1);
                let has = u32::from(memory.wander.is_some()) | u32::from(memory.no_route) << 1;
                self.u32(has | memory.waypoint << 2);
                self.vector(memory.wander.unwrap_or_default());
            }
            DriveState::Path { at, walk } => {
                self.u32(2);
                self.u32(at.index);
                self.u32(u32::from(at.back));
                self.walk(walk);
            }
            DriveState::Matrix { at, walk } => {
                self.u32(3);
                self.u32(at.came_by.map_or(0, |notch| notch as u32 + 1));
                self.walk(walk);
            }
            DriveState::Steps { at, walk } => {
                self.u32(4);
                self.u32(at.row);
                self.u32(at.done);
                self.u32(u32::from(at.begun));
                self.f32(at.moved);
                self.u32(at.pace);
                self.walk(walk);
            }
            DriveState::Thrust { at } => {
                self.u32(5);
                self.u32(at.leg);
                self.vector(at.moved);
                self.f32(at.turned);
                self.u32(u32::from(at.course.is_some()));
                self.vector(at.course.unwrap_or_default());
            }
            DriveState::Keys { walk } => {
                self.u32(9);
                self.walk(walk.unwrap_or_default());
            }
            DriveState::Chase { aim, walk } => {
                self.u32(6);
                let Aim { from, to, done } = aim.unwrap_or_default();
                self.u32(u32::from(aim.is_some()));
                self.tile(from);
                self.tile(to);
                self.u32(done);
                self.walk(walk);
            }
            DriveState::FleeTiles { from, walk } => {
                self.u32(7);
                self.optional_tile(from);
                self.walk(walk);
            }
            DriveState::Travel { trip, walk } => {
                self.u32(8);
                let Trip { from, to, at, stands, held, done } = trip.unwrap_or_default();
                self.u32(u32::from(trip.is_some()));
                self.tile(from);
                self.tile(to);
                self.tile(at);
                self.u32(u32::from(stands));
                self.u32(u32::from(held));
                self.u32(done);
                self.walk(walk);
            }
        }
    }

    fn spot(&mut self, spot: Spot) {
        self.vector(spot.anchor);
        self.u32(spot.frames);
        self.vector(spot.centre);
        self.f32(spot.turned);
    }

    fn tally(&mut self, tally: Tally) {
        for count in [tally.bumps, tally.blocked, tally.stuck, tally.circling] {
            self.u32(count);
        }
    }

    fn left(&mut self, left: Option<Left>) {
        self.u32(u32::from(left.is_some()));
        if let Some(Left { pick, tile, drive }) = left {
            self.u32(u32::from(pick));
            self.tile(tile);
            self.drive(drive);
        }
    }

    fn obstruction(&mut self, obstruction: Option<Obstruction>) {
        match obstruction {
            None => self.u32(0),
            Some(Obstruction::Ground(Refusal::Edge)) => self.u32(1),
            Some(Obstruction::Ground(Refusal::Wall(tile))) => {
                self.u32(2);
                self.tile(tile);
            }
            Some(Obstruction::Ground(Refusal::Obstacle(tile))) => {
                self.u32(3);
                self.tile(tile);
            }
            Some(Obstruction::Ground(Refusal::Corner(tile))) => {
                self.u32(4);
                self.tile(tile);
            }
            Some(Obstruction::Agent(id)) => {
                self.u32(5);
                self.u32(id.0);
            }
            Some(Obstruction::NoRoute) => self.u32(6),
            Some(Obstruction::NoWay) => self.u32(7),
        }
    }
}
