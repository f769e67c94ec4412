//! The comparison run: a second run that is shown next to the current run.
//!
//! The comparison run first searches for its first difference from the current run, as `tilewalk
//! diff` does. After that, it follows the current frame through its own history.

use std::sync::Arc;

use crate::cancel::Cancel;
use crate::history::breaks::Breaks;
use crate::history::diff::{Comparison, Moment};
use crate::history::log::Log;
use crate::history::run::Run;
use crate::history::{DEFAULT_BUDGET, History};
use crate::step::try_step;
use crate::time::Frame;
use crate::world::World;

use super::opened::Opened;

/// Minimum number of frames to compare, even if the run is shorter.
const LEAST: Frame = Frame(1000);

/// Divisor for the memory budget: the comparison run gets a quarter of a history's budget.
const PART: usize = 4;

/// A second run, shown for comparison with the current run.
#[derive(Debug, Clone)]
pub struct ComparisonRun {
    label: String,
    history: History,
    search: Option<DifferenceSearch>,
}

/// The search for the first different frame: both runs, simulated side by side.
#[derive(Debug, Clone)]
struct DifferenceSearch {
    present: World,
    present_log: Log,
    other: World,
    other_log: Log,
    comparison: Comparison,
    /// The next frame to compare.
    next: Frame,
    last: Frame,
}

impl ComparisonRun {
    /// Creates a comparison run, and starts the search for its first difference from `run`.
    pub fn new(label: String, opened: Opened, run: &Run) -> Self {
        let Opened { scenario, recorded, .. } = opened;
        let fresh = || History::new(scenario, DEFAULT_BUDGET / PART);
        let history = recorded.map_or_else(fresh, |recorded| *recorded);
        let other = history.run();
        let search = DifferenceSearch {
            present: World::new(Arc::clone(run.start())),
            present_log: run.log().clone(),
            other: World::new(Arc::clone(other.start())),
            other_log: other.log().clone(),
            comparison: Comparison::new(0.0),
            next: Frame(0),
            last: run.end().max(LEAST),
        };
        Self { label, history, search: Some(search) }
    }

    pub(super) fn set_cancel(&mut self, cancel: &Cancel) {
        self.history.set_cancel(cancel);
        if let Some(search) = &mut self.search {
            search.present.set_cancel(cancel.clone());
            search.other.set_cancel(cancel.clone());
        }
    }

    /// Returns the name shown to the user.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Returns the world of the comparison run, or `None` if that run is not at `frame`.
    pub fn at(&self, frame: Frame) -> Option<&World> {
        Some(self.history.world()).filter(|world| world.frame() == frame)
    }

    /// Returns the frame that the search has reached, or `None` if no search is running.
    pub fn searching(&self) -> Option<Frame> {
        self.search.as_ref().map(|search| search.present.frame())
    }

    /// Returns true if the search is running.
    pub fn is_searching(&self) -> bool {
        self.search.is_some()
    }

    /// Cancels the search.
    pub fn give_up(&mut self) {
        self.search = None;
    }

    /// Continues the search until `in_time` returns false. Returns the result once the search is
    /// complete.
    pub fn search(&mut self, mut in_time: impl FnMut() -> bool) -> Option<Comparison> {
        let search = self.search.as_mut()?;
        loop {
            let DifferenceSearch { present, other, next, .. } = search;
            let present_there =
                present.frame() == *next || try_step(present, search.present_log.at(*next));
            if !present_there
                || other.frame() < *next && !try_step(other, search.other_log.at(*next))
            {
                return None;
            }
            search.comparison.add(Moment::World(present), Moment::World(other));
            let differs = !search.comparison.differences().is_empty();
            if differs || *next >= search.last {
                return self.search.take().map(|search| search.comparison);
            }
            *next = next.next();
            if !in_time() {
                return None;
            }
        }
    }

    /// Returns the number of agents in the comparison run.
    pub fn agents(&self) -> usize {
        self.history.world().len()
    }

    /// Moves the comparison run towards `frame` until `in_time` returns false.
    pub fn follow(&mut self, frame: Frame, in_time: impl FnMut() -> bool) {
        let now = self.history.frame();
        if frame > now && self.history.sought().is_none() {
            let left = u32::try_from(frame.0 - now.0).unwrap_or(u32::MAX);
            self.history.run_frames(left, &mut Breaks::default(), |_| None, |_| {}, in_time);
        } else if frame != now || self.history.sought().is_some() {
            if self.history.sought().is_none_or(|(sought, _)| sought != frame) {
                self.history.seek(frame);
            }
            self.history.pursue(in_time);
        }
    }
}
