//! Reads a single value from a TOML file.
//!
//! The methods return `None` after recording a problem with the value.

use std::fmt::Display;
use std::ops::{Range, RangeInclusive};

use toml::Spanned;
use toml::de::DeValue;

use super::{TableReader, type_word};
use crate::keys::table::{MAX_COORDINATE, Table};
use crate::show;
use crate::text::diagnostic::{Diagnostic, Issues};
use crate::text::literal;
use tilewalk_sim::geom::{TilePos, Vec2};

/// The value of a key, or an element of an array.
#[derive(Debug, Clone)]
pub struct Entry<'a> {
    pub key: &'a str,
    /// Byte range of the key in the file.
    pub key_span: Range<usize>,
    /// Collector for problems in the file.
    pub issues: &'a Issues,
    value: &'a Spanned<DeValue<'a>>,
}

/// A pair of numbers: two integers are a tile, two floats are a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Pair {
    Tile(TilePos),
    Point(Vec2),
}

impl Pair {
    /// Returns the point, or the centre of the tile.
    pub fn point(self) -> Vec2 {
        match self {
            Self::Tile(tile) => tile.centre(),
            Self::Point(point) => point,
        }
    }

    /// Returns the tile, or the tile that contains the point.
    pub fn tile(self) -> TilePos {
        match self {
            Self::Tile(tile) => tile,
            Self::Point(point) => TilePos::containing(point),
        }
    }
}

impl<'a> Entry<'a> {
    pub fn new(
        key: &'a str,
        key_span: Range<usize>,
        value: &'a Spanned<DeValue<'a>>,
        issues: &'a Issues,
    ) -> Self {
        Self { key, key_span, issues, value }
    }

    /// Returns the key, safe to print.
    fn key(&self) -> String {
        show::text(self.key)
    }

    /// Returns the byte range of the value in the file, including quotes and brackets.
    pub fn span(&self) -> Range<usize> {
        self.value.span()
    }

    pub fn get(&self) -> &'a DeValue<'a> {
        self.value.get_ref()
    }

