//! The tree of runs of a map, with replay, seeking and branching.
//!
//! A run is a scenario and a log of commands. A [`History`] has one current run, and one frame of
//! this run is the current frame. Some frames are stored (see `snapshots`). Any other frame is
//! simulated again with the same commands, starting at the latest stored frame before it. The
//! history also keeps the frame before the current frame, to explain the step between them.
//!
//! A change in the past starts a new run that branches off at that frame. The old run becomes the
//! comparison run, and the user can return to it. A changed value or file is a command, too: it
//! carries the new scenario. When the user saves files, a new run can also replay the commands of
//! the current run with the changed scenario (see [`History::reload`]). Agents that are present in
//! both scenarios continue (see `world::adopt`).
//!
//! A short seek back also prefetches part of the previous keyframe interval: two frames per frame
//! of the seek. Later steps back thus never wait for a whole interval.
//!
//! This module reads no clock and opens no file. To seek a distant frame, the caller passes a
//! callback that returns false at the time limit. Then the caller calls again. Another thread can
//! cancel the steps of a history (see [`History::set_cancel`]).

pub mod bookmarks;
pub mod breaks;
mod comparison;
pub mod diff;
pub mod divergence;
mod format;
pub mod recorder;
pub mod recording;
pub mod run;
pub mod runs;
pub mod search;
pub mod shared;
mod snapshots;

use std::sync::Arc;

use crate::cancel::Cancel;
use crate::command::Command;
use crate::history::breaks::Breaks;
use crate::history::comparison::ComparisonRun;
use crate::history::recording::Recording;
use crate::history::run::{Branch, Run, RunId};
use crate::history::runs::Runs;
use crate::scenario::Scenario;
use crate::step::try_step;
use crate::time::Frame;
use crate::world::World;

pub use crate::history::comparison::OtherSide;
pub use crate::history::run::{Log, ReplayRange};

/// Default memory limit of a history, in bytes.
pub const DEFAULT_BUDGET: usize = 64 << 20;

/// Longest backward seek that triggers a prefetch, in frames.
const SHORT_SEEK: u64 = 16;

/// Number of frames to prefetch for each frame of a backward seek.
const PREFETCH_PER_FRAME: u64 = 2;

/// The tree of runs of a map, with the current run and the current frame.
#[derive(Debug, Clone)]
pub struct History {
    runs: Runs,
    present: RunId,
    world: World,
    /// The world at the previous frame; at frame 0, a copy of the current world.
    before: World,
    /// The world before the current step. Becomes `before` when the step is complete.
    previous: World,
    /// The world that a seek advances. After a seek, it holds the frame that was current before the
    /// seek.
    cursor: World,
    sought: Option<Frame>,
    /// The world that simulates prefetched frames.
    prefetch: World,
    comparison: Option<ComparisonRun>,
    /// Memory limit for stored frames and old runs, in bytes (see [`runs`]). The stored frames
    /// of the comparison run use at most a quarter, and those of the current run at most the rest.
    budget: usize,
    /// A counter that is incremented whenever another run becomes current.
    turns: u64,
    /// The flag with which another thread cancels steps, shared by all worlds and runs.
    cancel: Cancel,
}

impl History {
    /// Starts a history at frame 0 of a scenario. Stored frames and old runs use at most `budget`
    /// bytes.
    pub fn new(scenario: Arc<Scenario>, budget: usize) -> Self {
        let world = World::new(Arc::clone(&scenario));
        let mut run = Run::new(scenario, budget - budget / 4);
        run.store(&world);
        Self {
            runs: Runs::of([run]),
            present: RunId(0),
            before: world.clone(),
            previous: world.clone(),
            cursor: world.clone(),
            prefetch: world.clone(),
            world,
            sought: None,
            comparison: None,
            budget,
            turns: 0,
            cancel: Cancel::default(),
        }
    }

    /// Opens a recording at frame 0 of its first run. Stored frames use at most `budget` bytes.
    ///
    /// `scenarios` is the result of [`Recording::compile`].
    ///
    /// # Panics
    /// Panics if the recording has no runs, or if it has more sources than `scenarios`.
    pub fn replay(recording: &Recording, scenarios: &[Arc<Scenario>], budget: usize) -> Self {
        let runs = recording.runs(scenarios, budget - budget / 4);
        let mut history = Self::new(Arc::clone(runs[0].start()), budget);
        history.runs = Runs::of(runs);
        history.runs[history.present].store(&history.world);
        history
    }

    /// Returns the world at the current frame.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Returns the world at the previous frame. At frame 0, and right after a switch to another
    /// run, returns the world at the current frame.
    pub fn before(&self) -> &World {
        &self.before
    }

    /// Returns the number of the current frame.
    pub fn frame(&self) -> Frame {
        self.world.frame()
    }

    /// Returns the commands of the step that led to the current frame. Empty at frame 0.
    pub fn commands(&self) -> &[Command] {
        self.run().log().at(self.frame())
    }

