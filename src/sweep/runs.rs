//! Simulates the runs of a plan.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::condition::Condition;
use crate::files::sweep::{Compiled, DesignPoint};
use crate::runner::Frames;
use crate::scenario::Scenario;
use crate::world::{Look, World};

use super::SweepError;
use super::measured::Measured;
use super::plan::Plan;
use super::row::{Cell, End, ResultRow};

/// Maximum number of design points in memory. Several threads simulate neighbouring runs, which
/// usually belong to the same point.
const KEPT_POINTS: usize = 64;

/// A design point, or the errors of its map. Empty until a thread has read the map.
type ReadPoint = OnceLock<Result<DesignPoint, String>>;

/// Simulates the runs of a plan. Several threads can share one instance.
pub struct Runs<'a> {
    plan: &'a Plan,
    points: Mutex<BTreeMap<usize, Arc<ReadPoint>>>,
}

/// The row of a simulated run, and its error.
#[derive(Debug)]
pub struct Simulated {
    pub row: ResultRow,
    /// The reason for [`End::Error`], safe to print. `None` if the run had no error.
    pub error: Option<String>,
}

impl<'a> Runs<'a> {
    pub fn new(plan: &'a Plan) -> Self {
        Self { plan, points: Mutex::default() }
    }

    /// Simulates the run with the number `run`, and returns its row.
    ///
    /// # Panics
    /// Panics if the plan has no run of this number.
    pub fn simulate(&self, run: u64) -> Simulated {
        let (point, seed) = self.plan.run(run);
        let measured =
            self.start(run, |point, scenario| measure(point, scenario, self.plan.sweep.frames));
        let row =
            |cells, frames, end, hash| ResultRow { run, point, seed, cells, frames, end, hash };
        match measured {
            Ok((world, cells, end)) => {
                let row = row(cells, world.frame().0, end, Some(world.hash()));
                Simulated { row, error: None }
            }
            Err(error) => {
                Simulated { row: row(Vec::new(), 0, End::Error, None), error: Some(error) }
            }
        }
    }

    /// Calls `work` with the design point and the scenario of a run.
    ///
    /// # Errors
    /// Returns the errors of the map with the values and the seed of the run.
    pub(super) fn start<R>(
        &self,
        run: u64,
        work: impl FnOnce(&DesignPoint, Arc<Scenario>) -> R,
    ) -> Result<R, String> {
        let (point, seed) = self.plan.run(run);
        let prepared = self.point(point);
        let read = prepared.get_or_init(|| {
            let values = &self.plan.sweep.points[point];
            self.plan.sweep.point(values).map_err(|error| error.to_string())
        });
        let read = read.as_ref().map_err(Clone::clone)?;
        let scenario = read.scenarios.scenario(self.plan.sweep.seeds[seed]);
        Ok(work(read, scenario.map_err(|error| error.to_string())?))
    }

    /// Returns the scenario of a run, for example to show the run on the screen.
    ///
    /// # Errors
    /// Returns an error if the plan has no such run, or if its map has errors.
    pub fn scenario(&self, run: u64) -> Result<Arc<Scenario>, String> {
        let runs = self.plan.runs();
        if run >= runs {
            return Err(SweepError::NoRun { run, runs }.to_string());
        }
        let (point, seed) = self.plan.run(run);
        let point = self.plan.sweep.point(&self.plan.sweep.points[point]);
        let point = point.map_err(|error| error.to_string())?;
        let scenario = point.scenarios.scenario(self.plan.sweep.seeds[seed]);
        scenario.map_err(|error| error.to_string())
    }

    /// Returns the cached entry of a design point. Adds an empty entry if none is cached. If there
    /// are then more than [`KEPT_POINTS`] entries, drops the entry with the lowest index.
    fn point(&self, point: usize) -> Arc<ReadPoint> {
        let mut points = self.points.lock().unwrap_or_else(PoisonError::into_inner);
        let place = Arc::clone(points.entry(point).or_default());
        if points.len() > KEPT_POINTS {
            points.pop_first();
        }
        place
    }
}

/// Runs a scenario up to frame `frames`, or until the stop condition of `point` holds. Returns the
/// world at the last frame, the measures, and how the run ended.
pub fn measure(
    point: &DesignPoint,
    scenario: Arc<Scenario>,
    frames: u64,
) -> (World, Vec<Cell>, End) {
    let mut measured = Measured::new(&point.measures, &scenario);
    let (world, end) = observe(point, scenario, frames, |look| measured.observe(look));
    (world, measured.cells(), end)
}

/// Runs a scenario up to frame `frames`, or until the stop condition of `point` holds. Calls `each`
/// at every frame. Returns the world at the last frame, and how the run ended.
pub(super) fn observe(
    point: &DesignPoint,
    scenario: Arc<Scenario>,
    frames: u64,
    mut each: impl FnMut(&Look),
) -> (World, End) {
    let keeps_previous = point.until.as_ref().is_some_and(Condition::is_momentary)
        || point.measures.iter().any(|measure| match &measure.kind {
            Compiled::Value(number, _) => number.is_momentary(),
            Compiled::Count(condition) | Compiled::First(condition) => condition.is_momentary(),
            Compiled::Expect(index) => scenario.expectations()[*index].uses_previous_frame(),
        });
    let mut world = World::new(scenario);
    let frames = Frames { last: frames, keeps_previous, commands: None };
    let stopped = frames.observe(&mut world, |look| {
        each(look);
        match &point.until {
            Some(until) if until.holds(look, None) => ControlFlow::Break(()),
            Some(_) | None => ControlFlow::Continue(()),
        }
    });
    let end = if stopped.is_some() { End::Until } else { End::Frames };
    (world, end)
}
