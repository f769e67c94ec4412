//! Continues with the new scenarios of a run that another program still writes.

use std::sync::Arc;

use crate::files::Options;
use crate::files::read::tuning;
use crate::history::run::RunId;
use crate::scenario::Scenario;

use super::Session;

/// Declares that no frames follow in the run of a scenario.
fn close(scenario: &Scenario) {
    let run = scenario.sources().run.as_ref();
    if let Some(live) = run.and_then(|run| run.live.as_ref()) {
        live.close();
    }
}

impl Session {
    /// Returns true if another program still writes the run that agents follow.
    pub fn is_growing(&self) -> bool {
        self.scenario().is_growing()
    }

    /// Replaces the current run by one with the same frames and with room for later ones, such as
    /// reserved agents or new columns. The current frame stays. Returns the old run if it stays as
    /// the comparison run, because a mode has taken over an agent in it.
    ///
    /// # Errors
    /// Returns a message for the user if unsaved edits do not fit the new scenario.
    pub fn extend_run(&mut self, scenario: &Arc<Scenario>) -> Result<Option<RunId>, String> {
        let incoming = self.take_in(scenario)?;
        self.give_up();
        let (old, compared) = (self.history.present(), self.history.comparison());
        let keeps = self.history.run().scenarios().any(|scenario| {
            let run = scenario.sources().run.as_ref();
            run.is_some_and(|run| !run.taken_over.is_empty())
        });
        close(self.scenario());
        let mut set = Options::of(incoming.scenario.sources()).set;
        let new = Arc::clone(incoming.scenario.sources());
        let text = Arc::clone(&incoming.old);
        self.history.reload_with(incoming.scenario, |before, after| {
            tuning::repeat_changes(&new, &mut set, (before.sources(), after.sources()), &text)
        });
        if !keeps {
            match compared {
                Some(run) if self.history.runs().contains(run) => self.history.compare_run(run),
                Some(_) | None => self.history.end_comparison(),
            }
            self.history.drop_run(old);
            self.forget_dropped_edits();
            self.forget_dropped_stops();
        }
        self.arrive();
        self.pursue(self.at_once());
        Ok(keeps.then_some(old))
    }

    /// Starts a new run, because the other program has started again. The old run becomes the
    /// comparison run. Returns its id.
    ///
    /// # Errors
    /// Returns a message for the user if unsaved edits do not fit the new scenario.
    pub fn follow_again(&mut self, scenario: &Arc<Scenario>) -> Result<RunId, String> {
        let incoming = self.take_in(scenario)?;
        self.give_up();
        let old = self.history.present();
        close(self.scenario());
        self.restart_from(incoming.scenario);
        Ok(old)
    }
}
