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
use super::{glide, keys, thrust, walk};

/// Moves every body by its drive.
pub(super) fn act(world: &mut World, watch: &mut impl Watch) {
    let scenario = world.scenario().clone();
    for id in world.ids() {
        if world.flags(id).has(Flags::QUARANTINED) {
            continue;
        }
        if let Some(held) = world.hand(id) {
            keys::act(world, id, held, watch);
            continue;
        }
        let kind = scenario.kind(id);
        let mode = &kind.modes[usize::from(world.state.mode[id.index()])];
        if let Drive::Steer { rows, .. } = &mode.drive {
            drive(world, &scenario, id, rows);
            continue;
        }
        let pattern = match &mode.drive {
            Drive::Pattern { pattern, .. } => Some(pattern.as_ref()),
            _ => None,
        };
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
            (_, _) => debug_assert!(false, "a drive's memory is always that of its mode"),
        }
    }
}

/// Pushes a vehicle by its force.
fn drive(world: &mut World, scenario: &Scenario, id: AgentId, rows: &[Row]) {
    let map = &scenario.map;
    let drag = map.kind(world.tile(id)).map_or(0.0, |kind| kind.drag);
    let Wish { force, turn } = world.wishes[id.index()];
    let oriented = steering::is_oriented(rows);
    let push = Push { change: change(rows, force), turn, oriented, tile_drag: drag };
    let body = &scenario.kind(id).body;
    let driven = vehicle::drive(world.motion(id), push, body, map, scenario.dt());
    let from = world.tile(id);
    if settle_motion(world, id, driven.motion) {
        hold_tile(world, id, from);
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
    let to = world.tile(id);
    if world.body(id).solid && from != to {
        world.occupancy.moved(id, from, to);
    }
}

/// Notes what a body touches, and reports the bump when contact begins.
pub(super) fn touch(world: &mut World, id: AgentId, contact: Option<Contact>) {
    let map = &world.scenario().map;
    let tile = contact.map(|contact| map.resolve(contact.tile).unwrap_or(contact.tile));
    let began = tile.filter(|_| world.touches(id).is_none());
    world.state.touches[id.index()] = tile;
    world.state.flags[id.index()].set(Flags::COLLIDED, tile.is_some());
    if let Some(tile) = began {
        world.report(id, EventKind::Bump(tile));
    }
}
