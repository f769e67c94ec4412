//! Computes means and intervals of a sweep while its rows are read.
//!
//! A [`Summary`] needs memory for each design point and column (136 bytes), and for each seed and
//! column (8 bytes), but not for each run.

use std::path::Path;

use crate::judge::Outcome;
use crate::statistics::{Interval, Moments, Pairs, Tally};

use super::plan::Plan;
use super::row::{Cell, Column, End, columns};
use super::{SweepError, table};

/// Confidence level of all intervals in a summary, as a fraction.
pub const CONFIDENCE: f64 = 0.95;

/// Skewness above which the t interval of few values is marked. It then often misses the mean.
const SKEWED: f64 = 1.0;

/// Number of values from which a t interval is never marked as skewed.
const MANY: u64 = 30;

/// Number of pairs from which a t test can be used. With fewer pairs, the differences of two groups of
/// values, such as early and late events, are too often nearly equal by coincidence.
const LEAST_PAIRS: u64 = 5;

/// Largest difference of two values that count as equal, as a fraction of one of them. Sums of the same
/// numbers in another order differ by less.
const ROUNDING: f64 = 1e-9;

/// Returns a cell as a number for means and differences. A passed expectation is 1; a failed or
/// inconclusive one is 0. An event that did not happen counts as if it happened at the frame `last`,
/// the last frame of the run. Returns `None` for any other empty cell.
fn value(cell: Cell, column: Column, last: u64) -> Option<f64> {
    match cell {
        Cell::Empty if column == Column::First => Some(last as f64),
        Cell::Empty => None,
        Cell::Number(number) => number.is_finite().then_some(number),
        Cell::Outcome(Outcome::Pass) => Some(1.0),
        Cell::Outcome(Outcome::Fail | Outcome::Inconclusive) => Some(0.0),
    }
}

/// The reason why a t interval is only a rough guide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doubt {
    /// The values are few and skewed.
    Skewed,
    /// All values are equal, so the interval has no width. Values of other seeds can differ.
    Equal,
}

impl Doubt {
    /// Returns the doubt about the t interval of the mean of some values.
    fn about(values: &Moments) -> Option<Self> {
        let spread = values.variance()?.sqrt();
        if spread <= ROUNDING * values.mean()?.abs() {
            return Some(Self::Equal);
        }
        let is_skewed = || values.skewness().is_some_and(|skewness| skewness.abs() > SKEWED);
        (values.count() < MANY && is_skewed()).then_some(Self::Skewed)
    }

    /// Returns the word that marks the interval.
    pub fn word(self) -> &'static str {
        match self {
            Self::Skewed => "skewed",
            Self::Equal => "equal",
        }
    }
}

/// The mean of a measure at a design point, with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// Number of runs that ended without an error.
    pub runs: u64,
    /// Number of runs with a value. For outcomes, the number of passed runs. For the first frame of an
    /// event, the number of runs in which it happened.
    pub count: u64,
    /// Number of runs with an inconclusive outcome. They count as not passed.
    pub inconclusive: u64,
    /// Mean of the values. For outcomes, the share of passed runs. `None` without values. For the
    /// first frame of an event, a run without the event counts with its last frame: this is the mean
    /// time without the event, limited to the length of the runs.
    pub mean: Option<f64>,
    /// Confidence interval of the mean. Uses Student's t for numbers and frames, and
    /// Clopper–Pearson for outcomes. `None` without runs, or if Student's t has fewer than two
    /// values.
    pub interval: Option<Interval>,
    /// The reason why the interval is only a rough guide; `None` if it is not.
    pub doubt: Option<Doubt>,
}

