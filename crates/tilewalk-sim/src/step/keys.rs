//! Manual control: moves an agent as the user asks, in place of its mode.
//!
//! An agent on tiles moves from tile to tile. Any other agent moves as a plain vehicle, whatever
//! its drive: it faces the direction of motion, and neither `track` nor turning behaviours apply.
//!
//! Manual control has no state of its own. Each driven frame resets the memory of the drive, as if
//! its mode began in that frame. A frame without a drive command therefore ends manual control.

use crate::geom::Vec2;
use crate::id::AgentId;
use crate::locomotion::vehicle::{self, Change, Push};
use crate::steering::{Silent, keys};
use crate::world::{Flags, Held, World};

use super::act::{hold_tile, touch};
use super::explain::{Due, Watch};
use super::quarantine::settle_motion;
use super::walk::{Manner, note_free, step};

/// Works out the force a vehicle is driven by.
pub(super) fn think(world: &mut World, id: AgentId, held: Held, watch: &mut impl Watch) {
    if world.is_on_tiles(id) || world.flags(id).has(Flags::QUARANTINED) {
        return;
    }
    let velocity = world.velocity(id);
    let (body, dt) = (world.body(id), world.scenario().dt());
    let wish = match watch.ledger(id) {
        Some(ledger) => keys::wish(held.way, velocity, body, dt, ledger),
        None => keys::wish(held.way, velocity, body, dt, &mut Silent),
    };
    watch.wish(id, wish);
    let velocity = Change::Force(wish.force).apply(velocity, body, dt);
    world.pushes[id.index()] = Push { velocity, turn: 0.0 };
}

/// Moves a body that is driven by hand. What its mode was about begins anew from where it is.
pub(super) fn act(world: &mut World, id: AgentId, held: Held, watch: &mut impl Watch) {
    let due_in = if world.is_on_tiles(id) {
        walk(world, id, held, watch)
    } else {
        push(world, id);
        1
    };
    if !world.flags(id).has(Flags::QUARANTINED) {
        world.begin_anew(id, due_in);
    }
}

/// One step, if there is a way and the last one has taken its time; the frames until the next is due.
///
/// A step that is refused takes no time: another way can be tried at once. It stays blocked until it
/// takes a step.
fn walk(world: &mut World, id: AgentId, held: Held, watch: &mut impl Watch) -> u32 {
    let due_in = world.step_due_in(id);
    if due_in > 1 {
        return due_in - 1;
    }
    let Some(way) = held.way else {
        world.state.set_velocity(id.index(), Vec2::ZERO);
        return 1;
    };
    let pace = world.mode(id).pace;
    watch.due(id, Due::Keys);
    let steps = step(world, id, way, Manner { pace, faces: true, routed: false }, watch);
    if steps { pace } else { 1 }
}

/// Pushes a vehicle.
fn push(world: &mut World, id: AgentId) {
    let scenario = world.scenario().clone();
    let map = &scenario.map;
    let from = world.tile(id);
    let push = world.pushes[id.index()];
    let manner = vehicle::Manner { tracks: false, oriented: false, tile_drag: map.drag(from) };
    let (motion, body) = (world.motion(id), world.body(id));
    let driven = vehicle::drive(motion, push, manner, body, map, scenario.dt());
    if settle_motion(world, id, driven.motion) {
        hold_tile(world, id, from);
        touch(world, id, driven.contact);
        note_free(world, id);
    }
}
