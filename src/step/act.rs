//! Act: bodies move, in agent order.

use crate::agent::Drive;
use crate::event::EventKind;
use crate::geom::{TilePos, Vec2};
use crate::id::AgentId;
use crate::locomotion::vehicle::{self, Change, Push};
use crate::map::sweep::Contact;
use crate::pattern::Pattern;
use crate::pattern::steps::Unit;
use crate::scenario::Scenario;
use crate::steering::{self, Row, Wish};
use crate::world::{DriveState, Flags, World};

use super::explain::Watch;
use super::quarantine::settle_motion;
use super::{chase, glide, keys, progress, thrust, travel, walk};

/// Moves every body by its drive.
pub(super) fn act(world: &mut World, watch: &mut impl Watch) {
    let scenario = world.scenario().clone();
    let stuck_after = progress::stuck_after(&scenario);
    for id in world.ids() {
        if world.flags(id).has(Flags::QUARANTINED) {
            continue;
        }
        if let Some(held) = world.hand(id) {
            keys::act(world, id, held, watch);
            progress::note_driven(world, id);
            continue;
        }
        let kind = scenario.kind(id);
        let mode = &kind.modes[usize::from(world.state.mode[id.index()])];
        if let Drive::Steer { rows, .. } = &mode.drive {
            drive(world, &scenario, id, rows, stuck_after);
            continue;
        }
        let used = mode.drive.pattern(world.pick(id));
        let pattern = used.map(|used| used.pattern.as_ref());
        match (world.drive_state(id), pattern) {
            // Whoever was driven and let go stands still, too.
            (DriveState::Stand, _) => world.state.set_velocity(id.index(), Vec2::ZERO),
            (DriveState::Path { at, walk }, Some(Pattern::Path(path))) => {
                walk::path(world, id, path, at, walk, mode.pace, watch);
            }
            (DriveState::Matrix { at, walk }, Some(Pattern::Matrix(matrix))) => {
                walk::matrix(world, id, matrix, at, walk, mode.pace, watch);
            }
            (DriveState::Steps { at, .. }, Some(Pattern::Steps(steps)))
                if steps.unit == Unit::Degrees =>
            {
                glide::steps(world, id, steps, at);
            }
            (DriveState::Steps { at, walk }, Some(Pattern::Steps(steps))) => {
                walk::steps(world, id, steps, at, walk, watch);
            }
            (DriveState::Thrust { at }, Some(Pattern::Thrust(pattern))) => {
                thrust::thrust(world, id, pattern, at);
            }
            (DriveState::Chase { aim, walk }, _) => {
                chase::chase(world, id, aim, walk, mode.pace, watch);
            }
            (DriveState::FleeTiles { from, walk }, _) => {
                chase::flee(world, id, from, walk, mode.pace, watch);
            }
            (DriveState::Travel { trip, walk }, _) => {
                travel::travel(world, id, trip, walk, mode.pace, watch);
            }
            (_, _) => debug_assert!(false, "a drive's memory is always that of its mode"),
        }
        progress::note(world, id, stuck_after);
    }
}

/// Pushes a vehicle by its force.
fn drive(world: &mut World, scenario: &Scenario, id: AgentId, rows: &[Row], stuck_after: u32) {
    let map = &scenario.map;
    let from = world.tile(id);
    let Wish { force, turn } = world.wishes[id.index()];
    let oriented = steering::is_oriented(rows);
    let push = Push { change: change(rows, force), turn, oriented, tile_drag: map.drag(from) };
    let body = &scenario.kind(id).body;
    let motion = world.motion(id);
    let wants = progress::wants_to_move(body, force);
    let driven = vehicle::drive(motion, push, body, map, scenario.dt());
    if settle_motion(world, id, driven.motion) {
        hold_tile(world, id, from);
        progress::note_vehicle(world, id, motion.heading, wants, stuck_after);
        touch(world, id, driven.contact);
    }
}

/// What a list makes of the force it came to.
pub(super) fn change(rows: &[Row], force: Vec2) -> Change {
    match steering::tracker(rows) {
        Some(track) => Change::Track { acceleration: force, slow: track.slow },
        None => Change::Force(force),
    }
}

/// A solid body holds the tile it has come to: who walks on tiles doesn't enter it.
pub(super) fn hold_tile(world: &mut World, id: AgentId, from: TilePos) {
    if !world.body(id).solid {
        return;
    }
    let to = world.tile(id);
    if from != to {
        world.occupancy.moved(id, from, to);
    }
}

/// Notes what a body touches, and reports the bump when contact begins.
pub(super) fn touch(world: &mut World, id: AgentId, contact: Option<Contact>) {
    // Who touches nothing, and didn't, is not written to.
    if contact.is_none() && !world.flags(id).has(Flags::COLLIDED) {
        return;
    }
    let map = &world.scenario().map;
    let tile = contact.map(|contact| map.resolve(contact.tile).unwrap_or(contact.tile));
    let began = tile.filter(|_| world.touches(id).is_none());
    world.state.touches[id.index()] = tile;
    world.state.flags[id.index()].set(Flags::COLLIDED, tile.is_some());
    if let Some(tile) = began {
        world.report(id, EventKind::Bump(tile));
    }
}
