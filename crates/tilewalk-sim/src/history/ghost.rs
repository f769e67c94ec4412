//! The run that was left: what would have been.

use crate::cancel::Cancel;
use crate::time::Frame;
use crate::world::World;

use super::run::{Run, RunId};

/// A run that is seen beside the present one.
#[derive(Debug, Clone)]
pub(super) struct Ghost {
    run: RunId,
    world: World,
}

impl Ghost {
    /// The ghost of a run, beginning at a frame of it.
    pub fn of(id: RunId, run: &Run, world: &World) -> Self {
        let mut world = world.clone();
        if world.frame() > run.end() {
            run.begin(&mut world);
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

    /// Comes to a frame, as long as there is time and it ever came so far.
    pub fn follow(&mut self, run: &mut Run, frame: Frame, in_time: impl FnMut() -> bool) -> bool {
        frame > run.end() || run.lead(&mut self.world, frame, in_time)
    }
}
