//! The ghost: the previously current run, shown for comparison.

use crate::cancel::Cancel;
use crate::time::Frame;
use crate::world::World;

use super::run::{Run, RunId};

/// A run that is shown beside the current run for comparison.
#[derive(Debug, Clone)]
pub(super) struct Ghost {
    run: RunId,
    world: World,
}

impl Ghost {
    /// Creates the ghost of a run, starting at the frame of `world`.
    pub fn of(id: RunId, run: &Run, world: &World) -> Self {
        let mut world = world.clone();
        if world.frame() > run.end() {
            run.reset(&mut world);
        }
        Self { run: id, world }
    }

    pub fn run(&self) -> RunId {
        self.run
    }

    pub fn set_cancel(&mut self, cancel: Cancel) {
        self.world.set_cancel(cancel);
    }

    pub fn world(&self) -> &World {
        &self.world
    }

    /// Advances the ghost toward a frame while `in_time` returns true. Returns true if the ghost
    /// has arrived, or if its run ended earlier.
    pub fn advance_to(
        &mut self,
        run: &mut Run,
        frame: Frame,
        in_time: impl FnMut() -> bool,
    ) -> bool {
        frame > run.end() || run.advance_to(&mut self.world, frame, in_time)
    }
}
