//! One run: what it began with, what was done to it, and how far it has come.
//!
//! Any of its frames can be made again, to the bit: from the latest one that was kept, with the same
//! commands.

use std::sync::Arc;

use crate::cancel::Cancel;
use crate::command::Command;
use crate::scenario::Scenario;
use crate::step::try_step;
use crate::time::Frame;
use crate::world::World;

use super::events::Events;
use super::log::Log;
use super::snapshots::{Snapshot, Snapshots};

/// Which run of a history: the first is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunId(pub u32);

/// Where a run parts from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Branch {
    /// From which one.
    pub parent: RunId,
    /// The last frame they share.
    pub at: Frame,
}

/// One run.
#[derive(Debug, Clone)]
pub struct Run {
    start: Arc<Scenario>,
    branch: Option<Branch>,
    log: Log,
    /// The last frame that has been made.
    end: Frame,
    snapshots: Snapshots,
    events: Events,
    /// State hashes that were recorded, ascending by frame.
    checks: Vec<(Frame, u64)>,
    divergence: Option<Divergence>,
    /// Cancels steps of worlds that replay this run.
    pub(super) cancel: Cancel,
}

/// A frame of a recorded run that is no longer what it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Divergence {
    /// Up to here it was the same, as far as is known.
    pub same_until: Frame,
    /// The first frame that is known to differ.
    pub at: Frame,
    /// The state hash that was recorded.
    pub recorded: u64,
    /// The one it has now.
    pub found: u64,
}

impl Run {
    /// A run that begins with a scenario.
    pub(super) fn new(start: Arc<Scenario>, budget: usize) -> Self {
        let snapshots = Snapshots::new(budget);
        Self {
            start,
            branch: None,
            log: Log::default(),
            end: Frame(0),
            snapshots,
            events: Events::default(),
            checks: Vec::new(),
            divergence: None,
            cancel: Cancel::default(),
        }
    }

    /// A run as it was recorded; nothing of it has been made yet.
    pub(super) fn recorded(
        start: Arc<Scenario>,
        branch: Option<Branch>,
        log: Log,
        end: Frame,
        checks: Vec<(Frame, u64)>,
        budget: usize,
    ) -> Self {
        Self { branch, log, end, checks, ..Self::new(start, budget) }
    }

    /// The same commands, as far as their agents are in another scenario, by name; nothing of it has
    /// been made yet. `retune` says what becomes of a scenario that took the place of another.
    pub(super) fn again(
        &self,
        scenario: Arc<Scenario>,
        branch: Branch,
        budget: usize,
        mut retune: impl FnMut(&Scenario, &Scenario) -> Option<Arc<Scenario>>,
    ) -> Self {
        let mut log = Log::default();
        let (mut old, mut new) = (&self.start, Arc::clone(&scenario));
        for (frame, command) in self.log.iter() {
            log.push(frame, command.for_agents_of(old, &new).as_slice());
            if let Command::Reload(reloaded) = command {
                if let Some(retuned) = retune(old, reloaded) {
                    log.push(frame, &[Command::Reload(Arc::clone(&retuned))]);
                    new = retuned;
                }
                old = reloaded;
            }
        }
        Self { branch: Some(branch), log, end: self.end, ..Self::new(scenario, budget) }
    }

    /// A run with another scenario, to which nothing has been done yet.
    pub(super) fn anew(scenario: Arc<Scenario>, branch: Branch, budget: usize) -> Self {
        Self { branch: Some(branch), ..Self::new(scenario, budget) }
    }

    /// A run that is the same up to the frame where it parts.
    pub(super) fn part(&self, branch: Branch) -> Self {
        let mut snapshots = self.snapshots.clone();
        snapshots.cut(branch.at);
        Self {
            start: Arc::clone(&self.start),
            branch: Some(branch),
            log: self.log.until(branch.at),
            end: branch.at,
            snapshots,
            events: self.events.until(branch.at),
            checks: self.checks.iter().copied().filter(|&(frame, _)| frame <= branch.at).collect(),
            divergence: self.divergence.filter(|divergence| divergence.at <= branch.at),
            cancel: self.cancel.clone(),
        }
    }

    /// The scenario of frame 0.
    pub fn start(&self) -> &Arc<Scenario> {
        &self.start
    }

    /// Whence it parts; `None` for the first.
    pub fn branch(&self) -> Option<Branch> {
        self.branch
    }

    /// What was done to it.
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// The last frame that has been made: its recorded present.
    pub fn end(&self) -> Frame {
        self.end
    }

    /// The frames that are kept.
    pub fn snapshots(&self) -> &Snapshots {
        &self.snapshots
    }

