//! Judges the expectations of a scenario, frame by frame.
//!
//! A [`Judge`] reads the frames of one run in order. It stops at the first frame at which its
//! verdict is certain. [`judge`] runs a scenario until a verdict is certain.
//!
//! ```
//! use std::sync::Arc;
//! use tilewalk_sim::condition::{Condition, ConditionContext};
//! use tilewalk_sim::geom::Vec2;
//! use tilewalk_sim::judge::{Outcome, judge};
//! use tilewalk_sim::map::{Edges, Map};
//! use tilewalk_sim::scenario::builder::{Agent, Builder};
//! use tilewalk_sim::scenario::expectation::{Expectation, Form};
//!
//! let mut builder = Builder::new(Map::drawn(&["...."], Edges::Wall).expect("a map"));
//! builder.add(Agent::new("cat", Vec2::new(0.5, 0.5)));
//! let mut scenario = builder.build().expect("a valid scenario");
//! let condition = Condition::read("cat.x > 3", &scenario, ConditionContext::Global)?;
//! let leaves = Expectation::new("the cat leaves", Form::Eventually(condition));
//! scenario.add_expectation(leaves);
//! let run = judge(&Arc::new(scenario), 0).expect("not cancelled");
//! assert_eq!(run.verdict.outcome, Outcome::Fail);
//! # Ok::<(), tilewalk_sim::condition::ConditionError>(())
//! ```

mod forms;
mod mentioned;

use core::ops::ControlFlow;
use std::sync::Arc;

use crate::id::AgentId;
use crate::runner::Frames;
use crate::scenario::Scenario;
use crate::scenario::expectation::{Expectation, WindowStart};
use crate::world::{Look, World};

use forms::FormState;
use mentioned::Mentioned;

pub use forms::Finding;

/// The result of judging an expectation on one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The expectation holds.
    Pass,
    /// The expectation is violated.
    Fail,
    /// The run does not decide the expectation, for example because the trigger never became true.
    Inconclusive,
}

impl Outcome {
    /// Returns the word for the outcome in reports: `pass`, `fail` or `inconclusive`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Inconclusive => "inconclusive",
        }
    }

    /// Returns the outcome with pass and fail exchanged. Used for expectations that are known to
    /// fail.
    #[must_use]
    pub fn exchanged(self) -> Self {
        match self {
            Self::Pass => Self::Fail,
            Self::Fail => Self::Pass,
            Self::Inconclusive => Self::Inconclusive,
        }
    }
}

/// The outcome of an expectation in one run, with the reason.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Verdict {
    /// Whether the run passes or fails, or decides nothing.
    pub outcome: Outcome,
    /// The first frame at which the outcome is certain.
    pub frame: u64,
    /// The reason for the outcome, with the frames and values that decide it.
    pub finding: Finding,
}

/// The range of frames in which an expectation is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// Number of the first judged frame.
    pub first: u64,
    /// Number of the last judged frame.
    pub last: u64,
}

/// Judges one expectation of a scenario on the frames of one run.
#[derive(Debug, Clone)]
pub struct Judge {
    scenario: Arc<Scenario>,
    index: usize,
    /// Number of the first observed frame. `None` before the first call of [`Judge::observe`].
    since: Option<u64>,
    window: Option<Window>,
    track: FormState,
    mentioned: Mentioned,
    verdict: Option<Verdict>,
}

impl Judge {
    /// Creates a judge for the expectation at `index` in [`Scenario::expectations`].
    ///
    /// # Panics
    /// Panics if the index is out of range.
    pub fn new(scenario: &Arc<Scenario>, index: usize) -> Self {
        assert!(index < scenario.expectations.len(), "no expectation {index}");
        let (scenario, track) = (Arc::clone(scenario), FormState::default());
        let mentioned = Mentioned::new(&scenario, &scenario.expectations[index]);
        Self { scenario, index, since: None, window: None, track, mentioned, verdict: None }
    }

    /// Returns the expectation that this judge checks.
    pub fn expectation(&self) -> &Expectation {
        &self.scenario.expectations[self.index]
    }

    /// Returns the verdict; `None` while the outcome is open.
    pub fn verdict(&self) -> Option<&Verdict> {
        self.verdict.as_ref()
    }

    /// Returns the range of judged frames; `None` before the window starts.
    pub fn window(&self) -> Option<Window> {
        self.window
    }

    /// Judges the next frame of the run. Returns the verdict when it is certain. Frames after the
    /// verdict are ignored.
    ///
    /// The search for the start of the window begins at the first observed frame. If the world is
    /// cancelled during the call, discard the judge.
    pub fn observe(&mut self, look: &Look) -> Option<&Verdict> {
        if self.verdict.is_none() {
            let frame = look.now.frame().0;
            self.verdict = self.judge(look, frame).map(|(outcome, finding)| Verdict {
                outcome,
                frame,
                finding,
            });
            self.mentioned.observe(look.now, self.window.is_some());
        }
        self.verdict()
    }

