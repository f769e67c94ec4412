//! Act: moves the bodies, in agent order.
//!
//! Over open ground, several vehicles move at a time (SIMD). Agents that need special treatment
//! take the scalar path; [`drive_lanes`] lists the cases.

use crate::agent::{Drive, Mode};
use crate::body::Body;
use crate::geom::lanes::{Eight, LANES, Mask, Simd, dispatch};
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
    dispatch!(world.instructions, simd => act_all(simd, world, observer));
}

#[inline(always)]
fn act_all<S: Simd>(simd: S, world: &mut World, observer: &mut impl Observer) {
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
            if let Some(held) = world.active_control(id) {
                keys::act(world, id, held, observer);
                progress::note_driven(world, id);
                continue;
            }
            let index = world.state.mode[id.index()];
            let mode = &kind.modes[usize::from(index)];
            if let Drive::Steer { rows, .. } = &mode.drive {
                let steered = match last {
                    Some((known, steered)) if known == index => steered,
                    _ => last.insert((index, Steered::of(rows))).1,
                };
                let together = scenario.traced.is_none()
                    && id.index() + LANES <= end
                    && allows(&kind.body, steered.manner);
                if together && drive_lanes(simd, world, &kind.body, id, index, steered.seeks, setup)
                {
                    ids.nth(LANES - 2);
                } else {
                    drive(world, &kind.body, id, steered, setup);
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
        let touches = driven.contact.is_some() || world.flags(id).has(Flags::OVERLAPPING);
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

/// Moves the next `LANES` agents with SIMD. Returns false and changes nothing if the scalar path is
/// needed:
///
/// - An agent is in another mode, not in the world, or frozen.
/// - An agent is on a tile that slows it down.
/// - An agent touches something, or could touch something in this frame.
/// - Any agent in the world is manually controlled.
/// - A result is not finite.
#[inline(always)]
fn drive_lanes<S: Simd>(
    simd: S,
    world: &mut World,
    body: &Body,
    first: AgentId,
    mode: u16,
    seeks: bool,
    setup: DetectorSetup,
) -> bool {
    let scenario = setup.scenario;
    let (start, dt) = (first.index(), scenario.dt());
    let span = start..start + LANES;
    let Some(modes) = world.state.mode.get(span.clone()) else { return false };
    let kept = |flags: &Flags| flags.has(Flags::QUARANTINED) || flags.has(Flags::COLLIDED);
    if modes.iter().any(|each| *each != mode)
        || world.state.present[span.clone()].iter().any(|presence| !presence.0)
        || world.state.flags[span.clone()].iter().any(kept)
        || !world.controls.is_empty()
    {
        return false;
    }
    let state = &world.state;
    let before: Vectors<Eight<S>> = Vectors::load(simd, &state.hx, &state.hy, start);
    let position: Vectors<Eight<S>> = Vectors::load(simd, &state.x, &state.y, start);
    let pushes = &world.thoughts.pushes;
    let pushed = Vectors::load(simd, &pushes.vx, &pushes.vy, start);
    let (velocity, heading) = vehicle::roll(pushed, before, body, dt);
    let motion = velocity * dt;
    let end = position + motion;
    if !(end.are_finite() & velocity.are_finite() & heading.are_finite()).all() {
        return false;
    }
    if !scenario.map.are_in_plain_blocks(position, end) {
        for lane in 0..LANES {
            if !sweep::is_plain(&scenario.map, position.lane(lane), motion.lane(lane)) {
                return false;
            }
        }
    }
    let end = scenario.map.wrap_all(end);
    let state = &mut world.state;
    end.store(&mut state.x, &mut state.y, start);
    velocity.store(&mut state.vx, &mut state.vy, start);
    heading.store(&mut state.hx, &mut state.hy, start);
    state.angular_velocity[span].fill(0.0);
    progress::note_vehicles(world, first, before, seeks, setup);
    true
}
