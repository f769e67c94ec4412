//! Think: computes the steering output of each vehicle from the state of the previous frame, and
//! updates the targets of chases, flights and routes on tiles.
//!
//! Walkers with a pattern on tiles choose their step later, in the act phase. The tiles that are
//! open to them depend on the agents that have already moved.
//!
//! Several agents are steered at a time (SIMD) if their steering list allows this. Agents that need
//! special treatment take the scalar path; [`think_lanes`] lists the cases.

mod causes;

use core::cell::Cell;

use crate::agent::{AgentKind, Drive, Mode};
use crate::body::Body;
use crate::event::{Obstruction, Term};
use crate::geom::lanes::{Batch, InstructionSet, LANES, Lanes, MOST_LANES, Mask, dispatch};
use crate::geom::{TilePos, Vec2, Vectors};
use crate::id::{AgentId, GroupId, SteeringPathId};
use crate::locomotion::vehicle;
use crate::locomotion::vehicle::{Push, VelocityChange, preferred, pushed};
use crate::map::Map;
use crate::map::route::{NextStep, WayAhead};
use crate::scenario::Scenario;
use crate::steering;
use crate::steering::batch::{Individuals, NeighbourSumsBatch, SensesBatch, supports_batch};
use crate::steering::combine::Combine;
use crate::steering::orca::Planes;
use crate::steering::path::PlacedPath;
use crate::steering::{
    AvoidAgents, AvoidCrowd, BreakdownRow, Crowd, ForceBreakdown, Intent, Memory, NearbyAgent,
    Neighbourhood, NoProbe, Probe, Searched, Seen, Senses, SteeringOutput, Surroundings, Target,
    Track, WeightedBehaviour, intent,
};
use crate::step::contact::freeze;
use crate::step::observer::Observer;
use crate::step::travel::aim;
use crate::step::walk::{note_free, note_refusal};
use crate::step::{keys, progress};
use crate::world::neighbours::{SMALL_GROUP, SumsId, apart};
use crate::world::{DriveState, Flags, World};

pub(super) use causes::JitterCauses;

/// Computes the steering output of all vehicles, and updates the targets of agents on tiles.
pub(super) fn think(world: &mut World, observer: &mut impl Observer) {
    let instructions = world.thoughts.instructions;
    world.neighbours.sum(&world.state, &world.names, instructions);
    dispatch!(instructions, simd => think_all(simd, world, observer));
    freeze_failed(world);
}

/// Freezes the agents whose steering failed. Until all agents have thought, the others see them as
/// they were in the previous frame.
fn freeze_failed(world: &mut World) {
    for index in 0..world.thoughts.failed.len() {
        let (id, row, term) = world.thoughts.failed[index];
        freeze(world, id, row, term);
    }
    world.thoughts.failed.clear();
}

#[inline(always)]
fn think_all<S: InstructionSet>(simd: S, world: &mut World, observer: &mut impl Observer) {
    let lanes = S::Numbers::COUNT;
    let scenario = world.scenario().clone();
    for kind in &scenario.kinds {
        let mut last: Option<SteeringList> = None;
        let end = kind.first.index() + kind.count as usize;
        let mut ids = kind.ids();
        while let Some(id) = ids.next() {
            if world.cancel().is_requested() {
                return;
            }
            if !world.is_present(id) || scenario.is_traced(id) {
                continue;
            }
            let mode = world.state.mode[id.index()];
            if let Some(held) = world.active_control(id, &kind.modes[usize::from(mode)]) {
                keys::think(world, id, held, observer);
                continue;
            }
            // Most agents of a kind are in the same mode, so the last list is reused.
            if last.as_ref().is_none_or(|list| list.index != mode) {
                last = SteeringList::of(world, kind, mode);
            }
            let Some(list) = &last else {
                aim(world, id);
                continue;
            };
            let batch = list.simd
                && scenario.traced.is_none()
                && id.index() + lanes <= end
                && !(0..lanes as u32)
                    .any(|lane| observer.breakdown(AgentId(id.0 + lane)).is_some());
            if batch && think_lanes::<S::Numbers>(simd, world, &scenario, list, id) {
                ids.nth(lanes - 2);
            } else {
                steer(world, &scenario, list, id, observer);
            }
        }
    }
}