    /// Returns the value as written in the file, including quotes and brackets.
    pub fn written(&self) -> &'a str {
        self.issues.text().get(self.span()).unwrap_or_default()
    }

    /// Records an error at the value.
    pub fn error(&self, message: impl Into<String>) {
        self.issues.error(self.span(), message);
    }

    /// Records an error at the value, with a line of advice.
    pub fn error_with_help(&self, message: impl Into<String>, help: impl Into<String>) {
        self.issues.push(Diagnostic::error(self.span(), message).help(help));
    }

    /// Returns advice for an unknown word in an error at the value (see [`Issues::suggestion`]).
    pub fn suggestion<'k>(
        &self,
        word: &str,
        known: impl IntoIterator<Item = &'k str>,
        otherwise: impl FnOnce() -> String,
    ) -> String {
        self.issues.suggestion(&self.span(), word, known, otherwise)
    }

    /// Records an error at the key, with a line of advice; an empty line is ignored.
    pub fn error_at_key(&self, message: impl Into<String>, help: &str) {
        self.issues.push(Diagnostic::error(self.key_span.clone(), message).help(help));
    }

    /// Returns the file offset of byte `offset` of a string's value.
    pub fn locate(&self, offset: usize) -> usize {
        literal::locate(self.written(), self.span().start, offset)
    }

    /// Reports a value of the wrong type, and returns `None`. `wanted` describes the expected type.
    pub fn wrong_type<T>(&self, wanted: &str) -> Option<T> {
        let found = type_word(self.get());
        let message = format!("`{}` must be {wanted}, but is {found}", self.key());
        self.issues.push(Diagnostic::error(self.span(), message).label(found));
        None
    }

    fn out_of_range<T>(&self, range: &RangeInclusive<impl Display>, found: &str) -> Option<T> {
        let (low, high) = (range.start(), range.end());
        let found = show::text(found);
        self.error(format!("`{}` must be between {low} and {high}, but is {found}", self.key()));
        None
    }

    /// Reads a finite number in a range. Integers are valid. Reports any other value and returns
    /// `None`.
    #[expect(clippy::wildcard_enum_match_arm, reason = "foreign enum: other TOML types are errors")]
    pub fn double(&self, range: RangeInclusive<f64>) -> Option<f64> {
        let (literal, number) = match self.get() {
            DeValue::Integer(integer) => {
                let (text, radix) = (integer.as_str(), integer.radix());
                // An integer too large for i128 is outside any range.
                (text, i128::from_str_radix(text, radix).map_or(f64::MAX, |number| number as f64))
            }
            DeValue::Float(float) => (float.as_str(), float.as_str().parse().unwrap_or(f64::NAN)),
            _ => return self.wrong_type("a number"),
        };
        if number.is_nan() || literal.contains("inf") {
            let literal = show::text(literal);
            self.error(format!("`{}` must be a finite number, but is {literal}", self.key()));
            return None;
        }
        if range.contains(&number) { Some(number) } else { self.out_of_range(&range, literal) }
    }

    /// Reads a finite number in a range as the `f32` that the simulator uses. Reports any other
    /// value and returns `None`.
    pub fn float(&self, range: RangeInclusive<f64>) -> Option<f32> {
        self.double(range).map(|number| number as f32)
    }

    /// Returns true if the value is an integer or a float.
    pub fn is_number(&self) -> bool {
        matches!(self.get(), DeValue::Integer(_) | DeValue::Float(_))
    }

    /// Reads an integer in a range. Reports any other value and returns `None`.
    pub fn integer(&self, range: RangeInclusive<i64>) -> Option<i64> {
        let DeValue::Integer(integer) = self.get() else { return self.wrong_type("an integer") };
        match i64::from_str_radix(integer.as_str(), integer.radix()) {
            Ok(number) if range.contains(&number) => Some(number),
            _ => self.out_of_range(&range, integer.as_str()),
        }
    }

    /// Reads an integer in a range, as `u32`. Reports any other value and returns `None`.
    pub fn count(&self, range: RangeInclusive<u32>) -> Option<u32> {
        let range = i64::from(*range.start())..=i64::from(*range.end());
        self.integer(range).map(|number| number as u32)
    }

    /// Reads `true` or `false`. Reports any other value and returns `None`.
    pub fn boolean(&self) -> Option<bool> {
        let DeValue::Boolean(value) = self.get() else {
            return self.wrong_type("`true` or `false`");
        };
        Some(*value)
    }

    /// Reads any string. Reports a value of another type and returns `None`.
    pub fn string(&self) -> Option<&'a str> {
        let DeValue::String(value) = self.get() else { return self.wrong_type("a string") };
        Some(value.as_ref())
    }

    /// Reads a string of one line: up to 200 characters, without hidden characters. Reports any
    /// other value and returns `None`.
    pub fn line(&self) -> Option<&'a str> {
        let text = self.string()?;
        if let Some(c) = text.chars().find(|&c| show::is_hidden(c)) {
            let code = u32::from(c);
            self.error(format!("`{}` must not contain the character U+{code:04X}", self.key()));
            return None;
        }
        if text.chars().count() > 200 {
            self.error(format!("`{}` must not be longer than 200 characters", self.key()));
            return None;
        }
        Some(text)
    }

    /// Returns the value that `words` lists for a word. Reports a word that `words` does not list,
    /// and returns `None`.
    pub fn word<T: Copy>(&self, words: &[(&str, T)]) -> Option<T> {
        let word = self.string()?;
        if let Some(&(_, meaning)) = words.iter().find(|(known, _)| *known == word) {
            return Some(meaning);
        }
        let known = words.iter().map(|(known, _)| *known);
        let all = || format!("valid values: {}", show::list(known.clone()));
        let help = self.suggestion(word, known.clone(), all);
        let message = format!("invalid value `{}` for `{}`", show::text(word), self.key());
        self.error_with_help(message, help);
        None
    }

    /// Returns the elements of an array. Each element has the key of the array. Reports a value of
    /// another type and returns `None`.
    pub fn array(&self) -> Option<impl ExactSizeIterator<Item = Self> + use<'a>> {
        let DeValue::Array(array) = self.get() else { return self.wrong_type("an array") };
        let this = self.clone();
        Some(array.iter().map(move |value| Self { value, ..this.clone() }))
    }

    /// Returns a reader for a value that is a table. `keys` are the valid keys of the table.
    /// Reports a value of another type and returns `None`.
    pub fn table(&self, keys: &'static Table) -> Option<TableReader<'a>> {
        let DeValue::Table(table) = self.get() else { return self.wrong_type("a table") };
        Some(TableReader::new(keys, table, self.span(), self.issues))
    }

    /// Returns a reader for each table of an array. Reports elements that are not tables. `keys`
    /// are the valid keys of the tables.
    pub fn tables(&self, keys: &'static Table) -> Vec<TableReader<'a>> {
        let entries = self.array().into_iter().flatten();
        entries.filter_map(|entry| entry.table(keys)).collect()
    }

    /// Reads `[x, y]`: two integers or two floats within ±1,000,000. Reports any other value and
    /// returns `None`.
    pub fn pair(&self) -> Option<Pair> {
        let shape = "a pair `[x, y]` of numbers";
        let [x, y] = self.two(shape)?;
        let limit = f64::from(MAX_COORDINATE);
        match (x.get(), y.get()) {
            (DeValue::Integer(_), DeValue::Integer(_)) => {
                let (x, y) = (x.coordinate(), y.coordinate());
                Some(Pair::Tile(TilePos::new(x?, y?)))
            }
            (DeValue::Float(_), DeValue::Float(_)) => {
                let (x, y) = (x.float(-limit..=limit), y.float(-limit..=limit));
                Some(Pair::Point(Vec2::new(x?, y?)))
            }
            (DeValue::Integer(_), DeValue::Float(_)) | (DeValue::Float(_), DeValue::Integer(_)) => {
                self.error_with_help(
                    format!("`{}` mixes an integer and a float", self.key()),
                    "write two integers for the centre of a tile, or two floats for a point",
                );
                None
            }
            _ => {
                self.error(format!("`{}` must be {shape}", self.key()));
                None
            }
        }
    }

    /// Reads `[x, y]`: two numbers in a range. Integers are valid. Reports any other value and
    /// returns `None`.
    pub fn vector(&self, range: &RangeInclusive<f64>) -> Option<Vec2> {
        let [x, y] = self.two("a pair `[x, y]` of numbers")?;
        let (x, y) = (x.float(range.clone()), y.float(range.clone()));
        Some(Vec2::new(x?, y?))
    }

    /// Returns the two elements of an array. `shape` describes the array in messages. Reports any
    /// value other than an array of length 2, and returns `None`.
    pub fn two(&self, shape: &str) -> Option<[Self; 2]> {
        if !matches!(self.get(), DeValue::Array(_)) {
            return self.wrong_type(shape);
        }
        let both: Vec<Self> = self.array()?.collect();
        let count = both.len();
        let two = both.try_into().ok();
        if two.is_none() {
            let plural = if count == 1 { "" } else { "s" };
            let key = self.key();
            self.error(format!("`{key}` must be {shape}, but has {count} element{plural}"));
        }
        two
    }

    /// Reads a tile `[x, y]`: two integers within ±1,000,000. Reports any other value and returns
    /// `None`.
    pub fn tile(&self) -> Option<TilePos> {
        match self.pair()? {
            Pair::Tile(tile) => Some(tile),
            Pair::Point(_) => {
                self.error(format!("`{}` must be a tile: two integers `[x, y]`", self.key()));
                None
            }
        }
    }

    fn coordinate(&self) -> Option<i32> {
        let limit = i64::from(MAX_COORDINATE);
        self.integer(-limit..=limit).map(|number| number as i32)
    }

    /// Reads `[x0, y0, x1, y1]`: four integers within ±1,000,000. Reports any other value and
    /// returns `None`.
    pub fn corners(&self) -> Option<[i32; 4]> {
        let numbers: Vec<Self> = self.array()?.collect();
        if numbers.len() != 4 {
            let message = format!("`{}` must be four integers: `[x0, y0, x1, y1]`", self.key());
            self.error(message);
            return None;
        }
        let read: Vec<Option<i32>> = numbers.iter().map(Self::coordinate).collect();
        let read: Option<Vec<i32>> = read.into_iter().collect();
        read?.try_into().ok()
    }
}
