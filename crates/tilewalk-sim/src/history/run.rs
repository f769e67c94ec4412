//! One run: the scenario at frame 0, the commands, the stored frames and the event log.
//!
//! Every other frame can be simulated again, bit for bit. The simulation starts at the latest
//! stored frame before it and uses the commands in between.
//!
//! A [`ReplayRange`] replays a range of frames and passes each frame to a callback. It uses a
//! separate world, stores nothing in the history, and can be interrupted after each frame.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::cancel::Cancel;
use crate::command::Command;
use crate::event::Event;
use crate::history::snapshots::{Snapshot, Snapshots};
use crate::scenario::Scenario;
use crate::step::try_step;
use crate::time::Frame;
use crate::world::World;

/// Identifies a run of a history. Runs are numbered in the order in which they were created.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunId(pub u32);

/// The point where a run branches off from its parent run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Branch {
    /// The id of the run from which the new run branches off.
    pub parent: RunId,
    /// The last frame that both runs share.
    pub at: Frame,
}

/// A run of a history: the scenario at frame 0, the commands, and the stored frames.
#[derive(Debug, Clone)]
pub struct Run {
    start: Arc<Scenario>,
    branch: Option<Branch>,
    log: Log,
    /// The last frame of the run. Frames up to `end` may not be simulated yet.
    end: Frame,
    snapshots: Snapshots,
    events: Events,
    /// The last frame of this run in the recording. `None` if the run is not recorded.
    recorded_end: Option<Frame>,
    /// Recorded state hashes, ascending by frame.
    checks: Vec<(Frame, u64)>,
    divergence: Option<Divergence>,
    /// The flag that cancels steps of worlds that replay this run.
    pub(super) cancel: Cancel,
}

/// The first difference between a replayed run and its recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Divergence {
    /// The last checked frame that matches the recording; frame 0 if no checked frame matches.
    pub same_until: Frame,
    /// The first checked frame that differs from the recording. Only some frames have a recorded
    /// hash.
    pub at: Frame,
    /// State hash of frame `at` in the recording.
    pub recorded: u64,
    /// State hash of frame `at` in the replay.
    pub found: u64,
}

impl Run {
    /// Creates a run without commands, at frame 0 of a scenario.
    pub(super) fn new(start: Arc<Scenario>, budget: usize) -> Self {
        let snapshots = Snapshots::new(budget);
        Self {
            start,
            branch: None,
            log: Log::default(),
            end: Frame(0),
            snapshots,
            events: Events::default(),
            recorded_end: None,
            checks: Vec::new(),
            divergence: None,
            cancel: Cancel::default(),
        }
    }

    /// Creates a run from a recording. No frame is simulated yet.
    pub(super) fn recorded(
        start: Arc<Scenario>,
        branch: Option<Branch>,
        log: Log,
        end: Frame,
        checks: Vec<(Frame, u64)>,
        budget: usize,
    ) -> Self {
        Self { branch, log, end, recorded_end: Some(end), checks, ..Self::new(start, budget) }
    }

