//! Detects vehicles that jitter: their direction of motion turns by more than 90° in most frames.
//!
//! The turns are counted when the vehicles move (see `progress`), and judged once a second. Random
//! motion is not jitter. The behaviour that turns the vehicle back is its cause.

use core::mem;

use crate::id::AgentId;
use crate::step::progress::{frames, note_oscillating};
use crate::step::think;
use crate::world::World;

/// Judges the turns of the last second, if a second ends in this frame.
pub(super) fn check(world: &mut World) {
    let second = frames(1.0, world.scenario());
    if !world.frame().0.is_multiple_of(second.into()) {
        return;
    }
    for id in world.all_ids() {
        let detectors = &mut world.state.detectors[id.index()];
        let reversals = u32::from(mem::take(&mut detectors.reversals));
        let jittered = detectors.jitters;
        if (reversals > 0 || jittered) && world.is_present(id) {
            judge(world, id, reversals * 2 > second, jittered);
        }
    }
}

/// Updates the state of an agent that turned back in more than half of the frames of a second, or
/// did so before.
fn judge(world: &mut World, id: AgentId, reverses: bool, jittered: bool) {
    let cause = if reverses { think::jitter_cause(world, id) } else { None };
    let jitters = cause.is_some();
    world.state.detectors[id.index()].jitters = jitters;
    if jitters != jittered {
        let slot = world.oscillation_slot(id);
        let detector = slot.and_then(|slot| world.state.oscillation[slot]);
        let oscillates = detector.is_some_and(|detector| detector.is_oscillating());
        note_oscillating(world, id, jitters || oscillates, cause);
    }
}
