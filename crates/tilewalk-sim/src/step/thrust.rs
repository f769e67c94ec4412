//! Runs a thrust pattern.
//!
//! The pattern decides which thrusters burn and when a leg ends (`pattern::thrust`). The craft
//! model computes the motion in water (`locomotion::craft`). This module connects these two
//! modules, which do not depend on each other.

use crate::event::EventKind;
use crate::geom::TilePos;
use crate::id::AgentId;
use crate::locomotion::craft::{Thrusters, sail};
use crate::pattern::ThrustPattern;
use crate::pattern::thrust::ThrustState;
use crate::world::{DriveState, Flags, World};

use super::contact::settle_motion;
use super::contact::{note_contact, occupy_tile};
use super::walk::is_one_of_several;

/// Runs one frame of a thrust pattern.
///
/// After the last leg, the next pattern of the mode begins. If there is no next pattern, the engine
/// stops and the craft drifts.
pub(super) fn thrust(world: &mut World, id: AgentId, pattern: &ThrustPattern, at: ThrustState) {
    let scenario = world.scenario();
    let map = &scenario.map;
    let burn = Thrusters {
        ahead: pattern.leg(at).is_some(),
        side: pattern.side_share(at),
        tile_drag: map.drag(world.tile(id)),
    };
    let before = world.motion(id);
    let sailed = sail(before, burn, world.body(id), map, scenario.dt());
    if !settle_motion(world, id, sailed.motion) {
        return;
    }
    occupy_tile(world, id, TilePos::containing(before.position));
    note_contact(world, id, sailed.contact);
    let mut next = pattern.advance(at, before, sailed.motion, sailed.moved);
    if !is_one_of_several(world, id) {
        next = pattern.again(next);
    }
    world.state.drive[id.index()] = DriveState::Thrust { at: next };
    let ends = pattern.leg(next).is_none() && !world.flags(id).has(Flags::FINISHED);
    if ends && !world.next_pattern(id, 0) {
        world.state.flags[id.index()].set(Flags::FINISHED, true);
        world.report(id, EventKind::Finished);
    }
}