/// Computes the steering output of one agent if the agent is a vehicle. Otherwise updates the
/// target of the agent's chase, flight or route.
pub(super) fn think_one(world: &mut World, id: AgentId, observer: &mut impl Observer) {
    if world.scenario().is_traced(id) {
        return;
    }
    let scenario = world.scenario().clone();
    let kind = scenario.kind(id);
    let mode = world.state.mode[id.index()];
    if let Some(held) = world.active_control(id, &kind.modes[usize::from(mode)]) {
        keys::think(world, id, held, observer);
        return;
    }
    match SteeringList::of(world, kind, mode) {
        Some(list) => steer(world, &scenario, &list, id, observer),
        None => aim(world, id),
    }
    freeze_failed(world);
}

#[inline(never)]
fn steer(
    world: &mut World,
    scenario: &Scenario,
    list: &SteeringList,
    id: AgentId,
    observer: &mut impl Observer,
) {
    let DriveState::Steer(mut memory) = world.state.drive[id.index()] else { return };
    if world.flags(id).has(Flags::QUARANTINED) {
        return;
    }
    let mut planes = world.thoughts.planes.take();
    let desired = match observer.breakdown(id) {
        Some(breakdown) => list.desire(world, scenario, id, &mut memory, &mut planes, breakdown),
        None => list.desire(world, scenario, id, &mut memory, &mut planes, &mut NoProbe),
    };
    world.thoughts.planes = planes;
    observer.output(id, desired.output);
    world.thoughts.intents[id.index()] = list.intent(world, scenario, id, memory);
    match list.push(world, id, desired, scenario.dt()) {
        Ok(push) => {
            world.thoughts.pushes.set(id.index(), push);
            if let DriveState::Steer(kept) = &mut world.state.drive[id.index()] {
                *kept = memory;
            }
            note_route(world, id, memory.no_route);
        }
        Err(term) => {
            let row = list.culprit(world, scenario, id, term);
            world.thoughts.failed.push((id, row, term));
        }
    }
}

