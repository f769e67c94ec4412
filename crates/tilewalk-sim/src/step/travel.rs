//! Motion on tiles to or from a target: travel, chase and flight. The targets are updated from the
//! state of the previous frame.
//!
//! Travel follows the cheapest route to a target. The route is planned again when the target's tile
//! changes, or when a solid agent blocks the route.
//!
//! A traveller waits one pace for a solid agent to move. Then it plans a detour that avoids all
//! occupied neighbouring tiles. If a search of 20,000 tiles finds no detour, the traveller keeps
//! waiting. The terrain never blocks a route, because planning takes terrain into account.
//!
//! A chaser walks along the straight line of tiles to its target. This line is also the line of
//! sight. A chaser stops at obstacles instead of avoiding them. A fleeing agent takes the step that
//! leads farthest away from its target.

use crate::event::{EventKind, Obstruction};
use crate::geom::{Direction, TilePos, Vec2};
use crate::id::AgentId;
use crate::map::Map;
use crate::map::search::bit;
use crate::steering::Target;
use crate::step::observer::Observer;
use crate::step::progress;
use crate::step::walk::{WalkManner, due, note_free, open_tile, refuse, step};
use crate::world::{ChaseLine, DriveState, Flags, RouteProgress, StepTimer, World};

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
    let moved =
        step(world, id, direction, WalkManner { pace, faces: true, routed: true }, observer);
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

/// Takes the next step of a chase if one is due. An agent without a target, or on the target's
/// tile, stops.
pub(super) fn chase(
    world: &mut World,
    id: AgentId,
    mut aim: Option<ChaseLine>,
    pace: u32,
    observer: &mut impl Observer,
) {
    if due(world, id, observer).is_none() {
        return;
    }
    let map = &world.scenario().map;
    let direction = aim.and_then(|aim| map.line(aim.from, aim.to).direction(aim.done));
    match (&mut aim, direction) {
        (Some(aim), Some(direction)) => {
            aim.done += u32::from(step_and_turn(world, id, direction, pace, observer));
        }
        // The agent is on the target's tile, or has no target.
        (_, _) => stop(world, id),
    }
    world.state.drive[id.index()] = DriveState::Chase { aim, timer: StepTimer { due_in: pace } };
}

/// Takes a step away from a target if one is due. The candidates are the agent's own tile and the
/// neighbouring tiles. The agent moves to the open candidate that is farthest from the target.
///
/// Distances are Euclidean, between tile centres. A tie between neighbouring tiles goes to the
/// first tile clockwise from east. A tie with the agent's own tile goes to the neighbouring tile.
pub(super) fn flee(
    world: &mut World,
    id: AgentId,
    from: Option<TilePos>,
    pace: u32,
    observer: &mut impl Observer,
) {
    if due(world, id, observer).is_none() {
        return;
    }
    match from.map(|from| find_flight(world, id, from)) {
        Some(FlightStep { direction: Some(direction), .. }) => {
            step_and_turn(world, id, direction, pace, observer);
        }
        Some(FlightStep { refused: Some(reason), .. }) => refuse(world, id, reason),
        _ => stop(world, id),
    }
    world.state.drive[id.index()] =
        DriveState::FleeTiles { from, timer: StepTimer { due_in: pace } };
}

/// The step of a fleeing agent, or the reason why a better step is refused.
struct FlightStep {
    /// The step to the farthest open tile; `None` to stay.
    direction: Option<Direction>,
    /// The reason why the step to the farthest closed tile is refused. `None` if no closed tile is
    /// farther from the target than the agent's own tile.
    refused: Option<Obstruction>,
}

fn find_flight(world: &World, id: AgentId, from: TilePos) -> FlightStep {
    let map = &world.scenario().map;
    let here = world.tile(id);
    let mut best = (squared_distance(map, from, here), None);
    let mut refused = (best.0, None);
    for direction in Direction::ALL {
        let ahead = here.neighbour(direction);
        match open_tile(world, id, direction, false) {
            Ok(to) => {
                let distance = squared_distance(map, from, to);
                if distance > best.0 || distance == best.0 && best.1.is_none() {
                    best = (distance, Some(direction));
                }
            }
            Err(reason) => {
                // At a walled map edge, the tiles outside the map count, too.
                let distance = squared_distance(map, from, map.resolve(ahead).unwrap_or(ahead));
                if distance > refused.0 {
                    refused = (distance, Some(reason));
                }
            }
        }
    }
    FlightStep { direction: best.1, refused: refused.1 }
}

/// Returns the squared distance between the centres of two tiles, in tiles². On a map that wraps,
/// this is the shortest distance.
fn squared_distance(map: &Map, from: TilePos, to: TilePos) -> i64 {
    let offset = map.tile_offset(from, to);
    let (x, y) = (i64::from(offset.x), i64::from(offset.y));
    x * x + y * y
}

fn step_and_turn(
    world: &mut World,
    id: AgentId,
    direction: Direction,
    pace: u32,
    observer: &mut impl Observer,
) -> bool {
    let heading = world.heading(id);
    let moved =
        step(world, id, direction, WalkManner { pace, faces: true, routed: false }, observer);
    progress::note_turn(world, id, heading);
    moved
}

fn stop(world: &mut World, id: AgentId) {
    world.state.set_velocity(id.index(), Vec2::ZERO);
    note_free(world, id);
}

/// Updates the target tile of a chase, a flight or a route. Other drives do not change.
///
/// A line or a route is kept while the target stays on its tile and the agent stays on course.
/// Otherwise a new line or route starts at the agent's tile.
pub(super) fn aim(world: &mut World, id: AgentId) {
    let Some(target) = world.mode(id).drive.target() else { return };
    let (here, to) = (world.tile(id), world.target_tile(id, target));
    let fixed = matches!(target, Target::Point(_) | Target::Home);
    let drive = match world.drive_state(id) {
        DriveState::Chase { aim, timer } => {
            let aim = to.map(|to| match aim {
                Some(aim) if aim.to == to && on_line(world, aim, here) => aim,
                _ => ChaseLine { from: here, to, done: 0 },
            });
            DriveState::Chase { aim, timer }
        }
        DriveState::FleeTiles { timer, .. } => DriveState::FleeTiles { from: to, timer },
        DriveState::Travel { progress, timer } => {
            let progress = to.map(|to| match progress {
                Some(progress) if progress.to == to && progress.at == here => {
                    RouteProgress { stands: true, ..progress }
                }
                _ => RouteProgress { from: here, to, at: here, stands: fixed, held: 0, done: 0 },
            });
            DriveState::Travel { progress, timer }
        }
        other @ (DriveState::Stand
        | DriveState::Steer(_)
        | DriveState::Path { .. }
        | DriveState::Matrix { .. }
        | DriveState::Steps { .. }
        | DriveState::Thrust { .. }
        | DriveState::Keys { .. }) => other,
    };
    world.state.drive[id.index()] = drive;
}

/// Returns true if the agent is on the tile of the line up to which its chase has advanced.
fn on_line(world: &World, aim: ChaseLine, here: TilePos) -> bool {
    let map = &world.scenario().map;
    map.resolve(map.line(aim.from, aim.to).tile(aim.done)) == Some(here)
}
