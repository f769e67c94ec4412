//! Steers several agents at a time (SIMD), if their steering list allows this.
//!
//! Agents that need special treatment take the scalar path in `think`; [`think()`] lists the cases.

use crate::geom::lanes::LANES;
use crate::geom::{Vec2, Vectors};
use crate::id::AgentId;
use crate::locomotion::vehicle::{Push, pushed};
use crate::scenario::Scenario;
use crate::steering::Crowd;
use crate::steering::batch::{NeighbourSumsBatch, SensesBatch};
use crate::world::{DriveState, Flags, World};

use super::SteeringList;

/// Steers the next `LANES` agents with SIMD. Returns false and changes nothing if the scalar path
/// is needed:
///
/// - An agent is in another mode, not in the world, frozen or blocked.
/// - Any agent in the world is manually controlled.
/// - The sums over the neighbours are missing.
/// - A result is not finite.
pub(super) fn think(
    world: &mut World,
    scenario: &Scenario,
    list: &SteeringList,
    first: AgentId,
) -> bool {
    let start = first.index();
    let span = start..start + LANES;
    let Some(mode) = world.state.mode.get(span.clone()) else { return false };
    let apart = |mode: &u16| *mode != list.index;
    let kept = |flags: &Flags| flags.has(Flags::QUARANTINED) || flags.has(Flags::BLOCKED);
    if mode.iter().any(apart)
        || world.state.present[span.clone()].iter().any(|presence| !presence.0)
        || world.state.flags[span.clone()].iter().any(kept)
        || !world.controls.is_empty()
    {
        return false;
    }
    let mut points = [None; LANES];
    for (point, drive) in points.iter_mut().zip(&world.state.drive[span.clone()]) {
        let DriveState::Steer(memory) = drive else { return false };
        *point = memory.wander;
    }
    let crowd = match list.crowd {
        Some((_, sums)) => world.neighbours.summed_from(first, sums),
        None => Some(&[Crowd::default(); LANES]),
    };
    let Some(crowd) = crowd else { return false };
    let columns = |x: &[f32], y: &[f32]| Vectors::from_columns(&x[span.clone()], &y[span.clone()]);
    let velocity = columns(&world.state.vx, &world.state.vy);
    let mut agents = SensesBatch {
        velocity,
        heading: columns(&world.state.hx, &world.state.hy),
        crowd: NeighbourSumsBatch::new(crowd),
        body: list.body,
        dt: scenario.dt(),
        rng_key: world.rng_key(first, list.mode),
        names: core::array::from_fn(|lane| world.names[start + lane]),
    };
    let force = agents.output(list.combine, list.rows, &mut points);
    let velocity = pushed(velocity, force, list.body, scenario.dt());
    if !(force.are_finite() & velocity.are_finite()).all() {
        return false;
    }
    keep(world, start, velocity.to_array(), points);
    true
}

fn keep(world: &mut World, start: usize, velocities: [Vec2; LANES], points: [Option<Vec2>; LANES]) {
    let pushes = &mut world.thoughts.pushes[start..start + LANES];
    let drives = &mut world.state.drive[start..start + LANES];
    for lane in 0..LANES {
        pushes[lane] = Push { velocity: velocities[lane], turn: 0.0 };
        if let DriveState::Steer(memory) = &mut drives[lane] {
            memory.wander = points[lane];
        }
    }
}
