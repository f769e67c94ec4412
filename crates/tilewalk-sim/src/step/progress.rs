//! Detects stuck, oscillating, circling and deadlocked agents, and keeps solid bodies from
//! overlapping.
//!
//! An agent is stuck when it wants to move and makes no headway. A walker wants to move while its
//! step on tiles is refused, and a craft while its engine burns. A vehicle wants to move until it
//! reaches the destination of its steering list. A vehicle without a destination wants to move only
//! while it pushes against something that it touches.
//!
//! An agent that another agent can hold is not judged here, but in [`super::holds`], after all agents
//! have moved. Jitter is judged in [`super::jitter`].
//!
//! Solid bodies touch instead of overlapping (Buckland's zero overlap, ch. 3, with swept bodies).
//! The drives move each body as if it were alone. The overlap phase treats these motions as desired
//! motions, and finds motions without overlaps (see `locomotion::contacts`). Bodies that touch
//! nothing keep their motions exactly. A body that presses against another body loses its velocity
//! into it, keeps its heading, and continues when its path is free.

use crate::agent::AgentKind;
use crate::body::{Body, Motion};
use crate::event::{EventKind, Obstruction};
use crate::geom::lanes::{Lanes, Mask};
use crate::geom::{TilePos, Vec2, Vectors, turn, vectors};
use crate::id::AgentId;
use crate::locomotion::contacts::Moving;
use crate::rng::{RngKey, Use};
use crate::scenario::Scenario;
use crate::steering::{Behaviour, Intent, WeightedBehaviour};
use crate::world::bodies::Bodies;
use crate::world::progress::{Detectors, HEADWAY, JITTER_SPEED, STUCK_AFTER, SUSPECT_AFTER};
use crate::world::{DriveState, Flags, World, oscillation, progress};

/// A force counts as a push if it exceeds this fraction of the largest force that a vehicle can
/// apply.
const PUSH_SHARE: f32 = 0.01;

/// Speed below which an agent counts as standing, in tiles/s. At this speed, the agent needs ten
/// seconds for a tile.
pub(super) const STANDSTILL: f32 = 0.1;

/// Time without headway after which a solid vehicle on a route pauses now and then if it touches
/// another body, in seconds. After a shorter time, people near a moving queue's head would pause,
/// too, and fewer would pass the door.
const PAUSES_AFTER: f64 = 8.0;

/// Share of the seconds in which a held vehicle presses against other bodies.
const PRESSING_SHARE: f32 = 1.0 / 3.0;

/// Settings of the detectors for the agents of a kind.
#[derive(Debug, Clone, Copy)]
pub(super) struct DetectorSetup<'a> {
    pub scenario: &'a Scenario,
    /// Number of frames without headway after which an agent is stuck, at least 1.
    stuck_after: u32,
    /// The first agent of the kind, and the index of this agent's oscillation detector. `None` if
    /// agents of the kind have no oscillation detectors.
    oscillation: Option<(AgentId, usize)>,
}

impl<'a> DetectorSetup<'a> {
    pub fn new(scenario: &'a Scenario) -> Self {
        Self { scenario, stuck_after: frames(STUCK_AFTER, scenario), oscillation: None }
    }

    /// Returns the settings with the oscillation detectors of a kind.
    pub fn of(self, world: &World, kind: &AgentKind) -> Self {
        Self {
            oscillation: world.oscillation_slot(kind.first).map(|slot| (kind.first, slot)),
            ..self
        }
    }

    /// Returns the index of an agent's oscillation detector, if any.
    fn oscillation_slot(&self, id: AgentId) -> Option<usize> {
        self.oscillation.map(|(first, slot)| slot + (id.0 - first.0) as usize)
    }
}

/// Returns the number of frames without headway after which the intent of a vehicle is checked. The
/// number is at least 1.
pub(super) fn suspect_after(scenario: &Scenario) -> u32 {
    frames(SUSPECT_AFTER, scenario)
}

