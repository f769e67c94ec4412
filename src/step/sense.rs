//! Sense: what agents look up is put in order, from the state of the previous frame.

use crate::world::World;

/// Notes which tiles solid agents hold and who is near whom, and that another frame of each mode has passed.
pub(super) fn sense(world: &mut World) {
    world.occupancy.rebuild(&world.state);
    world.neighbours.sort(&world.state);
    for frames in &mut world.state.mode_frames {
        *frames = frames.saturating_add(1);
    }
}
