//! Act: moves the bodies, in agent order.

mod simd;

use crate::agent::{Drive, Mode};
use crate::body::Body;
use crate::geom::Vec2;
use crate::geom::lanes::LANES;
use crate::id::AgentId;
use crate::locomotion::vehicle::{self, Manner};
use crate::pattern::Pattern;
use crate::pattern::steps::Unit;
use crate::steering::{self, WeightedBehaviour, intent};
use crate::world::{DriveState, Flags, World};

use super::contact::{note_contact, occupy_tile};
use super::nan_guard::settle_motion;
use super::observer::Observer;
use super::progress::DetectorSetup;
use super::{centre, chase, degree_steps, keys, progress, thrust, travel, walk};

pub(super) fn act(world: &mut World, observer: &mut impl Observer) {
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
                let together =
                    id.index() + LANES <= end && simd::allows(&kind.body, steered.manner);
                if together && simd::drive(world, &kind.body, id, index, steered.seeks, setup) {
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

fn go(world: &mut World, mode: &Mode, id: AgentId, observer: &mut impl Observer) {
    let pattern = mode.drive.pattern(world.pick(id)).map(|used| used.pattern.as_ref());
    let pace = mode.pace;
    centre::approach(world, id, pace);
    match (world.drive_state(id), pattern) {
        // Also stops an agent whose manual control has ended.
        (DriveState::Stand, _) => world.state.set_velocity(id.index(), Vec2::ZERO),
        (DriveState::Chase { aim, .. }, _) => chase::chase(world, id, aim, pace, observer),
        (DriveState::FleeTiles { from, .. }, _) => chase::flee(world, id, from, pace, observer),
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
            degree_steps::steps(world, id, steps, at);
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
        let manner = Manner { tracks, oriented: steering::is_oriented(rows), tile_drag: 0.0 };
        Self { manner, seeks: intent::has_goal(rows) }
    }
}

fn drive(world: &mut World, body: &Body, id: AgentId, steered: Steered, setup: DetectorSetup) {
    let (map, dt) = (&setup.scenario.map, setup.scenario.dt());
    let from = world.tile(id);
    let manner = Manner { tile_drag: map.drag(from), ..steered.manner };
    let (push, motion) = (world.thoughts.pushes[id.index()], world.motion(id));
    let driven = vehicle::drive(motion, push, manner, body, map, dt);
    if settle_motion(world, id, driven.motion) {
        occupy_tile(world, id, from);
        let touches = driven.contact.is_some() || world.flags(id).has(Flags::OVERLAPPING);
        let held = touches && progress::pushes(body, push.velocity - motion.velocity, dt);
        progress::note_vehicle(world, id, motion.heading, held, steered.seeks, setup);
        note_contact(world, id, driven.contact);
    }
}
