//! Population: agents leave the world and instances of templates enter it.
//!
//! Conditions are evaluated on the previous frame, with the transitions. Agents leave before any
//! agent senses. Instances appear after all agents have moved. They do not move in their first
//! frame, and other agents sense them from the next frame on.
//!
//! Spawn rules are applied first, in the order of the scenario's list. Signals follow, in the order
//! in which they were sent. A spawn rule waits while its position is closed or its template has
//! `max` instances. A signal does not wait: without room, it has no effect.

use std::sync::Arc;

use crate::agent::AgentKind;
use crate::condition::Condition;
use crate::event::{EventKind, Removal};
use crate::geom::{TilePos, Vec2, heading};
use crate::id::AgentId;
use crate::rng::{RngKey, Use};
use crate::scenario::Scenario;
use crate::scenario::spawn::{SpawnArea, SpawnCause, SpawnClock, SpawnHeading};
use crate::time::Frame;
use crate::world::population::{Arrival, instance_key};
use crate::world::{Look, World};

/// Number of random tiles to try per frame for an instance that starts in an area.
const DRAWS: usize = 64;

/// Number of an agent's removal condition, for its random draws. Transitions have lower numbers.
const AGENT_REMOVAL: u32 = 0xFFFE;
const MODE_REMOVAL: u32 = 0xFFFF;

/// Collects the agents to remove and the spawn rules to apply, from the state of the previous
/// frame.
pub(super) fn decide(world: &mut World) {
    world.decisions.removals.clear();
    world.decisions.spawns.clear();
    if !world.can_change_population() {
        return;
    }
    let mut decisions = core::mem::take(&mut world.decisions);
    let frame = world.frame().0;
    for kind in world.leaving_kinds() {
        if frame.is_multiple_of(kind.every.into()) {
            let reasons = kind.ids().filter_map(|id| Some((id, removal(world, id)?)));
            decisions.removals.extend(reasons);
        }
    }
    for (index, spawn) in world.scenario().spawns.iter().enumerate() {
        if spawn.clock().is_some_and(|clock| is_due(world, index, clock)) {
            decisions.spawns.push(index);
        }
    }
    world.decisions = decisions;
}

/// Returns the reason to remove an agent, if a condition holds.
fn removal(world: &World, id: AgentId) -> Option<Removal> {
    if !world.is_present(id) || world.scenario().is_traced(id) {
        return None;
    }
    let holds =
        |&(rule, when): &(u32, &Condition)| when.holds(&Look { rule, ..Look::at(world) }, Some(id));
    let (rule, _) = removal_conditions(world, id).find(holds)?;
    let mode = world.state.mode[id.index()];
    Some(if rule == AGENT_REMOVAL { Removal::Agent } else { Removal::Mode(mode) })
}

/// Returns the conditions that remove an agent in its current mode. Each condition is paired with
/// the number of its random draws (see [`Look::rule`]).
pub fn removal_conditions(world: &World, id: AgentId) -> impl Iterator<Item = (u32, &Condition)> {
    let of_agent = world.kind(id).remove.iter().map(|when| (AGENT_REMOVAL, when));
    of_agent.chain(world.mode(id).remove.iter().map(|when| (MODE_REMOVAL, when)))
}

/// Returns true if a clock allows a new instance in the next frame. Does not check for a free id or
/// a free position.
fn is_due(world: &World, rule: usize, clock: &SpawnClock) -> bool {
    let spawner = world.spawners()[rule];
    spawner.due_in <= 1
        && clock.total.is_none_or(|total| spawner.spawned < total)
        && clock.when.as_ref().is_none_or(|when| when.holds(&look(world, rule), None))
}

/// Returns the view of a frame for the condition of a spawn rule. `rule` is the rule's index.
fn look(world: &World, rule: usize) -> Look<'_> {
    Look { spawn: Some(rule as u32), ..Look::at(world) }
}

/// The reason why a spawn rule has not added its next instance yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpawnWait {
    /// The next instance appears in this number of frames, at least 1.
    Due(u32),
    /// The rule has created as many instances as its total allows.
    Done,
    /// The template already has its largest number of instances in the world.
    Full,
    /// The condition of the rule does not hold.
    Condition,
    /// The position is closed. For an area, all random tiles for the next instance are closed.
    Closed,
}

/// Returns the reason why a spawn rule has not added its next instance yet, based on the current
/// frame. For rules that react to signals, returns [`SpawnWait::Due`].
///
/// # Panics
/// If `rule` is not an index in [`Scenario::spawns`].
pub fn spawn_wait(world: &World, rule: usize) -> SpawnWait {
    let scenario = world.scenario();
    let (spawn, spawner) = (&scenario.spawns[rule], world.spawners()[rule]);
    let due = SpawnWait::Due(spawner.due_in.max(1));
    let Some(clock) = spawn.clock() else { return due };
    let mut places = scenario.kinds[spawn.kind as usize].ids();
    if clock.total.is_some_and(|total| spawner.spawned >= total) {
        SpawnWait::Done
    } else if spawner.due_in > 1 {
        due
    } else if places.all(|id| world.is_present(id)) {
        SpawnWait::Full
    } else if clock.when.as_ref().is_some_and(|when| !when.holds(&look(world, rule), None)) {
        SpawnWait::Condition
    } else if free_position(world, spawn.kind, clock.at, world.frame().next()).is_none() {
        SpawnWait::Closed
    } else {
        due
    }
}

