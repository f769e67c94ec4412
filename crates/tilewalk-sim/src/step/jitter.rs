//! Detects vehicles that jitter: their direction of motion turns by more than 90° in most frames.
//!
//! The turns are counted when the vehicles move (see `progress`), and judged once a second. A vehicle
//! jitters after three such seconds in a row. Random motion is not jitter. The behaviour that turns
//! the vehicle back is the cause.

use core::mem;

use crate::geom::lanes::{InstructionSet, dispatch};
use crate::id::AgentId;
use crate::step::progress::{frames, note_oscillating};
use crate::step::think::JitterCauses;
use crate::world::World;
use crate::world::progress::JITTER_SECONDS;

/// Judges the turns of the last second, if a second ends in this frame.
pub(super) fn check(world: &mut World) {
    let second = frames(1.0, world.scenario());
    if !world.frame().0.is_multiple_of(second.into()) {
        return;
    }
    dispatch!(world.thoughts.instructions, simd => judge(simd, world, second));
}

/// Judges the turns of the last second, which has `second` frames.
#[inline(always)]
fn judge<S: InstructionSet>(simd: S, world: &mut World, second: u32) {
    let scenario = world.scenario().clone();
    let mut causes = JitterCauses::new(&scenario);
    for id in world.all_ids() {
        let is_present = world.is_present(id);
        let detectors = &mut world.state.detectors[id.index()];
        let reversals = u32::from(mem::take(&mut detectors.reversals));
        if is_present && reversals * 2 > second {
            let cause = causes.find(simd, world, id);
            count_second(world, id, cause);
        } else if mem::take(&mut detectors.jitter_seconds) >= JITTER_SECONDS {
            update(world, id, None);
        }
    }
}

/// Counts a second in which a vehicle turned back in most frames. `cause` is the index of the behaviour
/// that causes the jitter.
fn count_second(world: &mut World, id: AgentId, cause: Option<u32>) {
    let counts = cause.is_some() || world.scenario().is_traced(id);
    let detectors = &mut world.state.detectors[id.index()];
    let before = detectors.jitters();
    let seconds = (detectors.jitter_seconds + 1).min(JITTER_SECONDS);
    detectors.jitter_seconds = if counts { seconds } else { 0 };
    if before != detectors.jitters() {
        update(world, id, cause);
    }
}

/// Updates the oscillation flag of an agent that begins or ceases to jitter. `cause` is the index of
/// the behaviour that causes the jitter.
fn update(world: &mut World, id: AgentId, cause: Option<u32>) {
    let slot = world.oscillation_slot(id);
    let detector = slot.and_then(|slot| world.state.oscillation[slot]);
    let moves_to_and_fro = detector.is_some_and(|detector| detector.is_oscillating());
    let oscillates = moves_to_and_fro || world.detectors(id).jitters();
    note_oscillating(world, id, oscillates, cause);
}
