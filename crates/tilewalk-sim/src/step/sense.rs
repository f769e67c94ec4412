//! Sense and look. Sense prepares the lookup tables of the frame from the state of the previous
//! frame. Look updates the perceived targets of agents at the end of a frame.

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

/// Updates the perceived targets of each kind whose check is due in this frame.
pub(super) fn look(world: &mut World) {
    let scenario = world.scenario().clone();
    for kind in scenario.kinds.iter().filter(|kind| !kind.watched.is_empty()) {
        if !world.frame().0.is_multiple_of(kind.every.into()) {
            continue;
        }
        for id in kind.ids() {
            if world.is_present(id) {
                world.look_around(id);
            }
        }
    }
}