/// Returns the number of frames in a time, rounded up. The number is at least 1.
pub(super) fn frames(seconds: f64, scenario: &Scenario) -> u32 {
    (libm::ceil(seconds / scenario.tick) as u32).max(1)
}

/// Returns true if the detectors need the intent of a vehicle in this frame. This is the case if
/// the vehicle has made no headway for `suspect_after` frames, or has just turned back.
pub(super) fn is_suspect(world: &World, id: AgentId, suspect_after: u32) -> bool {
    let has_turned =
        |slot: usize| world.state.oscillation[slot].is_some_and(|oscillation| oscillation.turned);
    world.detectors(id).frames >= suspect_after
        || world.oscillation_slot(id).is_some_and(has_turned)
}

/// Updates the detectors of an agent without steering after its move.
///
/// A walker that is not blocked only waits between steps on tiles, at a vertex or in a waiting row.
/// It does not become stuck.
pub(super) fn note(world: &mut World, id: AgentId, setup: DetectorSetup) {
    let flags = world.flags(id);
    let burns = matches!(world.state.drive[id.index()], DriveState::Thrust { .. });
    let wants = (burns || flags.has(Flags::BLOCKED)) && !flags.has(Flags::FINISHED);
    let frames = note_stay(world, id, wants, HEADWAY, setup);
    note_frames(world, id, frames, setup);
    if let Some(slot) = setup.oscillation_slot(id) {
        let turned = world.state.oscillation[slot].is_some_and(|oscillation| oscillation.turned);
        let intent =
            if turned { walker_intent(world, setup.scenario, id) } else { Intent::Unchecked };
        note_oscillation(world, id, slot, true, intent, setup);
    }
}

/// Updates the stuck flag of an agent that has made no headway for `frames` frames. The flag of an
/// agent that another agent can hold is left to [`super::holds`], because the agent may only wait.
fn note_frames(world: &mut World, id: AgentId, frames: u32, setup: DetectorSetup) {
    let is_late = frames >= setup.stuck_after;
    if !is_late || !can_be_held(world, id) {
        note_stuck(world, id, is_late);
    }
}

/// Updates the stuck detector. Returns the number of consecutive frames in which the agent wanted
/// to move but stayed near its anchor. Near means within `headway` tiles.
fn note_stay(
    world: &mut World,
    id: AgentId,
    wants: bool,
    headway: f32,
    setup: DetectorSetup,
) -> u32 {
    let here = world.position(id);
    let detectors = &mut world.state.detectors[id.index()];
    let stays = || {
        let offset = setup.scenario.map.offset(detectors.anchor, here);
        !progress::has_headway(Vectors::from(offset), headway)
    };
    let waits = wants && stays();
    detectors.wait(here, waits);
    detectors.frames
}

/// Returns the intent of an agent without steering. The destination is the end of its route, or the
/// end of its line to a target. Agents with other drives have no destination.
fn walker_intent(world: &World, scenario: &Scenario, id: AgentId) -> Intent {
    let to = match world.drive_state(id) {
        DriveState::Travel { progress, .. } => {
            progress.map(|progress| (progress.to, progress.stands))
        }
        DriveState::Chase { aim, .. } => aim.map(|aim| (aim.to, true)),
        DriveState::Stand
        | DriveState::Steer(_)
        | DriveState::Path { .. }
        | DriveState::Matrix { .. }
        | DriveState::Steps { .. }
        | DriveState::Thrust { .. }
        | DriveState::Keys { .. }
        | DriveState::FleeTiles { .. } => None,
    };
    let here = world.position(id);
    let offset = |to: TilePos| scenario.map.offset(here, to.centre());
    to.map_or(Intent::Move, |(to, stands)| Intent::to_place(here, offset(to), stands))
}

/// Resets the detectors of a manually controlled agent. Such an agent is never stuck.
pub(super) fn note_driven(world: &mut World, id: AgentId) {
    let here = world.position(id);
    world.state.detectors[id.index()] = Detectors::at(here);
    note_stuck(world, id, false);
    if let Some(slot) = world.oscillation_slot(id) {
        world.state.oscillation[slot] = None;
    }
    note_oscillating(world, id, false, None);
}

