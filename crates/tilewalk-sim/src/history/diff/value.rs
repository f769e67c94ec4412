//! Values of an agent's fields, as comparisons store and print them.

use core::fmt;
use std::borrow::Cow;

use crate::geom::{TilePos, Vec2};
use crate::world::Flags;

/// The value of a field in a comparison.
#[derive(Debug, Clone, PartialEq)]
pub enum Value<'a> {
    /// No value, or the field does not exist.
    Nothing,
    /// A name, or one of a fixed set of words.
    Word(Cow<'a, str>),
    /// A number, in the unit of its field.
    Number(f32),
    /// An angle in degrees. Compared around the circle: 359 is near 1.
    Degrees(f32),
    /// A count or index.
    Whole(i64),
    /// A boolean, shown as `yes` or `no`.
    Yes(bool),
    /// A position in tiles, or a vector in the unit of its field.
    Point(Vec2),
    /// Column and row of a tile.
    Tile(TilePos),
    /// The flags of an agent that are set.
    Flags(Flags),
}

impl Value<'_> {
    /// Returns true if two values are equal. Numbers, angles and coordinates count as equal if they
    /// differ by at most `tolerance`. With 0, their bits must match, except that −0 equals 0.
    pub(crate) fn is(&self, other: &Value, tolerance: f32) -> bool {
        let near =
            |a: f32, b: f32| same_bits(a, b) || (a - b).abs() <= tolerance && tolerance > 0.0;
        match (self, other) {
            (Self::Number(a), Value::Number(b)) => near(*a, *b),
            (Self::Degrees(a), Value::Degrees(b)) => {
                let apart = (a - b).abs();
                same_bits(*a, *b) || tolerance > 0.0 && apart.min(360.0 - apart) <= tolerance
            }
            (Self::Point(a), Value::Point(b)) => near(a.x, b.x) && near(a.y, b.y),
            _ => self == other,
        }
    }

    /// Returns a copy without borrowed data.
    pub(crate) fn owned(&self) -> Value<'static> {
        match *self {
            Self::Nothing => Value::Nothing,
            Self::Word(ref word) => Value::Word(Cow::Owned(word.clone().into_owned())),
            Self::Number(number) => Value::Number(number),
            Self::Degrees(degrees) => Value::Degrees(degrees),
            Self::Whole(whole) => Value::Whole(whole),
            Self::Yes(yes) => Value::Yes(yes),
            Self::Point(at) => Value::Point(at),
            Self::Tile(tile) => Value::Tile(tile),
            Self::Flags(flags) => Value::Flags(flags),
        }
    }
}

/// Returns the names of all set flags, including flags that are not shown on screen.
pub fn words_of(flags: Flags) -> Vec<&'static str> {
    let overlapping = flags.has(Flags::OVERLAPPING).then_some("overlapping");
    flags.words().chain(overlapping).collect()
}

fn same_bits(a: f32, b: f32) -> bool {
    (a + 0.0).to_bits() == (b + 0.0).to_bits()
}

impl fmt::Display for Value<'_> {
    /// Writes numbers with enough digits to read back the same value.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("none"),
            Self::Word(word) => f.write_str(word),
            Self::Number(number) | Self::Degrees(number) => (number + 0.0).fmt(f),
            Self::Whole(whole) => whole.fmt(f),
            Self::Yes(yes) => f.write_str(if *yes { "yes" } else { "no" }),
            Self::Point(at) => write!(f, "({}, {})", at.x + 0.0, at.y + 0.0),
            Self::Tile(tile) => tile.fmt(f),
            Self::Flags(flags) => {
                let words = words_of(*flags);
                f.write_str(&if words.is_empty() { "none".to_owned() } else { words.join(" ") })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_compared_bitwise_without_a_tolerance() {
        let next = f32::from_bits(1.0_f32.to_bits() + 1);
        assert!(!Value::Number(1.0).is(&Value::Number(next), 0.0));
        assert!(Value::Number(1.0).is(&Value::Number(next), 1e-6));
        assert!(Value::Number(0.0).is(&Value::Number(-0.0), 0.0));
        let near = |a, b| Value::Degrees(a).is(&Value::Degrees(b), 1.0);
        assert!(near(359.5, 0.25) && near(0.25, 359.5) && !near(359.0, 1.0));
        let point = |x| Value::Point(Vec2::new(1.0, x));
        assert!(point(2.0).is(&point(2.5), 0.5) && !point(2.0).is(&point(2.5), 0.25));
        assert!(!Value::Whole(1).is(&Value::Whole(2), 10.0), "what is counted is exact");
    }
}
