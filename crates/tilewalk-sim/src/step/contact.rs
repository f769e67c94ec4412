//! Completes the motion of a body: updates its tile occupancy and its wall contact, and checks that
//! the motion is finite. A body whose motion is not finite is frozen in its last valid state (the
//! NaN guard). Other agents are not affected.

use crate::body::Motion;
use crate::event::{EventKind, Term};
use crate::geom::{TilePos, Vec2};
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

/// Freezes an agent, and reports the term that was not finite. `row` is the index of the behaviour
/// that caused the term; `None` if unknown.
pub(super) fn freeze(world: &mut World, id: AgentId, row: Option<u32>, term: Term) {
    world.state.flags[id.index()].set(Flags::QUARANTINED, true);
    world.state.set_velocity(id.index(), Vec2::ZERO);
    world.state.angular_velocity[id.index()] = 0.0;
    world.report(id, EventKind::Quarantined { row, term });
}

/// Sets the motion of an agent and returns true. If the motion is not finite, freezes the agent in
/// its old motion and returns false.
pub(super) fn settle_motion(world: &mut World, id: AgentId, motion: Motion) -> bool {
    if motion.is_finite() {
        world.state.set_motion(id.index(), motion);
        return true;
    }
    let term = match motion {
        // Checks causes before their effects.
        Motion { velocity, .. } if !velocity.is_finite() => Term::Velocity,
        Motion { angular_velocity, .. } if !angular_velocity.is_finite() => Term::AngularVelocity,
        Motion { position, .. } if !position.is_finite() => Term::Position,
        Motion { .. } => Term::Heading,
    };
    freeze(world, id, None, term);
    false
}