/// Updates the detectors of an agent that follows a trace, after its move. `reverses` is true if its
/// direction of motion turned back, and it touches nothing.
pub(super) fn note_traced(
    world: &mut World,
    id: AgentId,
    intent: Intent,
    reverses: bool,
    setup: DetectorSetup,
) {
    let headway = progress::headway(world.body(id));
    let wants = matches!(intent, Intent::Reach(_));
    let frames = note_stay(world, id, wants, headway, setup);
    note_frames(world, id, frames, setup);
    let knows_aim = intent != Intent::Unchecked;
    world.state.detectors[id.index()].reverse(reverses && knows_aim);
    if let Some(slot) = setup.oscillation_slot(id) {
        note_oscillation(world, id, slot, is_at_rest(world, id), intent, setup);
    }
}

/// Updates the detectors of a vehicle after its move.
///
/// `before` is the heading before the move.
pub(super) fn note_vehicle(
    world: &mut World,
    id: AgentId,
    before: Vec2,
    moved: Moved,
    setup: DetectorSetup,
) {
    let Moved { held, seeks, reverses } = moved;
    let intent = vehicle_intent(world, id, seeks);
    let headway = progress::headway(world.body(id));
    let frames = note_stay(world, id, wants(intent, held, seeks), headway, setup);
    if frames == 0 && world.body(id).solid {
        let is_at_place = matches!(intent, Intent::Rest(_));
        world.state.flags[id.index()].set(Flags::AT_PLACE, is_at_place);
    }
    note_frames(world, id, frames, setup);
    world.state.detectors[id.index()].reverse(reverses);
    if let Some(slot) = setup.oscillation_slot(id) {
        note_oscillation(world, id, slot, is_at_rest(world, id), intent, setup);
    }
    note_turn(world, id, before);
}

/// What the detectors need to know about the move of a vehicle.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moved {
    /// Whether the vehicle pushes and touches something.
    pub held: bool,
    /// Whether the steering list has a destination.
    pub seeks: bool,
    /// Whether the direction of motion turned back, and the vehicle touches nothing.
    pub reverses: bool,
}

/// Returns true if the direction of motion turned by more than 90° in a frame, and the vehicle is
/// fast enough to jitter. `oriented` is true if its heading is not its direction of motion.
pub(super) fn reverses(before: Motion, after: Motion, oriented: bool, body: &Body) -> bool {
    let turned = if oriented {
        before.velocity.dot(after.velocity)
    } else {
        before.heading.dot(after.heading)
    };
    let slow = JITTER_SPEED * body.max_speed;
    turned < 0.0 && after.velocity.length_squared() > slow * slow
}

/// Returns the intent of a vehicle in this frame. If `seeks` is false, ignores the stored intent,
/// because it can be from an earlier frame and is not part of the state.
fn vehicle_intent(world: &World, id: AgentId, seeks: bool) -> Intent {
    if seeks { world.thoughts.intents[id.index()] } else { Intent::Unchecked }
}

/// Returns true if a vehicle wants to move. `held` is true if the vehicle pushes and touches
/// something. `seeks` is true if its steering list has a destination.
fn wants(intent: Intent, held: bool, seeks: bool) -> bool {
    if !seeks {
        return held;
    }
    match intent {
        Intent::Unchecked | Intent::Reach(_) => true,
        Intent::Move => held,
        Intent::Rest(_) => false,
    }
}

