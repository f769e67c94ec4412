//! Chase and flight on tiles.
//!
//! A chaser walks along the straight line of tiles to its target. This line is also the line of
//! sight. A chaser stops at obstacles instead of avoiding them. A fleeing agent takes the step that
//! leads farthest away from its target.

use crate::event::Obstruction;
use crate::geom::{Direction, TilePos, Vec2};
use crate::id::AgentId;
use crate::map::Map;
use crate::world::route_progress::ChaseLine;
use crate::world::{DriveState, StepTimer, World};

use super::observer::Observer;
use super::progress;
use super::walk::{Manner, due, note_free, open_tile, refuse, step};

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
        Some(Flight { direction: Some(direction), .. }) => {
            step_and_turn(world, id, direction, pace, observer);
        }
        Some(Flight { refused: Some(reason), .. }) => refuse(world, id, reason),
        _ => stop(world, id),
    }
    world.state.drive[id.index()] =
        DriveState::FleeTiles { from, timer: StepTimer { due_in: pace } };
}

/// The step of a fleeing agent, or the reason why a better step is refused.
struct Flight {
    /// The step to the farthest open tile; `None` to stay.
    direction: Option<Direction>,
    /// The reason why the step to the farthest closed tile is refused. `None` if no closed tile is
    /// farther from the target than the agent's own tile.
    refused: Option<Obstruction>,
}

fn find_flight(world: &World, id: AgentId, from: TilePos) -> Flight {
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
    Flight { direction: best.1, refused: refused.1 }
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
    let moved = step(world, id, direction, Manner { pace, faces: true, routed: false }, observer);
    progress::note_turn(world, id, heading);
    moved
}

fn stop(world: &mut World, id: AgentId) {
    world.state.set_velocity(id.index(), Vec2::ZERO);
    note_free(world, id);
}
