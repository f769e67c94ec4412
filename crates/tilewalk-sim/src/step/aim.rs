//! Where an agent that follows a trace wants to go, and which agents hold it. The detectors of stuck,
//! oscillating and deadlocked agents need both.
//!
//! The values `goal` and `wants` of a trace take the place of a steering list. Without them, the
//! detectors ignore the agent.

use crate::geom::{TilePos, Vec2};
use crate::id::AgentId;
use crate::locomotion::contacts::PRESSING;
use crate::steering::Intent;
use crate::time::Frame;
use crate::trace::Trace;
use crate::world::World;
use crate::world::holds::Holds;

/// Distance within which a wanted position counts as reached, in tiles. A program can name the
/// position of the next frame, which is near.
const WANTED_REACH: f32 = 0.01;

/// Returns the intent of an agent that follows a trace. Returns [`Intent::Unchecked`] if the trace
/// does not tell where the agent wants to go.
pub(super) fn intent_of(world: &World, trace: &Trace, id: AgentId) -> Intent {
    let (frame, here) = (world.frame(), world.position(id));
    let offset = |to: Vec2| world.scenario().map.offset(here, to);
    if let Some(goal) = trace.goal(id, frame) {
        let before = Frame(frame.0.saturating_sub(1));
        let stands = trace.goal(id, before).is_none_or(|before| before == goal);
        let reach = Intent::PLACE_REACH + world.body(id).excess();
        return Intent::to_place_within(here, offset(goal), stands, reach);
    }
    let wants = trace.wants(id, frame);
    wants.map_or(Intent::Unchecked, |wants| {
        Intent::to_place_within(here, offset(wants), false, WANTED_REACH)
    })
}

/// Adds the agents that hold the agents of a trace that made no headway for `limit` frames.
///
/// An agent is held by the agents on the tile that it wants. If it wants no other tile, it is held by
/// the bodies that it touches in the direction of its wanted position or goal.
pub(super) fn add_holders(world: &World, holds: &mut Holds, limit: u32) {
    let Some(traced) = &world.scenario().traced else { return };
    if !traced.trace.has_aims() {
        return;
    }
    holds.sort_by_tile(world.ids().map(|id| (world.tile(id), id)));
    let widest = world.ids().map(|id| world.body(id).radius).fold(0.5, f32::max);
    for id in world.ids() {
        let is_late = world.detectors(id).frames >= limit;
        if let Some(trace) = world.scenario().trace_of(id).filter(|_| is_late) {
            add_holders_of(world, holds, trace, id, widest);
        }
    }
}

fn add_holders_of(world: &World, holds: &mut Holds, trace: &Trace, id: AgentId, widest: f32) {
    let map = &world.scenario().map;
    let (frame, here, tile) = (world.frame(), world.position(id), world.tile(id));
    let wants = trace.wants(id, frame).filter(|to| map.offset(here, *to).length() > WANTED_REACH);
    if let Some(wanted) = wants.map(TilePos::containing).and_then(|wanted| map.resolve(wanted))
        && wanted != tile
    {
        holds.add_on_tile(id, wanted);
        return;
    }
    let Some(to) = wants.or_else(|| trace.goal(id, frame)) else { return };
    let ahead = map.offset(here, to);
    // On tiles, a body fills its tile.
    let is_on_tiles = trace.units().cells;
    let radius = |id: AgentId| if is_on_tiles { 0.5 } else { world.body(id).radius };
    let reach = if is_on_tiles { 1 } else { (radius(id) + widest + PRESSING) as i32 + 1 };
    for y in -reach..=reach {
        for x in -reach..=reach {
            let Some(near) = map.resolve(tile + TilePos::new(x, y)) else { continue };
            holds.add_touching(id, near, |other| {
                let offset = map.offset(here, world.position(other));
                let gap = offset.length() - radius(id) - radius(other);
                gap <= PRESSING && offset.dot(ahead) > 0.0
            });
        }
    }
}
