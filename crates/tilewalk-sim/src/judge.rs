//! Judges the expectations of a scenario, frame by frame.
//!
//! A [`Judge`] reads the frames of one run in order and stops at the first frame at which its
//! verdict is certain. [`judge`] runs a scenario until then.
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
//! scenario.expectations.push(Expectation::new("the cat leaves", Form::Eventually(condition)));
//! let run = judge(&Arc::new(scenario), 0).expect("not cancelled");
//! assert_eq!(run.verdict.outcome, Outcome::Fail);
//! # Ok::<(), tilewalk_sim::condition::ConditionError>(())
//! ```

mod cause;
mod forms;
mod why;

use core::ops::ControlFlow;
use std::sync::Arc;

use crate::id::AgentId;
use crate::runner::Frames;
use crate::scenario::Scenario;
use crate::scenario::expectation::{Expectation, WindowStart};
use crate::world::{Look, World};

use forms::Track;

/// What a run says about an expectation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The expectation holds.
    Pass,
    /// The expectation is violated.
    Fail,
    /// The run decides nothing, for example because the trigger never became true.
    Inconclusive,
}

impl Outcome {
    /// Returns the word that reports use.
    pub fn word(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Inconclusive => "inconclusive",
        }
    }

    /// Returns what the outcome means for an expectation that is known to fail: pass and fail are
    /// exchanged.
    #[must_use]
    pub fn exchanged(self) -> Self {
        match self {
            Self::Pass => Self::Fail,
            Self::Fail => Self::Pass,
            Self::Inconclusive => Self::Inconclusive,
        }
    }
}

/// The verdict about one run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Verdict {
    /// What the run says.
    pub outcome: Outcome,
    /// The first frame at which the outcome is certain.
    pub frame: u64,
    /// What was found.
    pub finding: Finding,
}

/// What a judge found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Finding {
    /// The condition that starts the window never held.
    NoStart,
    /// The condition held at the frame of the verdict.
    Held,
    /// The condition held in every frame of the window.
    HeldAlways,
    /// The condition held in no frame of the window.
    HeldNever,
    /// The condition did not hold at the frame of the verdict.
    NotHeld,
    /// The trigger never became true.
    NoTrigger,
    /// Every trigger has an answer; the number of triggers.
    Answered(u64),
    /// The trigger at this frame has no answer.
    Unanswered(u64),
    /// Neither condition of a precedence held.
    NeitherHeld,
    /// The condition held before the other one.
    TooEarly,
    /// The condition holds from this frame until the end of the window.
    Settled(u64),
    /// The condition cannot hold for this number of frames before the end of the window.
    Unsettled(u64),
    /// The number of times that the condition became true.
    Repeated(u64),
    /// The condition became true at this frame last, or never.
    NotRepeated(Option<u64>),
    /// The window is shorter than a span.
    NoSpan,
    /// The least and the greatest value, which are within the bounds.
    Within(f64, f64),
    /// The value, which is out of bounds.
    OutOfBounds(f64),
    /// The value is undefined in all frames of the window.
    Undefined,
    /// The state hash of the last frame of the window, which is the known hash.
    Hash(u64),
    /// The state hash of the last frame of the window, and the known hash.
    OtherHash(u64, u64),
    /// The known state is of an engine of this revision. The last value is the state hash.
    OtherEngine(u16, u64),
    /// The expectation has no known state. The value is the state hash.
    NoGolden(u64),
}

impl Finding {
    /// Returns the state hash of the last frame of the window, if the form compares states.
    pub fn hash(self) -> Option<u64> {
        match self {
            Self::Hash(hash)
            | Self::OtherHash(hash, _)
            | Self::OtherEngine(_, hash)
            | Self::NoGolden(hash) => Some(hash),
            Self::NoStart
            | Self::Held
            | Self::HeldAlways
            | Self::HeldNever
            | Self::NotHeld
            | Self::NoTrigger
            | Self::Answered(_)
            | Self::Unanswered(_)
            | Self::NeitherHeld
            | Self::TooEarly
            | Self::Settled(_)
            | Self::Unsettled(_)
            | Self::Repeated(_)
            | Self::NotRepeated(_)
            | Self::NoSpan
            | Self::Within(..)
            | Self::OutOfBounds(_)
            | Self::Undefined => None,
        }
    }
}

