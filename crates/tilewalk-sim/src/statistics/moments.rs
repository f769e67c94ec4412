//! The mean of measured values, and its confidence interval.

use libm::sqrt;

use super::{Interval, student};

/// A running mean and variance of values (Welford, "Note on a Method for Calculating Corrected Sums
/// of Squares and Products", 1962).
///
/// The same values in the same order produce bit-identical results. Memory does not depend on the
/// number of values.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Moments {
    count: u64,
    mean: f64,
    /// Sum of the squared deviations from the mean.
    squares: f64,
}

impl Moments {
    /// Adds a value, which must be finite.
    pub fn add(&mut self, value: f64) {
        self.count += 1;
        let before = value - self.mean;
        self.mean += before / self.count as f64;
        self.squares += before * (value - self.mean);
    }

    /// Returns the number of added values.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the arithmetic mean; `None` without values.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then_some(self.mean)
    }

    /// Returns the unbiased estimate of the variance (divisor n − 1); `None` for fewer than two
    /// values.
    pub fn variance(&self) -> Option<f64> {
        (self.count > 1).then(|| self.squares / (self.count - 1) as f64)
    }

    /// Returns the confidence interval of the mean; `None` for fewer than two values. The values
    /// must be independent and normally distributed. `confidence` is between 0 and 1.
    pub fn interval(&self, confidence: f64) -> Option<Interval> {
        let error = sqrt(self.variance()? / self.count as f64);
        let half = student::critical_value(confidence, self.count - 1) * error;
        Some(Interval { lower: self.mean - half, upper: self.mean + half })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moments(values: &[f64]) -> Moments {
        let mut moments = Moments::default();
        for value in values {
            moments.add(*value);
        }
        moments
    }

    #[test]
    fn few_values_have_no_variance() {
        assert_eq!(moments(&[]).mean(), None);
        assert_eq!(moments(&[]).interval(0.95), None);
        assert_eq!(moments(&[3.0]).mean(), Some(3.0));
        assert_eq!(moments(&[3.0]).interval(0.95), None);
        let equal = moments(&[0.1; 1000]).interval(0.95);
        assert_eq!(equal, Some(Interval { lower: 0.1, upper: 0.1 }));
    }

    /// Checks the interval for the extra sleep of ten patients (Student, "The Probable Error of a
    /// Mean", 1908). The expected values are from `t.test(sleep$extra[11:20])` in R.
    #[test]
    fn intervals_agree_with_published_values() {
        let sleep = moments(&[1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]);
        let interval = sleep.interval(0.95).expect("an interval");
        assert_eq!(sleep.count(), 10);
        assert!((sleep.mean().expect("a mean") - 2.33).abs() < 1e-12);
        assert!((sleep.variance().expect("a variance") - 4.009).abs() < 1e-12);
        assert!((interval.lower - 0.897_677_5).abs() < 1e-6, "{interval:?}");
        assert!((interval.upper - 3.762_322_5).abs() < 1e-6, "{interval:?}");
    }

    #[test]
    fn a_large_offset_does_not_change_the_variance() {
        let values = [4.0, 7.0, 13.0, 16.0];
        let far = values.map(|value| value + 1e9);
        assert_eq!(moments(&far).variance(), Some(30.0));
        assert_eq!(moments(&values).variance(), Some(30.0));
    }
}