/// Sets or clears [`Obstruction::NoRoute`] of a steered agent. `missing` is true if the agent's
/// flow field has no route to the goal.
fn note_route(world: &mut World, id: AgentId, missing: bool) {
    // Skips the lookup for agents that are not blocked.
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

/// The result of a steering list.
#[derive(Debug, Clone, Copy)]
struct Desired {
    output: SteeringOutput,
    /// The new velocity in tiles/s, if `avoid_crowd` determines it. Otherwise, the output does.
    velocity: Option<Vec2>,
}

/// The steering list of a mode, with the body that the list moves.
struct SteeringList<'a> {
    combine: Combine,
    rows: &'a [WeightedBehaviour],
    body: &'a Body,
    mode: &'a Mode,
    index: u16,
    /// Whether the list can be evaluated with SIMD.
    simd: bool,
    /// The behaviour that sets the velocity directly, if any.
    tracker: Option<&'a Track>,
    /// The behaviour that determines the velocity after all others, and its index in the list; if
    /// any.
    avoid_crowd: Option<(usize, &'a AvoidCrowd)>,
    /// The first neighbourhood of the list, and the id of its neighbour sums; `None` if the list
    /// needs no neighbour sums.
    crowd: Option<(Neighbourhood, SumsId)>,
    /// Number of frames without headway after which the intent of the list is needed. `None` if the
    /// list has no destination.
    suspect_after: Option<u32>,
}

impl<'a> SteeringList<'a> {
    /// Returns the steering list of a mode. Returns `None` if the mode is not driven by steering.
    fn of(world: &World, kind: &'a AgentKind, index: u16) -> Option<Self> {
        let mode = &kind.modes[usize::from(index)];
        let Drive::Steer { combine, rows } = &mode.drive else { return None };
        let enabled = rows.iter().filter(|row| row.enabled);
        let mut asked = enabled.filter_map(|row| row.behaviour.neighbourhood());
        let crowd = asked.find_map(|neighbourhood| {
            Some((neighbourhood, world.neighbours.sums_id(&neighbourhood)?))
        });
        let tracker = steering::tracker(rows);
        let avoid_crowd = steering::crowd_avoidance(rows);
        let suspect_after =
            intent::has_goal(rows).then(|| progress::suspect_after(world.scenario()));
        let simd = suspect_after.is_none() && supports_batch(*combine, rows);
        let (combine, body) = (*combine, &kind.body);
        Some(Self {
            combine,
            rows,
            body,
            mode,
            index,
            simd,
            tracker,
            avoid_crowd,
            crowd,
            suspect_after,
        })
    }

    /// Evaluates the list. `planes` is scratch space.
    fn desire(
        &self,
        world: &World,
        scenario: &Scenario,
        id: AgentId,
        memory: &mut Memory,
        planes: &mut Option<Box<Planes>>,
        probe: &mut impl Probe,
    ) -> Desired {
        let mut senses = self.senses(world, scenario, id);
        let around = AgentSurroundings { world, id, first: self.crowd, alone: Cell::new(None) };
        let mut output = self.combine.output(self.rows, &mut senses, memory, &around, probe);
        let before = senses.motion.velocity;
        let Some((row, avoid)) = self.avoid_crowd else {
            return Desired { output, velocity: None };
        };
        let drag = scenario.map.drag(world.tile(id));
        let preferred = preferred(before, output.force, self.body, drag, senses.dt);
        if !preferred.is_finite() {
            return Desired { output, velocity: None };
        }
        senses.rng_key.behaviour = row as u32;
        let planes = planes.get_or_insert_default();
        let velocity = avoid.velocity(preferred, &senses, &around, planes, probe);
        // The force that would have caused the velocity, less the force of the other behaviours.
        let force = (velocity - before) * (self.body.mass / senses.dt) - output.force;
        let change = SteeringOutput::force(force);
        output += change;
        probe.conclude(row, change);
        Desired { output, velocity: Some(velocity) }
    }

    fn senses<'b>(&'b self, world: &World, scenario: &'b Scenario, id: AgentId) -> Senses<'b> {
        Senses {
            motion: world.motion(id),
            body: self.body,
            map: &scenario.map,
            dt: scenario.dt(),
            target: None,
            group: None,
            other: None,
            rng_key: world.rng_key(id, self.mode),
        }
    }

    /// Returns the intent of an agent, or [`Intent::Unchecked`] if the detectors do not need it.
    fn intent(&self, world: &World, scenario: &Scenario, id: AgentId, memory: Memory) -> Intent {
        if self.suspect_after.is_some_and(|frames| progress::is_suspect(world, id, frames)) {
            self.find_intent(world, scenario, id, memory)
        } else {
            Intent::Unchecked
        }
    }

    fn find_intent(
        &self,
        world: &World,
        scenario: &Scenario,
        id: AgentId,
        memory: Memory,
    ) -> Intent {
        let mut senses = self.senses(world, scenario, id);
        let around = AgentSurroundings { world, id, first: self.crowd, alone: Cell::new(None) };
        let radius = |target| match target {
            Target::Agent(other) => Some(world.body(other).radius),
            Target::Instance(other) => {
                scenario.kinds.get(other.kind as usize).map(|kind| kind.body.radius)
            }
            // The members of a group can differ. Most groups have bodies of one size.
            Target::Group(_) => Some(self.body.radius),
            Target::Point(_) | Target::Home | Target::LastSeen(_) => None,
        };
        intent::intent(self.rows, &mut senses, memory, &around, radius)
    }

    /// Returns the velocity and the turn of an agent after a steering output.
    ///
    /// # Errors
    /// Returns the first term that is not finite. The caller must then keep the agent's old memory,
    /// so that evaluating the list again produces the same result.
    fn push(&self, world: &World, id: AgentId, desired: Desired, dt: f32) -> Result<Push, Term> {
        let output = desired.output;
        let change = match self.tracker {
            Some(track) => VelocityChange::Track { acceleration: output.force, slow: track.slow },
            None => VelocityChange::Force(output.force),
        };
        let applied = || change.apply(world.velocity(id), self.body, dt);
        let velocity = desired.velocity.unwrap_or_else(applied);
        let angular_velocity = world.state.angular_velocity[id.index()];
        let angular_velocity = vehicle::spin(angular_velocity, output.turn, self.body, dt);
        match () {
            () if !output.force.is_finite() => Err(Term::Force),
            () if !output.turn.is_finite() => Err(Term::Turn),
            () if !velocity.is_finite() => Err(Term::Velocity),
            () if !angular_velocity.is_finite() => Err(Term::AngularVelocity),
            () => Ok(Push { velocity, turn: output.turn }),
        }
    }

    /// Returns the index of the behaviour that caused a non-finite value.
    ///
    /// This is the first behaviour whose output is not finite. If there is none, it is the
    /// behaviour with the largest applied output.
    fn culprit(&self, world: &World, scenario: &Scenario, id: AgentId, term: Term) -> Option<u32> {
        let DriveState::Steer(mut memory) = world.drive_state(id) else { return None };
        let mut breakdown = ForceBreakdown::default();
        self.desire(world, scenario, id, &mut memory, &mut None, &mut breakdown);
        let rows = &breakdown.rows[..self.rows.len()];
        let bad = |row: &BreakdownRow| !row.raw.is_finite() || !row.total.is_finite();
        let share = |row: &BreakdownRow| match term {
            Term::Turn | Term::AngularVelocity => row.accepted.turn.abs(),
            Term::Force | Term::Velocity | Term::Position | Term::Heading => {
                row.accepted.force.length()
            }
        };
        let strongest = || {
            let taken = rows.iter().map(share).enumerate().filter(|&(_, share)| share > 0.0);
            let most = taken.reduce(|most, next| if next.1 > most.1 { next } else { most });
            most.map(|(index, _)| index)
        };
        rows.iter().position(bad).or_else(strongest).map(|index| index as u32)
    }
}

/// Returns the intent of a vehicle after the agents have moved. Returns [`Intent::Unchecked`] for
/// other agents.
pub(super) fn intent_of(world: &World, id: AgentId) -> Intent {
    let DriveState::Steer(memory) = world.drive_state(id) else { return Intent::Unchecked };
    let scenario = world.scenario();
    let list = SteeringList::of(world, scenario.kind(id), world.state.mode[id.index()]);
    list.map_or(Intent::Unchecked, |list| list.find_intent(world, scenario, id, memory))
}

struct AgentSurroundings<'a> {
    world: &'a World,
    id: AgentId,
    /// The first neighbourhood of the list, and the id of its neighbour sums; `None` if the list
    /// needs no neighbour sums.
    first: Option<(Neighbourhood, SumsId)>,
    /// The last neighbour sums that were computed for this agent alone; `None` before the first
    /// computation.
    alone: Cell<Option<(Neighbourhood, Crowd)>>,
}