/// The frames to judge, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// The first frame.
    pub first: u64,
    /// The last frame.
    pub last: u64,
}

/// Judges one expectation of a scenario on the frames of one run.
#[derive(Debug, Clone)]
pub struct Judge {
    scenario: Arc<Scenario>,
    index: usize,
    /// The first observed frame.
    since: Option<u64>,
    window: Option<Window>,
    track: Track,
    verdict: Option<Verdict>,
}

impl Judge {
    /// Creates a judge of the expectation with an index in [`Scenario::expectations`].
    ///
    /// # Panics
    /// If there is no such expectation.
    pub fn new(scenario: &Arc<Scenario>, index: usize) -> Self {
        assert!(index < scenario.expectations.len(), "no expectation {index}");
        let (scenario, track) = (Arc::clone(scenario), Track::default());
        Self { scenario, index, since: None, window: None, track, verdict: None }
    }

    /// Returns the expectation.
    pub fn expectation(&self) -> &Expectation {
        &self.scenario.expectations[self.index]
    }

    /// Returns the verdict; `None` while it is not certain.
    pub fn verdict(&self) -> Option<&Verdict> {
        self.verdict.as_ref()
    }

    /// Returns the window; `None` before its first frame.
    pub fn window(&self) -> Option<Window> {
        self.window
    }

    /// Judges the next frame. The search for the start of the window begins at the first observed
    /// frame. Does nothing after the verdict. If the world is cancelled during the call, discard the
    /// judge.
    pub fn observe(&mut self, look: &Look) -> Option<&Verdict> {
        if self.verdict.is_none() {
            let frame = look.now.frame().0;
            self.verdict = self.judge(look, frame).map(|(outcome, finding)| Verdict {
                outcome,
                frame,
                finding,
            });
        }
        self.verdict()
    }

    /// Describes the verdict; `None` while it is not certain. `look` is the frame of the verdict, as
    /// passed to [`Judge::observe`].
    pub fn describe(&self, look: &Look) -> Option<JudgedRun> {
        let verdict = self.verdict?;
        let why = why::sentence(self, &verdict, look);
        let agent = why::agent(self, &verdict, look);
        let operands = cause::operands(self.expectation(), &verdict, look);
        Some(JudgedRun { verdict, why, agent, operands })
    }

    fn judge(&mut self, look: &Look, frame: u64) -> Option<(Outcome, Finding)> {
        let since = *self.since.get_or_insert(frame);
        let expectation = &self.scenario.expectations[self.index];
        let window = if let Some(window) = self.window {
            window
        } else {
            match &expectation.from {
                WindowStart::Frame(first) if frame < *first => return None,
                WindowStart::Frame(_) => {}
                WindowStart::When { condition, .. } if condition.holds(look, None) => {}
                WindowStart::When { by, .. } => {
                    return (frame - since >= *by)
                        .then_some((Outcome::Inconclusive, Finding::NoStart));
                }
            }
            let last = frame.saturating_add(expectation.duration);
            *self.window.insert(Window { first: frame, last })
        };
        self.track.observe(&expectation.form, look, window)
    }
}

/// A judged run.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgedRun {
    /// The verdict.
    pub verdict: Verdict,
    /// One line that gives the reason for the verdict, with the values at its frame.
    pub why: String,
    /// The agent that the verdict is about.
    pub agent: Option<AgentId>,
    /// Indices of the operands of the condition that are responsible for a failure of `never`,
    /// `always`, `first` or `value` at the frame of the verdict; otherwise empty. For `value`, 0 is
    /// `below` and 1 is `above`.
    pub operands: Vec<usize>,
}

/// Runs a scenario until the verdict about one of its expectations is certain.
///
/// # Panics
/// If the scenario has no expectation with this index.
pub fn judge(scenario: &Arc<Scenario>, index: usize) -> Option<JudgedRun> {
    judge_world(&mut World::new(Arc::clone(scenario)), index)
}

/// Runs a world from frame 0 like [`judge`]. Returns `None` if the run is cancelled, see
/// [`World::set_cancel`].
///
/// # Panics
/// If the scenario has no expectation with this index.
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
