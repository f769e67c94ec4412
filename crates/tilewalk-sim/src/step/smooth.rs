//! Smooth: adds this frame's headings to the displayed mean heading.

use crate::world::World;

/// Stores the current headings of all agents whose body smooths its heading.
pub(super) fn smooth(world: &mut World) {
    world.remember_headings();
}
