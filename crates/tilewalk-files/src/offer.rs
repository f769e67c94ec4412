//! Tunable parameters: the numbers a map may have, with their ranges and defaults.
//!
//! The reader records them while it asks for keys. The value list on the screen therefore needs no
//! table of its own and cannot offer a key that is not read.

use std::ops::RangeInclusive;

/// A number that may stand in a map.
#[derive(Debug, Clone, PartialEq)]
pub struct Offer {
    /// What a setting calls it: `guard.patrol.steer.2.weight`.
    pub place: String,
    /// Its key, the last part of that.
    pub key: &'static str,
    /// What the table describes that it stands in, as in "a body".
    pub what: &'static str,
    /// What the map has there, as it is written.
    pub value: Option<String>,
    /// What counts if it has nothing there; `None` where that is no number.
    pub default: Option<f64>,
    /// What it may be.
    pub range: RangeInclusive<f64>,
    /// Its unit; empty for a plain factor.
    pub unit: &'static str,
    /// Must it be an integer?
    pub whole: bool,
}

impl Offer {
    /// What counts now, as it is written; nothing where no number does.
    pub fn present(&self) -> String {
        let default = || self.default.map(|default| default.to_string()).unwrap_or_default();
        self.value.clone().unwrap_or_else(default)
    }

    /// A little more or less than a number that is written: a step in its second digit, within the
    /// range. `None` for what is no number.
    pub fn nudged(&self, text: &str, up: bool) -> Option<String> {
        let number: f64 = text.trim().replace('_', "").parse().ok()?;
        let step = if self.whole { 1.0 } else { step(number, up) };
        let next = (number / step).round() + if up { 1.0 } else { -1.0 };
        // Divided, not multiplied: 7 × 0.1 is not 0.7.
        let next = if step < 1.0 { next / (1.0 / step).round() } else { next * step };
        Some(next.clamp(*self.range.start(), *self.range.end()).to_string())
    }
}

/// One in the second digit; towards 0 from a power of ten, that of the smaller numbers.
fn step(number: f64, up: bool) -> f64 {
    let size = number.abs();
    let mut step = 1e-3;
    // Away from 0 a power of ten belongs to the larger numbers.
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
        let offer = Offer {
            place: "a.body.mass".to_owned(),
            key: "mass",
            what: "a body",
            value: None,
            default: None,
            range: 0.0..=100.0,
            unit: "",
            whole,
        };
        offer.nudged(text, up).unwrap_or_default()
    }

    #[test]
    fn a_nudge_is_one_in_the_second_digit_and_back_again() {
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