/// The mean difference of a measure between a design point and the first design point. Each pair of
/// runs has the same seed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeanDifference {
    /// Number of seeds with a value at both design points.
    pub pairs: u64,
    /// Mean, over all pairs, of the value at this design point minus the value at the first design
    /// point.
    pub mean: f64,
    /// Confidence interval of the mean. Uses Student's t for numbers and frames, and [`Pairs`] for
    /// outcomes. `None` if Student's t has fewer than two pairs.
    pub interval: Option<Interval>,
    /// The reason why the interval is only a rough guide; `None` if it is not.
    pub doubt: Option<Doubt>,
}

/// A test of the hypothesis that a measure has the same mean or share at a design point and at the
/// first one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Test {
    /// Number of seeds with a value at both design points.
    pub pairs: u64,
    /// Probability of differences that are at least as large, if the hypothesis is true.
    pub p_value: f64,
    /// Whether this is the exact sign test, which for outcomes is the test of `McNemar`. Otherwise, it
    /// is the paired t test.
    pub is_exact: bool,
}

/// The sizes of the differences that are not 0.
#[derive(Debug, Clone, Copy, Default)]
enum Sizes {
    #[default]
    None,
    /// All have this size, as the differences of a measure with two possible values have.
    One(f64),
    Several,
}

impl Sizes {
    fn add(&mut self, size: f64) {
        *self = match *self {
            Self::None if size > 0.0 => Self::One(size),
            Self::One(one) if size > 0.0 && (size - one).abs() > ROUNDING * one => Self::Several,
            same @ (Self::None | Self::One(_) | Self::Several) => same,
        };
    }
}

/// Sums over the runs of one design point, for one measure.
#[derive(Debug, Clone, Copy, Default)]
struct Measured {
    runs: u64,
    inconclusive: u64,
    values: Moments,
    /// Number of runs in which an event happened.
    happened: u64,
    differences: Moments,
    sizes: Sizes,
    /// The pairs of outcomes at the first design point and here. For numbers and frames, the point with
    /// the larger value counts as passed; with equal values, neither.
    pairs: Pairs,
}

/// Means and intervals of all measures at all design points of a sweep.
#[derive(Debug)]
pub struct Summary {
    columns: Vec<(String, Column)>,
    /// Sums for each column at each design point. All columns of the first point come first, then
    /// those of the second.
    measured: Vec<Measured>,
    /// For each column, the values at the first design point by seed index. NaN if a run has no
    /// value.
    baseline: Vec<Vec<f64>>,
}

impl Summary {
    /// Creates a summary without runs. `points` is the number of design points.
    pub fn new(points: usize, columns: &[(String, Column)]) -> Self {
        Self {
            columns: columns.to_vec(),
            measured: vec![Measured::default(); points * columns.len()],
            baseline: vec![Vec::new(); columns.len()],
        }
    }

    /// Creates the summary of a results file. Also returns the number of runs that ended with an
    /// error.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or if its rows do not belong to the plan.
    pub fn of(results: &Path, plan: &Plan) -> Result<(Self, u64), SweepError> {
        let sweep = &plan.sweep;
        let mut summary = Self::new(sweep.points.len(), &columns(sweep));
        let mut errors = 0;
        table::read(results, plan, |row| {
            errors += u64::from(row.end == End::Error);
            summary.add(row.point, row.seed, row.frames, &row.cells);
        })?;
        Ok((summary, errors))
    }

    /// Iterates over the measures of a first frame that is frame 0 in all runs.
    pub fn true_at_start(&self) -> impl Iterator<Item = &str> {
        let width = self.columns.len();
        let is_at_start = move |index: usize| {
            let mut of_points = self.measured.iter().skip(index).step_by(width);
            of_points
                .all(|it| it.happened == it.runs && it.values.mean().is_none_or(|mean| mean == 0.0))
        };
        let has_runs = self.measured.iter().any(|it| it.runs > 0);
        let columns = self.columns.iter().enumerate().filter(move |_| has_runs);
        let first = columns
            .filter(move |(index, (_, column))| *column == Column::First && is_at_start(*index));
        first.map(|(_, (name, _))| name.as_str())
    }

