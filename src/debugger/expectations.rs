//! Judges the expectations of the map on the shown run.
//!
//! New frames are judged as they are simulated. After a switch to another run, and after a seek
//! over stored frames, a [`ReplayRange`] replays the missing frames in time slices. Before the
//! frame of its verdict, an expectation is undecided. A map without expectations needs no replays.

use std::cell::Cell;
use std::sync::Arc;

use crate::cancel::Cancel;
use crate::history::run::RunId;
use crate::history::{History, ReplayRange};
use crate::judge::{Judge, Outcome, Verdict};
use crate::scenario::Scenario;
use crate::scenario::expectation::Expectation;
use crate::time::Frame;
use crate::world::{Look, World};

/// The verdicts about one run, up to the last judged frame.
#[derive(Debug, Clone)]
pub struct Judgement {
    /// The judged run, and the value of [`History::turns`] when judging started.
    of: (RunId, u64),
    judges: Vec<ExpectationJudge>,
    /// The scenario of the last judged frame. `None` if no frame has been judged.
    scenario: Option<Arc<Scenario>>,
    /// The last judged frame. `None` if no frame has been judged.
    until: Option<Frame>,
    /// The world at the last judged frame. `None` if no condition compares this frame with the next
    /// frame.
    before: Option<World>,
    /// The current or last replay. Kept between replays to reuse its memory.
    replay: Option<ReplayRange>,
    /// Whether the replay is still running.
    under_way: bool,
    /// The flag that cancels a judgement.
    cancel: Cancel,
}

/// The judge of one expectation, with its result.
#[derive(Debug, Clone)]
struct ExpectationJudge {
    judge: Judge,
    /// The first frame whose scenario has the expectation.
    since: Frame,
    /// The next frame to judge.
    next: Frame,
    /// Whether the scenario of the last judged frame has the expectation.
    is_current: bool,
    decision: Option<Decision>,
}

/// A verdict on an expectation, with its reason.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    pub verdict: Verdict,
    /// One line with the reason for the verdict, and the values at the frame of the verdict.
    pub why: String,
    /// Name of the agent that the verdict is about. `None` if the verdict is not about a single
    /// agent.
    pub agent: Option<String>,
}

/// An expectation of the current frame's scenario, and its verdict.
#[derive(Debug, Clone, Copy)]
pub struct Judged<'a> {
    pub expectation: &'a Expectation,
    /// The verdict on the run. The frame of the verdict can be later than the current frame. `None`
    /// if no verdict is known yet.
    pub decision: Option<&'a Decision>,
    /// The current frame.
    now: Frame,
}

impl<'a> Judged<'a> {
    /// Returns the verdict, or `None` if the frame of the verdict is later than the current frame.
    pub fn decided(&self) -> Option<&'a Decision> {
        self.decision.filter(|decision| decision.frame() <= self.now)
    }

    /// Returns the outcome at the current frame. Returns `None` if the outcome is undecided at that
    /// frame. For an expected failure, pass and fail are exchanged.
    pub fn outcome(&self) -> Option<Outcome> {
        self.decided().map(|decision| self.meaning(decision))
    }

    /// Returns the outcome of a decision. For an expected failure, pass and fail are exchanged.
    pub fn meaning(&self, decision: &Decision) -> Outcome {
        let outcome = decision.verdict.outcome;
        if self.expectation.fails.is_some() { outcome.exchanged() } else { outcome }
    }
}

impl Decision {
    /// Returns the frame at which the verdict became certain.
    pub fn frame(&self) -> Frame {
        Frame(self.verdict.frame)
    }
}

impl ExpectationJudge {
    fn new(scenario: &Arc<Scenario>, index: usize, since: Frame) -> Self {
        let judge = Judge::new(scenario, index);
        Self { judge, since, next: since, is_current: true, decision: None }
    }

    /// Returns true if the judge needs further frames.
    fn is_waiting(&self) -> bool {
        self.is_current && self.decision.is_none()
    }

    /// Judges the next frame. Returns false and changes nothing if the judgement was cancelled.
    fn judge(&mut self, look: &Look, cancel: &Cancel) -> bool {
        // A cancelled judge has no defined state.
        let mut judge = self.judge.clone();
        judge.observe(look);
        let judged = judge.describe(look);
        if cancel.is_requested() {
            return false;
        }
        self.decision = judged.map(|run| Decision {
            verdict: run.verdict,
            why: run.why,
            agent: run.agent.map(|id| look.now.name(id).to_string()),
        });
        self.judge = judge;
        self.next = look.now.frame().next();
        true
    }
}

impl Judgement {
    /// Creates a judgement of the current run, without judged frames.
    pub fn new(history: &History, cancel: Cancel) -> Self {
        Self {
            of: (history.present(), history.turns()),
            judges: Vec::new(),
            scenario: None,
            until: None,
            before: None,
            replay: None,
            under_way: false,
            cancel,
        }
    }

    /// Sets the flag with which another thread cancels a judgement.
    pub fn set_cancel(&mut self, cancel: Cancel) {
        self.cancel = cancel;
    }

