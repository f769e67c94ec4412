//! Runs, and seeking in them.
//!
//! A [`History`] is a tree of runs and shows one frame of one run, the current frame. A run is a
//! scenario and a log of commands. Some frames are stored (see [`snapshots`]). Any other frame is
//! simulated again from the latest stored one, with the same commands.
//!
//! A change in the past starts a new run that branches off at that frame. The old run becomes the
//! ghost; the user can return to it. A changed value or file is a command, too: it carries the new
//! scenario, and agents present in both scenarios continue (see `world::adopt`).
//!
//! After a short step back, the keyframe interval before it is simulated ahead of time, two frames
//! per step, so that no later step has to wait for a whole interval.
//!
//! This module reads no clock and opens no file. A caller that seeks a distant frame passes in a
//! callback that says when its time is up, and calls again.

pub mod breaks;
pub mod diff;
pub mod events;
mod ghost;
pub mod log;
pub mod markers;
pub mod parting;
pub mod passage;
pub mod recorder;
pub mod recording;
mod reload;
pub mod run;
pub mod search;
pub mod snapshots;
pub mod wire;

use std::sync::Arc;

use crate::cancel::Cancel;
use crate::command::Command;
use crate::scenario::Scenario;
use crate::time::Frame;
use crate::world::World;

use breaks::Breaks;
use ghost::Ghost;
use recording::Recording;
use run::{Branch, Run, RunId};

/// Bytes the kept frames of a history take at most, unless somebody wishes otherwise.
pub const DEFAULT_BUDGET: usize = 64 << 20;

/// Frames of a way back after which another may follow.
const SHORT: u64 = 16;

/// Frames that are made ahead for each frame that is gone back.
const AHEAD: u64 = 2;

/// All runs of a map, and the frame that is looked at.
#[derive(Debug, Clone)]
pub struct History {
    runs: Vec<Run>,
    present: RunId,
    world: World,
    /// The frame before; at frame 0 the same.
    before: World,
    /// The frame before a step, until the step is complete.
    previous: World,
    /// Is on its way to the frame that is sought, through the present run.
    scout: World,
    sought: Option<Frame>,
    /// Goes ahead of somebody who steps back, through the frames that come next.
    vanguard: World,
    ghost: Option<Ghost>,
    /// Bytes that what is kept takes: of the present run three quarters, of the ghost's the rest.
    budget: usize,
    /// Counts every change of what lies behind or ahead of a frame: branches and returns.
    turns: u64,
    /// Cancels the steps of all worlds and runs.
    cancel: Cancel,
}

impl History {
    /// Frame 0 of a scenario; what is kept takes `budget` bytes at most.
    pub fn new(scenario: Arc<Scenario>, budget: usize) -> Self {
        let world = World::new(Arc::clone(&scenario));
        let mut run = Run::new(scenario, budget - budget / 4);
        run.keep(&world);
        Self {
            runs: vec![run],
            present: RunId(0),
            before: world.clone(),
            previous: world.clone(),
            scout: world.clone(),
            vanguard: world.clone(),
            world,
            sought: None,
            ghost: None,
            budget,
            turns: 0,
            cancel: Cancel::default(),
        }
    }

    /// Frame 0 of the first run of a recording; `scenarios` are those of [`Recording::compile`], what
    /// is kept takes `budget` bytes at most.
    ///
    /// # Panics
    /// When there are fewer scenarios than the recording has.
    pub fn replay(recording: &Recording, scenarios: &[Arc<Scenario>], budget: usize) -> Self {
        let runs = recording.runs(scenarios, budget - budget / 4);
        let mut history = Self::new(Arc::clone(runs[0].start()), budget);
        history.runs = runs;
        history.runs[0].keep(&history.world);
        history
    }

    /// Lets another thread cancel steps. A cancelled step changes nothing; what it was part of ends
    /// early, as if its time was up. Steps of [`History::step`] are not cancelled, as their commands
    /// would be lost.
    pub fn set_cancel(&mut self, cancel: &Cancel) {
        let worlds = [
            &mut self.world,
            &mut self.before,
            &mut self.previous,
            &mut self.scout,
            &mut self.vanguard,
        ];
        for world in worlds {
            world.set_cancel(cancel.clone());
        }
        for run in &mut self.runs {
            run.cancel = cancel.clone();
        }
        if let Some(ghost) = &mut self.ghost {
            ghost.set_cancel(cancel.clone());
        }
        self.cancel = cancel.clone();
    }

