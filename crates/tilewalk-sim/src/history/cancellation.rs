//! Lets another thread cancel the steps of a history.

use crate::cancel::Cancel;

use super::History;

impl History {
    /// Sets the flag with which another thread cancels steps.
    ///
    /// A cancelled step changes nothing. A seek, search or replay stops at a cancelled step, as at
    /// a time limit. [`History::step`] is never cancelled, because its commands would be lost.
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
        for run in self.runs.iter_mut() {
            run.cancel = cancel.clone();
        }
        if let Some(comparison) = &mut self.comparison {
            comparison.set_cancel(cancel);
        }
        self.cancel = cancel.clone();
    }

    /// Returns the flag set by [`History::set_cancel`].
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::map::{Edges, Map};
    use crate::scenario::builder::Builder;
    use crate::time::Frame;

    #[test]
    fn a_cancelled_go_to_returns() {
        let builder = Builder::new(Map::drawn(&[".."], Edges::Wall).unwrap());
        let mut history = History::new(Arc::new(builder.build().unwrap()), 1 << 20);
        let cancel = Cancel::new();
        history.set_cancel(&cancel);
        cancel.request();
        history.go_to(Frame(5));
        assert_eq!((history.frame(), history.sought()), (Frame(0), Some((Frame(5), Frame(0)))));
        history.restart();
        assert_eq!(history.sought(), None);
        cancel.reset();
        history.go_to(Frame(5));
        assert_eq!((history.frame(), history.sought()), (Frame(5), None));
    }
}