    /// Returns the run that contains the current frame.
    pub fn run(&self) -> &Run {
        &self.runs[self.present]
    }

    /// Returns the id of the current run.
    pub fn present(&self) -> RunId {
        self.present
    }

    /// Returns all runs that were not dropped.
    pub fn runs(&self) -> &Runs {
        &self.runs
    }

    /// Returns a counter that is incremented whenever another run becomes current. Callers can use
    /// it to detect outdated caches.
    pub fn turns(&self) -> u64 {
        self.turns
    }

    /// Advances the current frame by one.
    ///
    /// Before the end of the run, a step without `commands` replays the run. A step with `commands`
    /// starts a new run that branches off at the current frame. A step past the end of a recording
    /// also starts a new run. Does nothing at the end of a trace.
    pub fn step(&mut self, commands: &[Command]) {
        if self.is_at_end() {
            return;
        }
        self.world.set_cancel(Cancel::default());
        self.store_previous();
        self.advance(commands);
        self.take_previous();
        self.world.set_cancel(self.cancel.clone());
        self.settle(|| false);
    }

    /// Returns true if the current frame is the last one of the trace that agents follow. A run
    /// without a trace has no last frame.
    pub fn is_at_end(&self) -> bool {
        self.world.scenario().end().is_some_and(|end| self.frame() >= end)
    }

    /// Advances by up to `frames` frames. Returns the number of frames advanced. Stops at the end of
    /// a trace.
    ///
    /// Stops after a breakpoint hit, after the first frame at which `in_time` returns false, or
    /// when a step is cancelled. `ask` receives the current world and returns a command for the
    /// next frame. `seen` is called with each new frame.
    pub fn run_frames(
        &mut self,
        frames: u32,
        breaks: &mut Breaks,
        mut ask: impl FnMut(&World) -> Option<Command>,
        mut seen: impl FnMut(&World),
        mut in_time: impl FnMut() -> bool,
    ) -> u32 {
        let breaking = breaks.any_enabled();
        let mut made = 0;
        while made < frames && !self.is_at_end() {
            let last = made + 1 == frames || !in_time();
            // If the next step is cancelled, this step is the last one.
            let store = last || breaking || self.cancel.is_armed();
            if store {
                self.store_previous();
            }
            if !self.advance(ask(&self.world).as_slice()) {
                break;
            }
            made += 1;
            if store {
                self.take_previous();
            }
            seen(&self.world);
            let stopped = breaking && breaks.stop(&self.before, &self.world);
            if last || stopped {
                break;
            }
        }
        self.settle(in_time);
        made
    }

    /// Advances the current frame by one. Returns false and changes nothing if the step was
    /// cancelled.
    fn advance(&mut self, commands: &[Command]) -> bool {
        self.sought = None;
        let (run, frame) = (self.run(), self.frame());
        let leaves_recording = run.recorded_end() == Some(frame) && run.end() == frame;
        if leaves_recording || !commands.is_empty() && frame < run.end() {
            return self.advance_in_branch(commands);
        }
        if !commands.is_empty() {
            self.runs[self.present].push_commands(commands);
        }
        let run = &mut self.runs[self.present];
        let complete = run.replay(&mut self.world);
        if !complete && !commands.is_empty() {
            run.drop_commands();
        }
        complete
    }

    /// Advances in a new run that branches off at the current frame. Returns false and changes
    /// nothing if the step was cancelled.
    fn advance_in_branch(&mut self, commands: &[Command]) -> bool {
        let mut next = self.world.clone();
        if !try_step(&mut next, commands) {
            return false;
        }
        self.branch_off();
        let run = &mut self.runs[self.present];
        run.push_commands(commands);
        run.note(&next);
        self.world = next;
        true
    }

    /// Starts a new run that branches off at the current frame. The old run becomes the comparison
    /// run.
    fn branch_off(&mut self) {
        let branch = Branch { parent: self.present, at: self.frame() };
        self.open(self.run().branched(branch));
    }

    fn open(&mut self, mut run: Run) {
        run.cancel = self.cancel.clone();
        let run = self.runs.add(run);
        let left = core::mem::replace(&mut self.present, run);
        self.switched_from(left);
    }

    /// Updates budgets, comparison and caches after a switch to the current run. `left` is the
    /// previously current run.
    fn switched_from(&mut self, left: RunId) {
        self.turns += 1;
        self.haunt(left);
        let present = &mut self.runs[self.present];
        present.set_budget(self.budget - self.budget / 4);
        present.reset(&mut self.cursor);
        present.reset(&mut self.prefetch);
        self.sought = None;
    }

    /// Starts a seek to a frame. Call [`History::pursue`] until it returns true. A seek past the
    /// end of the run simulates the missing frames, but not past the end of a trace.
    pub fn seek(&mut self, frame: Frame) {
        let end = self.world.scenario().end().unwrap_or(frame);
        self.sought = Some(frame.min(end));
    }

