//! Moves a body to the centre of its tile after a change from free motion to motion on tiles.
//!
//! The body moves at the speed of its steps, one tile per pace. It arrives before its first step is
//! due, because no point of a tile is farther from the centre than one tile.
//!
//! If a wall blocks the path to the centre, the body moves to the nearest reachable centre of an
//! adjacent tile. Its drive restarts there. If no such centre is reachable, the body waits.

use crate::geom::{Direction, TilePos, Vec2, unit};
use crate::id::AgentId;
use crate::map::StepError;
use crate::world::World;

use super::contact::occupy_tile;

/// Moves a body on tiles towards the centre of its tile. If an obstacle closes the tile, the body
/// waits for its first step instead. Does nothing if the body moves freely.
#[inline]
pub(super) fn approach(world: &mut World, id: AgentId, pace: u32) {
    if world.position(id) != world.tile(id).centre() {
        approach_from_side(world, id, pace);
    }
}

/// Moves a body towards the centre of its tile if it is not there. This is rare on tiles.
fn approach_from_side(world: &mut World, id: AgentId, pace: u32) {
    if !world.is_on_tiles(id) {
        return;
    }
    let (position, from) = (world.position(id), world.tile(id));
    let Some((goal, offset)) = goal(world, position, from, id) else { return };
    let distance = 1.0 / pace as f32;
    let arrives = offset.length() <= distance;
    let (to, velocity) = if arrives {
        (goal.centre(), Vec2::ZERO)
    } else {
        let moved = unit(offset) * distance;
        (world.scenario().map.wrap(position + moved), moved / world.scenario().dt())
    };
    world.state.set_position(id.index(), to);
    world.state.set_velocity(id.index(), velocity);
    if world.tile(id) != from {
        occupy_tile(world, id, from);
        world.restart_drive(id, pace);
    }
}

/// Returns the tile whose centre the body can move to, and the vector to the centre in tiles.
/// Returns `None` if no centre is reachable.
fn goal(world: &World, position: Vec2, own: TilePos, id: AgentId) -> Option<(TilePos, Vec2)> {
    let map = &world.scenario().map;
    let offset = own.centre() - position;
    match map.refusal(own) {
        Some(StepError::FreeWall(..)) => {}
        Some(_) => return None,
        None if map.wall_barring_way(position, offset).is_none() => return Some((own, offset)),
        None => {}
    }
    let mut nearest: Option<(TilePos, Vec2)> = None;
    // On the way to a diagonal tile, a body can pass either of the tiles beside it.
    let passes = |direction: &Direction| {
        let TilePos { x, y } = direction.step();
        [TilePos::new(x, 0), TilePos::new(0, y)].iter().all(|&by| !map.is_solid(own + by))
    };
    let directions = Direction::ALL.into_iter().filter(passes);
    for tile in directions.filter_map(|direction| map.resolve(own.neighbour(direction))) {
        let offset = map.offset(position, tile.centre());
        let is_free = map.is_open(tile)
            && world.occupancy.occupant(tile, id).is_none()
            && map.wall_barring_way(position, offset).is_none();
        if is_free && nearest.is_none_or(|(_, least)| offset.length() < least.length()) {
            nearest = Some((tile, offset));
        }
    }
    nearest
}
