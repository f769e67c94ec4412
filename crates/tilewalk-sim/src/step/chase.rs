//! Chase and flight on tiles.
//!
//! A chaser walks the straight line of tiles to its target, the very line of sight: what is in the
//! way stops it, and it goes round nothing. Who flees takes the step that leads farthest away.

use crate::event::Obstruction;
use crate::geom::{Notch, TilePos, Vec2};
use crate::id::AgentId;
use crate::map::Map;
use crate::world::quarry::Aim;
use crate::world::{DriveState, Walk, World};

use super::explain::Watch;
use super::progress;
use super::walk::{Manner, due, note_free, open_tile, refuse, step, waited};

/// A frame of a chase.
pub(super) fn chase(
    world: &mut World,
    id: AgentId,
    aim: Option<Aim>,
    walk: Walk,
    pace: u32,
    watch: &mut impl Watch,
) {
    let index = id.index();
    if due(world, id, walk, watch).is_none() {
        world.state.drive[index] = DriveState::Chase { aim, walk: waited(walk) };
        return;
    }
    let mut aim = aim;
    let map = &world.scenario().map;
    let way = aim.and_then(|aim| map.line(aim.from, aim.to).way(aim.done));
    match (&mut aim, way) {
        (Some(aim), Some(way)) => aim.done += u32::from(step_away(world, id, way, pace, watch)),
        // On the target's tile, or without a target.
        (_, _) => stand(world, id),
    }
    world.state.drive[index] = DriveState::Chase { aim, walk: Walk { due_in: pace } };
}

/// A frame of a flight: of its own tile and the neighbours that are open, the one farthest from the
/// target, as the crow flies between the middles of tiles. Its own loses ties; of neighbours the
/// first clockwise from east wins them.
pub(super) fn flee(
    world: &mut World,
    id: AgentId,
    from: Option<TilePos>,
    walk: Walk,
    pace: u32,
    watch: &mut impl Watch,
) {
    let index = id.index();
    if due(world, id, walk, watch).is_none() {
        world.state.drive[index] = DriveState::FleeTiles { from, walk: waited(walk) };
        return;
    }
    match from.map(|from| flight(world, id, from)) {
        Some(Flight { way: Some(way), .. }) => {
            step_away(world, id, way, pace, watch);
        }
        Some(Flight { refused: Some(reason), .. }) => refuse(world, id, reason),
        _ => stand(world, id),
    }
    world.state.drive[index] = DriveState::FleeTiles { from, walk: Walk { due_in: pace } };
}

/// Where one who flees may go.
struct Flight {
    /// The step to the farthest tile; `None` when its own is farther than all that are open.
    way: Option<Notch>,
    /// Why it can't come farther away, when only what is closed is farther.
    refused: Option<Obstruction>,
}

fn flight(world: &World, id: AgentId, from: TilePos) -> Flight {
    let map = &world.scenario().map;
    let here = world.tile(id);
    let mut best = (square(map, from, here), None);
    let mut refused = (best.0, None);
    for way in Notch::ALL {
        let ahead = here.neighbour(way);
        match open_tile(world, id, way, false) {
            Ok(to) => {
                let distance = square(map, from, to);
                if distance > best.0 || distance == best.0 && best.1.is_none() {
                    best = (distance, Some(way));
                }
            }
            Err(reason) => {
                // Beyond a wall edge it is farther, too.
                let distance = square(map, from, map.resolve(ahead).unwrap_or(ahead));
                if distance > refused.0 {
                    refused = (distance, Some(reason));
                }
            }
        }
    }
    Flight { way: best.1, refused: refused.1 }
}

/// The square of the distance between the middles of two tiles, the short way round.
fn square(map: &Map, from: TilePos, to: TilePos) -> i64 {
    let offset = map.tile_offset(from, to);
    let (x, y) = (i64::from(offset.x), i64::from(offset.y));
    x * x + y * y
}

fn step_away(
    world: &mut World,
    id: AgentId,
    way: Notch,
    pace: u32,
    watch: &mut impl Watch,
) -> bool {
    let heading = world.heading(id);
    let moved = step(world, id, way, Manner { pace, faces: true, routed: false }, watch);
    progress::note_turn(world, id, heading);
    moved
}

/// There is nowhere it wants to go.
fn stand(world: &mut World, id: AgentId) {
    world.state.set_velocity(id.index(), Vec2::ZERO);
    note_free(world, id);
}
