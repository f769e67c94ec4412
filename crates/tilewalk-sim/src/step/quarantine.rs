//! Quarantine: a body whose numbers are no longer finite is frozen in its last good state, and the
//! others go on unaffected.

use crate::body::Motion;
use crate::event::{EventKind, Term};
use crate::geom::Vec2;
use crate::id::AgentId;
use crate::world::{Flags, World};

/// Freezes an agent where it is, and says which term of which behaviour it was.
pub(super) fn quarantine(world: &mut World, id: AgentId, row: Option<u32>, term: Term) {
    world.state.flags[id.index()].set(Flags::QUARANTINED, true);
    world.state.set_velocity(id.index(), Vec2::ZERO);
    world.state.angular_velocity[id.index()] = 0.0;
    world.report(id, EventKind::Quarantined { row, term });
}

/// Gives an agent its new motion, or quarantines it in its old one.
pub(super) fn settle_motion(world: &mut World, id: AgentId, motion: Motion) -> bool {
    if motion.is_finite() {
        world.state.set_motion(id.index(), motion);
        return true;
    }
    let term = match motion {
        // Causes before what they bring about.
        Motion { velocity, .. } if !velocity.is_finite() => Term::Velocity,
        Motion { angular_velocity, .. } if !angular_velocity.is_finite() => Term::AngularVelocity,
        Motion { position, .. } if !position.is_finite() => Term::Position,
        Motion { .. } => Term::Heading,
    };
    quarantine(world, id, None, term);
    false
}