    /// Creates a run with another scenario and the commands of this run. Agents are matched by
    /// name. No frame is simulated yet.
    ///
    /// For each [`Command::Reload`], `retune` is called with the scenarios before and after the
    /// command. `retune` returns the scenario for the new command, or `None` to drop the command.
    pub(super) fn with_scenario(
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

    /// Creates a run with another scenario, without commands.
    pub(super) fn without_commands(scenario: Arc<Scenario>, branch: Branch, budget: usize) -> Self {
        Self { branch: Some(branch), ..Self::new(scenario, budget) }
    }

    /// Creates a run that shares all frames of this run up to the branch point.
    pub(super) fn branched(&self, branch: Branch) -> Self {
        let mut snapshots = self.snapshots.clone();
        snapshots.cut(branch.at);
        Self {
            start: Arc::clone(&self.start),
            branch: Some(branch),
            log: self.log.until(branch.at),
            end: branch.at,
            snapshots,
            events: self.events.until(branch.at),
            recorded_end: None,
            checks: self.checks.iter().copied().filter(|&(frame, _)| frame <= branch.at).collect(),
            divergence: self.divergence.filter(|divergence| divergence.at <= branch.at),
            cancel: self.cancel.clone(),
        }
    }

    /// Returns the scenario at frame 0. Later frames can have another scenario.
    pub fn start(&self) -> &Arc<Scenario> {
        &self.start
    }

    /// Returns the scenario at a frame, which is that of the last reload until then.
    pub fn scenario_at(&self, frame: Frame) -> &Arc<Scenario> {
        self.log.scenario_at(frame).unwrap_or(&self.start)
    }

    /// Iterates over the scenarios of the run in order, starting with the scenario at frame 0.
    pub fn scenarios(&self) -> impl Iterator<Item = &Arc<Scenario>> {
        core::iter::once(&self.start).chain(self.log.scenarios())
    }

    /// Returns the point where the run branches off from its parent. Returns `None` for a run
    /// without a parent.
    pub fn branch(&self) -> Option<Branch> {
        self.branch
    }

    pub(super) fn set_branch(&mut self, branch: Option<Branch>) {
        self.branch = branch;
    }

    /// Returns all commands of the run since frame 0, including the commands shared with its
    /// parent.
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// Returns the last frame of the run. In a recorded or reloaded run, this frame may not be
    /// simulated yet.
    pub fn end(&self) -> Frame {
        self.end
    }

    /// Returns the last frame that can be compared with another run: the end of the trace that agents
    /// follow, or else the last frame of the run.
    pub(super) fn compared_end(&self) -> Frame {
        self.start().end().map_or(self.end, |trace| trace.max(self.end))
    }

    /// Returns the last frame of this run in the recording. Returns `None` if the run does not come
    /// from a recording. A step from this frame starts a new run.
    pub fn recorded_end(&self) -> Option<Frame> {
        self.recorded_end
    }

    /// Returns the stored frames, from which other frames are simulated.
    pub fn snapshots(&self) -> &Snapshots {
        &self.snapshots
    }

    /// Returns the event log with the events of all frames simulated so far.
    pub fn events(&self) -> &Events {
        &self.events
    }

    /// Appends commands for the step after the last frame.
    pub(super) fn push_commands(&mut self, commands: &[Command]) {
        self.log.push(self.end.next(), commands);
    }

    /// Removes the commands of a cancelled step.
    pub(super) fn drop_commands(&mut self) {
        self.log.truncate(self.end);
    }

    /// Advances a world of this run by one frame with the commands of the log. Stores snapshots and
    /// events for later seeks. Returns false if the step was cancelled.
    pub(super) fn replay(&mut self, world: &mut World) -> bool {
        let complete = self.repeat(world);
        if complete {
            self.note(world);
        }
        complete
    }

    /// Stores a newly simulated frame and its events for later seeks.
    pub(super) fn note(&mut self, world: &World) {
        self.snapshots.note(world);
        self.end = self.end.max(world.frame());
        if world.frame() == self.events.last_frame().next() {
            self.events.note(world.frame(), world.events());
            self.check(world);
        }
    }

    /// Advances a world of this run by one frame with the commands of the log. Stores nothing.
    /// Returns false if the step was cancelled.
    pub(super) fn repeat(&self, world: &mut World) -> bool {
        try_step(world, self.log.at(world.frame().next()))
    }

    /// Compares the state hash of a frame with the recorded hash. Does nothing if the frame has no
    /// recorded hash.
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

    /// Returns the first difference from the recorded state hashes. Returns `None` if all frames
    /// replayed so far match.
    pub fn divergence(&self) -> Option<Divergence> {
        self.divergence
    }

    /// Returns the recorded state hashes with their frames, ascending by frame. Empty if the run
    /// has no recorded hashes.
    pub fn checks(&self) -> &[(Frame, u64)] {
        &self.checks
    }

    /// Advances a world of this run towards frame `target` while `in_time` returns true. Returns
    /// true if the world is at frame `target`.
    pub(super) fn advance_to(
        &mut self,
        world: &mut World,
        target: Frame,
        mut in_time: impl FnMut() -> bool,
    ) -> bool {
        self.restore_near(world, target);
        while world.frame() < target {
            if !self.replay(world) || !in_time() {
                break;
            }
        }
        world.frame() == target
    }

    /// Restores a world of this run from the latest stored frame up to `target`. Does nothing if
    /// the world is already between that frame and `target`.
    pub(super) fn restore_near(&self, world: &mut World, target: Frame) {
        let latest = self.snapshots.latest(target);
        let at = latest.map_or(Frame(0), Snapshot::frame);
        if !(at..=target).contains(&world.frame()) {
            self.restore_latest(world, target);
        }
    }

    /// Restores a world from this run's latest stored frame up to `target`. `world` may belong to
    /// any run.
    pub(super) fn restore_latest(&self, world: &mut World, target: Frame) {
        match self.snapshots.latest(target) {
            Some(snapshot) => snapshot.restore(world),
            None => self.reset(world),
        }
    }

    /// Simulates and stores up to `count` frames for later seeks. The frames belong to the last
    /// complete keyframe interval before `frame`.
    ///
    /// `world` can be any world of this run. Pass the same world again to continue within the
    /// interval.
    pub(super) fn prefetch(&mut self, world: &mut World, frame: Frame, count: u64) {
        let Some([before, here]) = self.snapshots.gap_before(frame) else { return };
        let end = here.frame();
        if !(before.frame()..=end).contains(&world.frame()) {
            before.restore(world);
        }
        for _ in 0..count.min(end.0 - world.frame().0) {
            if !self.replay(world) {
                break;
            }
        }
    }

    /// Sets the memory limit for stored frames, in bytes.
    pub(super) fn set_budget(&mut self, budget: usize) {
        self.snapshots.set_budget(budget);
    }

    /// Stores frame 0 of this run, given the world at that frame.
    pub(super) fn store(&mut self, world: &World) {
        self.snapshots.note(world);
    }

    /// Drops the stored frames after the branch point. If the run has no branch point, drops the
    /// stored frames after frame 0.
    pub(super) fn drop_stored(&mut self) {
        self.snapshots.cut(self.branch.map_or(Frame(0), |branch| branch.at));
    }

    /// Returns a new world at frame 0, whose steps can be cancelled.
    pub(super) fn first(&self) -> World {
        let mut world = World::new(Arc::clone(&self.start));
        world.set_cancel(self.cancel.clone());
        world
    }

    /// Resets a world to frame 0 of this run. `world` may belong to any run.
    pub(super) fn reset(&self, world: &mut World) {
        let mut first = self.first();
        first.take_cancel(world);
        *world = first;
    }
}

/// The commands of a run, ordered by frame.
#[derive(Debug, Clone, Default)]
pub struct Log {
    /// The frame after the step of each command, ascending.
    frames: Vec<Frame>,
    commands: Vec<Command>,
    /// The scenarios of the reloads among the commands, with the frames after their steps. Events
    /// look up their scenarios here, because a run can have many other commands.
    reloads: Vec<(Frame, Arc<Scenario>)>,
}

impl Log {
    /// Returns the commands of the step to `frame`, in the order of their execution. The slice is
    /// empty if the step has no commands.
    pub fn at(&self, frame: Frame) -> &[Command] {
        let from = self.frames.partition_point(|&other| other < frame);
        let to = from + self.frames[from..].partition_point(|&other| other == frame);
        &self.commands[from..to]
    }