    /// What happened, up to its end.
    pub fn events(&self) -> &Events {
        &self.events
    }

    /// Adds commands of the frame after the last one.
    pub(super) fn obey(&mut self, commands: &[Command]) {
        self.log.push(self.end.next(), commands);
    }

    /// Removes the commands that were added for a step that was cancelled.
    pub(super) fn forget_commands(&mut self) {
        self.log.truncate(self.end);
    }

    /// Makes the next frame of a world of this run, with the commands of the log.
    /// Returns false if the step was cancelled.
    pub(super) fn replay(&mut self, world: &mut World) -> bool {
        if !self.repeat(world) {
            return false;
        }
        self.snapshots.note(world);
        self.end = self.end.max(world.frame());
        if world.frame() == self.events.known_until().next() {
            self.events.note(world.frame(), world.events());
            self.check(world);
        }
        true
    }

    /// Makes a frame again that has been made, without keeping it.
    /// Returns false if the step was cancelled.
    pub(super) fn repeat(&self, world: &mut World) -> bool {
        try_step(world, self.log.at(world.frame().next()))
    }

    /// Compares a frame with what was recorded of it.
    fn check(&mut self, world: &World) {
        let known = self.checks.binary_search_by_key(&world.frame(), |&(frame, _)| frame);
        let (Ok(index), None) = (known, self.divergence) else { return };
        let (at, recorded) = self.checks[index];
        let found = world.hash();
        if recorded != found {
            let before = index.checked_sub(1).map(|index| self.checks[index].0);
            let same_until = before.unwrap_or_default();
            self.divergence = Some(Divergence { same_until, at, recorded, found });
        }
    }

    /// Where it is no longer what was recorded, as far as it has been made again.
    pub fn divergence(&self) -> Option<Divergence> {
        self.divergence
    }

    /// The frames whose state hash was recorded.
    pub fn checks(&self) -> impl ExactSizeIterator<Item = Frame> {
        self.checks.iter().map(|&(frame, _)| frame)
    }

    /// Leads a world of this run to a frame, as long as there is time; says whether it is there.
    pub(super) fn lead(
        &mut self,
        world: &mut World,
        target: Frame,
        mut in_time: impl FnMut() -> bool,
    ) -> bool {
        self.jump(world, target);
        while world.frame() < target {
            if !self.replay(world) || !in_time() {
                break;
            }
        }
        world.frame() == target
    }

    /// Puts a world of this run to the latest kept frame that is not after the target, unless it is
    /// nearer itself.
    pub(super) fn jump(&self, world: &mut World, target: Frame) {
        let latest = self.snapshots.latest(target);
        let at = latest.map_or(Frame(0), Snapshot::frame);
        if !(at..=target).contains(&world.frame()) {
            self.put_near(world, target);
        }
    }

    /// Puts a world of any run to the latest kept frame of this one that is not after the target.
    pub(super) fn put_near(&self, world: &mut World, target: Frame) {
        match self.snapshots.latest(target) {
            Some(snapshot) => snapshot.put_back(world),
            None => self.begin(world),
        }
    }

    /// Makes some frames of the gap between keyframes that one comes to next on the way back from a
    /// frame, so that they are kept by then. `world` is any world of this run; it stays on its way
    /// through the gap.
    pub(super) fn prepare(&mut self, world: &mut World, frame: Frame, count: u64) {
        let Some([before, here]) = self.snapshots.gap_before(frame) else { return };
        let end = here.frame();
        if !(before.frame()..=end).contains(&world.frame()) {
            before.put_back(world);
        }
        for _ in 0..count.min(end.0 - world.frame().0) {
            if !self.replay(world) {
                break;
            }
        }
    }

    /// The frames that are kept take so many bytes at most.
    pub(super) fn set_budget(&mut self, budget: usize) {
        self.snapshots.set_budget(budget);
    }

    /// Keeps its frame 0.
    pub(super) fn keep(&mut self, world: &World) {
        self.snapshots.note(world);
    }

    /// Forgets the frames that are kept after the one where it parted, or all: it can be made again.
    pub(super) fn forget(&mut self) {
        self.snapshots.cut(self.branch.map_or(Frame(0), |branch| branch.at));
    }

    /// Frame 0 in a new world, whose steps can be cancelled like those of the history.
    pub(super) fn first(&self) -> World {
        let mut world = World::new(Arc::clone(&self.start));
        world.set_cancel(self.cancel.clone());
        world
    }

    /// Puts a world of any run to frame 0 of this one.
    pub(super) fn begin(&self, world: &mut World) {
        let mut first = self.first();
        first.take_cancel(world);
        *world = first;
    }
}
