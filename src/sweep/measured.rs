//! Computes the measures of one run, frame by frame.

use std::sync::Arc;

use crate::condition::{Condition, NumberCondition};
use crate::files::sweep::{Compiled, CompiledMeasure, Take};
use crate::judge::{Judge, Outcome};
use crate::scenario::Scenario;
use crate::statistics::Moments;
use crate::world::Look;

use super::row::Cell;

/// The measures of a run up to the last observed frame.
pub(super) struct Measured<'a>(Vec<(u64, State<'a>)>);

enum State<'a> {
    Value { number: &'a NumberCondition, take: Take, sums: Sums },
    Count(&'a Condition, u64),
    First(&'a Condition, Option<u64>),
    Expect(Box<Judge>),
}

/// Sums of a value over the observed frames in which it is defined.
#[derive(Default)]
struct Sums {
    frames: u64,
    sum: f64,
    least: Option<f64>,
    greatest: Option<f64>,
    /// The value at the last observed frame. `None` if the value is undefined at that frame.
    last: Option<f64>,
    /// Mean and variance, for the standard deviation only.
    moments: Moments,
    /// The values of all frames. Empty if the result does not need them.
    values: Vec<f64>,
}

impl<'a> Measured<'a> {
    /// Creates the measures of a run, before the first frame is observed.
    pub fn new(measures: &'a [CompiledMeasure], scenario: &Arc<Scenario>) -> Self {
        let state = |measure: &'a Compiled| match measure {
            Compiled::Value(number, take) => {
                State::Value { number, take: *take, sums: Sums::default() }
            }
            Compiled::Count(condition) => State::Count(condition, 0),
            Compiled::First(condition) => State::First(condition, None),
            Compiled::Expect(index) => State::Expect(Box::new(Judge::new(scenario, *index))),
        };
        Self(measures.iter().map(|measure| (measure.from, state(&measure.kind))).collect())
    }

    /// Adds a frame to all measures. Frames must be added in ascending order.
    pub fn observe(&mut self, look: &Look) {
        let frame = look.now.frame().0;
        for (_, state) in self.0.iter_mut().filter(|(from, _)| frame >= *from) {
            match state {
                State::Value { number, take, sums } => sums.add(number.value(look, None), *take),
                State::Count(condition, count) => *count += u64::from(condition.holds(look, None)),
                State::First(_, Some(_)) => {}
                State::First(condition, first) => {
                    *first = condition.holds(look, None).then_some(look.now.frame().0);
                }
                State::Expect(judge) => {
                    judge.observe(look);
                }
            }
        }
    }

    /// Returns the value of each measure, in the order of the sweep. An expectation without a
    /// verdict at the end of the run is inconclusive.
    pub fn cells(self) -> Vec<Cell> {
        let cell = |state| match state {
            State::Value { take, sums, .. } => sums.take(take).into(),
            State::Count(_, count) => Cell::Number(count as f64),
            State::First(_, first) => first.map(|frame| frame as f64).into(),
            State::Expect(judge) => Cell::Outcome(
                judge.verdict().map_or(Outcome::Inconclusive, |verdict| verdict.outcome),
            ),
        };
        self.0.into_iter().map(|(_, state)| cell(state)).collect()
    }
}

impl Sums {
    fn add(&mut self, value: Option<f64>, take: Take) {
        self.last = value;
        let Some(value) = value else { return };
        self.frames += 1;
        self.sum += value;
        self.least = Some(self.least.map_or(value, |least| least.min(value)));
        self.greatest = Some(self.greatest.map_or(value, |greatest| greatest.max(value)));
        match take {
            Take::Quantile(_) => self.values.push(value),
            Take::Sd => self.moments.add(value),
            Take::Last | Take::Mean | Take::Min | Take::Max | Take::Sum => {}
        }
    }

    /// Returns the result of a run. A result that is not finite is undefined.
    fn take(mut self, take: Take) -> Option<f64> {
        let defined = self.frames > 0;
        let result = match take {
            Take::Last => self.last,
            Take::Mean => defined.then(|| self.sum / self.frames as f64),
            Take::Min => self.least,
            Take::Max => self.greatest,
            Take::Sum => defined.then_some(self.sum),
            Take::Sd => self.moments.variance().map(f64::sqrt),
            Take::Quantile(share) => quantile(&mut self.values, share),
        };
        result.filter(|result| result.is_finite())
    }
}

/// Returns the number below which a share of the values lies: the linear interpolation between the
/// two nearest of the sorted values (Hyndman and Fan, "Sample Quantiles in Statistical Packages",
/// 1996, definition 7). Returns `None` without values.
fn quantile(values: &mut [f64], share: f64) -> Option<f64> {
    values.sort_unstable_by(f64::total_cmp);
    let place = share * values.len().checked_sub(1)? as f64;
    let (lower, part) = (place as usize, place.fract());
    let upper = (lower + 1).min(values.len() - 1);
    Some(values[lower] + part * (values[upper] - values[lower]))
}