    /// Returns the target frame of the seek in progress, and the frame that the seek has reached.
    /// Returns `None` if no seek is in progress.
    pub fn sought(&self) -> Option<(Frame, Frame)> {
        self.sought.map(|sought| (sought, self.cursor.frame()))
    }

    /// Cancels the seek in progress. The current frame does not change.
    pub fn give_up(&mut self) {
        self.sought = None;
    }

    /// Continues a seek while `in_time` returns true. Returns true if the seek is complete, or if
    /// there was none.
    ///
    /// The current frame does not change until the seek is complete. Returns false if a step is
    /// cancelled.
    pub fn pursue(&mut self, mut in_time: impl FnMut() -> bool) -> bool {
        let Some(sought) = self.sought else { return true };
        let run = &mut self.runs[self.present];
        let before = Frame(sought.0.saturating_sub(1));
        if !run.advance_to(&mut self.cursor, before, &mut in_time) {
            return false;
        }
        self.previous.copy_frame(&self.cursor);
        if sought > before && !run.replay(&mut self.cursor) {
            return false;
        }
        core::mem::swap(&mut self.world, &mut self.cursor);
        self.take_previous();
        self.sought = None;
        // The replay cursor now holds the frame that was current before the seek.
        let back = self.cursor.frame().0.saturating_sub(sought.0);
        if (1..=SHORT_SEEK).contains(&back) {
            let run = &mut self.runs[self.present];
            run.prefetch(&mut self.prefetch, sought, PREFETCH_PER_FRAME * back);
        }
        self.settle(in_time);
        true
    }

    /// Seeks to a frame, and blocks until the seek is complete. If another thread cancels a step,
    /// returns early with the seek still in progress (see [`History::set_cancel`]).
    pub fn go_to(&mut self, frame: Frame) {
        self.seek(frame);
        while !self.pursue(|| true) && !self.cancel.is_requested() {}
    }

    /// Returns to frame 0. If the run has commands, this starts a new run without them.
    pub fn restart(&mut self) {
        self.go_to(Frame(0));
        if !self.run().log().is_empty() {
            self.branch_off();
        }
    }

    /// Switches to another run. The old run becomes the comparison run. Starts a seek to the
    /// current frame, or to the last frame of the new run if that run is shorter.
    ///
    /// Does nothing if the run does not exist or is already current.
    pub fn switch_run(&mut self, run: RunId) {
        if run == self.present || !self.runs.contains(run) {
            return;
        }
        let frame = self.frame().min(self.runs[run].end());
        let left = core::mem::replace(&mut self.present, run);
        self.switched_from(left);
        self.seek_from_stored(frame);
    }

    /// Switches to the latest stored frame of the current run up to `frame`, and starts a seek to
    /// `frame`. Until the seek is complete, the stored frame is the current frame.
    fn seek_from_stored(&mut self, frame: Frame) {
        self.runs[self.present].restore_latest(&mut self.world, frame);
        self.before.copy_frame(&self.world);
        self.seek(frame);
    }

    /// Returns the last frame that two runs share. Returns frame 0 if the runs have no common
    /// ancestor.
    pub fn parted(&self, one: RunId, other: RunId) -> Frame {
        self.runs.parted(one, other)
    }
}

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

impl History {
    /// Stores the current frame before a step.
    pub(super) fn store_previous(&mut self) {
        self.previous.copy_frame(&self.world);
    }

    /// Makes the stored frame the previous frame after a step. Copies the routes that the step
    /// planned, so that explanations can reuse them.
    pub(super) fn take_previous(&mut self) {
        core::mem::swap(&mut self.before, &mut self.previous);
        self.before.learn_routes(&self.world);
    }
}

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

#[cfg(test)]
mod cancellation_tests {
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

#[cfg(test)]
mod previous_tests {
    use std::sync::Arc;

    use super::History;
    use crate::agent::Drive;
    use crate::geom::Vec2;
    use crate::map::{Edges, Map};
    use crate::scenario::builder::{Agent, Builder};
    use crate::steering::Target;
    use crate::time::Frame;
    use crate::world::DriveState;

    #[test]
    fn the_previous_frame_knows_the_routes_of_the_step() {
        let map = Map::drawn(&["........", "...##...", "........"], Edges::Wall).unwrap();
        let mut builder = Builder::new(map);
        let travel = Drive::Travel { target: Target::Point(Vec2::new(7.5, 2.5)) };
        let agent = builder.add(Agent::new("a", Vec2::new(0.5, 0.5)).drive(travel));
        let mut history = History::new(Arc::new(builder.build().unwrap()), 1 << 20);
        let knows_route = |history: &History| {
            let DriveState::Travel { progress: Some(progress), .. } =
                history.world().drive_state(agent)
            else {
                return false;
            };
            history.before().route_cache.known(agent, progress).is_some()
        };
        (0..10).for_each(|_| history.step(&[]));
        assert!(knows_route(&history));
        history.go_to(Frame(7));
        assert!(knows_route(&history));
    }
}
