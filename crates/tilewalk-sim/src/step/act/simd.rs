//! Moves several vehicles at a time (SIMD) over open ground.
//!
//! Agents that need special treatment take the scalar path in `act`; [`drive()`] lists the cases.

use crate::body::Body;
use crate::geom::Vectors;
use crate::geom::lanes::{LANES, splat};
use crate::id::AgentId;
use crate::locomotion::vehicle;
use crate::map::{TILE_RADIUS, sweep};
use crate::step::progress::{self, DetectorSetup};
use crate::world::{Flags, World};

use super::Manner;

/// Returns true if SIMD can move vehicles with this body and manner over open ground.
pub(super) fn allows(body: &Body, manner: Manner) -> bool {
    let is_small = body.radius <= TILE_RADIUS;
    !manner.tracks && !manner.oriented && !body.solid && body.max_turn_rate.is_none() && is_small
}

/// Moves the next `LANES` agents with SIMD. Returns false and changes nothing if the scalar path is
/// needed:
///
/// - An agent is in another mode, not in the world, or frozen.
/// - An agent is on a tile that slows it down.
/// - An agent touches something, or could touch something in this frame.
/// - Any agent in the world is manually controlled.
/// - A result is not finite.
pub(super) fn drive(
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
    let columns = |x: &[f32], y: &[f32]| Vectors::from_columns(&x[span.clone()], &y[span.clone()]);
    let state = &world.state;
    let before = columns(&state.hx, &state.hy);
    let position = columns(&state.x, &state.y);
    let pushed =
        Vectors::new(core::array::from_fn(|lane| world.thoughts.pushes[start + lane].velocity));
    let (velocity, heading) = vehicle::roll(pushed, before, body, dt);
    let (end, motion) = (position + velocity * splat(dt), velocity * splat(dt));
    let starts = position.to_array().into_iter().zip(motion.to_array());
    if !(end.are_finite() & velocity.are_finite() & heading.are_finite()).all()
        || !starts.into_iter().all(|(start, motion)| sweep::is_plain(&scenario.map, start, motion))
    {
        return false;
    }
    let end = end.to_array().map(|end| scenario.map.wrap(end));
    let state = &mut world.state;
    Vectors::new(end).to_columns(&mut state.x[span.clone()], &mut state.y[span.clone()]);
    velocity.to_columns(&mut state.vx[span.clone()], &mut state.vy[span.clone()]);
    heading.to_columns(&mut state.hx[span.clone()], &mut state.hy[span.clone()]);
    state.angular_velocity[span].fill(0.0);
    progress::note_vehicles(world, first, before, seeks, setup);
    true
}