    /// Returns the scenario of the last reload up to and including `frame`. Returns `None` if there
    /// is no such reload.
    pub(super) fn scenario_at(&self, frame: Frame) -> Option<&Arc<Scenario>> {
        let count = self.reloads.partition_point(|&(at, _)| at <= frame);
        self.reloads[..count].last().map(|(_, scenario)| scenario)
    }

    /// Iterates over the scenarios of all reloads, in order.
    pub(super) fn scenarios(&self) -> impl Iterator<Item = &Arc<Scenario>> {
        self.reloads.iter().map(|(_, scenario)| scenario)
    }

    /// Appends commands for the step to `frame`.
    ///
    /// # Panics
    /// Panics if the log contains commands for later frames.
    pub(crate) fn push(&mut self, frame: Frame, commands: &[Command]) {
        assert!(self.frames.last().is_none_or(|&last| last <= frame), "a log only grows");
        self.frames.extend(commands.iter().map(|_| frame));
        self.commands.extend_from_slice(commands);
        self.reloads.extend(commands.iter().filter_map(|command| match command {
            Command::Reload(scenario) => Some((frame, Arc::clone(scenario))),
            Command::Drive { .. } | Command::Place { .. } => None,
        }));
    }

    /// Returns a copy with the commands up to and including `frame`.
    #[must_use]
    pub(crate) fn until(&self, frame: Frame) -> Self {
        let mut log = self.clone();
        log.truncate(frame);
        log
    }

    /// Removes the commands of all frames after `frame`.
    pub(super) fn truncate(&mut self, frame: Frame) {
        let count = self.frames.partition_point(|&other| other <= frame);
        self.frames.truncate(count);
        self.commands.truncate(count);
        self.reloads.truncate(self.reloads.partition_point(|&(at, _)| at <= frame));
    }

    /// Returns the number of commands over all frames.
    pub fn len(&self) -> usize {
        self.commands.len()
    }

    /// Returns the memory of the commands in bytes, without their scenarios.
    pub(super) fn bytes(&self) -> usize {
        self.commands.len() * (size_of::<Frame>() + size_of::<Command>())
    }

    /// Returns true if no frame has a command.
    pub fn is_empty(&self) -> bool {
        self.commands.is_empty()
    }

    /// Iterates over the commands in order. Each pair consists of the frame after the step and a
    /// command of the step.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Frame, &Command)> {
        self.frames.iter().copied().zip(&self.commands)
    }
}

/// Replays a range of frames that a run has already simulated.
#[derive(Debug, Clone)]
pub struct ReplayRange {
    world: World,
    last: Frame,
}

