//! The comparison of the current run with another run, which is shown beside it.
//!
//! A history compares with at most one run. This can be another run of the history or an outside
//! run, such as a run of another map or a recording. A new comparison replaces the previous one.

use crate::cancel::Cancel;
use crate::time::Frame;
use crate::world::World;

use super::History;
use super::diff::{Comparison, Moment};
use super::divergence::advance_both;
use super::run::{Run, RunId};

/// Minimum number of frames to search for the first difference. A shorter run is simulated beyond
/// its end for the search, unless it is a trace.
const LEAST: Frame = Frame(1000);

/// The run that is compared with the current run, and a world of that run.
#[derive(Debug, Clone)]
pub(super) struct ComparisonRun {
    side: Side,
    world: World,
}

#[derive(Debug, Clone)]
enum Side {
    /// Another run of the same history. The comparison ends at the end of that run, or of its trace.
    Inside(RunId),
    /// A run of another history. It is simulated up to the current frame.
    Outside(Box<Outside>),
}

#[derive(Debug, Clone)]
struct Outside {
    label: String,
    run: Run,
    search: Option<DifferenceSearch>,
}

/// The search for the first frame at which an outside run differs from the current run.
#[derive(Debug, Clone)]
struct DifferenceSearch {
    /// The worlds of the current run and of the outside run.
    worlds: [World; 2],
    comparison: Comparison,
    /// The next frame to compare.
    next: Frame,
    last: Frame,
}

/// The run that is compared with the current run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OtherSide<'a> {
    /// Another run of the same history.
    Run {
        /// Id of the other run.
        id: RunId,
        /// The last frame that both runs share.
        parted: Frame,
        /// The last frame of the other run.
        end: Frame,
    },
    /// A run from outside this history, such as a run of another map or a recording.
    Outside {
        /// The name of the outside run, shown to the user.
        label: &'a str,
        /// The current frame of the search for the first difference. `None` if no search is in
        /// progress.
        searched: Option<Frame>,
    },
}

impl ComparisonRun {
    /// Creates the comparison run of a run of the same history. `world` is the world at the current
    /// frame.
    fn of(id: RunId, run: &Run, world: &World) -> Self {
        let mut world = world.clone();
        if world.frame() > run.end() {
            run.reset(&mut world);
        }
        Self { side: Side::Inside(id), world }
    }

    pub fn set_cancel(&mut self, cancel: &Cancel) {
        self.world.set_cancel(cancel.clone());
        if let Side::Outside(outside) = &mut self.side {
            outside.run.cancel = cancel.clone();
            for world in outside.search.iter_mut().flat_map(|search| &mut search.worlds) {
                world.set_cancel(cancel.clone());
            }
        }
    }
}

impl History {
    /// Compares the current run with the current run of another history, and starts the search for
    /// the first difference. `label` is the name shown to the user.
    pub fn compare_with(&mut self, label: String, mut other: Self) {
        self.end_comparison();
        let Some(mut run) = other.runs.take(other.present) else { return };
        run.set_budget(self.budget / 4);
        run.cancel = self.cancel.clone();
        // The run of another program has no state besides the columns of its trace.
        let [a, b] = [self.run(), &run].map(|run| run.start().traced().is_some());
        let comparison = Comparison::new(0.0);
        // Nothing can be compared after the end of a trace.
        let end = match [self.run(), &run].map(|run| run.start().end()) {
            [Some(one), Some(other)] => one.max(other),
            [Some(end), None] | [None, Some(end)] => end,
            [None, None] => Frame(u64::MAX),
        };
        let search = DifferenceSearch {
            worlds: [self.run().first(), run.first()],
            comparison: if a == b { comparison } else { comparison.by_columns() },
            next: Frame(0),
            last: self.run().end().max(LEAST).min(end),
        };
        let world = run.first();
        let side = Side::Outside(Box::new(Outside { label, run, search: Some(search) }));
        self.comparison = Some(ComparisonRun { side, world });
    }

    /// Compares the current run with another run of this history, which must not be dropped.
    pub fn compare_run(&mut self, run: RunId) {
        self.haunt(run);
    }

    /// Compares the current run with another run of this history.
    pub(super) fn haunt(&mut self, run: RunId) {
        self.end_comparison();
        let left = &mut self.runs[run];
        left.set_budget(self.budget / 4);
        let mut comparison = ComparisonRun::of(run, left, &self.world);
        comparison.set_cancel(&self.cancel);
        self.comparison = Some(comparison);
    }

