//! Sense: what agents look up is put in order, from the state of the previous frame.

use crate::id::AgentId;
use crate::world::World;

/// Notes which tiles solid agents hold and who is near whom, and that another frame of each mode has passed.
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
