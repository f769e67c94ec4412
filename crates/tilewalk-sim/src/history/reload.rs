//! New runs with a changed scenario, after files were saved.

use std::sync::Arc;

use crate::command::Command;
use crate::scenario::Scenario;
use crate::time::Frame;
use crate::world::World;

use super::History;
use super::run::{Branch, Run};

impl History {
    /// Starts a run with a new scenario at frame 0 and the commands of the current run, for agents
    /// with the same name. The old run becomes the ghost.
    ///
    /// Then starts a seek in the new run to the current frame, or to the frame that was being
    /// sought.
    pub fn reload(&mut self, scenario: Arc<Scenario>) {
        self.reload_with(scenario, |_, _| None);
    }

    /// Starts a run as [`History::reload`] does, and also keeps value changes made during the
    /// current run.
    ///
    /// For each change of the scenario in the current run, `retune` is called with the scenarios
    /// before and after the change. It returns the changed scenario for the new run.
    pub fn reload_with(
        &mut self,
        scenario: Arc<Scenario>,
        retune: impl FnMut(&Scenario, &Scenario) -> Option<Arc<Scenario>>,
    ) {
        let frame = self.sought.unwrap_or(self.frame());
        let (branch, budget) = (self.branch_at(Frame(0)), self.budget - self.budget / 4);
        let run = self.run().with_scenario(Arc::clone(&scenario), branch, budget, retune);
        self.open_with(run, scenario);
        self.seek_from_stored(frame);
    }

    /// Starts a run with a new scenario at frame 0, without commands. The old run becomes the
    /// ghost.
    pub fn reload_fresh(&mut self, scenario: Arc<Scenario>) {
        let (branch, budget) = (self.branch_at(Frame(0)), self.budget - self.budget / 4);
        self.open_with(Run::without_commands(Arc::clone(&scenario), branch, budget), scenario);
        self.seek_from_stored(Frame(0));
        self.pursue(|| true);
    }

    /// Starts a run that branches off at the current frame and has a new scenario from the next
    /// frame on. Advances to that frame.
    ///
    /// The old run becomes the ghost, even if the current frame was the last frame of that run.
    pub fn reload_from_here(&mut self, scenario: Arc<Scenario>) {
        self.sought = None;
        self.branch_off();
        self.step(&[Command::Reload(scenario)]);
    }

    fn branch_at(&self, at: Frame) -> Branch {
        Branch { parent: self.present, at }
    }

    fn open_with(&mut self, run: Run, scenario: Arc<Scenario>) {
        self.open(run);
        self.runs[self.present.0 as usize].store(&World::new(scenario));
    }
}