/// Updates the detectors of [`Lanes::COUNT`] consecutive vehicles, except those whose bit in `moved` is not set. The
/// vehicles touch nothing. The result is the same as with [`note_vehicle`] for each vehicle.
#[inline(always)]
pub(super) fn note_vehicles<L: Lanes>(
    world: &mut World,
    first: AgentId,
    moved: u32,
    before: Vectors<L>,
    seeks: bool,
    setup: DetectorSetup,
) {
    let start = first.index();
    let span = start..start + L::COUNT;
    let slow = JITTER_SPEED * world.body(first).max_speed;
    let state = &mut world.state;
    let simd = before.x.simd();
    let here = Vectors::<L>::load(simd, &state.x, &state.y, start);
    let heading = Vectors::load(simd, &state.hx, &state.hy, start);
    let detectors = &mut state.detectors[span.clone()];
    let centres = Vectors::<L>::from_fn(
        simd,
        #[inline(always)]
        |lane| detectors[lane].centre,
    );
    let leaves = progress::leaves_circle(setup.scenario.map.offsets(centres, here)).bits();
    let turns = vectors::turns(before, heading);
    let velocity = Vectors::<L>::load(simd, &state.vx, &state.vy, start);
    let speed = velocity.length_squared();
    let is_fast = speed.gt(speed.like(slow * slow)).bits();
    let turned = before.x * heading.x + before.y * heading.y;
    let reverses = turned.lt(turned.like(0.0)).bits() & is_fast;
    let mut circles = 0_u32;
    let is_moved = |lane: &usize| moved >> lane & 1 == 1;
    for lane in (0..L::COUNT).filter(is_moved) {
        let here = here.lane(lane);
        let is_set = |bits: u32| bits >> lane & 1 == 1;
        circles |=
            u32::from(detectors[lane].circle(here, is_set(leaves), turns.lane(lane))) << lane;
        detectors[lane].reverse(is_set(reverses));
        if !seeks {
            // Nothing holds the vehicle.
            detectors[lane].wait(here, false);
        }
    }
    let is_stuck = |flags: &Flags| flags.has(Flags::STUCK);
    let are_free = !seeks && setup.oscillation.is_none() && circles == 0;
    if are_free && !state.flags[span].iter().any(is_stuck) {
        return;
    }
    for lane in (0..L::COUNT).filter(is_moved) {
        let id = AgentId(first.0 + lane as u32);
        let intent = vehicle_intent(world, id, seeks);
        let waits = seeks && {
            let headway = progress::headway(world.body(id));
            let wants = wants(intent, false, seeks);
            note_stay(world, id, wants, headway, setup) >= setup.stuck_after
        };
        note_stuck(world, id, waits);
        if let Some(slot) = setup.oscillation_slot(id) {
            note_oscillation(world, id, slot, is_at_rest(world, id), intent, setup);
        }
        if circles >> lane & 1 == 1 {
            world.report(id, EventKind::Circling);
        }
    }
}

fn is_at_rest(world: &World, id: AgentId) -> bool {
    world.velocity(id).length_squared() <= STANDSTILL * STANDSTILL
}

/// Updates an agent's oscillation detector, which is at the index `slot`. `rests` is true if the
/// agent is at rest, or rests at the end of each step, as on tiles.
fn note_oscillation(
    world: &mut World,
    id: AgentId,
    slot: usize,
    rests: bool,
    intent: Intent,
    setup: DetectorSetup,
) {
    let (map, dt) = (&setup.scenario.map, setup.scenario.dt());
    let here = world.position(id);
    let oscillation = &mut world.state.oscillation[slot];
    let oscillates = oscillation::follow(oscillation, map, here, rests, intent, dt);
    let jitters = world.state.detectors[id.index()].jitters();
    note_oscillating(world, id, oscillates || jitters, None);
}

/// Updates the oscillation flag of an agent. `row` is the index of the behaviour that causes a
/// jitter.
pub(super) fn note_oscillating(world: &mut World, id: AgentId, oscillates: bool, row: Option<u32>) {
    let flags = &mut world.state.flags[id.index()];
    if oscillates != flags.has(Flags::OSCILLATING) {
        flags.set(Flags::OSCILLATING, oscillates);
        if oscillates {
            world.report(id, EventKind::Oscillating { row });
        }
    }
}

/// Updates the stuck flag of an agent. An agent that is not stuck is not deadlocked.
#[inline]
pub(super) fn note_stuck(world: &mut World, id: AgentId, stuck: bool) {
    let flags = &mut world.state.flags[id.index()];
    if stuck != flags.has(Flags::STUCK) {
        flags.set(Flags::STUCK, stuck);
        if stuck {
            world.report(id, EventKind::Stuck);
        } else {
            end_deadlock(world, id);
        }
    }
}

