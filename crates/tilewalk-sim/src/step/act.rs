//! Act: moves the bodies, in agent order.
//!
//! Over open ground, several vehicles move at a time (SIMD). Agents that need special treatment
//! take the scalar path; [`drive_lanes`] lists the cases.

use crate::agent::{Drive, Mode};
use crate::body::Body;
use crate::geom::lanes::{Batch, InstructionSet, Lanes, Mask, dispatch};
use crate::geom::{Vec2, Vectors};
use crate::id::AgentId;
use crate::locomotion::vehicle;
use crate::locomotion::vehicle::Manner;
use crate::map::{TILE_RADIUS, sweep};
use crate::pattern::Pattern;
use crate::pattern::steps::Unit;
use crate::steering;
use crate::steering::{WeightedBehaviour, intent};
use crate::step::contact::{note_contact, occupy_tile, settle_motion};
use crate::step::observer::Observer;
use crate::step::progress::DetectorSetup;
use crate::step::{keys, progress, thrust, trace, travel, walk};
use crate::world::{DriveState, Flags, World};

pub(super) fn act(world: &mut World, observer: &mut impl Observer) {
    dispatch!(world.thoughts.instructions, simd => act_all(simd, world, observer));
}

#[inline(always)]
fn act_all<S: InstructionSet>(simd: S, world: &mut World, observer: &mut impl Observer) {
    let lanes = S::Numbers::COUNT;
    let scenario = world.scenario().clone();
    let setup = DetectorSetup::new(&scenario);
    for kind in &scenario.kinds {
        let setup = setup.of(world, kind);
        let mut last: Option<(u16, Steered)> = None;
        let end = kind.first.index() + kind.count as usize;
        let mut ids = kind.ids();
        while let Some(id) = ids.next() {
            if world.cancel().is_requested() {
                return;
            }
            if !world.is_present(id) {
                continue;
            }
            if world.flags(id).has(Flags::QUARANTINED) {
                continue;
            }
            if let Some(trace) = scenario.trace_of(id) {
                trace::follow(world, trace, id, setup);
                continue;
            }
            let index = world.state.mode[id.index()];
            let mode = &kind.modes[usize::from(index)];
            if let Some(held) = world.active_control(id, mode) {
                keys::act(world, id, held, observer);
                progress::note_driven(world, id);
                continue;
            }
            if let Drive::Steer { rows, .. } = &mode.drive {
                let steered = match last {
                    Some((known, steered)) if known == index => steered,
                    _ => last.insert((index, Steered::of(rows))).1,
                };
                let together = scenario.traced.is_none()
                    && id.index() + lanes <= end
                    && allows(&kind.body, steered.manner);
                let events = world.events.len();
                let moved = if together {
                    drive_lanes::<S::Numbers>(
                        simd,
                        world,
                        &kind.body,
                        id,
                        index,
                        steered.seeks,
                        setup,
                    )
                } else {
                    0
                };
                if moved == 0 {
                    drive(world, &kind.body, id, steered, setup);
                } else {
                    let batch = (id.0..id.0 + lanes as u32).map(AgentId);
                    drive_others(world, &kind.body, batch, moved, steered, setup);
                    world.events[events..].sort_by_key(|event| event.agent);
                    ids.nth(lanes - 2);
                }
            } else {
                go(world, mode, id, observer);
                progress::note(world, id, setup);
            }
        }
    }
}

#[inline(never)]
fn go(world: &mut World, mode: &Mode, id: AgentId, observer: &mut impl Observer) {
    let pattern = mode.drive.pattern(world.pick(id)).map(|used| used.pattern.as_ref());
    let pace = mode.pace;
    walk::approach(world, id, pace);
    match (world.drive_state(id), pattern) {
        // Also stops an agent whose manual control has ended.
        (DriveState::Stand, _) => world.state.set_velocity(id.index(), Vec2::ZERO),
        (DriveState::Chase { aim, .. }, _) => travel::chase(world, id, aim, pace, observer),
        (DriveState::FleeTiles { from, .. }, _) => travel::flee(world, id, from, pace, observer),
        (DriveState::Travel { progress, .. }, _) => {
            travel::travel(world, id, progress, pace, observer);
        }
        (DriveState::Path { at, .. }, Some(Pattern::Path(path))) => {
            walk::path(world, id, path, at, pace, observer);
        }
        (DriveState::Matrix { at, .. }, Some(Pattern::Matrix(matrix))) => {
            walk::matrix(world, id, matrix, at, pace, observer);
        }
        (DriveState::Steps { at, .. }, Some(Pattern::Steps(steps)))
            if steps.unit == Unit::Degrees =>
        {
            thrust::degree_steps(world, id, steps, at);
        }
        (DriveState::Steps { at, .. }, Some(Pattern::Steps(steps))) => {
            walk::steps(world, id, steps, at, observer);
        }
        (DriveState::Thrust { at }, Some(Pattern::Thrust(thrust))) => {
            thrust::thrust(world, id, thrust, at);
        }
        (_, _) => debug_assert!(false, "a drive's memory is always that of its mode"),
    }
}

/// The requirements of a steering list for the vehicle model and the detectors.
#[derive(Debug, Clone, Copy)]
struct Steered {
    /// Settings of the vehicle model, with a tile drag of 0.
    manner: Manner,
    /// Whether a behaviour of the list has a destination.
    seeks: bool,
}