impl Surroundings for AgentSurroundings<'_> {
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

    fn visit_members(&self, of: GroupId, distance: f32, mut visit: impl FnMut(NearbyAgent)) {
        let Self { world, id, .. } = *self;
        let look = |other: AgentId| {
            if other == id || !world.is_present(other) {
                return;
            }
            let seen = world.see_agent(id, other);
            if seen.offset.length() <= distance {
                visit(NearbyAgent { id: other, seen, radius: world.body(other).radius });
            }
        };
        let members = world.scenario().members(of);
        // A small group may have an index for another behaviour, which must not alter the order.
        let search = world.neighbours.search(Some(of)).filter(|_| members.len() > SMALL_GROUP);
        match search {
            Some(search) => search.visit_within(world.position(id), distance, look),
            None => members.iter().copied().for_each(look),
        }
    }

    #[inline]
    fn crowd(&self, neighbourhood: &Neighbourhood) -> Crowd {
        let World { neighbours, state, names, .. } = self.world;
        let sums = match self.first {
            Some((asked, sums)) if asked == *neighbourhood => Some(sums),
            _ => neighbours.sums_id(neighbourhood),
        };
        let Some(sums) = sums else { return Crowd::default() };
        if let Some(crowd) = neighbours.summed(self.id, sums) {
            return crowd;
        }
        if let Some((asked, crowd)) = self.alone.get()
            && asked == *neighbourhood
        {
            return crowd;
        }
        let crowd = neighbours.crowd(self.id, sums, state, names);
        self.alone.set(Some((*neighbourhood, crowd)));
        crowd
    }

    fn radius(&self, agent: AgentId) -> f32 {
        self.world.body(agent).radius
    }

    fn apart(&self, other: AgentId) -> Vec2 {
        apart(self.id, other, &self.world.names)
    }

    fn search_neighbours(&self, neighbourhood: &Neighbourhood, visit: impl FnMut(Searched)) {
        self.world.neighbours.search_around(self.id, neighbourhood, &self.world.state, visit);
    }

    fn visit_passing(&self, of: Option<GroupId>, seconds: f32, mut visit: impl FnMut(NearbyAgent)) {
        let Self { world, id, .. } = *self;
        let (at, speed) = (world.position(id), world.velocity(id).length());
        let own = world.body(id).radius;
        let reach =
            |fastest: f32, widest: f32| AvoidAgents::reach(seconds, speed + fastest, own + widest);
        world.neighbours.visit_passing(of, at, reach, |other| {
            if other != id && world.is_present(other) {
                let radius = world.body(other).radius;
                visit(NearbyAgent { id: other, seen: world.see_agent(id, other), radius });
            }
        });
    }

    fn visit_nearby(&self, of: Option<GroupId>, range: f32, mut visit: impl FnMut(AgentId, f32)) {
        let Self { world, id, .. } = *self;
        let (at, map) = (world.position(id), &world.scenario().map);
        let excess = world.body(id).excess();
        let reach = |_, widest: f32| range + excess + widest;
        world.neighbours.visit_passing(of, at, reach, |other| {
            if other == id || !world.is_present(other) {
                return;
            }
            let distance = map.offset(at, world.position(other)).length();
            let distance = distance - excess - world.body(other).excess();
            if distance < range {
                visit(other, distance);
            }
        });
    }

    fn nearby(&self, agent: AgentId) -> NearbyAgent {
        let (seen, radius) = (self.world.see_agent(self.id, agent), self.radius(agent));
        NearbyAgent { id: agent, seen, radius }
    }

    fn avoids_me(&self, other: AgentId) -> bool {
        let (world, mode) = (self.world, self.world.mode(other));
        let is_controlled = world.active_control(other, mode).is_some();
        if is_controlled || world.flags(other).has(Flags::QUARANTINED) {
            return false;
        }
        let avoids = steering::crowd_avoidance(mode.drive.steering());
        avoids.is_some_and(|(_, AvoidCrowd { of, .. })| {
            of.is_none_or(|group| world.scenario().members(group).binary_search(&self.id).is_ok())
        })
    }

    fn path(&self, path: SteeringPathId) -> Option<PlacedPath<'_>> {
        self.world.path(self.id, path)
    }

    fn next_step(&self, goal: TilePos, tile: TilePos) -> Option<NextStep> {
        self.world.next_step(self.id, goal, tile)
    }

    fn follow_route(&self, goal: TilePos, tile: TilePos, visit: impl FnMut(TilePos) -> bool) {
        self.world.follow_route(self.id, goal, tile, visit);
    }

    fn way_ahead(
        &self,
        goal: TilePos,
        tile: TilePos,
        compute: impl FnOnce() -> WayAhead,
    ) -> WayAhead {
        self.world.way_ahead(self.id, goal, tile, compute)
    }

    fn route_map(&self) -> Option<&Map> {
        self.world.route_map(self.id)
    }
}

