//! Think: computes the steering output of each agent from the state of the previous frame.
//!
//! Walkers with a pattern on tiles choose their step in the act phase instead. The tiles that are
//! open to them depend on the agents that have already moved.

mod abreast;

use core::cell::Cell;

use crate::agent::{AgentKind, Drive, Mode};
use crate::body::Body;
use crate::event::{Obstruction, Term};
use crate::geom::lanes::LANES;
use crate::geom::{TilePos, Vec2};
use crate::id::{AgentId, CourseId, GroupId};
use crate::locomotion::vehicle::{self, Change, Push};
use crate::map::route::Lead;
use crate::scenario::Scenario;
use crate::steering::abreast::go_abreast;
use crate::steering::combine::Combine;
use crate::steering::course::Laid;
use crate::steering::{
    self, AvoidAgents, Crowd, Ledger, LedgerRow, Memory, Neighbourhood, Passerby, Probe, Row, Seen,
    Senses, Silent, Surroundings, Target, Track, Wish,
};
use crate::world::neighbours::Place;
use crate::world::{DriveState, Flags, World};

use super::aim::aim;
use super::explain::Watch;
use super::keys;
use super::quarantine::quarantine;
use super::walk::{note_free, note_refusal};

/// Works out what every vehicle wishes.
pub(super) fn think(world: &mut World, watch: &mut impl Watch) {
    world.neighbours.sum(&world.state, &world.names);
    let scenario = world.scenario().clone();
    for kind in &scenario.kinds {
        let mut last: Option<List> = None;
        let end = kind.first.index() + kind.count as usize;
        let mut ids = kind.ids();
        while let Some(id) = ids.next() {
            if world.cancel().is_requested() {
                return;
            }
            if let Some(held) = world.hand(id) {
                keys::think(world, id, held, watch);
                continue;
            }
            let mode = world.state.mode[id.index()];
            // Agents of a kind are mostly in one mode: its list is found once for all of them.
            if last.as_ref().is_none_or(|list| list.index != mode) {
                last = List::of(world, kind, mode);
            }
            let Some(list) = &last else {
                aim(world, id);
                continue;
            };
            let abreast = list.abreast
                && id.index() + LANES <= end
                && !(0..LANES as u32).any(|lane| watch.ledger(AgentId(id.0 + lane)).is_some());
            if abreast && abreast::think(world, &scenario, list, id) {
                ids.nth(LANES - 2);
            } else {
                think_about(world, &scenario, list, id, watch);
            }
        }
    }
}

/// Works out what one agent wishes, if it is a vehicle.
pub(super) fn think_for(world: &mut World, id: AgentId, watch: &mut impl Watch) {
    if let Some(held) = world.hand(id) {
        keys::think(world, id, held, watch);
        return;
    }
    let scenario = world.scenario().clone();
    let kind = scenario.kind(id);
    match List::of(world, kind, world.state.mode[id.index()]) {
        Some(list) => think_about(world, &scenario, &list, id, watch),
        None => aim(world, id),
    }
}

