//! Act: bodies move, in agent order.

mod abreast;

use crate::agent::{Drive, Mode};
use crate::body::Body;
use crate::event::EventKind;
use crate::geom::lanes::LANES;
use crate::geom::{TilePos, Vec2};
use crate::id::AgentId;
use crate::locomotion::vehicle::{self, Manner};
use crate::map::sweep::Contact;
use crate::pattern::Pattern;
use crate::pattern::steps::Unit;
use crate::scenario::Scenario;
use crate::steering::{self, Row};
use crate::world::{DriveState, Flags, World};

use super::explain::Watch;
use super::quarantine::settle_motion;
use super::{chase, glide, keys, progress, thrust, travel, walk};

/// Moves every body by its drive.
pub(super) fn act(world: &mut World, watch: &mut impl Watch) {
    let scenario = world.scenario().clone();
    let stuck_after = progress::stuck_after(&scenario);
    for kind in &scenario.kinds {
        let mut last: Option<(u16, Manner)> = None;
        let end = kind.first.index() + kind.count as usize;
        let mut ids = kind.ids();
        while let Some(id) = ids.next() {
            if world.cancel().is_requested() {
                return;
            }
            if world.flags(id).has(Flags::QUARANTINED) {
                continue;
            }
            if let Some(held) = world.hand(id) {
                keys::act(world, id, held, watch);
                progress::note_driven(world, id);
                continue;
            }
            let index = world.state.mode[id.index()];
            let mode = &kind.modes[usize::from(index)];
            if let Drive::Steer { rows, .. } = &mode.drive {
                let manner = match last {
                    Some((known, manner)) if known == index => manner,
                    _ => last.insert((index, manner(rows))).1,
                };
                let together = id.index() + LANES <= end && abreast::go_abreast(&kind.body, manner);
                if together && abreast::drive(world, &scenario, &kind.body, id, index, stuck_after)
                {
                    ids.nth(LANES - 2);
                } else {
                    drive(world, &scenario, &kind.body, id, manner, stuck_after);
                }
            } else {
                go(world, mode, id, watch);
                progress::note(world, id, stuck_after);
            }
        }
    }
}

/// Moves a body that isn't steered.
fn go(world: &mut World, mode: &Mode, id: AgentId, watch: &mut impl Watch) {
    match (world.drive_state(id), mode.drive.pattern(world.pick(id))) {
        // Whoever was driven and let go stands still, too.
        (DriveState::Stand, _) => world.state.set_velocity(id.index(), Vec2::ZERO),
        (DriveState::Chase { aim, walk }, _) => {
            chase::chase(world, id, aim, walk, mode.pace, watch);
        }
        (DriveState::FleeTiles { from, walk }, _) => {
            chase::flee(world, id, from, walk, mode.pace, watch);
        }
        (DriveState::Travel { trip, walk }, _) => {
            travel::travel(world, id, trip, walk, mode.pace, watch);
        }
        (_, Some(used)) => walk_on(world, id, used.pattern, mode.pace, watch),
        (_, None) => debug_assert!(false, "a drive's memory is always that of its mode"),
    }
}

/// Moves a body by its pattern.
fn walk_on(world: &mut World, id: AgentId, pattern: &Pattern, pace: u32, watch: &mut impl Watch) {
    match (world.drive_state(id), pattern) {
        (DriveState::Path { at, walk }, Pattern::Path(path)) => {
            walk::path(world, id, path, at, walk, pace, watch);
        }
        (DriveState::Matrix { at, walk }, Pattern::Matrix(matrix)) => {
            walk::matrix(world, id, matrix, at, walk, pace, watch);
        }
        (DriveState::Steps { at, .. }, Pattern::Steps(steps)) if steps.unit == Unit::Degrees => {
            glide::steps(world, id, steps, at);
        }
        (DriveState::Steps { at, walk }, Pattern::Steps(steps)) => {
            walk::steps(world, id, steps, at, walk, watch);
        }
        (DriveState::Thrust { at }, Pattern::Thrust(pattern)) => {
            thrust::thrust(world, id, pattern, at);
        }
        (_, _) => debug_assert!(false, "a drive's memory is always that of its mode"),
    }
}

/// What a list has to say about how a vehicle goes on, on a floor without drag.
fn manner(rows: &[Row]) -> Manner {
    let tracks = steering::tracker(rows).is_some();
    Manner { tracks, oriented: steering::is_oriented(rows), tile_drag: 0.0 }
}

/// Moves a vehicle as it was pushed.
fn drive(
    world: &mut World,
    scenario: &Scenario,
    body: &Body,
    id: AgentId,
    manner: Manner,
    stuck_after: u32,
) {
    let (map, dt) = (&scenario.map, scenario.dt());
    let from = world.tile(id);
    let manner = Manner { tile_drag: map.drag(from), ..manner };
    let (push, motion) = (world.pushes[id.index()], world.motion(id));
    let wants = progress::wants_to_move(body, push.velocity - motion.velocity, dt);
    let driven = vehicle::drive(motion, push, manner, body, map, dt);
    if settle_motion(world, id, driven.motion) {
        hold_tile(world, id, from);
        progress::note_vehicle(world, id, motion.heading, wants, stuck_after);
        touch(world, id, driven.contact);
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
