//! The tree of runs of a map, with replay, seeking and branching.
//!
//! A run is a scenario and a log of commands. A [`History`] has one current run, and one frame of
//! this run is the current frame. Some frames are stored (see [`snapshots`]). Any other frame is
//! simulated again with the same commands, starting at the latest stored frame before it.
//!
//! A change in the past starts a new run that branches off at that frame. The old run becomes the
//! comparison run, and the user can return to it. A changed value or file is a command, too: it carries
//! the new scenario. Agents that are present in both scenarios continue (see `world::adopt`).
//!
//! A short seek back also prefetches part of the previous keyframe interval: two frames per frame
//! of the seek. Later steps back thus never wait for a whole interval.
//!
//! This module reads no clock and opens no file. To seek a distant frame, the caller passes a
//! callback that returns false at the time limit. Then the caller calls again.

pub mod bookmarks;
pub mod breaks;
mod cancellation;
mod comparison;
pub mod diff;
pub mod divergence;
pub mod events;
mod format;
mod previous;
pub mod recorder;
pub mod recording;
mod reload;
pub mod run;
pub mod runs;
pub mod search;
mod snapshots;

use std::sync::Arc;

use crate::cancel::Cancel;
use crate::command::Command;
use crate::scenario::Scenario;
use crate::step::try_step;
use crate::time::Frame;
use crate::world::World;

use breaks::Breaks;
use comparison::ComparisonRun;
pub use comparison::OtherSide;
use recording::Recording;
pub use run::Log;
pub use run::ReplayRange;
use run::{Branch, Run, RunId};
use runs::Runs;

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
    /// Memory limit for stored frames and old runs, in bytes (see [`old_runs`]). The stored frames
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
    /// also starts a new run.
    pub fn step(&mut self, commands: &[Command]) {
        self.world.set_cancel(Cancel::default());
        self.store_previous();
        self.advance(commands);
        self.take_previous();
        self.world.set_cancel(self.cancel.clone());
        self.settle(|| false);
    }

    /// Advances by up to `frames` frames. Returns the number of frames advanced.
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
        while made < frames {
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
    /// end of the run simulates the missing frames.
    pub fn seek(&mut self, frame: Frame) {
        self.sought = Some(frame);
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
