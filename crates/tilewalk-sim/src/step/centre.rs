//! Moves a body to the centre of its tile after a change from free motion to motion on tiles.
//!
//! The body moves at the speed of its steps, one tile per pace. It arrives before its first step is
//! due, because no point of a tile is farther from the centre than one tile.

use crate::geom::{Vec2, unit};
use crate::id::AgentId;
use crate::world::World;

/// Moves a body on tiles towards the centre of its tile. A closed tile has an obstacle in its
/// centre: the body then waits for its first step.
pub(super) fn approach(world: &mut World, id: AgentId, pace: u32) {
    let (position, tile) = (world.position(id), world.tile(id));
    let offset = tile.centre() - position;
    if offset == Vec2::ZERO || world.scenario().map.refusal(tile).is_some() {
        return;
    }
    let distance = 1.0 / pace as f32;
    let arrives = offset.length() <= distance;
    let (to, velocity) = if arrives {
        (tile.centre(), Vec2::ZERO)
    } else {
        let moved = unit(offset) * distance;
        (position + moved, moved / world.scenario().dt())
    };
    world.state.set_position(id.index(), to);
    world.state.set_velocity(id.index(), velocity);
}
