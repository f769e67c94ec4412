//! Manual control: moves an agent as the user directs, in place of its mode.
//!
//! An agent on tiles moves from tile to tile. Any other agent moves as a plain vehicle, whatever
//! its drive: it faces the direction of motion, and neither `track` nor turning behaviours apply.
//!
//! Manual control has no state of its own. Each controlled frame resets the state of the drive, as
//! if the mode began in that frame. A frame without a drive command therefore ends manual control.

use crate::geom::Vec2;
use crate::id::AgentId;
use crate::locomotion::vehicle::{self, Push, VelocityChange};
use crate::steering::{NoProbe, manual};
use crate::world::{Flags, ManualControl, World};

use super::contact::{note_contact, occupy_tile, settle_motion};
use super::observer::{Due, Observer};
use super::walk;
use super::walk::{WalkManner, note_free, step};

/// Computes the force of manual control on a vehicle, and the velocity after this force.
pub(super) fn think(
    world: &mut World,
    id: AgentId,
    held: ManualControl,
    observer: &mut impl Observer,
) {
    if world.is_on_tiles(id) || world.flags(id).has(Flags::QUARANTINED) {
        return;
    }
    let velocity = world.velocity(id);
    let (body, dt) = (world.body(id), world.scenario().dt());
    let output = match observer.breakdown(id) {
        Some(breakdown) => manual::output(held.direction, velocity, body, dt, breakdown),
        None => manual::output(held.direction, velocity, body, dt, &mut NoProbe),
    };
    observer.output(id, output);
    let velocity = VelocityChange::Force(output.force).apply(velocity, body, dt);
    world.thoughts.pushes.set(id.index(), Push { velocity, turn: 0.0 });
}

/// Moves a manually controlled body. Restarts the drive of the agent's mode at the new position.
pub(super) fn act(
    world: &mut World,
    id: AgentId,
    held: ManualControl,
    observer: &mut impl Observer,
) {
    let due_in = if world.is_on_tiles(id) {
        walk(world, id, held, observer)
    } else {
        push(world, id);
        1
    };
    if !world.flags(id).has(Flags::QUARANTINED) {
        world.restart_drive(id, due_in);
    }
}

/// Takes a step on tiles if one is due and requested. Returns the number of frames until the next
/// step.
///
/// A refused step takes no time, so another direction can be tried in the next frame. The agent
/// stays blocked until it takes a step.
fn walk(world: &mut World, id: AgentId, held: ManualControl, observer: &mut impl Observer) -> u32 {
    let pace = world.mode(id).pace;
    walk::approach(world, id, pace);
    let due_in = world.step_due_in(id);
    if due_in > 1 {
        return due_in - 1;
    }
    let Some(direction) = held.direction else {
        world.state.set_velocity(id.index(), Vec2::ZERO);
        return 1;
    };
    observer.due(id, Due::Keys);
    let steps =
        step(world, id, direction, WalkManner { pace, faces: true, routed: false }, observer);
    if steps { pace } else { 1 }
}

fn push(world: &mut World, id: AgentId) {
    let scenario = world.scenario().clone();
    let map = &scenario.map;
    let from = world.tile(id);
    let push = world.thoughts.pushes.get(id.index());
    let manner = vehicle::Manner {
        tracks: false,
        avoids_crowd: false,
        oriented: false,
        tile_drag: map.drag(from),
    };
    let (motion, body) = (world.motion(id), world.body(id));
    let driven = vehicle::drive(motion, push, manner, body, map, scenario.dt());
    if settle_motion(world, id, driven.motion) {
        occupy_tile(world, id, from);
        note_contact(world, id, driven.contact);
        note_free(world, id);
    }
}
