//! Sense: prepares the lookup tables of the frame, from the state of the previous frame.

use crate::id::AgentId;
use crate::world::World;

/// Rebuilds the tables of occupied tiles and neighbours. Increments each agent's number of frames
/// in its mode.
pub(super) fn sense(world: &mut World) {
    let scenario = world.scenario().clone();
    let walks = |id: AgentId| {
        let mode = world.state.mode[id.index()];
        let pick = world.state.pick[id.index()];
        scenario.kind(id).modes[usize::from(mode)].is_on_tiles(pick)
    };
    world.occupancy.rebuild(&world.state, walks);
    world.neighbours.sort(&world.state);
    for frames in &mut world.state.mode_frames {
        *frames = frames.saturating_add(1);
    }
}