fn think_about(
    world: &mut World,
    scenario: &Scenario,
    list: &List,
    id: AgentId,
    watch: &mut impl Watch,
) {
    let DriveState::Steer(mut memory) = world.state.drive[id.index()] else { return };
    if world.flags(id).has(Flags::QUARANTINED) {
        return;
    }
    let wish = match watch.ledger(id) {
        Some(ledger) => list.wish(world, scenario, id, &mut memory, ledger),
        None => list.wish(world, scenario, id, &mut memory, &mut Silent),
    };
    watch.wish(id, wish);
    match list.push(world, id, wish, scenario.dt()) {
        Ok(push) => {
            world.pushes[id.index()] = push;
            if let DriveState::Steer(kept) = &mut world.state.drive[id.index()] {
                *kept = memory;
            }
            note_route(world, id, memory.no_route);
        }
        Err(term) => {
            let row = list.culprit(world, scenario, id, term);
            quarantine(world, id, row, term);
        }
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

/// The steering of a mode.
struct List<'a> {
    combine: Combine,
    rows: &'a [Row],
    body: &'a Body,
    mode: &'a Mode,
    /// The mode's index in the agent's kind.
    index: u16,
    /// May agents go through it several at a time?
    abreast: bool,
    /// The row that sets the velocity by itself, if there is one.
    tracker: Option<&'a Track>,
    /// The first neighbourhood that is asked for, and where its sums are.
    crowd: Option<(Neighbourhood, Place)>,
}

impl<'a> List<'a> {
    /// That of a mode, if steering drives it.
    fn of(world: &World, kind: &'a AgentKind, index: u16) -> Option<Self> {
        let mode = &kind.modes[usize::from(index)];
        let Drive::Steer { combine, rows } = &mode.drive else { return None };
        let enabled = rows.iter().filter(|row| row.enabled);
        let mut asked = enabled.filter_map(|row| row.behaviour.neighbourhood());
        let crowd = asked.find_map(|who| Some((who, world.neighbours.place(&who)?)));
        let tracker = steering::tracker(rows);
        let abreast = go_abreast(*combine, rows);
        Some(Self {
            combine: *combine,
            rows,
            body: &kind.body,
            mode,
            index,
            abreast,
            tracker,
            crowd,
        })
    }

    /// What it comes to for an agent.
    fn wish(
        &self,
        world: &World,
        scenario: &Scenario,
        id: AgentId,
        memory: &mut Memory,
        probe: &mut impl Probe,
    ) -> Wish {
        let mut senses = Senses {
            motion: world.motion(id),
            body: self.body,
            map: &scenario.map,
            dt: scenario.dt(),
            target: None,
            other: None,
            dice: world.dice(id, self.mode),
        };
        let around = Around { world, id, first: self.crowd, alone: Cell::new(None) };
        self.combine.wish(self.rows, &mut senses, memory, &around, probe)
    }

    /// What a wish makes of an agent.
    ///
    /// # Errors
    /// The first term of the motion that it makes endless or no number. Looked for here and not when
    /// the body moves, as only now can the list be asked again with the same answers.
    fn push(&self, world: &World, id: AgentId, wish: Wish, dt: f32) -> Result<Push, Term> {
        let change = match self.tracker {
            Some(track) => Change::Track { acceleration: wish.force, slow: track.slow },
            None => Change::Force(wish.force),
        };
        let velocity = change.apply(world.velocity(id), self.body, dt);
        let angular_velocity = world.state.angular_velocity[id.index()];
        let angular_velocity = vehicle::spin(angular_velocity, wish.turn, self.body, dt);
        match () {
            () if !wish.force.is_finite() => Err(Term::Force),
            () if !wish.turn.is_finite() => Err(Term::Turn),
            () if !velocity.is_finite() => Err(Term::Velocity),
            () if !angular_velocity.is_finite() => Err(Term::AngularVelocity),
            () => Ok(Push { velocity, turn: wish.turn }),
        }
    }

    /// The row that is to blame: of a wish that is not finite the first such row, else the one of
    /// which most was taken.
    fn culprit(&self, world: &World, scenario: &Scenario, id: AgentId, term: Term) -> Option<u32> {
        let DriveState::Steer(mut memory) = world.drive_state(id) else { return None };
        let mut ledger = Ledger::default();
        self.wish(world, scenario, id, &mut memory, &mut ledger);
        let rows = &ledger.rows[..self.rows.len()];
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
}

/// The largest radius a body may have, in tiles.
const WIDEST: f32 = 0.5;

/// The world as one agent finds it.
struct Around<'a> {
    world: &'a World,
    id: AgentId,
    /// The neighbourhood that rows mostly ask for, and where its sums are.
    first: Option<(Neighbourhood, Place)>,
    /// What was last worked out for this agent alone.
    alone: Cell<Option<(Neighbourhood, Crowd)>>,
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

    #[inline]
    fn crowd(&self, who: &Neighbourhood) -> Crowd {
        let World { neighbours, state, names, .. } = self.world;
        let place = match self.first {
            Some((asked, place)) if asked == *who => Some(place),
            _ => neighbours.place(who),
        };
        let Some(place) = place else { return Crowd::default() };
        if let Some(crowd) = neighbours.summed(self.id, place) {
            return *crowd;
        }
        if let Some((asked, crowd)) = self.alone.get()
            && asked == *who
        {
            return crowd;
        }
        let crowd = neighbours.crowd(self.id, place, state, names);
        self.alone.set(Some((*who, crowd)));
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