    /// Adds a run. `point` and `seed` are indices in the plan, and `last` is the last frame of the run.
    /// `values` has one entry per column, or is empty if the run ended with an error. All runs of the
    /// first design point must be added first, in the order of the seeds.
    pub fn add(&mut self, point: usize, seed: usize, last: u64, values: &[Cell]) {
        for (column, cell) in values.iter().enumerate() {
            let measured = &mut self.measured[point * self.columns.len() + column];
            measured.runs += 1;
            measured.inconclusive += u64::from(*cell == Cell::Outcome(Outcome::Inconclusive));
            measured.happened += u64::from(*cell != Cell::Empty);
            let value = value(*cell, self.columns[column].1, last);
            if let Some(value) = value {
                measured.values.add(value);
            }
            let baseline = &mut self.baseline[column];
            if point == 0 {
                baseline.resize(seed, f64::NAN);
                baseline.push(value.unwrap_or(f64::NAN));
            } else if let (Some(value), Some(base)) = (value, baseline.get(seed))
                && base.is_finite()
            {
                let difference = value - base;
                measured.differences.add(difference);
                measured.sizes.add(difference.abs());
                match self.columns[column].1 {
                    Column::Number | Column::First => {
                        measured.pairs.add(difference < 0.0, difference > 0.0);
                    }
                    Column::Outcome => measured.pairs.add(*base > 0.5, value > 0.5),
                }
            }
        }
    }

    /// Returns the name and the kind of values of each measure, in the order of the sweep.
    pub fn columns(&self) -> &[(String, Column)] {
        &self.columns
    }

    /// Returns the number of design points.
    pub fn points(&self) -> usize {
        self.measured.len() / self.columns.len().max(1)
    }

    /// Returns the mean and confidence interval of a measure at a design point. `point` and
    /// `column` are indices.
    pub fn estimate(&self, point: usize, column: usize) -> Estimate {
        let Measured { runs, inconclusive, values, happened, .. } = self.measured(point, column);
        let mean = values.mean();
        match self.columns[column].1 {
            kind @ (Column::Number | Column::First) => Estimate {
                runs,
                count: if kind == Column::First { happened } else { values.count() },
                inconclusive,
                mean,
                interval: values.interval(CONFIDENCE),
                doubt: Doubt::about(&values),
            },
            Column::Outcome => {
                let count = mean.map_or(0, |mean| (mean * runs as f64).round() as u64);
                let tally = Tally { passed: count, failed: runs - count };
                let interval = (runs > 0).then(|| tally.clopper_pearson(CONFIDENCE));
                Estimate { runs, count, inconclusive, mean, interval, doubt: None }
            }
        }
    }

    /// Returns the mean difference of a measure between a design point and the first design point.
    /// `point` and `column` are indices. Returns `None` if no seed has a value at both points.
    pub fn difference(&self, point: usize, column: usize) -> Option<MeanDifference> {
        let Measured { differences, pairs, .. } = self.measured(point, column);
        let mean = differences.mean()?;
        let (interval, doubt) = match self.columns[column].1 {
            Column::Number | Column::First => {
                (differences.interval(CONFIDENCE), Doubt::about(&differences))
            }
            Column::Outcome => (pairs.interval(CONFIDENCE), None),
        };
        Some(MeanDifference { pairs: differences.count(), mean, interval, doubt })
    }

    /// Tests whether a measure has the same mean or share at a design point and at the first one.
    /// `point` and `column` are indices. Returns `None` if no seed has a value at both points.
    ///
    /// For numbers and frames, this is the paired t test. It needs a spread that the differences show:
    /// if all differences that are not 0 have the same size, or if there are few, it is the sign test.
    pub fn test(&self, point: usize, column: usize) -> Option<Test> {
        let Measured { differences, sizes, pairs, .. } = self.measured(point, column);
        let count = differences.count();
        let has_spread = match sizes {
            Sizes::None | Sizes::One(_) => false,
            Sizes::Several => count >= LEAST_PAIRS,
        };
        let t_test = match self.columns[column].1 {
            Column::Number | Column::First if has_spread => differences.p_value(),
            Column::Number | Column::First | Column::Outcome => None,
        };
        let p_value = t_test.unwrap_or_else(|| pairs.p_value());
        (count > 0).then_some(Test { pairs: count, p_value, is_exact: t_test.is_none() })
    }

