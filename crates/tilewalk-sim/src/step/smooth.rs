//! Smooth: the headings that are shown take in those of this frame.

use crate::world::World;

/// Keeps this frame's headings of all whose body smooths, moved or not.
pub(super) fn smooth(world: &mut World) {
    world.remember_headings();
}
