//! NaN guard: if the motion of a body is not finite, freezes the body in its last valid state.
//! Other agents are not affected.

use crate::body::Motion;
use crate::event::{EventKind, Term};
use crate::geom::Vec2;
use crate::id::AgentId;
use crate::world::{Flags, World};

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