    /// Discards all verdicts if the judged run is no longer the current run.
    pub fn follow(&mut self, history: &History) {
        if self.of != (history.present(), history.turns()) {
            *self = Self::new(history, self.cancel.clone());
        }
    }

    /// Returns the expectations of the scenario of `world`, in file order, with their verdicts.
    pub fn at<'a>(&'a self, world: &'a World) -> impl ExactSizeIterator<Item = Judged<'a>> {
        let all = world.scenario().expectations().iter().enumerate();
        all.map(|(index, expectation)| Judged {
            expectation,
            decision: self.find(index, expectation).and_then(|each| each.decision.as_ref()),
            now: world.frame(),
        })
    }

    /// Returns the last judged frame. Returns `None` if no frame is judged yet.
    pub fn until(&self) -> Option<Frame> {
        self.until
    }

    /// Returns the judge of an expectation. `index` is the index of the expectation in its
    /// scenario.
    fn find(&self, index: usize, expectation: &Expectation) -> Option<&ExpectationJudge> {
        let is_of = |each: &&ExpectationJudge| each.judge.expectation().is_same_as(expectation);
        // The scenario rarely changes during a run.
        let likely = self.judges.get(index).filter(is_of);
        likely.or_else(|| self.judges.iter().find(is_of))
    }

    /// Returns true if all expectations of a scenario have a verdict.
    fn decides(&self, scenario: &Scenario) -> bool {
        let mut all = scenario.expectations().iter().enumerate();
        all.all(|(index, it)| self.find(index, it).is_some_and(|each| each.decision.is_some()))
    }

    /// Judges a frame if it directly follows the last judged frame. Returns false if the judgement
    /// was cancelled.
    pub fn note(&mut self, world: &World) -> bool {
        let frame = world.frame();
        if self.until.map_or(Frame(0), Frame::next) == frame {
            if !self.judge(world) {
                return false;
            }
            self.until = Some(frame);
        }
        if self.until == Some(frame) {
            self.remember(world);
        }
        true
    }

    fn judge(&mut self, world: &World) -> bool {
        if !self.scenario.as_ref().is_some_and(|known| Arc::ptr_eq(known, world.scenario())) {
            self.adopt(world);
        }
        let frame = world.frame();
        let before = self.before.as_ref().filter(|before| before.frame().next() == frame);
        let before = before.map(Look::at);
        let waiting = self.judges.iter_mut();
        let mut waiting = waiting.filter(|each| each.is_waiting() && each.next == frame);
        waiting.all(|each| {
            let before = before.as_ref().filter(|_| each.since < frame);
            each.judge(&Look { before, ..Look::at(world) }, &self.cancel)
        })
    }

    /// Handles a change of the scenario. An expectation that exists in both scenarios keeps its
    /// judge. A new or changed expectation is judged from this frame on.
    fn adopt(&mut self, world: &World) {
        let scenario = world.scenario();
        for each in &mut self.judges {
            let known = each.judge.expectation();
            let index = scenario.expectations().iter().position(|it| it.is_same_as(known));
            match index {
                Some(index) if !each.is_current => {
                    *each = ExpectationJudge::new(scenario, index, world.frame());
                }
                _ => each.is_current = index.is_some(),
            }
        }
        for (index, expectation) in scenario.expectations().iter().enumerate() {
            if self.find(index, expectation).is_none() {
                self.judges.push(ExpectationJudge::new(scenario, index, world.frame()));
            }
        }
        self.scenario = Some(Arc::clone(scenario));
    }

    /// Keeps the last judged frame if a condition compares it with the next frame.
    fn remember(&mut self, world: &World) {
        let needs = |each: &ExpectationJudge| {
            each.is_waiting() && each.judge.expectation().uses_previous_frame()
        };
        if !self.judges.iter().any(needs) {
            self.before = None;
            return;
        }
        match &mut self.before {
            Some(before) => before.copy_frame(world),
            None => self.before = Some(world.clone()),
        }
    }

    /// Judges the missing frames up to the current frame. Stops early when `in_time` returns false.
    /// Returns true if all frames are judged or all expectations are decided.
    pub fn recall(&mut self, history: &History, mut in_time: impl FnMut() -> bool) -> bool {
        self.follow(history);
        let frame = history.frame();
        while self.until < Some(frame) && !self.decides(history.world().scenario()) {
            if !in_time() {
                return false;
            }
            let run = history.run();
            let reused = self.replay.take();
            let mut replay = match reused {
                Some(replay) if self.under_way => replay,
                reused => {
                    let first = self.until.unwrap_or(Frame(0));
                    ReplayRange::between(first, frame, run, reused)
                }
            };
            let judged = Cell::new(true);
            let seen = |world: &World, _: &_| judged.set(judged.get() && self.note(world));
            let complete = replay.resume(run, seen, || judged.get() && in_time());
            self.replay = Some(replay);
            // A cancelled frame is replayed again.
            self.under_way = !complete && judged.get();
            if !judged.get() {
                return false;
            }
        }
        true
    }
}
