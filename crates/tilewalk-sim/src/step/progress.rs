//! Detects stuck and circling agents as they move.

use crate::body::Body;
use crate::event::EventKind;
use crate::geom::lanes::{LANES, Lanes, splat};
use crate::geom::{Vec2, Vectors, turn, vectors};
use crate::id::AgentId;
use crate::map::Map;
use crate::scenario::Scenario;
use crate::world::progress::{self, Detectors, STUCK_AFTER};
use crate::world::{Flags, World};

/// A vehicle counts as trying to move if its steering force exceeds this fraction of the largest
/// force that it can apply.
const PUSH_SHARE: f32 = 0.01;

/// Returns the number of frames without progress after which an agent is stuck, at least 1.
pub(super) fn stuck_after(scenario: &Scenario) -> u32 {
    (libm::ceil(STUCK_AFTER / scenario.tick) as u32).max(1)
}

/// Updates the stuck detector of a walker after its move. `limit` is the number of frames without
/// progress until the walker is stuck.
///
/// A walker counts as trying to move only if its last step on tiles was refused. Between steps, at
/// a vertex or in a waiting row, the walker is only waiting.
pub(super) fn note(world: &mut World, id: AgentId, limit: u32) {
    let flags = world.flags(id);
    let wants = flags.has(Flags::BLOCKED) && !flags.has(Flags::FINISHED);
    note_stay(world, id, wants, limit);
}

/// Updates the stuck detector of an agent. `wants` is whether the agent tries to move.
fn note_stay(world: &mut World, id: AgentId, wants: bool, limit: u32) {
    let here = world.position(id);
    let offset = world.scenario().map.offset(world.spot(id).anchor, here);
    let stuck = world.state.detectors[id.index()].stay(here, offset, wants, limit);
    note_stuck(world, id, stuck);
}

/// Resets the detectors of a manually controlled agent. Such an agent is never stuck.
pub(super) fn note_driven(world: &mut World, id: AgentId) {
    let here = world.position(id);
    world.state.detectors[id.index()] = Detectors::at(here);
    note_stuck(world, id, false);
}

/// Updates the detectors of a vehicle after its move.
///
/// `before` is the heading before the move. `wants` is whether the vehicle tries to move. `limit`
/// is the number of frames without progress until the vehicle is stuck.
pub(super) fn note_vehicle(world: &mut World, id: AgentId, before: Vec2, wants: bool, limit: u32) {
    note_stay(world, id, wants, limit);
    note_turn(world, id, before);
}

/// Updates the detectors of `LANES` consecutive vehicles, as [`note_vehicle`] does for one.
#[inline]
pub(super) fn note_vehicles(
    world: &mut World,
    map: &Map,
    first: AgentId,
    before: Vectors,
    wants: Lanes,
    limit: u32,
) {
    let start = first.index();
    let span = start..start + LANES;
    let state = &mut world.state;
    let here = Vectors::from_columns(&state.x[span.clone()], &state.y[span.clone()]);
    let heading = Vectors::from_columns(&state.hx[span.clone()], &state.hy[span.clone()]);
    let Some(detectors) = state.detectors[span].first_chunk_mut::<LANES>() else { return };
    let anchors = Vectors::new(detectors.each_ref().map(|detectors| detectors.anchor));
    let centres = Vectors::new(detectors.each_ref().map(|detectors| detectors.centre));
    let away = progress::has_progress(map.offsets(anchors, here));
    let waits = (!away & wants).to_bitmask();
    let leaves = progress::leaves_circle(map.offsets(centres, here)).to_bitmask();
    let turns = vectors::turns(before, heading).to_array();
    let (mut stuck, mut circles) = ([false; LANES], [false; LANES]);
    for (lane, here) in here.to_array().into_iter().enumerate() {
        let detectors = &mut detectors[lane];
        stuck[lane] = detectors.wait(here, waits >> lane & 1 == 1, limit);
        circles[lane] = detectors.circle(here, leaves >> lane & 1 == 1, turns[lane]);
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

/// Returns true if steering pushes a vehicle hard enough to count as trying to move.
///
/// `change` is the change of velocity due to steering, in tiles/s.
pub(super) fn wants_to_move(body: &Body, change: Vec2, dt: f32) -> bool {
    want_to_move(body, Vectors::splat(change), dt).all()
}

/// Evaluates [`wants_to_move`] for `LANES` vehicles.
#[inline]
pub(super) fn want_to_move(body: &Body, change: Vectors, dt: f32) -> Lanes {
    let push = body.max_force.min(body.mass * body.gain * body.max_speed) * PUSH_SHARE;
    let least = splat((push * dt) * (push * dt));
    (change.length_squared() * splat(body.mass * body.mass)).simd_gt(least)
}

/// Updates the circling detector of an agent. `before` is the heading before the move.
pub(super) fn note_turn(world: &mut World, id: AgentId, before: Vec2) {
    let index = id.index();
    let (here, heading) = (world.position(id), world.heading(id));
    let by = turn(before, heading);
    let offset = world.scenario().map.offset(world.state.detectors[index].centre, here);
    if world.state.detectors[index].turn(here, offset, by) {
        world.report(id, EventKind::Circling);
    }
}
