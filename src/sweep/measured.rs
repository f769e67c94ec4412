//! Computes the measures of one run, frame by frame.

use std::sync::Arc;

use crate::condition::{Condition, NumberCondition};
use crate::files::sweep::{Compiled, Take};
use crate::judge::{Judge, Outcome};
use crate::scenario::Scenario;
use crate::world::Look;

use super::row::Cell;

/// The measures of a run up to the last observed frame.
pub(super) struct Measured<'a>(Vec<State<'a>>);

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
}

impl<'a> Measured<'a> {
    /// Creates the measures of a run, before the first frame is observed.
    pub fn new(measures: &'a [Compiled], scenario: &Arc<Scenario>) -> Self {
        let state = |measure: &'a Compiled| match measure {
            Compiled::Value(number, take) => {
                State::Value { number, take: *take, sums: Sums::default() }
            }
            Compiled::Count(condition) => State::Count(condition, 0),
            Compiled::First(condition) => State::First(condition, None),
            Compiled::Expect(index) => State::Expect(Box::new(Judge::new(scenario, *index))),
        };
        Self(measures.iter().map(state).collect())
    }

    /// Adds a frame to all measures. Frames must be added in ascending order.
    pub fn observe(&mut self, look: &Look) {
        for state in &mut self.0 {
            match state {
                State::Value { number, sums, .. } => sums.add(number.value(look, None)),
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
        self.0.into_iter().map(cell).collect()
    }
}

impl Sums {
    fn add(&mut self, value: Option<f64>) {
        self.last = value;
        let Some(value) = value else { return };
        self.frames += 1;
        self.sum += value;
        self.least = Some(self.least.map_or(value, |least| least.min(value)));
        self.greatest = Some(self.greatest.map_or(value, |greatest| greatest.max(value)));
    }

    /// Returns the result of a run. A result that is not finite is undefined.
    fn take(&self, take: Take) -> Option<f64> {
        let defined = self.frames > 0;
        let result = match take {
            Take::Last => self.last,
            Take::Mean => defined.then(|| self.sum / self.frames as f64),
            Take::Min => self.least,
            Take::Max => self.greatest,
            Take::Sum => defined.then_some(self.sum),
        };
        result.filter(|result| result.is_finite())
    }
}