    /// Returns the verdict with a description of its reason. Returns `None` while the outcome is
    /// open. `look` must show the frame of the verdict, as passed to [`Judge::observe`].
    pub fn describe(&self, look: &Look) -> Option<JudgedRun> {
        let verdict = self.verdict?;
        let mut why = forms::sentence(self, &verdict, look);
        let form = &self.expectation().form;
        if verdict.outcome == Outcome::Fail
            && let Some(reason) = self.mentioned.why_nothing(form, look.now)
        {
            why += "; ";
            why += &reason;
        }
        let agent = forms::agent(self, &verdict, look);
        let agent = agent.or_else(|| self.mentioned.agent(look.now));
        let absent = match self.window {
            Some(_) => self.mentioned.absent(&self.scenario),
            None => Vec::new(),
        };
        let operands = forms::operands(&self.expectation().form, verdict.finding, look);
        Some(JudgedRun { verdict, why, agent, absent, operands })
    }

    fn judge(&mut self, look: &Look, frame: u64) -> Option<(Outcome, Finding)> {
        let since = *self.since.get_or_insert(frame);
        let expectation = &self.scenario.expectations[self.index];
        // The trace of another program can end before the verdict.
        let end = self.scenario.end().map_or(u64::MAX, |end| end.0);
        let is_end = frame >= end && !self.scenario.is_growing();
        let window = if let Some(window) = self.window {
            window
        } else {
            match &expectation.from {
                WindowStart::Frame(first) if frame < *first => {
                    let ended = (Outcome::Inconclusive, Finding::EndedBefore(*first));
                    return is_end.then_some(ended);
                }
                WindowStart::Frame(_) => {}
                WindowStart::When { condition, .. } if condition.holds(look, None) => {}
                WindowStart::When { by, .. } => {
                    return (frame - since >= *by || is_end)
                        .then_some((Outcome::Inconclusive, Finding::NoStart));
                }
            }
            let last = frame.saturating_add(expectation.duration).min(end);
            *self.window.insert(Window { first: frame, last })
        };
        self.track.observe(&expectation.form, look, window, is_end)
    }
}

/// The verdict about a run, with details for reports.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgedRun {
    /// The outcome, its frame and its reason.
    pub verdict: Verdict,
    /// Reason for the verdict in one line, with the values at the frame of the verdict.
    pub why: String,
    /// The first agent in the condition or value that decides the verdict, or else the first agent
    /// that the expectation names. `None` if the expectation has no agent in the world.
    pub agent: Option<AgentId>,
    /// Names of the agents and groups of the expectation that were never in the world in the window.
    /// Empty if the window did not start.
    pub absent: Vec<String>,
    /// Indices of the operands that cause a failure of `never`, `always`, `first` or `value`. Empty
    /// for all other verdicts.
    ///
    /// For conditions, the indices count the operands of the top-level `and` or `or`. For `value`,
    /// 0 is `below` and 1 is `above`.
    pub operands: Vec<usize>,
}

/// Runs a scenario from frame 0 until the verdict about one of its expectations is certain. Always
/// returns `Some`, since this run cannot be cancelled.
///
/// # Panics
/// Panics if `index` is not an index in [`Scenario::expectations`].
pub fn judge(scenario: &Arc<Scenario>, index: usize) -> Option<JudgedRun> {
    judge_world(&mut World::new(Arc::clone(scenario)), index)
}

/// Runs a scenario from frame 0 until the verdicts about several of its expectations are certain.
/// Calls `done` with each verdict and the index of its expectation as soon as the verdict is
/// certain. The verdicts are the same as those of [`judge`]. Stops early if `stops` returns true after
/// a frame.
///
/// # Panics
/// Panics if an index is not an index in [`Scenario::expectations`].
pub fn judge_all(
    scenario: &Arc<Scenario>,
    indices: &[usize],
    mut stops: impl FnMut() -> bool,
    mut done: impl FnMut(usize, JudgedRun),
) {
    let mut open: Vec<Judge> = indices.iter().map(|&index| Judge::new(scenario, index)).collect();
    let keeps_previous = open.iter().any(|judge| judge.expectation().uses_previous_frame());
    let frames = Frames { last: u64::MAX, keeps_previous, commands: None };
    frames.observe(&mut World::new(Arc::clone(scenario)), |look| {
        open.retain_mut(|judge| {
            judge.observe(look);
            judge.describe(look).map(|judged| done(judge.index, judged)).is_none()
        });
        if open.is_empty() || stops() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
}

/// Runs a world from its current frame until the verdict about one of its expectations is certain.
/// Returns `None` if the run is cancelled (see [`World::set_cancel`]).
///
/// # Panics
/// Panics if `index` is not an index in [`Scenario::expectations`].
pub fn judge_world(world: &mut World, index: usize) -> Option<JudgedRun> {
    let mut judge = Judge::new(world.scenario(), index);
    let keeps_previous = judge.expectation().uses_previous_frame();
    let frames = Frames { last: u64::MAX, keeps_previous, commands: None };
    let judged = frames.observe(world, |look| {
        judge.observe(look);
        if look.now.cancel().is_requested() {
            return ControlFlow::Break(None);
        }
        match judge.describe(look) {
            Some(judged) => ControlFlow::Break(Some(judged)),
            None => ControlFlow::Continue(()),
        }
    });
    judged.flatten()
}
