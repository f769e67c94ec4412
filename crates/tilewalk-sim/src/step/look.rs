//! Look: agents look around at the end of a frame, and remember whom they saw where.

use crate::world::World;

/// Lets everybody look who looks out for somebody, and whose turn it is.
pub(super) fn look(world: &mut World) {
    let scenario = world.scenario().clone();
    for kind in scenario.kinds.iter().filter(|kind| !kind.watched.is_empty()) {
        if !world.frame().0.is_multiple_of(kind.every.into()) {
            continue;
        }
        for id in kind.ids() {
            world.look_around(id);
        }
    }
}
