//! Does an agent get anywhere? Whether it is stuck or goes in circles is noted as it moves.

use crate::body::Body;
use crate::event::EventKind;
use crate::geom::lanes::{LANES, Lanes, splat};
use crate::geom::{Vec2, Vectors, turn, vectors};
use crate::id::AgentId;
use crate::map::Map;
use crate::scenario::Scenario;
use crate::world::watch::{self, STUCK_AFTER, Spot};
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
    let (here, heading) = (world.position(id), world.heading(id));
    let map = &world.scenario().map;
    let mut spot = world.state.spots[id.index()];
    let stuck = spot.stay(here, map.offset(spot.anchor, here), wants, most);
    let circles = spot.turn(here, map.offset(spot.centre, here), turn(before, heading));
    world.state.spots[id.index()] = spot;
    note_stuck(world, id, stuck);
    if circles {
        world.report(id, EventKind::Circling);
    }
}

/// The same of vehicles abreast, from `first` on; `wants` and the headings before are theirs.
#[inline]
pub(super) fn note_vehicles(
    world: &mut World,
    map: &Map,
    first: AgentId,
    before: Vectors,
    wants: Lanes,
    most: u32,
) {
    let start = first.index();
    let span = start..start + LANES;
    let state = &mut world.state;
    let here = Vectors::from_columns(&state.x[span.clone()], &state.y[span.clone()]);
    let heading = Vectors::from_columns(&state.hx[span.clone()], &state.hy[span.clone()]);
    let Some(spots) = state.spots[span].first_chunk_mut::<LANES>() else { return };
    let anchors = Vectors::new(spots.each_ref().map(|spot| spot.anchor));
    let centres = Vectors::new(spots.each_ref().map(|spot| spot.centre));
    let away = watch::gets_away(map.offsets(anchors, here));
    let waits = (!away & wants).to_bitmask();
    let leaves = watch::leaves_circle(map.offsets(centres, here)).to_bitmask();
    let turns = vectors::turns(before, heading).to_array();
    let (mut stuck, mut circles) = ([false; LANES], [false; LANES]);
    for (lane, here) in here.to_array().into_iter().enumerate() {
        let spot = &mut spots[lane];
        stuck[lane] = spot.wait(here, waits >> lane & 1 == 1, most);
        circles[lane] = spot.circle(here, leaves >> lane & 1 == 1, turns[lane]);
    }
    for lane in 0..LANES {
        let id = AgentId(first.0 + lane as u32);
        note_stuck(world, id, stuck[lane]);
        if circles[lane] {
            world.report(id, EventKind::Circling);
        }
    }
}

#[inline]
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
    (change.length_squared() * splat(body.mass * body.mass)).simd_gt(least)
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
