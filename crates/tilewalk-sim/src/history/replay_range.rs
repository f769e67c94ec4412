//! Replays a range of frames of a run and passes each frame to a callback.
//!
//! The replay uses a separate world, stores nothing in the history, and can be interrupted after
//! each frame.

use crate::command::Command;
use crate::time::Frame;
use crate::world::World;

use super::run::Run;

/// Replays a range of frames that a run has already simulated.
#[derive(Debug, Clone)]
pub struct ReplayRange {
    world: World,
    last: Frame,
}

impl ReplayRange {
    /// Creates a replay that ends at `last`. The replay starts at the latest stored frame before
    /// `last`. `reused` is an earlier replay of the same run, whose world is reused.
    pub fn to(last: Frame, run: &Run, reused: Option<Self>) -> Self {
        Self::between(Frame(last.0.saturating_sub(1)), last, run, reused)
    }

    /// Creates a replay from `first` to `last`. The replay starts at the latest stored frame up to
    /// `first`. `reused` is an earlier replay of the same run, whose world is reused.
    pub fn between(first: Frame, last: Frame, run: &Run, reused: Option<Self>) -> Self {
        let mut world = reused.map_or_else(|| run.first(), |range| range.world);
        run.restore_near(&mut world, first);
        Self { world, last }
    }

    /// Returns the last frame to replay.
    pub fn last(&self) -> Frame {
        self.last
    }

    /// Continues the replay while `in_time` returns true. Returns true at the end of the range.
    /// Returns false at the time limit, or if a step was cancelled.
    ///
    /// Calls `seen` with each frame and the commands of the step to the next frame. If that step is
    /// cancelled, the next call passes the same frame again.
    pub fn resume(
        &mut self,
        run: &Run,
        mut seen: impl FnMut(&World, &[Command]),
        mut in_time: impl FnMut() -> bool,
    ) -> bool {
        while self.world.frame() < self.last {
            seen(&self.world, run.log().at(self.world.frame().next()));
            if !run.repeat(&mut self.world) || !in_time() {
                return false;
            }
        }
        seen(&self.world, run.log().at(self.world.frame().next()));
        true
    }
}