    /// The flag that cancels steps.
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// The frame that is looked at.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The frame before it; at frame 0 the same.
    pub fn before(&self) -> &World {
        &self.before
    }

    /// The number of the frame that is looked at.
    pub fn frame(&self) -> Frame {
        self.world.frame()
    }

    /// The commands that led to the frame that is looked at.
    pub fn commands(&self) -> &[Command] {
        self.run().log().at(self.frame())
    }

    /// The run that is looked at.
    pub fn run(&self) -> &Run {
        &self.runs[self.present.0 as usize]
    }

    /// Which run is looked at.
    pub fn present(&self) -> RunId {
        self.present
    }

    /// All runs, the first one first; the index is the number of a [`RunId`].
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// Changes whenever frames that were looked at before may not be part of the present run.
    pub fn turns(&self) -> u64 {
        self.turns
    }

    /// Makes the next frame. Up to the recorded present it is the one that was recorded; a command
    /// before that parts from there.
    pub fn step(&mut self, commands: &[Command]) {
        self.world.set_cancel(Cancel::default());
        self.keep_previous();
        self.advance(commands);
        core::mem::swap(&mut self.before, &mut self.previous);
        self.world.set_cancel(self.cancel.clone());
        self.settle(|| true);
    }

    /// Makes up to `frames` frames, as long as there is time and nothing stops it; says how many.
    /// `ask` gives the command for the frame after a world, `seen` is shown every frame.
    pub fn run_on(
        &mut self,
        frames: u32,
        breaks: &mut Breaks,
        mut ask: impl FnMut(&World) -> Option<Command>,
        mut seen: impl FnMut(&World),
        mut in_time: impl FnMut() -> bool,
    ) -> u32 {
        let watched = breaks.are_watching();
        let mut made = 0;
        while made < frames {
            let last = made + 1 == frames || !in_time();
            let keep = last || watched;
            if keep {
                self.keep_previous();
            }
            if !self.advance(ask(&self.world).as_slice()) {
                break;
            }
            made += 1;
            if keep {
                core::mem::swap(&mut self.before, &mut self.previous);
            }
            seen(&self.world);
            let stopped = watched && breaks.stop(&self.before, &self.world);
            if last || stopped {
                break;
            }
        }
        self.settle(in_time);
        made
    }

    fn keep_previous(&mut self) {
        self.previous.restore(self.world.scenario(), self.world.frame(), self.world.state());
    }

    /// Returns false and changes nothing if the step was cancelled.
    fn advance(&mut self, commands: &[Command]) -> bool {
        self.sought = None;
        if !commands.is_empty() {
            if self.frame() < self.run().end() {
                self.part();
            }
            self.runs[self.present.0 as usize].obey(commands);
        }
        let run = &mut self.runs[self.present.0 as usize];
        let complete = run.replay(&mut self.world);
        if !complete && !commands.is_empty() {
            run.forget_commands();
        }
        complete
    }

    /// From the frame that is looked at a new run begins; the old one becomes the ghost.
    fn part(&mut self) {
        let branch = Branch { parent: self.present, at: self.frame() };
        self.open(self.run().part(branch));
    }

    fn open(&mut self, mut run: Run) {
        run.cancel = self.cancel.clone();
        let left = self.present;
        self.present = RunId(self.runs.len() as u32);
        self.runs.push(run);
        self.turn_from(left);
    }

    /// The present run is another one than before.
    fn turn_from(&mut self, left: RunId) {
        self.turns += 1;
        if let Some(old) = self.ghost.take() {
            self.runs[old.run().0 as usize].forget();
        }
        let run = &mut self.runs[left.0 as usize];
        run.set_budget(self.budget / 4);
        self.ghost = Some(Ghost::of(left, run, &self.world));
        let present = &mut self.runs[self.present.0 as usize];
        present.set_budget(self.budget - self.budget / 4);
        present.begin(&mut self.scout);
        present.begin(&mut self.vanguard);
        self.sought = None;
    }

    /// Begins to look for a frame; one after the recorded present is made. [`History::pursue`] finds
    /// it.
    pub fn seek(&mut self, frame: Frame) {
        self.sought = Some(frame);
    }

    /// The frame that is sought, and how near to it the search has come.
    pub fn sought(&self) -> Option<(Frame, Frame)> {
        self.sought.map(|sought| (sought, self.scout.frame()))
    }

