//! The values of a varied path: a list or a range.

use crate::keys::sweep::Scale;
use crate::values::Value;

/// A varied path and its values.
#[derive(Debug, Clone)]
pub struct Axis {
    /// The path as written.
    pub path: String,
    pub values: AxisValues,
}

/// The values of a varied path.
#[derive(Debug, Clone)]
pub enum AxisValues {
    List(Vec<Value>),
    Range(ValueRange),
}

/// A range of numbers, with `from` below `to`.
#[derive(Debug, Clone, Copy)]
pub struct ValueRange {
    pub from: f64,
    pub to: f64,
    /// Number of values in designs that are not sampled; at least 2.
    pub steps: usize,
    pub scale: Scale,
    /// Whether the values are integers.
    pub whole: bool,
}

impl ValueRange {
    /// Returns the values of all steps. The ends are exact; other values are rounded to 12
    /// significant digits.
    pub fn all(&self) -> Vec<Value> {
        (0..self.steps).map(|index| self.step(index)).collect()
    }

    /// Returns the values at `from` and `to`.
    pub fn ends(&self) -> [Value; 2] {
        [self.value(self.from), self.value(self.to)]
    }

    /// Returns true if neighbouring steps round to the same integer.
    pub fn has_duplicates(&self) -> bool {
        self.whole && self.all().windows(2).any(|pair| pair[0] == pair[1])
    }

    fn step(&self, index: usize) -> Value {
        let last = self.steps - 1;
        let (low, high) = ((last - index) as f64, index as f64);
        match (index, self.scale) {
            (0, _) => self.value(self.from),
            (_, Scale::Linear) if index < last => {
                self.value(rounded((self.from * low + self.to * high) / last as f64))
            }
            (_, Scale::Log) if index < last => self.value(rounded(self.power(high / last as f64))),
            (_, Scale::Linear | Scale::Log) => self.value(self.to),
        }
    }

    /// Returns the value at a position in the range. `share` is the position in [0, 1).
    pub fn at(&self, share: f64) -> Value {
        let number = match self.scale {
            // Each integer has an equal share.
            Scale::Linear if self.whole => {
                self.from + (share * (self.to - self.from + 1.0)).floor()
            }
            Scale::Linear => self.from + share * (self.to - self.from),
            Scale::Log => self.power(share),
        };
        self.value(number.clamp(self.from, self.to))
    }

    fn power(&self, share: f64) -> f64 {
        self.from * libm::pow(self.to / self.from, share)
    }

    fn value(&self, number: f64) -> Value {
        if self.whole { Value::of_integer(number.round() as i64) } else { Value::of_number(number) }
    }
}

/// Rounds a number to 12 significant digits.
fn rounded(number: f64) -> f64 {
    format!("{number:.11e}").parse().unwrap_or(number)
}

impl AxisValues {
    /// Returns all values, for a design that is not sampled.
    pub fn all(&self) -> Vec<Value> {
        match self {
            Self::List(values) => values.clone(),
            Self::Range(range) => range.all(),
        }
    }

    /// Returns the number of values in a design that is not sampled.
    pub fn count(&self) -> usize {
        match self {
            Self::List(values) => values.len(),
            Self::Range(range) => range.steps,
        }
    }

    /// Returns the value at a position in the list or range. `share` is the position in [0, 1).
    pub fn at(&self, share: f64) -> Value {
        match self {
            Self::List(values) => values[(share * values.len() as f64) as usize].clone(),
            Self::Range(range) => range.at(share),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(from: f64, to: f64, steps: usize, scale: Scale) -> ValueRange {
        ValueRange { from, to, steps, scale, whole: false }
    }

    fn numbers(values: &[Value]) -> Vec<f64> {
        values.iter().map(|value| value.number().unwrap()).collect()
    }

    #[test]
    fn scales_have_exact_ends_and_equal_steps() {
        assert_eq!(numbers(&range(0.1, 1.0, 10, Scale::Linear).all())[2], 0.3);
        assert_eq!(
            numbers(&range(0.01, 100.0, 5, Scale::Log).all()),
            [0.01, 0.1, 1.0, 10.0, 100.0]
        );
        for (from, to, steps) in
            [(0.1, 0.7, 7), (1e-9, 3e7, 33), (2.0, 3.0, 2), (0.3, 1e12, 100), (1.0, 1.1, 1000)]
        {
            let last = (steps - 1) as f64;
            let linear = numbers(&range(from, to, steps, Scale::Linear).all());
            let log = numbers(&range(from, to, steps, Scale::Log).all());
            for values in [&linear, &log] {
                assert_eq!((values.len(), values[0], values[steps - 1]), (steps, from, to));
                assert!(values.windows(2).all(|pair| pair[0] < pair[1]));
            }
            for index in 0..steps {
                let share = index as f64 / last;
                let expected = from + (to - from) * share;
                assert!((linear[index] - expected).abs() <= 1e-11 * to);
                let expected = libm::exp(libm::log(from) * (1.0 - share) + libm::log(to) * share);
                assert!((log[index] / expected - 1.0).abs() <= 1e-11);
            }
        }
    }

    #[test]
    fn ranges_of_integers_have_integers() {
        let whole = ValueRange { whole: true, ..range(1.0, 10.0, 4, Scale::Linear) };
        let texts = |range: ValueRange| range.all().iter().map(Value::text).collect::<Vec<_>>();
        assert_eq!(whole.all()[1].toml(), "4");
        assert_eq!(texts(whole), ["1", "4", "7", "10"]);
        let powers = ValueRange { to: 1000.0, scale: Scale::Log, ..whole };
        assert_eq!(texts(powers), ["1", "10", "100", "1000"]);
        assert!(!powers.has_duplicates() && ValueRange { steps: 11, ..whole }.has_duplicates());
    }
}
