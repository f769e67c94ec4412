//! The comparison run: a second run shown beside the current one.
//!
//! It first searches for the first difference in the same way as `tilewalk diff`. Then it follows
//! the current frame through a history of its own.

use std::sync::Arc;

use crate::history::breaks::Breaks;
use crate::history::diff::{Comparison, Moment};
use crate::history::log::Log;
use crate::history::run::Run;
use crate::history::{DEFAULT_BUDGET, History};
use crate::step::step_with;
use crate::time::Frame;
use crate::world::World;

use super::library::Opened;

/// Frames that are compared at least, however few have been made.
const LEAST: Frame = Frame(1000);

/// Of the memory that a history may take the other run gets this part.
const PART: usize = 4;

/// Another run.
#[derive(Debug, Clone)]
pub struct Rival {
    label: String,
    history: History,
    search: Option<Search>,
}

/// Two worlds on their way to the first frame that is not the same.
#[derive(Debug, Clone)]
struct Search {
    mine: World,
    /// What was done to the run being watched.
    log: Log,
    its: World,
    its_log: Log,
    comparison: Comparison,
    last: Frame,
}

impl Rival {
    /// Another run; the search for where it parts from `run` begins.
    pub fn new(label: String, opened: Opened, run: &Run) -> Self {
        let Opened { scenario, recorded, .. } = opened;
        let fresh = || History::new(scenario, DEFAULT_BUDGET / PART);
        let history = recorded.map_or_else(fresh, |recorded| *recorded);
        let other = history.run();
        let search = Search {
            mine: World::new(Arc::clone(run.start())),
            log: run.log().clone(),
            its: World::new(Arc::clone(other.start())),
            its_log: other.log().clone(),
            comparison: Comparison::new(0.0),
            last: run.end().max(LEAST),
        };
        Self { label, history, search: Some(search) }
    }

    /// What people know it by.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Its world at a frame, if it has come there.
    pub fn at(&self, frame: Frame) -> Option<&World> {
        Some(self.history.world()).filter(|world| world.frame() == frame)
    }

    /// How far the search has come; `None` when there is none.
    pub fn searching(&self) -> Option<Frame> {
        self.search.as_ref().map(|search| search.mine.frame())
    }

    /// Is a search for the first difference under way?
    pub fn is_searching(&self) -> bool {
        self.search.is_some()
    }

    /// Searches no more.
    pub fn give_up(&mut self) {
        self.search = None;
    }

    /// Goes on with the search as long as there is time; what it found, once it is at an end.
    pub fn search(&mut self, mut in_time: impl FnMut() -> bool) -> Option<Comparison> {
        let search = self.search.as_mut()?;
        loop {
            search.comparison.add(Moment::World(&search.mine), Moment::World(&search.its));
            let parted = !search.comparison.differences().is_empty();
            if parted || search.mine.frame() >= search.last {
                return self.search.take().map(|search| search.comparison);
            }
            let next = search.mine.frame().next();
            step_with(&mut search.mine, search.log.at(next));
            step_with(&mut search.its, search.its_log.at(next));
            if !in_time() {
                return None;
            }
        }
    }

    /// How many agents it has.
    pub fn agents(&self) -> usize {
        self.history.world().len()
    }

    /// Leads it to a frame, as long as there is time.
    pub fn follow(&mut self, frame: Frame, in_time: impl FnMut() -> bool) {
        let now = self.history.frame();
        if frame > now && self.history.sought().is_none() {
            let left = u32::try_from(frame.0 - now.0).unwrap_or(u32::MAX);
            self.history.run_on(left, &mut Breaks::default(), |_| None, |_| {}, in_time);
        } else if frame != now || self.history.sought().is_some() {
            if self.history.sought().is_none_or(|(sought, _)| sought != frame) {
                self.history.seek(frame);
            }
            self.history.pursue(in_time);
        }
    }
}
