//! Think: what steering wants, agent by agent, from the state of the previous frame.
//!
//! Patterns on tiles think when they act, as what is open to them depends on agent order.

use crate::agent::Drive;
use crate::event::Term;
use crate::geom::Vec2;
use crate::id::AgentId;
use crate::rng::Dice;
use crate::steering::{Ledger, Memory, Senses, Silent};
use crate::world::{DriveState, Flags, World};

use super::explain::Watch;
use super::quarantine::quarantine;

/// Works out the force on every vehicle.
pub(super) fn think(world: &mut World, watch: &mut impl Watch) {
    for id in world.ids() {
        think_for(world, id, watch);
    }
}

/// Works out the force on one agent, if it is a vehicle.
pub(super) fn think_for(world: &mut World, id: AgentId, watch: &mut impl Watch) {
    let DriveState::Steer(mut memory) = world.drive_state(id) else { return };
    if world.flags(id).has(Flags::QUARANTINED) {
        return;
    }
    let force = match watch.ledger(id) {
        Some(ledger) => force(world, id, &mut memory, ledger),
        None => force(world, id, &mut memory, &mut Silent),
    };
    watch.force(id, force);
    if force.is_finite() {
        world.forces[id.index()] = force;
        world.state.drive[id.index()] = DriveState::Steer(memory);
    } else {
        let row = culprit(world, id);
        quarantine(world, id, row, Term::Force);
    }
}

/// The force of an agent's steering list.
fn force(
    world: &World,
    id: AgentId,
    memory: &mut Memory,
    probe: &mut impl crate::steering::Probe,
) -> Vec2 {
    let mode = world.mode(id);
    let Drive::Steer { combine, rows } = &mode.drive else { return Vec2::ZERO };
    let scenario = world.scenario();
    let senses = Senses {
        motion: world.motion(id),
        body: world.body(id),
        map: &scenario.map,
        dt: scenario.dt(),
        target: None,
        other: None,
        dice: dice(world, id),
    };
    combine.force(rows, &senses, memory, |target| world.see(id, target), probe)
}

/// The dice of an agent in the frame that is being made.
pub(super) fn dice(world: &World, id: AgentId) -> Dice {
    Dice {
        seed: world.scenario().seed,
        frame: world.frame().0,
        agent: world.names[id.index()],
        mode: world.mode(id).key,
        behaviour: 0,
    }
}

/// The first steering row whose force is not finite.
fn culprit(world: &World, id: AgentId) -> Option<u32> {
    let DriveState::Steer(mut memory) = world.drive_state(id) else { return None };
    let mut ledger = Ledger::default();
    force(world, id, &mut memory, &mut ledger);
    let bad = |row: &crate::steering::LedgerRow| !row.raw.is_finite() || !row.total.is_finite();
    ledger.rows.iter().position(bad).map(|index| index as u32)
}
