//! Look: agents update their perceived targets at the end of a frame.

use crate::world::World;

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
