//! Seeks frames, switches runs, and replays the last seconds.

use std::sync::Arc;

use crate::debugger::recent::Recent;
use crate::history::run::RunId;
use crate::scenario::Scenario;
use crate::time::Frame;

use super::Session;

/// Maximum number of agent steps that a seek simulates at once. A longer seek continues in
/// [`Session::pursue`].
const AT_ONCE: usize = 20_000;

impl Session {
    /// Restarts at frame 0 with the latest files and values, but without any other commands. Starts
    /// a new run if the current run has commands. Manual control continues with no key pressed.
    pub fn restart(&mut self) {
        self.finish_edit();
        let latest = Arc::clone(self.latest());
        if latest.sources() == self.history.run().start().sources() {
            self.history.restart();
            self.arrive();
        } else {
            self.restart_from(latest);
        }
    }

    /// Starts a new run at frame 0 of a scenario, without commands.
    pub(super) fn restart_from(&mut self, scenario: Arc<Scenario>) {
        self.history.reload_fresh(scenario);
        self.arrive();
    }

    /// Returns the numbers on which the memory of old runs depends: the number of switches between
    /// runs, and the memory of the current run's frames.
    fn weight(&self) -> (u64, usize) {
        (self.history.turns(), self.history.run().snapshots().bytes())
    }

    /// Returns true if a call of [`Session::drop_old_runs`] would do nothing.
    pub fn is_weighed(&self) -> bool {
        self.weighed == Some(self.weight())
    }

    /// Drops the oldest runs if the old runs need too much memory. Returns the ids of the dropped
    /// runs. Bookmarks stay, because they belong to all runs.
    pub fn drop_old_runs(&mut self) -> Vec<RunId> {
        let dropped = self.history.drop_old_runs();
        self.weighed = Some(self.weight());
        if !dropped.is_empty() {
            self.forget_dropped_edits();
            self.forget_dropped_stops();
        }
        dropped
    }

    /// Seeks a frame. Simulates frames after the end of the run if needed. A long seek continues in
    /// [`Session::pursue`].
    pub fn go_to(&mut self, frame: Frame) {
        self.history.seek(frame);
        self.pursue(self.at_once());
    }

    /// Returns an `in_time` callback that allows about 20,000 agent steps.
    pub fn at_once(&self) -> impl FnMut() -> bool + use<> {
        let mut left = AT_ONCE / self.world().len().max(1);
        move || {
            left = left.saturating_sub(1);
            left > 0
        }
    }

    /// Continues a seek until `in_time` returns false. Returns true if the seek is complete or no
    /// seek is in progress.
    pub fn pursue(&mut self, in_time: impl FnMut() -> bool) -> bool {
        if self.history.sought().is_none() {
            return true;
        }
        let found = self.history.pursue(in_time);
        if found {
            self.finish_edit();
            self.arrive();
        }
        found
    }

    /// Returns the target of the current seek, and the frame reached so far. Returns `None` without
    /// a seek.
    pub fn sought(&self) -> Option<(Frame, Frame)> {
        self.history.sought()
    }

    /// Cancels the current seek and the backward search. The current frame does not change.
    pub fn give_up(&mut self) {
        self.history.give_up();
        self.breakpoints.search = None;
    }

    /// Updates the session after a seek or a new run has changed the current frame.
    pub(super) fn arrive(&mut self) {
        self.follow_reload();
        self.update_hits();
        if let Some(control) = &mut self.control {
            control.release();
        }
        self.recent.note(self.history.world());
        self.refresh();
        self.recall_visits();
        self.recall_judgement();
    }

    /// Replays missing frames for the trail, the plots, the heat map and the expectations. Also
    /// compares the runs of the last edit, and repeats a cancelled explanation of the current
    /// frame. Stops when `in_time` returns false. Returns true if nothing is left to do.
    pub fn recall(&mut self, mut in_time: impl FnMut() -> bool) -> bool {
        if !self.explain_again() {
            return false;
        }
        let run = self.history.present();
        let (history, other) = (&mut self.history, &mut self.comparison.recent);
        let visits = self.visits.as_mut();
        self.recalled = self.recent.recall(history, run, &mut in_time)
            && visits.is_none_or(|visits| visits.recall(history, &mut in_time))
            && self.judgement.recall(history, &mut in_time)
            && history.settle(&mut in_time)
            && history
                .comparison()
                .is_none_or(|compared| other.recall(history, compared, &mut in_time))
            && self.compare_on(in_time);
        self.recalled
    }

    /// Returns true if a call of [`Session::recall`] would do nothing.
    pub fn is_recalled(&self) -> bool {
        self.recalled
    }

    /// Returns the trail and plots over the last seconds before the current frame.
    pub fn past(&self) -> &Recent {
        &self.recent
    }

    /// Switches to another run and keeps the current frame. If that run is shorter, its last frame
    /// becomes the current frame. Cancels a backward search. A long seek continues in
    /// [`Session::pursue`].
    pub fn switch_run(&mut self, run: RunId) {
        self.breakpoints.search = None;
        self.history.switch_run(run);
        self.arrive();
        if let Some((frame, _)) = self.history.sought() {
            self.go_to(frame);
        }
    }
}
