//! Replays a stretch of a run and shows each frame to a callback.
//!
//! A passage simulates in a world of its own, stores nothing in the history, and can be interrupted
//! after each frame.

use crate::command::Command;
use crate::time::Frame;
use crate::world::World;

use super::run::Run;

/// Goes through a stretch of a run that has been made. Nothing of it is kept.
#[derive(Debug, Clone)]
pub struct Passage {
    world: World,
    last: Frame,
}

impl Passage {
    /// To a frame, from the latest kept one before it.
    pub fn to(last: Frame, run: &Run) -> Self {
        Self::between(Frame(last.0.saturating_sub(1)), last, run)
    }

    /// From a frame to a later one; those between the latest kept one and the first are shown, too.
    pub fn between(first: Frame, last: Frame, run: &Run) -> Self {
        let mut world = run.first();
        run.jump(&mut world, first);
        Self { world, last }
    }

    /// The same of another stretch of the same run, with the memory of this one.
    #[must_use]
    pub fn turned_to(self, last: Frame, run: &Run) -> Self {
        self.turned_between(Frame(last.0.saturating_sub(1)), last, run)
    }

    /// From a frame to a later one, with the memory of this one, which went through the same run.
    #[must_use]
    pub fn turned_between(mut self, first: Frame, last: Frame, run: &Run) -> Self {
        run.jump(&mut self.world, first);
        Self { last, ..self }
    }

    /// The frame it ends with.
    pub fn last(&self) -> Frame {
        self.last
    }

    /// Goes on, as long as there is time; says whether it is over. Each frame is shown once, with
    /// the commands that lead to the next one.
    pub fn go_on(
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