    /// Returns the run that is compared with the current run. Returns `None` if there is no
    /// comparison.
    pub fn other_side(&self) -> Option<OtherSide<'_>> {
        self.comparison.as_ref().map(|comparison| match &comparison.side {
            &Side::Inside(id) => OtherSide::Run {
                id,
                parted: self.parted(id, self.present),
                end: self.runs[id].compared_end(),
            },
            Side::Outside(outside) => OtherSide::Outside {
                label: &outside.label,
                searched: outside.search.as_ref().map(|search| search.worlds[0].frame()),
            },
        })
    }

    /// Returns the run of this history that is compared with the current run. Returns `None`
    /// without a comparison, or if the compared run is an outside run.
    pub fn comparison(&self) -> Option<RunId> {
        match self.comparison.as_ref()?.side {
            Side::Inside(run) => Some(run),
            Side::Outside(_) => None,
        }
    }

    /// Returns the world of the compared run at the current frame. Returns `None` if there is no
    /// comparison, the compared run ended earlier, or the frame is not simulated yet.
    pub fn comparison_world(&self) -> Option<&World> {
        self.comparison
            .as_ref()
            .map(|comparison| &comparison.world)
            .filter(|world| world.frame() == self.frame())
    }

    /// Ends the comparison. A compared run of this history stays in [`History::runs`].
    pub fn end_comparison(&mut self) {
        if let Some(ComparisonRun { side: Side::Inside(run), .. }) = self.comparison.take() {
            self.runs[run].drop_stored();
        }
    }

    /// Advances the compared run towards the current frame while `in_time` returns true. Returns
    /// true if the compared run is at the current frame or ended earlier. Also returns true without
    /// a comparison.
    pub fn settle(&mut self, in_time: impl FnMut() -> bool) -> bool {
        let (frame, settled) = (self.frame(), self.is_settled());
        let Some(ComparisonRun { side, world }) = &mut self.comparison else { return true };
        let run = match side {
            Side::Inside(run) => &mut self.runs[*run],
            Side::Outside(outside) => &mut outside.run,
        };
        settled || run.advance_to(world, frame, in_time)
    }

    /// Returns true if [`History::settle`] has no frame to simulate.
    pub fn is_settled(&self) -> bool {
        let ended = |run: RunId| self.frame() > self.runs[run].compared_end();
        self.comparison.is_none()
            || self.comparison_world().is_some()
            || self.comparison().is_some_and(ended)
    }

    /// Continues the search for the first frame at which an outside run differs. Stops when
    /// `in_time` returns false. After the first difference, the search continues to its last frame.
    /// Calls `observe` with the worlds of both runs at each frame. Returns the result once, at the
    /// end of the search. All other calls return `None`.
    pub fn search_difference(
        &mut self,
        mut in_time: impl FnMut() -> bool,
        mut observe: impl FnMut([&World; 2]),
    ) -> Option<Comparison> {
        let present = &self.runs[self.present];
        let Some(ComparisonRun { side: Side::Outside(outside), .. }) = &mut self.comparison else {
            return None;
        };
        let search = outside.search.as_mut()?;
        loop {
            if !advance_both(&mut search.worlds, [present, &outside.run], search.next) {
                return None;
            }
            let [one, other] = &search.worlds;
            observe([one, other]);
            if search.comparison.differences().is_empty() {
                search.comparison.add(Moment::World(one), Moment::World(other));
            }
            if search.next >= search.last {
                return outside.search.take().map(|search| search.comparison);
            }
            search.next = search.next.next();
            if !in_time() {
                return None;
            }
        }
    }

    /// Ends the search for the first difference early. The comparison continues. Returns the
    /// differences found so far. Returns `None` without a search.
    pub fn stop_difference_search(&mut self) -> Option<Comparison> {
        let Some(ComparisonRun { side: Side::Outside(outside), .. }) = &mut self.comparison else {
            return None;
        };
        outside.search.take().map(|search| search.comparison)
    }

    /// Returns the frame of the first difference that the search has found so far.
    pub fn found_difference(&self) -> Option<Frame> {
        let Side::Outside(outside) = &self.comparison.as_ref()?.side else { return None };
        let differences = outside.search.as_ref()?.comparison.differences();
        differences.first().map(|difference| difference.frame)
    }
}
