//! Does an agent get anywhere? Whether it is stuck or goes in circles is noted as it moves.

use crate::event::EventKind;
use crate::geom::{Vec2, turn};
use crate::id::AgentId;
use crate::scenario::Scenario;
use crate::world::watch::STUCK_AFTER;
use crate::world::{DriveState, Flags, World};

/// The share of its strongest push a vehicle must wish for, to count as one that wants to move.
const WISH: f32 = 0.01;

/// Frames until who doesn't get away is stuck; at least one.
pub(super) fn stuck_after(scenario: &Scenario) -> u32 {
    (libm::ceil(STUCK_AFTER / scenario.tick) as u32).max(1)
}

/// Notes where an agent is after it has moved, and reports when it has been there too long.
pub(super) fn note(world: &mut World, id: AgentId, most: u32) {
    let index = id.index();
    let here = world.position(id);
    let offset = world.scenario().map.offset(world.state.spots[index].anchor, here);
    let wants = wants_to_move(world, id);
    let stuck = world.state.spots[index].stay(here, offset, wants, most);
    let flags = &mut world.state.flags[index];
    let began = stuck && !flags.has(Flags::STUCK);
    flags.set(Flags::STUCK, stuck);
    if began {
        world.report(id, EventKind::Stuck);
    }
}

/// Does an agent want to come from where it is?
///
/// On tiles it does when its last due step was refused: between steps, at a vertex, in a row that
/// waits it merely takes its time. A vehicle does when it wishes more than a hundredth of its
/// strongest push.
fn wants_to_move(world: &World, id: AgentId) -> bool {
    let flags = world.flags(id);
    match world.state.drive[id.index()] {
        DriveState::Stand => false,
        DriveState::Steer(_) => {
            let body = world.body(id);
            let push = body.max_force.min(body.mass * body.gain * body.max_speed) * WISH;
            let force = world.wishes[id.index()].force;
            force.length_squared() > push * push && !flags.has(Flags::QUARANTINED)
        }
        _ => flags.has(Flags::BLOCKED) && !flags.has(Flags::FINISHED),
    }
}

/// Notes how far an agent has turned from an old heading, and reports when it goes in circles.
pub(super) fn note_turn(world: &mut World, id: AgentId, before: Vec2) {
    let index = id.index();
    let (here, heading) = (world.position(id), world.heading(id));
    let by = turn(before, heading);
    let offset = world.scenario().map.offset(world.state.spots[index].centre, here);
    if world.state.spots[index].turn(here, offset, by) {
        world.report(id, EventKind::Circling);
    }
}
