//! Think: what steering wants, agent by agent, from the state of the previous frame.
//!
//! Patterns on tiles think when they act, as what is open to them depends on agent order.

use core::cell::Cell;

use crate::agent::Drive;
use crate::event::{Obstruction, Term};
use crate::geom::{TilePos, Vec2};
use crate::id::{AgentId, CourseId, GroupId};
use crate::locomotion::vehicle;
use crate::map::route::Lead;
use crate::scenario::Scenario;
use crate::steering::course::Laid;
use crate::steering::{
    AvoidAgents, Crowd, Ledger, LedgerRow, Memory, Neighbourhood, Passerby, Probe, Seen, Senses,
    Silent, Surroundings, Target, Wish,
};
use crate::world::{DriveState, Flags, World};

use super::act::change;
use super::aim::aim;
use super::explain::Watch;
use super::keys;
use super::quarantine::quarantine;
use super::walk::{note_free, note_refusal};

/// Works out what every vehicle wishes.
pub(super) fn think(world: &mut World, watch: &mut impl Watch) {
    world.neighbours.sum(&world.state, &world.names);
    let scenario = world.scenario().clone();
    for id in world.ids() {
        think_about(world, &scenario, id, watch);
    }
}

/// Works out what one agent wishes, if it is a vehicle.
pub(super) fn think_for(world: &mut World, id: AgentId, watch: &mut impl Watch) {
    let scenario = world.scenario().clone();
    think_about(world, &scenario, id, watch);
}

fn think_about(world: &mut World, scenario: &Scenario, id: AgentId, watch: &mut impl Watch) {
    if let Some(held) = world.hand(id) {
        keys::think(world, id, held, watch);
        return;
    }
    if world.flags(id).has(Flags::QUARANTINED) {
        return;
    }
    let DriveState::Steer(mut memory) = world.drive_state(id) else { return aim(world, id) };
    let wish = match watch.ledger(id) {
        Some(ledger) => wish(world, scenario, id, &mut memory, ledger),
        None => wish(world, scenario, id, &mut memory, &mut Silent),
    };
    watch.wish(id, wish);
    if let Some(term) = failing(world, id, wish) {
        let row = culprit(world, scenario, id, term);
        quarantine(world, id, row, term);
    } else {
        world.wishes[id.index()] = wish;
        world.state.drive[id.index()] = DriveState::Steer(memory);
        note_route(world, id, memory.no_route);
    }
}

/// Notes whether an agent's flow leads anywhere; when it first doesn't, that is an event.
fn note_route(world: &mut World, id: AgentId, missing: bool) {
    // Whom nothing obstructs has no reason to be looked up.
    if !missing && !world.flags(id).has(Flags::BLOCKED) {
        return;
    }
    let known = world.obstruction(id) == Some(Obstruction::NoRoute);
    match (missing, known) {
        (true, false) => note_refusal(world, id, Obstruction::NoRoute),
        (false, true) => note_free(world, id),
        _ => {}
    }
}

/// What an agent's steering list comes to.
fn wish(
    world: &World,
    scenario: &Scenario,
    id: AgentId,
    memory: &mut Memory,
    probe: &mut impl Probe,
) -> Wish {
    let kind = scenario.kind(id);
    let mode = &kind.modes[usize::from(world.state.mode[id.index()])];
    let Drive::Steer { combine, rows } = &mode.drive else { return Wish::NONE };
    let mut senses = Senses {
        motion: world.motion(id),
        body: &kind.body,
        map: &scenario.map,
        dt: scenario.dt(),
        target: None,
        other: None,
        dice: world.dice(id, mode),
    };
    let around = Around { world, id, crowd: Cell::new(None) };
    combine.wish(rows, &mut senses, memory, &around, probe)
}

/// The largest radius a body may have, in tiles.
const WIDEST: f32 = 0.5;

/// The world as one agent finds it.
struct Around<'a> {
    world: &'a World,
    id: AgentId,
    /// What was last asked for: rows with the same neighbourhood mostly stand together.
    crowd: Cell<Option<(Neighbourhood, Crowd)>>,
}

impl Surroundings for Around<'_> {
    fn see(&self, target: Target) -> Option<Seen> {
        let world = self.world;
        if let Target::Group(group) = target
            && let Some(search) = world.neighbours.search(Some(group))
        {
            let map = &world.scenario().map;
            let nearest = search.nearest(self.id, world.position(self.id), map);
            return nearest.map(|other| world.see_agent(self.id, other));
        }
        world.see(self.id, target)
    }

    fn crowd(&self, who: &Neighbourhood) -> Crowd {
        if let Some((asked, crowd)) = self.crowd.get()
            && asked == *who
        {
            return crowd;
        }
        let World { neighbours, state, names, .. } = self.world;
        let crowd = neighbours.crowd(self.id, who, state, names);
        self.crowd.set(Some((*who, crowd)));
        crowd
    }

    fn visit_neighbours(&self, who: &Neighbourhood, visit: impl FnMut(AgentId, Vec2)) {
        self.world.neighbours.visit(self.id, who, &self.world.state, visit);
    }

    fn visit_passing(&self, of: Option<GroupId>, seconds: f32, mut visit: impl FnMut(Passerby)) {
        let Self { world, id, .. } = *self;
        let (at, speed) = (world.position(id), world.velocity(id).length());
        let radii = world.body(id).radius + WIDEST;
        let reach = |fastest: f32| AvoidAgents::reach(seconds, speed + fastest, radii);
        world.neighbours.visit_passing(of, at, reach, |other| {
            if other != id {
                let radius = world.body(other).radius;
                visit(Passerby { id: other, seen: world.see_agent(id, other), radius });
            }
        });
    }

    fn course(&self, course: CourseId) -> Option<Laid<'_>> {
        self.world.course(self.id, course)
    }

    fn lead(&self, goal: TilePos, tile: TilePos) -> Option<Lead> {
        self.world.lead(goal, tile)
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
fn culprit(world: &World, scenario: &Scenario, id: AgentId, term: Term) -> Option<u32> {
    let DriveState::Steer(mut memory) = world.drive_state(id) else { return None };
    let mut ledger = Ledger::default();
    wish(world, scenario, id, &mut memory, &mut ledger);
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
