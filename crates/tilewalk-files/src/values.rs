//! Values of a map that settings can change: their paths, ranges and use.
//!
//! The reader of a map records each number that the map sets or can set as a tunable value.

mod path;
pub mod usage;
mod value;

pub(crate) use path::{agent_table, map_keys};

pub use path::{NoPath, parse as parse_path};
pub use tilewalk_sim::scenario::setting::{EntryId, InnerTable, TablePath, ValuePath};
pub use value::{NoValue, Value};

use std::ops::RangeInclusive;

/// A tunable value: a number that a map sets or can set.
#[derive(Debug, Clone, PartialEq)]
pub struct TunableValue {
    /// Path of the value, as used in settings.
    pub path: ValuePath,
    /// Key of the value: the last part of the path.
    pub key: &'static str,
    /// Name of the value's table in messages, such as "a body".
    pub what: &'static str,
    /// Value as written in the map; `None` if the key is missing.
    pub value: Option<String>,
    /// Default of the key; `None` if the default is not a number.
    pub default: Option<f64>,
    /// Range of valid values.
    pub range: RangeInclusive<f64>,
    /// Unit of the value; empty for a plain factor.
    pub unit: &'static str,
    /// Whether the value must be an integer.
    pub whole: bool,
}

impl TunableValue {
    /// Returns the current value as written. Without a current value, returns the default. Returns
    /// an empty string if the default is not a number.
    pub fn present(&self) -> String {
        let default = || self.default.map(|default| default.to_string()).unwrap_or_default();
        self.value.clone().unwrap_or_else(default)
    }

    /// Returns the next larger or smaller number after the number in `text`. Integers change by 1,
    /// floats by 1 in the second significant digit. The result is limited to the range. Returns
    /// `None` if `text` is not a number.
    pub fn nudged(&self, text: &str, up: bool) -> Option<String> {
        let number: f64 = text.trim().replace('_', "").parse().ok()?;
        let step = if self.whole { 1.0 } else { step(number, up) };
        let next = (number / step).round() + if up { 1.0 } else { -1.0 };
        // Dividing 7 by 10 gives 0.7; multiplying 7 by 0.1 does not.
        let next = if step < 1.0 { next / (1.0 / step).round() } else { next * step };
        Some(next.clamp(*self.range.start(), *self.range.end()).to_string())
    }
}

/// Returns the step size for a number: one unit of its second significant digit. A step from a
/// power of ten towards 0 is ten times smaller, so that 100 becomes 99.
fn step(number: f64, up: bool) -> f64 {
    let size = number.abs();
    let mut step = 1e-3;
    // For a step away from 0, a power of ten counts as a larger number.
    let outwards = (number >= 0.0) == up;
    let reaches = |power: f64| if outwards { size >= power * 0.999_999 } else { size > power };
    while step < 1e5 && (reaches(step * 100.0) || (size == 0.0 && step < 0.1)) {
        step *= 10.0;
    }
    (step * 1e3).round() / 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nudged(text: &str, up: bool, whole: bool) -> String {
        let tunable = TunableValue {
            path: parse_path("a.body.mass").unwrap(),
            key: "mass",
            what: "a body",
            value: None,
            default: None,
            range: 0.0..=100.0,
            unit: "",
            whole,
        };
        tunable.nudged(text, up).unwrap_or_default()
    }

    #[test]
    fn nudging_changes_the_second_digit_and_is_reversible() {
        for (less, more) in [
            ("2", "2.1"),
            ("0.99", "1"),
            ("1", "1.1"),
            ("0.25", "0.26"),
            ("9.9", "10"),
            ("0.1", "0.11"),
        ] {
            assert_eq!(nudged(less, true, false), more);
            assert_eq!(nudged(more, false, false), less);
        }
        assert_eq!(
            (nudged("0", true, false).as_str(), nudged("0", false, false).as_str()),
            ("0.1", "0")
        );
        assert_eq!(
            (nudged("100", true, false).as_str(), nudged("60", true, false).as_str()),
            ("100", "61")
        );
        assert_eq!(
            (nudged("4", true, true).as_str(), nudged("4", false, true).as_str()),
            ("5", "3")
        );
        assert_eq!(nudged("none", true, false), "");
    }
}
