//! The scale of an axis: converts values to positions, and lists the numbers to print at the axis.

use super::digits::{exponent, power_of_ten};

/// The range of an axis. The numbers at the axis are equally spaced.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scale {
    pub lower: f64,
    pub upper: f64,
    /// Difference between two consecutive numbers at the axis.
    pub step: f64,
}

impl Scale {
    /// Returns a scale that contains all values. Both ends of the scale are multiples of its step.
    /// Returns `None` if there are no finite values.
    pub fn around(values: impl Iterator<Item = f64>) -> Option<Self> {
        let (lower, upper) = values
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
                (low.min(value), high.max(value))
            });
        let extent = upper - lower;
        if !extent.is_finite() {
            return None;
        }
        // Equal values get room above and below.
        let extent = if extent > 0.0 { extent } else { f64::max(lower.abs(), 1.0) };
        let step = round_step(extent / 5.0);
        let (first, last) = ((lower / step).floor(), (upper / step).ceil());
        let last = if first == last { first + 1.0 } else { last };
        Some(Self { lower: first * step, upper: last * step, step })
    }

    /// Returns the position of a value: 0 at the lower end, 1 at the upper end.
    pub fn position(&self, value: f64) -> f64 {
        (value - self.lower) / (self.upper - self.lower)
    }

    /// Returns the numbers at the axis, including both ends, in ascending order.
    pub fn numbers(&self) -> impl Iterator<Item = f64> {
        let (lower, step) = (self.lower, self.step);
        let count = ((self.upper - lower) / step).round() as u32;
        // Adding 0 removes the sign of −0.
        (0..=count).map(move |index| lower + f64::from(index) * step + 0.0)
    }
}

/// Returns the smallest step that is at least `least`. A step is 1, 2 or 5 times a power of ten.
/// `least` must be positive.
fn round_step(least: f64) -> f64 {
    let power = power_of_ten(exponent(least));
    let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
    steps.into_iter().find(|step| *step >= least).unwrap_or(least)
}

/// Returns the positions of an axis's values, from 0 to 1. The axis is logarithmic if the values
/// resemble a geometric sequence more than an arithmetic one.
///
/// `values` are distinct and sorted.
pub(super) fn positions(values: &[f64]) -> Vec<f64> {
    let (first, last) = (values[0], values[values.len() - 1]);
    let middle = f64::midpoint(values[(values.len() - 1) / 2], values[values.len() / 2]);
    let mean = f64::midpoint(first, last);
    let geometric = first > 0.0 && (middle - (first * last).sqrt()).abs() < (middle - mean).abs();
    let place = |value: f64| if geometric { value.ln() } else { value };
    let extent = place(last) - place(first);
    values.iter().map(|value| (place(*value) - place(first)) / extent).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_have_round_numbers_around_the_values() {
        for (values, numbers) in [
            (&[0.013, 0.97][..], &[0.0, 0.2, 0.4, 0.6, 0.8, 1.0][..]),
            (&[-3.0, 11.0], &[-5.0, 0.0, 5.0, 10.0, 15.0]),
            (&[412.0, 690.0], &[400.0, 500.0, 600.0, 700.0]),
            (&[7.0], &[6.0, 8.0]),
            (&[0.0], &[0.0, 0.2]),
        ] {
            let scale = Scale::around(values.iter().copied()).expect("a scale");
            let found: Vec<f64> = scale.numbers().collect();
            assert_eq!(found.len(), numbers.len(), "{found:?}");
            assert!(found.iter().zip(numbers).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}");
            assert!(values.iter().all(|value| (0.0..=1.0).contains(&scale.position(*value))));
        }
        assert_eq!(Scale::around([].into_iter()), None);
    }

    #[test]
    fn geometric_sequences_have_a_logarithmic_axis() {
        assert_eq!(positions(&[0.0, 1.0, 2.0, 4.0]), [0.0, 0.25, 0.5, 1.0]);
        let log = positions(&[0.5, 1.0, 2.0, 4.0]);
        assert!(log.iter().enumerate().all(|(index, at)| (at * 3.0 - index as f64).abs() < 1e-12));
        assert_eq!(positions(&[1.0, 2.0, 3.0]), [0.0, 0.5, 1.0]);
    }
}
