//! Updates the tile occupancy and the wall contact of a body after a motion.

use crate::event::EventKind;
use crate::geom::TilePos;
use crate::id::AgentId;
use crate::map::Touch;
use crate::map::sweep::Contact;
use crate::world::{Flags, World};

/// Moves a solid agent's entry in the table of occupied tiles from the tile `from` to its current
/// tile. Does nothing if the body is not solid.
pub(super) fn occupy_tile(world: &mut World, id: AgentId, from: TilePos) {
    if !world.body(id).solid {
        return;
    }
    let to = world.tile(id);
    if from != to {
        world.occupancy.moved(id, from, to);
    }
}

/// Stores the contact of a body with a tile or free wall. If the body had no contact in the
/// previous frame, reports a bump.
pub(super) fn note_contact(world: &mut World, id: AgentId, contact: Option<Contact>) {
    // Skips the write in the usual case: no contact in the previous or the current frame.
    if contact.is_none() && !world.flags(id).has(Flags::COLLIDED) {
        return;
    }
    let map = &world.scenario().map;
    let touch = contact.map(|contact| Touch {
        tile: map.resolve(contact.tile).unwrap_or(contact.tile),
        wall: contact.wall,
    });
    let began = touch.filter(|_| world.touches(id).is_none());
    world.state.touches[id.index()] = touch;
    world.state.flags[id.index()].set(Flags::COLLIDED, touch.is_some());
    if let Some(touch) = began {
        world.report(id, EventKind::Bump(touch));
    }
}
