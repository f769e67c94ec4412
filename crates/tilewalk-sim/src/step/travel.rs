//! Travel: the cheapest walk to a target, planned once and followed until the target's tile changes
//! or somebody solid stands in the way.
//!
//! A traveller waits one pace for a solid agent to clear off. If it is still there, the way is
//! planned anew round all who then hold a tile next to the traveller, as far as twenty thousand
//! tiles tell; without such a way it keeps waiting. The ground never closes a way: it was planned
//! over it.

use crate::event::{EventKind, Obstruction};
use crate::geom::{Notch, Vec2};
use crate::id::AgentId;
use crate::map::search::bit;
use crate::world::quarry::Trip;
use crate::world::{DriveState, Flags, Walk, World};

use super::explain::Watch;
use super::progress;
use super::walk::{Manner, due, note_free, open_tile, refuse, step, waited};

/// A frame of a journey.
pub(super) fn travel(
    world: &mut World,
    id: AgentId,
    trip: Option<Trip>,
    walk: Walk,
    pace: u32,
    watch: &mut impl Watch,
) {
    let is_due = due(world, id, walk, watch).is_some();
    let is_there = |world: &World| trip.is_none_or(|trip| trip.to == world.tile(id));
    let mut trip = trip;
    if is_due
        && let Some(trip) = &mut trip
        && !is_there(world)
    {
        *trip = advance(world, id, *trip, pace, watch);
    } else if is_due {
        world.state.set_velocity(id.index(), Vec2::ZERO);
        note_free(world, id);
    }
    let arrived = trip.is_some_and(|trip| trip.stands) && is_there(world);
    let begins = arrived && !world.flags(id).has(Flags::ARRIVED);
    world.state.flags[id.index()].set(Flags::ARRIVED, arrived);
    if begins {
        world.state.set_velocity(id.index(), Vec2::ZERO);
        note_free(world, id);
        world.report(id, EventKind::Arrived);
    }
    let walk = if is_due { Walk { due_in: pace } } else { waited(walk) };
    world.state.drive[id.index()] = DriveState::Travel { trip, walk };
}

/// A due step of a trip, or of another that goes round who is in the way.
fn advance(world: &mut World, id: AgentId, trip: Trip, pace: u32, watch: &mut impl Watch) -> Trip {
    let Some(way) = next_step(world, id, trip) else {
        refuse(world, id, Obstruction::NoRoute);
        return trip;
    };
    let waited = world.flags(id).has(Flags::BLOCKED);
    let (trip, way) = match open_tile(world, id, way, true) {
        Err(Obstruction::Agent(_)) if waited => detour(world, id, trip).unwrap_or((trip, way)),
        _ => (trip, way),
    };
    let heading = world.heading(id);
    let moved = step(world, id, way, Manner { pace, faces: true, routed: true }, watch);
    progress::note_turn(world, id, heading);
    Trip { at: world.tile(id), done: trip.done + u32::from(moved), ..trip }
}

/// The next step of a trip that has not ended.
fn next_step(world: &mut World, id: AgentId, trip: Trip) -> Option<Notch> {
    let scenario = world.scenario().clone();
    let way = world.ways.of_trip(&scenario.map, id, trip)?;
    way.steps.get(trip.done as usize).copied()
}

/// A trip from where the agent is, round all who hold a tile next to it.
fn detour(world: &mut World, id: AgentId, trip: Trip) -> Option<(Trip, Notch)> {
    let held = Notch::ALL
        .into_iter()
        .filter(|&way| matches!(open_tile(world, id, way, true), Err(Obstruction::Agent(_))));
    let held = held.fold(0, |held, way| held | bit(way));
    let trip = Trip { from: trip.at, held, done: 0, ..trip };
    Some((trip, next_step(world, id, trip)?))
}