impl ReplayRange {
    /// Creates a replay that ends at `last`. The replay starts at the latest stored frame before
    /// `last`. `reused` is an earlier replay of the same run, whose world is reused.
    pub fn to(last: Frame, run: &Run, reused: Option<Self>) -> Self {
        Self::between(Frame(last.0.saturating_sub(1)), last, run, reused)
    }

    /// Creates a replay from `first` to `last`. The replay starts at the latest stored frame up to
    /// `first`. `reused` is an earlier replay of the same run, whose world is reused.
    pub fn between(first: Frame, last: Frame, run: &Run, reused: Option<Self>) -> Self {
        let mut world = reused.map_or_else(|| run.first(), |range| range.world);
        run.restore_near(&mut world, first);
        Self { world, last }
    }

    /// Returns the last frame to replay.
    pub fn last(&self) -> Frame {
        self.last
    }

    /// Continues the replay while `in_time` returns true. Returns true at the end of the range.
    /// Returns false at the time limit, or if a step was cancelled.
    ///
    /// Calls `seen` with each frame and the commands of the step to the next frame. If that step is
    /// cancelled, the next call passes the same frame again.
    pub fn resume(
        &mut self,
        run: &Run,
        mut seen: impl FnMut(&World, &[Command]),
        mut in_time: impl FnMut() -> bool,
    ) -> bool {
        while self.world.frame() < self.last {
            seen(&self.world, run.log().at(self.world.frame().next()));
            if !run.repeat(&mut self.world) || !in_time() {
                return false;
            }
        }
        seen(&self.world, run.log().at(self.world.frame().next()));
        true
    }
}

#[cfg(test)]
mod log_tests {
    use super::*;
    use crate::geom::Vec2;
    use crate::id::AgentId;

    fn place(agent: u32) -> Command {
        Command::Place { agent: AgentId(agent), at: Vec2::ZERO }
    }

    #[test]
    fn the_commands_of_a_frame_are_returned_in_order() {
        let mut log = Log::default();
        log.push(Frame(3), &[place(0), place(1)]);
        log.push(Frame(3), &[place(2)]);
        log.push(Frame(7), &[place(3)]);
        assert_eq!(log.at(Frame(3)), [place(0), place(1), place(2)]);
        assert_eq!((log.at(Frame(4)), log.at(Frame(7))), (&[][..], &[place(3)][..]));
        assert_eq!((log.until(Frame(6)).len(), log.until(Frame(2)).len()), (3, 0));
    }

    #[test]
    #[should_panic(expected = "a log only grows")]
    fn commands_for_earlier_frames_are_refused() {
        let mut log = Log::default();
        log.push(Frame(3), &[place(0)]);
        log.push(Frame(2), &[place(0)]);
    }
}

/// Maximum number of stored events. Older events are dropped.
const MAX_EVENTS: usize = 1 << 18;

/// The latest events of a run, in the order they happened.
#[derive(Debug, Clone, Default)]
pub struct Events {
    /// The stored events, ascending by frame.
    kept: VecDeque<Event>,
    /// Number of dropped events.
    lost: u64,
    /// The last frame whose events were added.
    until: Frame,
}

impl Events {
    /// Appends the events of the next frame.
    pub(super) fn note(&mut self, frame: Frame, events: &[Event]) {
        self.until = frame;
        for &event in events {
            if self.kept.len() == MAX_EVENTS {
                self.kept.pop_front();
                self.lost += 1;
            }
            self.kept.push_back(event);
        }
    }

    /// Returns a copy with the events up to and including a frame.
    pub(super) fn until(&self, frame: Frame) -> Self {
        let count = self.count_until(frame);
        let kept = self.kept.iter().take(count).copied().collect();
        Self { kept, lost: self.lost, until: self.until.min(frame) }
    }

    /// Returns the memory of the stored events, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.kept.len() * size_of::<Event>()
    }

    /// Returns the last frame whose events were added. For a recording, this is the last replayed
    /// frame.
    pub(crate) fn last_frame(&self) -> Frame {
        self.until
    }

    /// Returns the number of stored events up to and including a frame.
    pub fn count_until(&self, frame: Frame) -> usize {
        self.kept.partition_point(|event| event.frame <= frame)
    }

    /// Returns the number of events that were dropped because the log was full.
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// Returns the number of stored events, at most 2^18.
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Returns true if no events are stored. Dropped events do not count.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Returns the stored event at an index, or `None` if the index is out of range. Index 0 is the
    /// earliest event.
    pub fn get(&self, index: usize) -> Option<&Event> {
        self.kept.get(index)
    }

    /// Iterates over the stored events, earliest first.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Event> + DoubleEndedIterator {
        self.kept.iter()
    }
}
