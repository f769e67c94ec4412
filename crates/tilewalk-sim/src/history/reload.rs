//! Starts new runs with a changed scenario after the user saves files.

use std::sync::Arc;

use crate::command::Command;
use crate::scenario::Scenario;
use crate::time::Frame;
use crate::world::World;

use super::History;
use super::run::{Branch, Run};

impl History {
    /// Starts a run with a new scenario at frame 0 and the commands of the current run. Agents are
    /// matched by name. The old run becomes the comparison run.
    ///
    /// Then starts a seek in the new run. The target is the current frame, or the target of the
    /// seek in progress.
    pub fn reload(&mut self, scenario: Arc<Scenario>) {
        self.reload_with(scenario, |_, _| None);
    }

    /// Starts a run as [`History::reload`] does, and also keeps value changes of the current run.
    ///
    /// For each scenario change in the current run, `retune` is called with the scenarios before
    /// and after the change. `retune` returns the changed scenario for the new run, or `None` to
    /// drop the change.
    pub fn reload_with(
        &mut self,
        scenario: Arc<Scenario>,
        mut retune: impl FnMut(&Scenario, &Scenario) -> Option<Arc<Scenario>>,
    ) {
        let scenario = self.share(scenario);
        let retune = |before: &Scenario, after: &Scenario| {
            retune(before, after).map(|retuned| retuned.sharing(&scenario))
        };
        let frame = self.sought.unwrap_or(self.frame());
        let (branch, budget) = (self.branch_at(Frame(0)), self.budget - self.budget / 4);
        let run = self.run().with_scenario(Arc::clone(&scenario), branch, budget, retune);
        self.open_with(run, scenario);
        self.seek_from_stored(frame);
    }

    /// Starts a run with a new scenario at frame 0, without commands. The old run becomes the
    /// comparison.
    pub fn reload_fresh(&mut self, scenario: Arc<Scenario>) {
        let scenario = self.share(scenario);
        let (branch, budget) = (self.branch_at(Frame(0)), self.budget - self.budget / 4);
        self.open_with(Run::without_commands(Arc::clone(&scenario), branch, budget), scenario);
        self.seek_from_stored(Frame(0));
        self.pursue(|| true);
    }

    /// Starts a run that branches off at the current frame. The new scenario applies from the next
    /// frame on. Advances to the next frame.
    ///
    /// The old run always becomes the comparison run, even if the current frame was its last frame.
    pub fn reload_from_here(&mut self, scenario: Arc<Scenario>) {
        let scenario = self.share(scenario);
        self.sought = None;
        self.branch_off();
        self.step(&[Command::Reload(scenario)]);
    }

    fn branch_at(&self, at: Frame) -> Branch {
        Branch { parent: self.present, at }
    }

    fn open_with(&mut self, run: Run, scenario: Arc<Scenario>) {
        self.open(run);
        self.runs[self.present].store(&World::new(scenario));
    }
}
