//! Think: what steering wants, agent by agent, from the state of the previous frame.
//!
//! Patterns on tiles think when they act, as what is open to them depends on agent order.

use core::cell::Cell;

use crate::agent::{Drive, Mode};
use crate::event::Term;
use crate::geom::Vec2;
use crate::id::{AgentId, GroupId};
use crate::rng::Dice;
use crate::scenario::Scenario;
use crate::steering::{
    AvoidAgents, Crowd, Ledger, LedgerRow, Memory, Neighbourhood, Passerby, Probe, Seen, Senses,
    Silent, Surroundings, Target, Wish,
};
use crate::world::{DriveState, Flags, World};

use super::explain::Watch;
use super::quarantine::quarantine;

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
    let DriveState::Steer(mut memory) = world.drive_state(id) else { return };
    if world.flags(id).has(Flags::QUARANTINED) {
        return;
    }
    let wish = match watch.ledger(id) {
        Some(ledger) => wish(world, scenario, id, &mut memory, ledger),
        None => wish(world, scenario, id, &mut memory, &mut Silent),
    };
    watch.wish(id, wish);
    if wish.is_finite() {
        world.wishes[id.index()] = wish;
        world.state.drive[id.index()] = DriveState::Steer(memory);
    } else {
        let term = if wish.force.is_finite() { Term::Turn } else { Term::Force };
        let row = culprit(world, scenario, id);
        quarantine(world, id, row, term);
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
    let senses = Senses {
        motion: world.motion(id),
        body: &kind.body,
        map: &scenario.map,
        dt: scenario.dt(),
        target: None,
        other: None,
        dice: dice(world, mode, id),
    };
    combine.wish(rows, &senses, memory, &Around { world, id, crowd: Cell::new(None) }, probe)
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
}

/// The dice of an agent in the frame that is being made.
pub(super) fn dice(world: &World, mode: &Mode, id: AgentId) -> Dice {
    Dice {
        seed: world.scenario().seed,
        frame: world.frame().0,
        agent: world.names[id.index()],
        mode: mode.key,
        behaviour: 0,
    }
}

/// The first steering row whose wish is not finite.
fn culprit(world: &World, scenario: &Scenario, id: AgentId) -> Option<u32> {
    let DriveState::Steer(mut memory) = world.drive_state(id) else { return None };
    let mut ledger = Ledger::default();
    wish(world, scenario, id, &mut memory, &mut ledger);
    let bad = |row: &LedgerRow| !row.raw.is_finite() || !row.total.is_finite();
    ledger.rows.iter().position(bad).map(|index| index as u32)
}
