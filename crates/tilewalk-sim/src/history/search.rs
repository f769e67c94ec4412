//! Searches backwards for the last breakpoint hit before the current frame.
//!
//! The simulation only runs forwards. The search therefore replays the range from the latest stored
//! frame to the current frame. It continues with earlier ranges, back to frame 0. The search uses
//! separate worlds and can be interrupted after each frame.

use crate::time::Frame;
use crate::world::World;

use super::History;
use super::breaks::Breaks;
use super::run::Run;

/// The result of one call of [`BreakpointSearch::continue_search`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// The search is interrupted. All frames from the given frame to the start of the search are
    /// checked.
    Looking(Frame),
    /// The breakpoint hit that is nearest to the start of the search.
    Found(Frame),
    /// No breakpoint hits before the start of the search.
    Nothing,
}

/// A backward search through the current run of a history.
#[derive(Debug, Clone)]
pub struct BreakpointSearch {
    breaks: Breaks,
    before: World,
    world: World,
    /// The last frame of the current range. Later frames have been searched. `None` after the
    /// search of frame 0.
    until: Option<Frame>,
    /// The first frame of the current range. `None` before the range is restored.
    begin: Option<Frame>,
    /// The last hit found so far in the current range.
    found: Option<Frame>,
}

impl BreakpointSearch {
    /// Starts a backward search for hits of enabled breakpoints. The current frame is excluded.
    pub fn new(history: &History, breaks: Breaks) -> Self {
        Self {
            breaks,
            before: history.before().clone(),
            world: history.world().clone(),
            until: history.frame().0.checked_sub(1).map(Frame),
            begin: None,
            found: None,
        }
    }

    /// Continues the search while `in_time` returns true. `run` must be the run that was current
    /// when the search started.
    pub fn continue_search(&mut self, run: &Run, mut in_time: impl FnMut() -> bool) -> Progress {
        while let Some(until) = self.until {
            if until == Frame(0) {
                return self.look_at_start(run);
            }
            let begin = *self.begin.get_or_insert_with(|| {
                run.restore_near(&mut self.world, Frame(until.0 - 1));
                self.world.frame()
            });
            while self.world.frame() < until {
                if !self.look_at_next(run) || !in_time() {
                    return Progress::Looking(until.next());
                }
            }
            if let Some(found) = self.found {
                return Progress::Found(found);
            }
            self.until = Some(begin);
            self.begin = None;
        }
        Progress::Nothing
    }

    /// Simulates and checks the next frame. Returns false if the step was cancelled.
    fn look_at_next(&mut self, run: &Run) -> bool {
        let world = &mut self.world;
        self.before.copy_frame(world);
        if !run.repeat(world) {
            return false;
        }
        if self.breaks.hit(&self.before, world).next().is_some() {
            self.found = Some(world.frame());
        }
        true
    }

    /// Checks frame 0, which has no previous frame.
    fn look_at_start(&mut self, run: &Run) -> Progress {
        self.until = None;
        run.reset(&mut self.world);
        match self.breaks.hit(&self.world, &self.world).next() {
            Some(_) => Progress::Found(Frame(0)),
            None => Progress::Nothing,
        }
    }
}