impl Steered {
    fn of(rows: &[WeightedBehaviour]) -> Self {
        let tracks = steering::tracker(rows).is_some();
        let avoids_crowd = steering::crowd_avoidance(rows).is_some();
        let oriented = steering::is_oriented(rows);
        let manner = Manner { tracks, avoids_crowd, oriented, tile_drag: 0.0 };
        Self { manner, seeks: intent::has_goal(rows) }
    }
}

#[inline(never)]
fn drive(world: &mut World, body: &Body, id: AgentId, steered: Steered, setup: DetectorSetup) {
    let (map, dt) = (&setup.scenario.map, setup.scenario.dt());
    let from = world.tile(id);
    let manner = Manner { tile_drag: map.drag(from), ..steered.manner };
    let (push, motion) = (world.thoughts.pushes.get(id.index()), world.motion(id));
    let driven = vehicle::drive(motion, push, manner, body, map, dt);
    if settle_motion(world, id, driven.motion) {
        occupy_tile(world, id, from);
        let touches = driven.contact.is_some() || world.flags(id).has(Flags::IN_CONTACT);
        let held = touches && progress::pushes(body, push.velocity - motion.velocity, dt);
        let reverses = !touches && progress::reverses(motion, driven.motion, manner.oriented, body);
        let moved = progress::Moved { held, seeks: steered.seeks, reverses };
        progress::note_vehicle(world, id, motion.heading, moved, setup);
        note_contact(world, id, driven.contact);
    }
}

/// Returns true if SIMD can move vehicles with this body and manner over open ground.
fn allows(body: &Body, manner: Manner) -> bool {
    let is_small = body.radius <= TILE_RADIUS;
    let is_usual = !manner.tracks && !manner.avoids_crowd && !manner.oriented;
    is_usual && !body.solid && body.max_turn_rate.is_none() && is_small
}

/// Moves those agents of a batch that SIMD has not moved. A set bit of `moved` means that the agent has
/// moved.
fn drive_others(
    world: &mut World,
    body: &Body,
    batch: impl Iterator<Item = AgentId>,
    moved: u32,
    steered: Steered,
    setup: DetectorSetup,
) {
    for (_, id) in batch.enumerate().filter(|(lane, _)| moved >> lane & 1 == 0) {
        if !world.flags(id).has(Flags::QUARANTINED) {
            drive(world, body, id, steered, setup);
        }
    }
}

/// Moves those of the next [`Lanes::COUNT`] agents with SIMD that need nothing special. Returns one bit for each
/// moved agent. The others need the scalar path:
///
/// - An agent is frozen.
/// - An agent is on a tile that slows it down.
/// - An agent touches something, or could touch something in this frame.
/// - A result is not finite.
/// - Any of the agents is in another mode or not in the world, or any agent in the world is manually
///   controlled. Then all need the scalar path.
#[inline(always)]
fn drive_lanes<L: Batch>(
    simd: L::Simd,
    world: &mut World,
    body: &Body,
    first: AgentId,
    mode: u16,
    seeks: bool,
    setup: DetectorSetup,
) -> u32 {
    let scenario = setup.scenario;
    let (start, dt) = (first.index(), scenario.dt());
    let span = start..start + L::COUNT;
    let Some(modes) = world.state.mode.get(span.clone()) else { return 0 };
    if modes.iter().any(|each| *each != mode)
        || world.state.present[span.clone()].iter().any(|presence| !presence.0)
        || !world.controls.is_empty()
    {
        return 0;
    }
    let state = &world.state;
    let before: Vectors<L> = Vectors::load(simd, &state.hx, &state.hy, start);
    let position: Vectors<L> = Vectors::load(simd, &state.x, &state.y, start);
    let pushes = &world.thoughts.pushes;
    let pushed = Vectors::load(simd, &pushes.vx, &pushes.vy, start);
    let (velocity, heading) = vehicle::roll(pushed, before, body, dt);
    let motion = velocity * dt;
    let end = position + motion;
    let mut moved = (end.are_finite() & velocity.are_finite() & heading.are_finite()).bits();
    for (lane, flags) in state.flags[span.clone()].iter().enumerate() {
        if flags.has(Flags::QUARANTINED) || flags.has(Flags::COLLIDED) {
            moved &= !(1 << lane);
        }
    }
    if !scenario.map.are_in_plain_blocks(position, end) {
        for lane in 0..L::COUNT {
            if !sweep::is_plain(&scenario.map, position.lane(lane), motion.lane(lane), body.radius)
            {
                moved &= !(1 << lane);
            }
        }
    }
    if moved == 0 {
        return 0;
    }
    let mask = L::mask(simd, moved);
    let end = scenario.map.wrap_all(end).or(mask, position);
    let state = &mut world.state;
    let unmoved = Vectors::load(simd, &state.vx, &state.vy, start);
    let (velocity, heading) = (velocity.or(mask, unmoved), heading.or(mask, before));
    end.store(&mut state.x, &mut state.y, start);
    velocity.store(&mut state.vx, &mut state.vy, start);
    heading.store(&mut state.hx, &mut state.hy, start);
    let angular = L::load(simd, &state.angular_velocity[span.clone()]);
    mask.choose(angular.like(0.0), angular).store(&mut state.angular_velocity[span]);
    progress::note_vehicles(world, first, moved, before, seeks, setup);
    moved
}
