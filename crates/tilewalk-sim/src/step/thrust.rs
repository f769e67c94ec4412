//! Runs thrust patterns, and steps patterns in degrees.
//!
//! A thrust pattern decides which thrusters burn and when a leg ends (`pattern::thrust`). The craft
//! model computes the motion in water (`locomotion::craft`). This module connects these two
//! modules, which do not depend on each other.
//!
//! In a steps pattern in degrees, the body turns in the first frame of each row. The distance of
//! the row is spread over the frames of one pace.

use crate::agent::SignalSource;
use crate::event::{EventKind, Obstruction};
use crate::geom::TilePos;
use crate::id::AgentId;
use crate::locomotion::craft::{Thrusters, sail, turn_and_move};
use crate::map::{StepError, Touch};
use crate::pattern::steps::{StepsRow, StepsState};
use crate::pattern::thrust::ThrustState;
use crate::pattern::{StepsPattern, ThrustPattern};
use crate::step::contact::{note_contact, occupy_tile, settle_motion};
use crate::step::walk::{end, is_one_of_several, is_over, note_free, note_refusal};
use crate::world::{DriveState, Flags, StepTimer, World};

/// Runs one frame of a thrust pattern.
///
/// After the last leg, the next pattern of the mode begins. If there is no next pattern, the engine
/// stops and the craft drifts.
pub(super) fn thrust(world: &mut World, id: AgentId, pattern: &ThrustPattern, mut at: ThrustState) {
    let sends = pattern.leg(at).is_some_and(|leg| leg.signal.is_some());
    if sends && !core::mem::replace(&mut at.signalled, true) {
        let source = SignalSource::Row { pick: world.pick(id), row: at.leg };
        world.report(id, EventKind::Signal(source));
    }
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
    if pattern.circles(at, next) {
        world.report(id, EventKind::Circling);
    }
    world.state.drive[id.index()] = DriveState::Thrust { at: next };
    let ends = pattern.leg(next).is_none() && !world.flags(id).has(Flags::FINISHED);
    if ends && !world.next_pattern(id, 0) {
        world.state.flags[id.index()].set(Flags::FINISHED, true);
        world.report(id, EventKind::Finished);
    }
}

/// Remaining distance below which a row is complete, in tiles.
const CLOSE_ENOUGH: f32 = 1e-4;

/// Runs one frame of a steps pattern in degrees. A blocked body tries again in the next frame.
pub(super) fn degree_steps(
    world: &mut World,
    id: AgentId,
    steps: &StepsPattern,
    mut at: StepsState,
) {
    // Without a row, the pattern has ended, and the body has already stopped.
    let Some(row) = steps.row(at) else { return };
    let begins = !core::mem::replace(&mut at.begun, true);
    if begins && row.signal.is_some() {
        let source = SignalSource::Row { pick: world.pick(id), row: at.row };
        world.report(id, EventKind::Signal(source));
    }
    move_by(world, id, row, begins, &mut at);
    at.done = at.done.saturating_add(1);
    let moved = row.forward.abs() - at.moved <= CLOSE_ENOUGH;
    let mut ended = false;
    if moved && u64::from(at.done) >= u64::from(at.pace) * u64::from(row.wait.max(1)) {
        ended = is_over(world, id, steps, at);
        at = steps.next_row(at);
    }
    let timer = StepTimer { due_in: 1 };
    world.state.drive[id.index()] = DriveState::Steps { at, timer };
    if ended {
        end(world, id, 0);
    }
}

/// Turns the body in the row's first frame, and moves it by this frame's share of the distance.
fn move_by(world: &mut World, id: AgentId, row: &StepsRow, begins: bool, at: &mut StepsState) {
    let turn = if begins { row.turn.to_radians() } else { 0.0 };
    let left = (row.forward.abs() - at.moved).max(0.0);
    let share = row.forward.abs() / at.pace as f32;
    // The last frame also makes up for rounding in earlier frames. The limit prevents a leap after
    // the body was blocked.
    let most = if at.done.saturating_add(1) >= at.pace { share * 2.0 } else { share };
    let share = left.min(most);
    let distance = share.copysign(row.forward);
    let scenario = world.scenario();
    let radius = world.body(id).radius;
    let from = world.tile(id);
    let result =
        turn_and_move(world.motion(id), turn, distance, radius, &scenario.map, scenario.dt());
    if !settle_motion(world, id, result.motion) {
        return;
    }
    occupy_tile(world, id, from);
    at.moved += result.moved;
    note_contact(world, id, result.contact);
    match world.touches(id) {
        Some(Touch { tile, wall }) => {
            let wall = wall.map(|wall| StepError::FreeWall(tile, wall));
            let reason = wall.unwrap_or(StepError::Wall(tile));
            note_refusal(world, id, Obstruction::Ground(reason));
        }
        None => note_free(world, id),
    }
}