/// Returns true if steering pushes a vehicle hard enough to count as a push.
///
/// `change` is the change of velocity due to steering, in tiles/s.
pub(super) fn pushes(body: &Body, change: Vec2, dt: f32) -> bool {
    let push = body.max_force.min(body.mass * body.gain * body.max_speed) * PUSH_SHARE;
    change.length_squared() * (body.mass * body.mass) > (push * dt) * (push * dt)
}

/// Updates the circling detector of an agent. `before` is the heading before the move.
pub(super) fn note_turn(world: &mut World, id: AgentId, before: Vec2) {
    let index = id.index();
    let (here, heading) = (world.position(id), world.heading(id));
    let by = turn(before, heading);
    let offset = world.scenario().map.offset(world.state.detectors[index].centre, here);
    if world.state.detectors[index].turn(here, offset, by) {
        world.report(id, EventKind::Circling);
    }
}

/// Stores the positions of the solid bodies before they move.
pub(super) fn begin(world: &mut World) {
    if let Some(mut bodies) = world.bodies.take() {
        bodies.begin_frame(world.scenario(), &world.state);
        world.bodies = Some(bodies);
    }
}

/// Moves solid bodies as far as other solid bodies allow, and reports new contacts.
pub(super) fn separate(world: &mut World) {
    let Some(mut bodies) = world.bodies.take() else { return };
    desire(world, &mut bodies);
    let scenario = world.scenario();
    bodies.find_pairs(&scenario.map, &world.state, &world.names);
    bodies.contacts.solve(&scenario.map, scenario.dt());
    for rank in 0..bodies.ids.len() {
        settle(world, bodies.ids[rank], &bodies.contacts.bodies[rank]);
    }
    note_contacts(world, &mut bodies);
    world.bodies = Some(bodies);
}

/// Reads the desired motion of each body, which is its motion in this frame so far, and its
/// velocity.
fn desire(world: &World, bodies: &mut Bodies) {
    let map = &world.scenario().map;
    for (&id, body) in bodies.ids.iter().zip(&mut bodies.contacts.bodies) {
        body.set_desired(map.offset(body.start, world.position(id)));
        body.velocity = world.velocity(id);
        body.movable = gives_way(world, id);
        if body.movable && pauses(world, id) {
            body.pause();
        }
    }
}

/// Returns true if a held agent does not press against other bodies in this frame.
///
/// An agent is held if it follows a route, touches a body and has made no headway for
/// [`PAUSES_AFTER`] seconds. It presses in randomly drawn seconds, which differ between agents.
/// Bodies that form an arch in front of a door, and hold each other, thus lose their balance.
/// Vehicles without a route never pause: two that meet head-on could not be in balance.
fn pauses(world: &World, id: AgentId) -> bool {
    let scenario = world.scenario();
    let is_held = world.flags(id).has(Flags::IN_CONTACT)
        && world.detectors(id).frames > frames(PAUSES_AFTER, scenario);
    let follows_route = || world.mode(id).drive.steering().iter().any(is_flow);
    if !is_held || !follows_route() {
        return false;
    }
    let (second, agent) = (u64::from(frames(1.0, scenario)), world.names[id.index()]);
    // The agents begin their seconds in different frames.
    let frame = (world.frame().0 + agent % second) / second;
    let key = RngKey { seed: scenario.seed, frame, agent, mode: 0, behaviour: 0 };
    key.stream(Use::Press).unit() >= PRESSING_SHARE
}

fn is_flow(row: &WeightedBehaviour) -> bool {
    row.enabled && matches!(row.behaviour, Behaviour::Flow(_))
}

/// Returns true if other bodies can push the agent. Walkers on tiles, standing agents without
/// manual control and frozen agents cannot be pushed.
fn gives_way(world: &World, id: AgentId) -> bool {
    if world.scenario().is_traced(id) {
        return false;
    }
    let driven = world.control_of(id).is_some() && !world.is_on_tiles(id);
    let gives_way = driven || world.mode(id).gives_way(world.pick(id));
    gives_way && !world.flags(id).has(Flags::QUARANTINED)
}

