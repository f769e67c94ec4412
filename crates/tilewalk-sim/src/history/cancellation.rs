//! Lets another thread cancel the steps of a history.

use crate::cancel::Cancel;

use super::History;

impl History {
    /// Sets the flag with which another thread cancels steps.
    ///
    /// A cancelled step changes nothing. The seek, search or replay that contains the step ends
    /// early, as if its time limit was reached. [`History::step`] is never cancelled, because its
    /// commands would be lost.
    pub fn set_cancel(&mut self, cancel: &Cancel) {
        let worlds = [
            &mut self.world,
            &mut self.before,
            &mut self.previous,
            &mut self.cursor,
            &mut self.prefetch,
        ];
        for world in worlds {
            world.set_cancel(cancel.clone());
        }
        for run in &mut self.runs {
            run.cancel = cancel.clone();
        }
        if let Some(ghost) = &mut self.ghost {
            ghost.set_cancel(cancel);
        }
        self.cancel = cancel.clone();
    }

    /// Returns the flag that [`History::set_cancel`] has set.
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }
}
