//! Think: what steering wants, agent by agent, from the state of the previous frame.
//!
//! Patterns on tiles think when they act, as what is open to them depends on agent order.

use crate::agent::Drive;
use crate::event::{Obstruction, Term};
use crate::geom::TilePos;
use crate::id::{AgentId, CourseId};
use crate::locomotion::vehicle;
use crate::map::route::Lead;
use crate::rng::Dice;
use crate::steering::course::Laid;
use crate::steering::{
    Ledger, LedgerRow, Memory, Probe, Seen, Senses, Silent, Surroundings, Target, Wish,
};
use crate::world::{DriveState, Flags, World};

use super::act::change;
use super::explain::Watch;
use super::quarantine::quarantine;
use super::walk::{note_free, note_refusal};

/// Works out what every vehicle wishes.
pub(super) fn think(world: &mut World, watch: &mut impl Watch) {
    for id in world.ids() {
        think_for(world, id, watch);
    }
}

/// Works out what one agent wishes, if it is a vehicle.
pub(super) fn think_for(world: &mut World, id: AgentId, watch: &mut impl Watch) {
    let DriveState::Steer(mut memory) = world.drive_state(id) else { return };
    if world.flags(id).has(Flags::QUARANTINED) {
        return;
    }
    let wish = match watch.ledger(id) {
        Some(ledger) => wish(world, id, &mut memory, ledger),
        None => wish(world, id, &mut memory, &mut Silent),
    };
    watch.wish(id, wish);
    if let Some(term) = failing(world, id, wish) {
        let row = culprit(world, id, term);
        quarantine(world, id, row, term);
    } else {
        world.wishes[id.index()] = wish;
        world.state.drive[id.index()] = DriveState::Steer(memory);
        note_route(world, id, memory.no_route);
    }
}

/// Notes whether an agent's flow leads anywhere; when it first doesn't, that is an event.
fn note_route(world: &mut World, id: AgentId, missing: bool) {
    let known = world.obstruction(id) == Some(Obstruction::NoRoute);
    match (missing, known) {
        (true, false) => note_refusal(world, id, Obstruction::NoRoute),
        (false, true) => note_free(world, id),
        _ => {}
    }
}

/// What an agent's steering list comes to.
fn wish(world: &World, id: AgentId, memory: &mut Memory, probe: &mut impl Probe) -> Wish {
    let mode = world.mode(id);
    let Drive::Steer { combine, rows } = &mode.drive else { return Wish::NONE };
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
    combine.wish(rows, &senses, memory, &Around { world, id }, probe)
}

/// The world as one agent finds it.
struct Around<'a> {
    world: &'a World,
    id: AgentId,
}

impl Surroundings for Around<'_> {
    fn see(&self, target: Target) -> Option<Seen> {
        self.world.see(self.id, target)
    }

    fn course(&self, course: CourseId) -> Option<Laid<'_>> {
        self.world.course(self.id, course)
    }

    fn lead(&self, goal: TilePos, tile: TilePos) -> Option<Lead> {
        self.world.lead(goal, tile)
    }
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

/// The first term of the motion that a wish makes endless or no number, if it does.
///
/// Looked for here and not when the body moves, as only now can the list be asked again with the
/// same answers.
fn failing(world: &World, id: AgentId, wish: Wish) -> Option<Term> {
    let (motion, body, dt) = (world.motion(id), world.body(id), world.scenario().dt());
    let change = change(world.mode(id).drive.steering(), wish.force);
    match () {
        () if !wish.force.is_finite() => Some(Term::Force),
        () if !wish.turn.is_finite() => Some(Term::Turn),
        () if !change.apply(motion.velocity, body, dt).is_finite() => Some(Term::Velocity),
        () if !vehicle::spin(motion.angular_velocity, wish.turn, body, dt).is_finite() => {
            Some(Term::AngularVelocity)
        }
        () => None,
    }
}

/// The steering row that is to blame: of a wish that is not finite the first such row, else the one
/// of which most was taken.
fn culprit(world: &World, id: AgentId, term: Term) -> Option<u32> {
    let DriveState::Steer(mut memory) = world.drive_state(id) else { return None };
    let mut ledger = Ledger::default();
    wish(world, id, &mut memory, &mut ledger);
    let rows = &ledger.rows[..world.mode(id).drive.steering().len()];
    let bad = |row: &LedgerRow| !row.raw.is_finite() || !row.total.is_finite();
    let share = |row: &LedgerRow| match term {
        Term::Turn | Term::AngularVelocity => row.accepted.turn.abs(),
        _ => row.accepted.force.length(),
    };
    let strongest = || {
        let taken = rows.iter().map(share).enumerate().filter(|&(_, share)| share > 0.0);
        let most = taken.reduce(|most, next| if next.1 > most.1 { next } else { most });
        most.map(|(index, _)| index)
    };
    rows.iter().position(bad).or_else(strongest).map(|index| index as u32)
}
