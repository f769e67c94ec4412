//! Travel: follows the cheapest route to a target. The route is planned again when the target's
//! tile changes, or when a solid agent blocks the route.
//!
//! A traveller waits one pace for a solid agent to move. Then it plans a detour that avoids all
//! occupied neighbouring tiles. If a search of 20,000 tiles finds no detour, the traveller keeps
//! waiting. The terrain never blocks a route, because planning takes terrain into account.

use crate::event::{EventKind, Obstruction};
use crate::geom::{Direction, Vec2};
use crate::id::AgentId;
use crate::map::search::bit;
use crate::world::route_progress::RouteProgress;
use crate::world::{DriveState, Flags, StepTimer, World};

use super::observer::Observer;
use super::progress;
use super::walk::{Manner, due, note_free, open_tile, refuse, step};

/// Takes the next step of a route if one is due, and reports the arrival at a target at rest.
pub(super) fn travel(
    world: &mut World,
    id: AgentId,
    mut progress: Option<RouteProgress>,
    pace: u32,
    observer: &mut impl Observer,
) {
    let to = progress.map(|progress| progress.to);
    let is_there = |world: &World| to.is_none_or(|to| to == world.tile(id));
    if due(world, id, observer).is_some() {
        if let Some(progress) = &mut progress
            && !is_there(world)
        {
            *progress = advance(world, id, *progress, pace, observer);
        } else {
            world.state.set_velocity(id.index(), Vec2::ZERO);
            note_free(world, id);
        }
        let timer = StepTimer { due_in: pace };
        world.state.drive[id.index()] = DriveState::Travel { progress, timer };
    }
    let arrived = progress.is_some_and(|progress| progress.stands) && is_there(world);
    let begins = arrived && !world.flags(id).has(Flags::ARRIVED);
    world.state.flags[id.index()].set(Flags::ARRIVED, arrived);
    if begins {
        world.state.set_velocity(id.index(), Vec2::ZERO);
        note_free(world, id);
        world.report(id, EventKind::Arrived);
    }
}

/// Takes the due step of a route, or of a detour around a blocking agent. Returns the new progress.
fn advance(
    world: &mut World,
    id: AgentId,
    progress: RouteProgress,
    pace: u32,
    observer: &mut impl Observer,
) -> RouteProgress {
    let Some(direction) = next_step(world, id, progress) else {
        refuse(world, id, Obstruction::NoRoute);
        return progress;
    };
    let waited = world.flags(id).has(Flags::BLOCKED);
    let (progress, direction) = match open_tile(world, id, direction, true) {
        Err(Obstruction::Agent(_)) if waited => {
            detour(world, id, progress).unwrap_or((progress, direction))
        }
        _ => (progress, direction),
    };
    let heading = world.heading(id);
    let moved = step(world, id, direction, Manner { pace, faces: true, routed: true }, observer);
    progress::note_turn(world, id, heading);
    RouteProgress { at: world.tile(id), done: progress.done + u32::from(moved), ..progress }
}

/// Returns the next step of a route. Returns `None` if there is no route, or if the route has
/// ended.
fn next_step(world: &mut World, id: AgentId, progress: RouteProgress) -> Option<Direction> {
    let scenario = world.scenario().clone();
    let route = world.route_cache.route(&scenario.map, id, progress)?;
    route.steps.get(progress.done as usize).copied()
}

/// Plans a detour: a route from the agent's tile that avoids all occupied neighbouring tiles.
/// Returns the new progress and the first step. Returns `None` if there is no detour.
fn detour(
    world: &mut World,
    id: AgentId,
    progress: RouteProgress,
) -> Option<(RouteProgress, Direction)> {
    let occupied = Direction::ALL.into_iter().filter(|&direction| {
        matches!(open_tile(world, id, direction, true), Err(Obstruction::Agent(_)))
    });
    let held = occupied.fold(0, |bits, direction| bits | bit(direction));
    let progress = RouteProgress { from: progress.at, held, done: 0, ..progress };
    Some((progress, next_step(world, id, progress)?))
}
