//! Runs that begin because files were saved.

use std::sync::Arc;

use crate::command::Command;
use crate::scenario::Scenario;
use crate::time::Frame;
use crate::world::World;

use super::History;
use super::run::{Branch, Run};

impl History {
    /// Begins a run with another scenario, in which all that was done is done again, by name; the old
    /// one becomes the ghost. The frame that was looked at, or sought, is sought in it.
    pub fn reload(&mut self, scenario: Arc<Scenario>) {
        self.reload_with(scenario, |_, _| None);
    }

    /// The same; `retune` is asked about each scenario that took the place of another in the old run,
    /// and says what does so in the new one.
    pub fn reload_with(
        &mut self,
        scenario: Arc<Scenario>,
        retune: impl FnMut(&Scenario, &Scenario) -> Option<Arc<Scenario>>,
    ) {
        let frame = self.sought.unwrap_or(self.frame());
        let (branch, budget) = (self.branch_at(Frame(0)), self.budget - self.budget / 4);
        let run = self.run().again(Arc::clone(&scenario), branch, budget, retune);
        self.open_with(run, scenario);
        self.begin_near(frame);
    }

    /// Begins a run with another scenario at frame 0, to which nothing has been done; the old one
    /// becomes the ghost.
    pub fn reload_anew(&mut self, scenario: Arc<Scenario>) {
        let (branch, budget) = (self.branch_at(Frame(0)), self.budget - self.budget / 4);
        self.open_with(Run::anew(Arc::clone(&scenario), branch, budget), scenario);
        self.begin_near(Frame(0));
        self.pursue(|| true);
    }

    /// Parts from the frame that is looked at with another scenario, which counts from the next frame
    /// on: that is made. The old run becomes the ghost, even if this was its last frame.
    pub fn reload_from_here(&mut self, scenario: Arc<Scenario>) {
        self.sought = None;
        self.part();
        self.step(&[Command::Reload(scenario)]);
    }

    fn branch_at(&self, at: Frame) -> Branch {
        Branch { parent: self.present, at }
    }

    fn open_with(&mut self, run: Run, scenario: Arc<Scenario>) {
        self.open(run);
        self.runs[self.present.0 as usize].keep(&World::new(scenario));
    }
}
