//! Does an agent get anywhere? Whether it is stuck or goes in circles is noted as it moves.

use crate::body::Body;
use crate::event::EventKind;
use crate::geom::lanes::{CmpGt, Lanes, splat};
use crate::geom::{Vec2, Vectors, turn};
use crate::id::AgentId;
use crate::scenario::Scenario;
use crate::world::watch::{STUCK_AFTER, Spot};
use crate::world::{Flags, World};

/// The share of its strongest push a vehicle must wish for, to count as one that wants to move.
const WISH: f32 = 0.01;

/// Frames until who doesn't get away is stuck; at least one.
pub(super) fn stuck_after(scenario: &Scenario) -> u32 {
    (libm::ceil(STUCK_AFTER / scenario.tick) as u32).max(1)
}

/// Notes where a walker is after it has moved, and reports when it has been there too long.
///
/// A walker wants to come from there when its last due step was refused: between steps, at a vertex,
/// in a row that waits it merely takes its time.
pub(super) fn note(world: &mut World, id: AgentId, most: u32) {
    let flags = world.flags(id);
    let wants = flags.has(Flags::BLOCKED) && !flags.has(Flags::FINISHED);
    let here = world.position(id);
    let spot = world.state.spots[id.index()];
    let offset = world.scenario().map.offset(spot.anchor, here);
    let stuck = world.state.spots[id.index()].stay(here, offset, wants, most);
    note_stuck(world, id, stuck);
}

/// Notes where somebody has driven an agent: who is driven is never stuck, it goes where it is led.
pub(super) fn note_driven(world: &mut World, id: AgentId) {
    let here = world.position(id);
    world.state.spots[id.index()] = Spot::at(here);
    note_stuck(world, id, false);
}

/// Notes where a vehicle is after it has moved, and how far it has turned.
pub(super) fn note_vehicle(world: &mut World, id: AgentId, before: Vec2, wants: bool, most: u32) {
    let by = turn(before, world.heading(id));
    note_spot(world, id, by, wants, most);
}

/// The same for one that has turned so far.
#[inline]
pub(super) fn note_spot(world: &mut World, id: AgentId, by: f32, wants: bool, most: u32) {
    let here = world.position(id);
    let map = &world.scenario().map;
    let mut spot = world.state.spots[id.index()];
    let stuck = spot.stay(here, map.offset(spot.anchor, here), wants, most);
    let circles = spot.turn(here, map.offset(spot.centre, here), by);
    world.state.spots[id.index()] = spot;
    note_stuck(world, id, stuck);
    if circles {
        world.report(id, EventKind::Circling);
    }
}

fn note_stuck(world: &mut World, id: AgentId, stuck: bool) {
    let flags = &mut world.state.flags[id.index()];
    if stuck != flags.has(Flags::STUCK) {
        flags.set(Flags::STUCK, stuck);
        if stuck {
            world.report(id, EventKind::Stuck);
        }
    }
}

/// Does a vehicle want to come from where it is? When it wishes more than a hundredth of its
/// strongest push; `change` is that of its velocity by the push.
pub(super) fn wants_to_move(body: &Body, change: Vec2, dt: f32) -> bool {
    want_to_move(body, Vectors::splat(change), dt).all()
}

/// The same of vehicles abreast.
#[inline]
pub(super) fn want_to_move(body: &Body, change: Vectors, dt: f32) -> Lanes {
    let push = body.max_force.min(body.mass * body.gain * body.max_speed) * WISH;
    let least = splat((push * dt) * (push * dt));
    (change.length_squared() * splat(body.mass * body.mass)).cmp_gt(least)
}

/// Notes how far an agent has turned from an old heading, and reports when it goes in circles.
pub(super) fn note_turn(world: &mut World, id: AgentId, before: Vec2) {
    let index = id.index();
    let (here, heading) = (world.position(id), world.heading(id));
    let by = turn(before, heading);
    let offset = world.scenario().map.offset(world.state.spots[index].centre, here);
    if world.state.spots[index].turn(here, offset, by) {
        world.report(id, EventKind::Circling);
    }
}