/// Steers the next [`Lanes::COUNT`] agents with SIMD. Returns false and changes nothing if the scalar path
/// is needed:
///
/// - An agent is in another mode, not in the world, frozen or blocked.
/// - Any agent in the world is manually controlled.
/// - The sums over the neighbours are missing.
/// - A result is not finite.
#[inline(always)]
fn think_lanes<L: Batch>(
    simd: L::Simd,
    world: &mut World,
    scenario: &Scenario,
    list: &SteeringList,
    first: AgentId,
) -> bool {
    let Some((mut agents, mut individuals)) = batch::<L>(simd, world, scenario, list, first) else {
        return false;
    };
    let velocity = agents.velocity;
    let force = agents.output(
        list.combine,
        list.rows,
        &mut individuals,
        #[inline(always)]
        |_, _| {},
    );
    let velocity = pushed(velocity, force, list.body, scenario.dt());
    if !(force.are_finite() & velocity.are_finite()).all() {
        return false;
    }
    let points = individuals.points;
    keep(world, first.index(), velocity, points);
    true
}

/// Returns the input of the next [`Lanes::COUNT`] agents. Returns `None` if the scalar path
/// is needed.
#[inline(always)]
fn batch<'a, L: Batch>(
    simd: L::Simd,
    world: &'a World,
    scenario: &'a Scenario,
    list: &SteeringList<'a>,
    first: AgentId,
) -> Option<(SensesBatch<'a, L>, Individuals<'a>)> {
    let start = first.index();
    let span = start..start + L::COUNT;
    let state = &world.state;
    let is_other = |mode: &u16| *mode != list.index;
    let is_stopped = |flags: &Flags| flags.has(Flags::QUARANTINED) || flags.has(Flags::BLOCKED);
    if state.mode.get(span.clone())?.iter().any(is_other)
        || state.present[span.clone()].iter().any(|presence| !presence.0)
        || state.flags[span.clone()].iter().any(is_stopped)
        || !world.controls.is_empty()
    {
        return None;
    }
    let mut points = [None; MOST_LANES];
    for (point, drive) in points.iter_mut().zip(&state.drive[span.clone()]) {
        let DriveState::Steer(memory) = drive else { return None };
        *point = memory.wander;
    }
    let crowd = match list.crowd {
        Some((_, sums)) => world.neighbours.summed_from(first, L::COUNT, sums)?,
        None => &[[0.0; LANES]; MOST_LANES],
    };
    let agents = SensesBatch {
        position: Vectors::load(simd, &state.x, &state.y, start),
        velocity: Vectors::load(simd, &state.vx, &state.vy, start),
        heading: Vectors::load(simd, &state.hx, &state.hy, start),
        crowd: NeighbourSumsBatch::load(simd, crowd),
        body: list.body,
        map: &scenario.map,
        dt: scenario.dt(),
        rng_key: world.rng_key(first, list.mode),
    };
    Some((agents, Individuals { names: &world.names[span], points }))
}

