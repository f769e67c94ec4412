//! A value in TOML notation, in a canonical form.

use core::fmt;
use std::str::FromStr;
use std::sync::Arc;

use toml_edit::Value as TomlValue;

/// A value in TOML notation. A number has the shortest form that parses to the same number. Cloning
/// a value does not copy its text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Value(Arc<str>);

/// Error for a text that is not a TOML value on one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a TOML value on one line")]
pub struct NoValue;

impl Value {
    /// Creates a value from a finite number.
    pub(crate) fn of_number(number: f64) -> Self {
        // Adding 0 removes the sign of −0.
        Self(format!("{:?}", number + 0.0).into())
    }

    /// Creates a value from an integer.
    pub(crate) fn of_integer(number: i64) -> Self {
        Self(number.to_string().into())
    }

    /// Creates a value from a boolean.
    pub(crate) fn of_boolean(boolean: bool) -> Self {
        Self(boolean.to_string().into())
    }

    /// Returns the value in TOML notation.
    pub fn toml(&self) -> &str {
        &self.0
    }

    /// Returns the value as a number; `None` if the value is not a number.
    pub fn number(&self) -> Option<f64> {
        self.0.parse().ok().filter(|number: &f64| number.is_finite())
    }

    /// Returns the value for output: a string without quotes, and a whole number without `.0`.
    pub fn text(&self) -> String {
        if self.number().is_some() {
            return self.0.strip_suffix(".0").unwrap_or(&self.0).to_owned();
        }
        let string = || self.0.parse::<TomlValue>().ok()?.as_str().map(ToOwned::to_owned);
        string().unwrap_or_else(|| self.0.as_ref().to_owned())
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Value {
    type Err = NoValue;

    /// Parses a value in TOML notation, on one line.
    fn from_str(text: &str) -> Result<Self, NoValue> {
        if text.contains(['\n', '\r']) {
            return Err(NoValue);
        }
        match text.parse::<TomlValue>().map_err(|_| NoValue)? {
            TomlValue::Integer(number) => Ok(Self::of_integer(*number.value())),
            TomlValue::Float(number) if number.value().is_finite() => {
                Ok(Self::of_number(*number.value()))
            }
            TomlValue::Float(_) => Err(NoValue),
            TomlValue::String(string) => {
                let plain = TomlValue::from(string.value().as_str()).to_string();
                // A string with line breaks stays as written, on one line.
                let is_line = !plain.contains(['\n', '\r']);
                Ok(Self(if is_line { plain.trim() } else { text.trim() }.into()))
            }
            other @ (TomlValue::Boolean(_)
            | TomlValue::Datetime(_)
            | TomlValue::Array(_)
            | TomlValue::InlineTable(_)) => Ok(Self(other.to_string().trim().into())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_are_written_in_the_same_form() {
        for (text, toml, shown) in [
            ("1", "1", "1"),
            ("+1_000", "1000", "1000"),
            ("0x10", "16", "16"),
            ("1.50", "1.5", "1.5"),
            ("4.0", "4.0", "4"),
            ("-0.0", "0.0", "0"),
            ("-0", "0", "0"),
            ("1e300", "1e300", "1e300"),
            ("0.1", "0.1", "0.1"),
            ("'wrap'", "\"wrap\"", "wrap"),
            ("\"wrap\"", "\"wrap\"", "wrap"),
            ("true", "true", "true"),
            ("[1, 2]", "[1, 2]", "[1, 2]"),
        ] {
            let value: Value = text.parse().unwrap();
            assert_eq!((value.toml(), value.text().as_str()), (toml, shown), "{text}");
            assert_eq!(toml.parse(), Ok(value));
        }
        assert_eq!("0.1".parse::<Value>().unwrap().number(), Some(0.1));
        assert_eq!("'0.1'".parse::<Value>().unwrap().number(), None);
        for text in ["", "x", "nan", "inf", "1\n", "[1,\n2]", "1 2"] {
            assert_eq!(text.parse::<Value>(), Err(NoValue), "{text}");
        }
    }

    #[test]
    fn strings_with_line_breaks_are_written_on_one_line() {
        let value: Value = "\"a\\nb\"".parse().unwrap();
        assert!(!value.toml().contains('\n'), "{value}");
        assert_eq!(value.text(), "a\nb");
        assert_eq!(value.toml().parse(), Ok(value));
    }
}