    fn measured(&self, point: usize, column: usize) -> Measured {
        self.measured[point * self.columns.len() + column]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns() -> [(String, Column); 3] {
        let named = |name: &str, column| (name.to_owned(), column);
        [
            named("order", Column::Number),
            named("settled", Column::First),
            named("seen", Column::Outcome),
        ]
    }

    /// Returns a summary of two design points with four seeds each.
    fn summary() -> Summary {
        use Cell::{Empty, Number, Outcome as Seen};
        use Outcome::{Fail, Inconclusive, Pass};
        let mut summary = Summary::new(2, &columns());
        let points = [
            [
                [Number(1.0), Number(100.0), Seen(Pass)],
                [Number(2.0), Empty, Seen(Pass)],
                [Number(3.0), Number(140.0), Seen(Fail)],
                [Number(4.0), Number(180.0), Seen(Inconclusive)],
            ],
            [
                [Number(2.0), Number(90.0), Seen(Pass)],
                [Number(2.5), Number(50.0), Seen(Pass)],
                [Number(f64::NAN), Empty, Seen(Pass)],
                [Number(5.5), Number(160.0), Seen(Pass)],
            ],
        ];
        for (point, seeds) in points.iter().enumerate() {
            for (seed, values) in seeds.iter().enumerate() {
                summary.add(point, seed, 200, values);
            }
        }
        summary
    }

    fn near(interval: Option<Interval>, lower: f64, upper: f64) -> bool {
        let interval = interval.expect("an interval");
        (interval.lower - lower).abs() < 1e-6 && (interval.upper - upper).abs() < 1e-6
    }

    /// The intervals are those of `t.test` and `binom.test` of R.
    #[test]
    fn estimates_count_runs_without_a_value() {
        let summary = summary();
        let order = summary.estimate(0, 0);
        assert_eq!((order.runs, order.count, order.mean), (4, 4, Some(2.5)));
        assert!(near(order.interval, 0.445_739_7, 4.554_260_3), "{order:?}");
        let settled = summary.estimate(0, 1);
        // 100, 140 and 180, and 200 for the run without the event
        assert_eq!((settled.runs, settled.count, settled.mean), (4, 3, Some(155.0)));
        assert!(near(settled.interval, 84.433_842_8, 225.566_157_2), "{settled:?}");
        let seen = summary.estimate(0, 2);
        assert_eq!((seen.runs, seen.count, seen.inconclusive), (4, 2, 1));
        assert_eq!(seen.mean, Some(0.5));
        assert!(near(seen.interval, 0.067_585_97, 0.932_414_03), "{seen:?}");
        assert_eq!(summary.estimate(1, 0).count, 3);
    }

    #[test]
    fn differences_use_seeds_with_both_values() {
        let summary = summary();
        assert_eq!(summary.difference(0, 0), None);
        let order = summary.difference(1, 0).expect("pairs");
        // 1, 0.5 and 1.5
        assert_eq!((order.pairs, order.mean), (3, 1.0));
        assert!(near(order.interval, -0.242_068_9, 2.242_068_9), "{order:?}");
        let settled = summary.difference(1, 1).expect("pairs");
        // −10, 50 − 200, 200 − 140 and −20
        assert_eq!((settled.pairs, settled.mean), (4, -30.0));
        let seen = summary.difference(1, 2).expect("pairs");
        assert_eq!((seen.pairs, seen.mean), (4, 0.5));
        assert_eq!(summary.test(1, 2), Some(Test { pairs: 4, p_value: 0.5, is_exact: true }));
        let interval = seen.interval.expect("an interval");
        assert!(interval.lower < 0.0 && interval.upper > 0.5, "{interval:?}");
    }

    /// Common random numbers: noise that both points share does not widen the interval of the
    /// difference.
    #[test]
    fn paired_differences_cancel_the_noise_of_seeds() {
        let mut summary = Summary::new(2, &columns()[..1]);
        let noise = |seed: usize| (seed * 37 % 101) as f64;
        for (point, effect) in [0.0, 0.25].into_iter().enumerate() {
            for seed in 0..20 {
                summary.add(point, seed, 200, &[Cell::Number(noise(seed) + effect)]);
            }
        }
        let difference = summary.difference(1, 0).expect("pairs");
        assert!(near(difference.interval, 0.25, 0.25));
        let alone = summary.estimate(1, 0).interval.expect("an interval");
        assert!(alone.upper - alone.lower > 20.0);
    }

    /// Returns the test of some differences. At the first design point, all values are 0.
    fn test_of(differences: &[f64]) -> Test {
        let mut summary = Summary::new(2, &columns()[..1]);
        for (point, factor) in [0.0, 1.0].into_iter().enumerate() {
            for (seed, difference) in differences.iter().enumerate() {
                summary.add(point, seed, 200, &[Cell::Number(factor * difference)]);
            }
        }
        summary.test(1, 0).expect("pairs")
    }

    /// The p-value of `t.test(c(1, 2, 3, 4, 5))` of R is 0.0132.
    #[test]
    fn differences_of_one_size_get_the_sign_test() {
        let exact = |differences: &[f64], p_value: f64| {
            let test = test_of(differences);
            assert!(test.is_exact && (test.p_value - p_value).abs() < 1e-12, "{test:?}");
        };
        exact(&[1.0; 3], 0.25);
        exact(&[2.5; 8], 2.0 / 256.0);
        // Rounding makes no second size.
        exact(&[0.3, 0.1 + 0.2, 0.3, 0.3, 0.3], 0.0625);
        // Six of seven coins; the eighth difference is 0.
        exact(&[2.0, 2.0, 2.0, -2.0, 2.0, 2.0, 0.0, 2.0], 2.0 * 8.0 / 128.0);
        exact(&[0.0; 9], 1.0);
        // Too few for a t test.
        exact(&[1.0, 1.1, 1.2, 1.3], 0.125);
        let test = test_of(&[1.0, 2.0, 3.0, 4.0, 5.0]);
        assert!(!test.is_exact && (test.p_value - 0.0132).abs() < 5e-5, "{test:?}");
    }

    #[test]
    fn intervals_without_width_are_marked() {
        let mut summary = Summary::new(2, &columns()[..1]);
        for (point, value) in [0.0, 0.1].into_iter().enumerate() {
            (0..40).for_each(|seed| summary.add(point, seed, 200, &[Cell::Number(value)]));
        }
        assert_eq!(summary.estimate(0, 0).doubt, Some(Doubt::Equal));
        assert_eq!(summary.estimate(1, 0).doubt, Some(Doubt::Equal));
        assert_eq!(summary.difference(1, 0).expect("pairs").doubt, Some(Doubt::Equal));
        summary.add(1, 39, 200, &[Cell::Number(0.2)]);
        assert_eq!(summary.estimate(1, 0).doubt, None);
    }

    #[test]
    fn memory_does_not_depend_on_the_number_of_runs() {
        assert_eq!(size_of::<Measured>(), 136);
        let mut summary = Summary::new(3, &columns());
        for point in 0..3 {
            for seed in 0..1000 {
                summary.add(point, seed, 200, &[Cell::Number(1.0); 3]);
            }
        }
        assert_eq!(summary.measured.len(), 9);
        assert!(summary.baseline.iter().all(|values| values.len() == 1000));
    }
}