#[inline(always)]
fn keep<L: Lanes>(
    world: &mut World,
    start: usize,
    velocities: Vectors<L>,
    points: [Option<Vec2>; MOST_LANES],
) {
    let pushes = &mut world.thoughts.pushes;
    velocities.store(&mut pushes.vx, &mut pushes.vy, start);
    pushes.turn[start..start + L::COUNT].fill(0.0);
    let drives = &mut world.state.drive[start..start + L::COUNT];
    for (drive, point) in drives.iter_mut().zip(points) {
        if let DriveState::Steer(memory) = drive {
            memory.wander = point;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::agent::Drive;
    use crate::command::Command;
    use crate::event::Obstruction;
    use crate::geom::Vec2;
    use crate::map::{Edges, Map};
    use crate::scenario::builder::{Agent, Builder};
    use crate::steering::behaviour::Flow;
    use crate::steering::combine::Combine;
    use crate::steering::{Behaviour, Target, WeightedBehaviour};
    use crate::step::{step, step_with};
    use crate::world::{Flags, World};

    #[test]
    fn placing_an_agent_where_a_route_exists_unblocks_it() {
        let mut builder = Builder::new(Map::drawn(&["..#..."], Edges::Wall).unwrap());
        let flow = Behaviour::Flow(Flow::default());
        let rows = vec![WeightedBehaviour::new(flow, Target::Point(Vec2::new(5.5, 0.5)))];
        let drive = Drive::Steer { combine: Combine::Weighted, rows };
        let id = builder.add(Agent::new("a", Vec2::new(0.5, 0.5)).drive(drive));
        let mut world = World::new(Arc::new(builder.build().unwrap()));
        step(&mut world);
        assert!(world.flags(id).has(Flags::BLOCKED));
        assert_eq!(world.obstruction(id), Some(Obstruction::NoRoute));
        step_with(&mut world, &[Command::Place { agent: id, at: Vec2::new(3.5, 0.5) }]);
        assert_eq!(world.obstruction(id), None);
        assert!(!world.flags(id).has(Flags::BLOCKED));
        step_with(&mut world, &[Command::Place { agent: id, at: Vec2::new(1.5, 0.5) }]);
        assert!(world.flags(id).has(Flags::BLOCKED), "without a route again");
    }
}