    /// Stays where it is.
    pub fn give_up(&mut self) {
        self.sought = None;
    }

    /// Looks on for the frame that is sought, as long as there is time; says whether it is found.
    /// Until then the frame that is looked at stays.
    pub fn pursue(&mut self, mut in_time: impl FnMut() -> bool) -> bool {
        let Some(sought) = self.sought else { return true };
        let run = &mut self.runs[self.present.0 as usize];
        let before = Frame(sought.0.saturating_sub(1));
        if !run.lead(&mut self.scout, before, &mut in_time) {
            return false;
        }
        self.previous.restore(self.scout.scenario(), self.scout.frame(), self.scout.state());
        if sought > before && !run.replay(&mut self.scout) {
            return false;
        }
        core::mem::swap(&mut self.before, &mut self.previous);
        core::mem::swap(&mut self.world, &mut self.scout);
        self.sought = None;
        // The scout is now where one comes from. After a short way back, another may follow.
        let back = self.scout.frame().0.saturating_sub(sought.0);
        if (1..=SHORT).contains(&back) {
            run.prepare(&mut self.vanguard, sought, AHEAD * back);
        }
        self.settle(in_time);
        true
    }

    /// Goes to a frame, however long that takes.
    pub fn go_to(&mut self, frame: Frame) {
        self.seek(frame);
        while !self.pursue(|| true) {}
    }

    /// Begins anew at frame 0, without anything that was done; where nothing was done, it just goes
    /// there.
    pub fn restart(&mut self) {
        self.go_to(Frame(0));
        if !self.run().log().is_empty() {
            self.part();
        }
    }

    /// Looks at another run, at the same frame if that has come so far; the run that is left becomes
    /// the ghost. One that does not exist changes nothing.
    pub fn return_to(&mut self, run: RunId) {
        if run == self.present || run.0 as usize >= self.runs.len() {
            return;
        }
        let frame = self.frame().min(self.runs[run.0 as usize].end());
        let left = core::mem::replace(&mut self.present, run);
        self.turn_from(left);
        self.begin_near(frame);
    }

    /// Looks at a frame of the present run that is kept, and seeks a later one. What is looked at
    /// never belongs to another run.
    fn begin_near(&mut self, frame: Frame) {
        self.runs[self.present.0 as usize].put_near(&mut self.world, frame);
        self.before.restore(self.world.scenario(), self.world.frame(), self.world.state());
        self.seek(frame);
    }

    /// The last frame that two runs share.
    pub fn parted(&self, one: RunId, other: RunId) -> Frame {
        let (mut one, mut other) = (one, other);
        let mut shared = self.runs[one.0 as usize].end().min(self.runs[other.0 as usize].end());
        // A run is younger than the one it parts from.
        while one != other {
            let younger = if one > other { &mut one } else { &mut other };
            let Some(branch) = self.runs[younger.0 as usize].branch() else { return Frame(0) };
            *younger = branch.parent;
            shared = shared.min(branch.at);
        }
        shared
    }

    /// The run that was left last.
    pub fn ghost(&self) -> Option<RunId> {
        self.ghost.as_ref().map(Ghost::run)
    }

    /// The ghost at the frame that is looked at; `None` where it had not come so far, or as long as
    /// it has not been made again.
    pub fn ghost_world(&self) -> Option<&World> {
        self.ghost.as_ref().map(Ghost::world).filter(|world| world.frame() == self.frame())
    }

    /// The ghost is seen no more. Its run can still be returned to.
    pub fn dismiss_ghost(&mut self) {
        if let Some(ghost) = self.ghost.take() {
            self.runs[ghost.run().0 as usize].forget();
        }
    }

    /// Is the ghost at the frame that is looked at, as far as it ever came?
    pub fn is_settled(&self) -> bool {
        let Some(ghost) = &self.ghost else { return true };
        let end = self.runs[ghost.run().0 as usize].end();
        ghost.world().frame() == self.frame() || self.frame() > end
    }

    /// Leads the ghost to the frame that is looked at, as long as there is time; says whether it has
    /// arrived or has not come so far.
    pub fn settle(&mut self, in_time: impl FnMut() -> bool) -> bool {
        let frame = self.frame();
        let Some(ghost) = &mut self.ghost else { return true };
        ghost.follow(&mut self.runs[ghost.run().0 as usize], frame, in_time)
    }
}