/// Moves an agent as the contacts allow, and sets its velocity. Changes nothing without contacts.
fn settle(world: &mut World, id: AgentId, body: &Moving) {
    if world.scenario().is_traced(id) {
        return;
    }
    if body.is_diverted() {
        let position = world.scenario().map.wrap(body.start + body.motion);
        world.state.set_position(id.index(), position);
    }
    world.state.set_velocity(id.index(), body.velocity);
}

/// Updates the overlap flags. For a body that touched no other body in the previous frame, reports
/// the first body that it meets. A contact lasts until the bodies separate, even if they do not
/// press against each other in each frame.
fn note_contacts(world: &mut World, bodies: &mut Bodies) {
    let Bodies { ids, contacts, partners, .. } = bodies;
    partners.clear();
    partners.resize(ids.len(), None);
    for [first, second] in contacts.desired().map(|pair| pair.map(|rank| rank as usize)) {
        partners[first].get_or_insert(ids[second]);
        partners[second].get_or_insert(ids[first]);
    }
    for [first, second] in contacts.touching().map(|pair| pair.map(|rank| rank as usize)) {
        for (body, other) in [(first, second), (second, first)] {
            if world.flags(ids[body]).has(Flags::IN_CONTACT) {
                partners[body].get_or_insert(ids[other]);
            }
        }
    }
    for (&id, partner) in ids.iter().zip(partners) {
        let flags = &mut world.state.flags[id.index()];
        let began = !flags.has(Flags::IN_CONTACT);
        flags.set(Flags::IN_CONTACT, partner.is_some());
        if let (Some(other), true) = (*partner, began) {
            world.report(id, EventKind::Overlap(other));
        }
    }
}

/// Returns true if another agent can hold the agent in this frame. [`super::holds`] decides whether such an
/// agent is stuck.
pub(super) fn can_be_held(world: &World, id: AgentId) -> bool {
    if world.scenario().is_traced(id) {
        return true;
    }
    match world.drive_state(id) {
        DriveState::Steer(_) => world.bodies.is_some() && world.body(id).solid,
        DriveState::Stand
        | DriveState::Path { .. }
        | DriveState::Matrix { .. }
        | DriveState::Steps { .. }
        | DriveState::Thrust { .. }
        | DriveState::Chase { .. }
        | DriveState::FleeTiles { .. }
        | DriveState::Travel { .. }
        | DriveState::Keys { .. } => blocker(world, id).is_some(),
    }
}

/// Returns the agent on the tile that a walker wants. Returns `None` if no agent blocks the walker,
/// or if the walker is not in the world.
pub(super) fn blocker(world: &World, id: AgentId) -> Option<AgentId> {
    let is_blocked = world.flags(id).has(Flags::BLOCKED) && world.is_present(id);
    holder(world, id).filter(|_| is_blocked)
}

/// Returns the agent that blocks a walker, or that holds a deadlocked vehicle.
pub(super) fn holder(world: &World, id: AgentId) -> Option<AgentId> {
    match world.obstruction(id) {
        Some(Obstruction::Agent(other)) => Some(other),
        Some(Obstruction::Ground(_) | Obstruction::NoRoute | Obstruction::NoWay) | None => None,
    }
}

/// Clears the deadlock of an agent, if any.
pub(super) fn end_deadlock(world: &mut World, id: AgentId) {
    let index = id.index();
    if !world.flags(id).has(Flags::DEADLOCKED) {
        return;
    }
    world.state.flags[index].set(Flags::DEADLOCKED, false);
    // The obstruction of a walker is the agent on the tile that it wants.
    let is_walker = !matches!(world.drive_state(id), DriveState::Steer(_));
    let keeps = is_walker && !world.scenario().is_traced(id);
    if !keeps && holder(world, id).is_some() {
        world.state.obstruction[index] = None;
    }
}