/// Removes the agents that `decide` collected, and the instances whose lifetime ends.
pub(super) fn remove(world: &mut World) {
    for index in 0..world.decisions.removals.len() {
        let (id, reason) = world.decisions.removals[index];
        world.remove(id, reason);
    }
    if world.state.births.is_empty() {
        return;
    }
    let scenario = Arc::clone(world.scenario());
    for kind in scenario.kinds.iter().filter(|kind| kind.template) {
        for id in kind.ids() {
            if world.is_present(id) && !scenario.is_traced(id) && world.expires(id) {
                world.remove(id, Removal::Lifetime);
            }
        }
    }
}

/// Adds the instances of the spawn rules that are due, then the instances that react to the signals
/// of this frame.
pub(super) fn spawn(world: &mut World) {
    if world.state.spawners.is_empty() {
        return;
    }
    let scenario = Arc::clone(world.scenario());
    for spawner in &mut world.state.spawners {
        spawner.due_in = spawner.due_in.saturating_sub(1);
    }
    for index in 0..world.decisions.spawns.len() {
        let rule = world.decisions.spawns[index];
        if let Some(clock) = scenario.spawns[rule].clock()
            && appear(world, &scenario, rule, clock)
        {
            world.state.spawners[rule].due_in = clock.every;
        }
    }
    for index in 0..world.events.len() {
        let event = world.events[index];
        if let EventKind::Signal(source) = event.kind {
            let mode = &scenario.kind(event.agent).modes[usize::from(event.mode)];
            if let Some(text) = mode.signal(source) {
                answer(world, &scenario, event.agent, text);
            }
        }
    }
}

/// Adds an instance at the position of a spawn rule. Returns false if the position is closed or no
/// id is free.
fn appear(world: &mut World, scenario: &Scenario, rule: usize, clock: &SpawnClock) -> bool {
    let spawn = &scenario.spawns[rule];
    let frame = world.frame();
    let Some(position) = free_position(world, spawn.kind, clock.at, frame) else { return false };
    let heading = match clock.heading {
        SpawnHeading::Fixed(heading) => heading,
        SpawnHeading::Random(from, turn) => {
            let drawn = rng_key(world, spawn.kind, frame).stream(Use::StartHeading).unit();
            heading::from_degrees(from + turn * drawn)
        }
    };
    world.add_instance(Arrival { rule, position, heading, velocity: Vec2::ZERO, by: None })
}

/// Adds an instance at the sender for each rule that reacts to the signal, if there is room.
fn answer(world: &mut World, scenario: &Scenario, sender: AgentId, text: &str) {
    for (rule, spawn) in scenario.spawns.iter().enumerate() {
        let SpawnCause::Signal { signal, inherits_velocity } = &spawn.cause else { continue };
        if signal != text {
            continue;
        }
        let position = settled(world, spawn.kind, world.position(sender));
        if !is_free(world, spawn.kind, position, Some(sender)) {
            continue;
        }
        let velocity = if *inherits_velocity { world.velocity(sender) } else { Vec2::ZERO };
        let (heading, by) = (world.heading(sender), Some(sender));
        world.add_instance(Arrival { rule, position, heading, velocity, by });
    }
}

/// Returns the RNG key for the start of the next instance of a template. The instance appears in
/// the given frame.
fn rng_key(world: &World, kind: u32, frame: Frame) -> RngKey {
    let scenario = world.scenario();
    let name = &scenario.kinds[kind as usize].name;
    let agent = instance_key(name, world.appeared(kind) + 1);
    RngKey { seed: scenario.seed, frame: frame.0, agent, mode: 0, behaviour: 0 }
}

/// Returns a free position for the next instance of a template. Returns `None` if no instance can
/// appear in `frame`: the position is closed, or all randomly drawn tiles are closed.
fn free_position(world: &World, kind: u32, at: SpawnArea, frame: Frame) -> Option<Vec2> {
    match at {
        SpawnArea::Point(at) => {
            let at = settled(world, kind, at);
            is_free(world, kind, at, None).then_some(at)
        }
        SpawnArea::Within(rect) => {
            let mut random = rng_key(world, kind, frame).stream(Use::Placement);
            let width = rect.width() as usize;
            let area = width * rect.height() as usize;
            let tile = |index: usize| TilePos::new((index % width) as i32, (index / width) as i32);
            let mut draws = (0..DRAWS).map(|_| (rect.min + tile(random.index(area))).centre());
            draws.find(|&at| is_free(world, kind, at, None))
        }
    }
}

/// Returns the position at which an instance starts: the centre of the tile that contains `at` for
/// an agent that moves on tiles, otherwise `at`.
fn settled(world: &World, kind: u32, at: Vec2) -> Vec2 {
    let on_tiles = starts_on_tiles(&world.scenario().kinds[kind as usize]);
    if on_tiles { TilePos::containing(at).centre() } else { at }
}

fn starts_on_tiles(kind: &AgentKind) -> bool {
    kind.modes.first().is_some_and(|mode| mode.drive.is_on_tiles())
}

/// Returns true if an instance of a template can appear at a position. Ignores the body of
/// `sender`, the agent that sent the signal.
fn is_free(world: &World, kind: u32, at: Vec2, sender: Option<AgentId>) -> bool {
    let scenario = world.scenario();
    let kind = &scenario.kinds[kind as usize];
    let (map, body, on_tiles) = (&scenario.map, &kind.body, starts_on_tiles(kind));
    let tile = TilePos::containing(at);
    let closes = |&id: &AgentId| {
        let apart = || map.offset(at, world.position(id)).length();
        Some(id) != sender
            && world.is_present(id)
            && (on_tiles && world.tile(id) == tile
                || body.solid && apart() < body.radius + world.body(id).radius)
    };
    world.has_room_for(at, body.radius, on_tiles) && !world.occupancy.solid().iter().any(closes)
}
