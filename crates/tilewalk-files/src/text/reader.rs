//! Reads a table of a TOML file key by key, and continues after errors.
//!
//! The table of keys lists the ranges and defaults of all keys. [`TableReader::finish`] reports all
//! other keys as unknown. Each problem is recorded with its byte range. One pass finds all problems
//! in a file.
//!
//! An [`Entry`] is a single value. Its methods return `None` after recording a problem with the
//! value.

use std::fmt::Display;
use std::ops::{Range, RangeInclusive};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::keys::table::{DefaultValue, MAX_COORDINATE, Table, ValueKind};
use crate::show;
use crate::text::diagnostic::{Diagnostic, Issues};
use crate::text::memory_limit::too_heavy;
use crate::text::span_tree;
use crate::values::{TablePath, TunableValue, ValuePath};
use tilewalk_sim::geom::{TilePos, Vec2};
use tilewalk_sim::sort::SmallSort;

/// Span of the top-level table. Also used for problems without a better location.
const NOWHERE: Range<usize> = 0..0;

/// A table that is being read.
#[derive(Debug)]
pub struct TableReader<'a> {
    /// Collector for problems in the file.
    pub issues: &'a Issues,
    keys: &'static Table,
    table: &'a DeTable<'a>,
    span: Range<usize>,
    /// Key that belongs to another table. The caller reports this key, not the reader.
    misplaced: Option<&'static str>,
    /// Path of the table in settings; `None` if its tunable values are not recorded.
    path: Option<TablePath>,
}

impl<'a> TableReader<'a> {
    /// Creates a reader of a table at `span`. `keys` lists the valid keys.
    pub fn new(
        keys: &'static Table,
        table: &'a DeTable<'a>,
        span: Range<usize>,
        issues: &'a Issues,
    ) -> Self {
        Self { issues, keys, table, span, misplaced: None, path: None }
    }

    /// Sets the path of the table in settings. The numbers of the table are then recorded as
    /// tunable values.
    #[must_use]
    pub fn at(self, path: Option<TablePath>) -> Self {
        Self { path, ..self }
    }

    /// Returns the path of the table in settings; `None` if its tunable values are not recorded.
    pub fn path(&self) -> Option<&TablePath> {
        self.path.as_ref()
    }

    /// Replaces the list of valid keys. Used when the kind of the table is known.
    pub fn describe(&mut self, keys: &'static Table) {
        self.keys = keys;
    }

    /// Returns the span of the table's header. Returns the span of the whole table if the table has
    /// no header.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// Returns true if the table contains a key.
    pub fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// Returns the value of a key; `None` if the table does not have the key.
    ///
    /// # Panics
    /// Panics in builds with debug assertions if the table of keys does not list the key.
    pub fn take(&self, key: &'static str) -> Option<Entry<'a>> {
        debug_assert!(self.keys.key(key).is_some(), "`{key}` is no key of {}", self.keys.title);
        self.get(key)
    }

    fn get(&self, key: &'static str) -> Option<Entry<'a>> {
        let (spanned, value) = self.table.get_key_value(key)?;
        Some(Entry::new(key, spanned.span(), value, self.issues))
    }

    /// Returns the value of a key that does not belong to this table; `None` if the key is missing.
    /// The caller must report the key as misplaced.
    pub fn take_misplaced(&mut self, key: &'static str) -> Option<Entry<'a>> {
        self.misplaced = Some(key);
        self.get(key)
    }

    /// Returns the value of a required key. Reports a missing key and returns `None`.
    pub fn require(&self, key: &'static str) -> Option<Entry<'a>> {
        let entry = self.take(key);
        if entry.is_none() && !self.issues.is_partial() {
            let message = format!("missing key `{key}` in {}", self.keys.title);
            self.issues.error(self.span(), message);
        }
        entry
    }

    /// Returns the value of a key; `None` if the key is missing. Reports a required key that is
    /// missing.
    fn ask(&self, key: &'static str) -> Option<Entry<'a>> {
        let is_required =
            self.keys.key(key).is_some_and(|row| row.default == DefaultValue::Required);
        if is_required { self.require(key) } else { self.take(key) }
    }

    /// Returns the value of a key as a number. Returns `None` if the key is missing or invalid.
    /// Reports numbers that are out of range, and missing keys that are required.
    pub fn double(&self, key: &'static str) -> Option<f64> {
        self.ask(key)?.double(self.keys.key(key)?.range())
    }

    /// Returns the value of a key as the `f32` that the simulator uses; `None` if the key is
    /// missing or invalid. Reports a number that is out of range.
    pub fn float(&self, key: &'static str) -> Option<f32> {
        self.double(key).map(|number| number as f32)
    }

    /// Returns the value of a key as an integer; `None` if the key is missing or invalid. Reports
    /// an integer that is out of range.
    pub fn integer(&self, key: &'static str) -> Option<i64> {
        let ValueKind::Integer(range) = &self.keys.key(key)?.kind else { return None };
        self.ask(key)?.integer(range.clone())
    }

    /// Returns the value of a key as an integer, or the key's default, or 0 without a default.
    /// Reports an integer that is out of range.
    pub fn count(&self, key: &'static str) -> u32 {
        let default = || self.keys.key(key)?.default_number();
        let read = self.integer(key).map(|number| number as u32);
        read.unwrap_or_else(|| default().unwrap_or_default() as u32)
    }

    /// Returns the value of a key as a boolean, or the key's default.
    pub fn flag(&self, key: &'static str) -> bool {
        let default =
            || self.keys.key(key).is_some_and(|row| row.default == DefaultValue::Flag(true));
        self.take(key).and_then(|entry| entry.boolean()).unwrap_or_else(default)
    }

    /// Returns the value that `words` lists for the word at a key. Returns `None` if the key is
    /// missing. Reports a word that `words` does not list, and returns `None`.
    pub fn word<T: Copy>(&self, key: &'static str, words: &[(&str, T)]) -> Option<T> {
        self.take(key)?.word(words)
    }

    /// Records the value of a key as a tunable value. Does nothing if the table has no path.
    pub fn record_tunable(&self, key: &'static str) {
        let Some(table) = self.path.clone() else { return };
        let Some(row) = self.keys.key(key) else { return };
        let value = self.table.get(key).and_then(|value| self.issues.text().get(value.span()));
        self.issues.record_tunable(TunableValue {
            path: ValuePath { table: Some(table), key: key.to_owned() },
            key: row.name,
            what: &self.keys.title,
            value: value.map(ToOwned::to_owned),
            default: row.default_number(),
            range: row.range(),
            unit: if row.unit.is_empty() { row.shown_unit } else { row.unit },
            whole: matches!(row.kind, ValueKind::Integer(_)),
        });
    }

    /// Returns the name, the span of the name and the value of each key, in file order. Used for
    /// tables whose keys are chosen by the user.
    pub fn into_entries(self) -> Vec<(&'a str, Range<usize>, Entry<'a>)> {
        let mut entries: Vec<_> = self
            .table
            .iter()
            .map(|(key, value)| {
                let name = key.get_ref().as_ref();
                (name, key.span(), Entry::new(name, key.span(), value, self.issues))
            })
            .collect();
        entries.small_sort_by_key(|(_, span, _)| span.start);
        entries
    }

    /// Reports every unknown key. `inner` is the table `owner`, nested in this table. If an unknown
    /// key resembles a key of `inner`, the help suggests that key.
    pub fn finish_beside(self, owner: &str, inner: &Table) {
        for (span, name) in self.unknown_keys() {
            let is_stored = self.issues.stores(&span);
            let mut problem = self.unknown(span, name);
            if !is_stored {
                self.issues.push(problem);
                continue;
            }
            // `speed` is understood as `max_speed`, although the spelling of other keys is closer.
            let word = |key: &&str| key.split('_').any(|part| part == name);
            let same = inner.names().find(|key| *key == name).or_else(|| inner.names().find(word));
            let own = show::nearest(name, self.names());
            let near = || show::nearest(name, inner.names()).filter(|_| own.is_none());
            if let Some(meant) = same.or_else(near) {
                problem.help = vec![format!("did you mean `{owner}.{meant}`?")];
            }
            self.issues.push(problem);
        }
    }

    /// Reports every unknown key. Reserved keys are reported as not supported yet.
    pub fn finish(self) {
        for (span, name) in self.unknown_keys() {
            self.issues.push(if self.keys.reserved.contains(&name) {
                let message = format!("`{}` is not supported yet", show::text(name));
                Diagnostic::error(span, message)
            } else {
                self.unknown(span, name)
            });
        }
    }

    fn names(&self) -> impl Iterator<Item = &'static str> + Clone {
        self.keys.names().chain(self.misplaced)
    }

    fn unknown_keys(&self) -> impl Iterator<Item = (Range<usize>, &str)> {
        let keys = self.table.iter().map(|(key, _)| (key.span(), key.get_ref().as_ref()));
        keys.filter(|(_, name)| !self.names().any(|key| key == *name))
    }

    fn unknown(&self, span: Range<usize>, name: &str) -> Diagnostic {
        if !self.issues.stores(&span) {
            return Diagnostic::error(span, "");
        }
        let candidates = self.names().chain(self.keys.reserved.iter().copied());
        let help = self.issues.suggestion(&span, name, candidates, || {
            let mut known: Vec<_> = self.names().collect();
            known.sort_unstable();
            format!("valid keys: {}", show::list(known))
        });
        let message = format!("unknown key `{}`", show::text(name));
        Diagnostic::error(span, message)
            .label(format!("not a key of {}", self.keys.title))
            .help(help)
    }
}

/// Parses a file and passes its top-level table to `read`.
///
/// Returns `None` for a file with syntax errors. Problems after the first syntax error are then not
/// reported, because the syntax error can cause them.
pub fn document<T>(
    text: &str,
    keys: &'static Table,
    issues: &Issues,
    read: impl FnOnce(TableReader) -> Option<T>,
) -> Option<T> {
    #[cfg(test)]
    super::memory_limit::count_parsed();
    if let Some(span) = too_heavy(text) {
        let message = "the file has too many tables and values up to here";
        issues.push(Diagnostic::error(span, message).help("split the file, or use `count`"));
        return None;
    }
    let (tree, errors) = DeTable::parse_recoverable(text);
    if errors.is_empty() {
        return read(TableReader::new(keys, tree.get_ref(), NOWHERE, issues));
    }
    let mut errors: Vec<_> =
        errors.iter().map(|error| (error.span().unwrap_or(NOWHERE), error.message())).collect();
    errors.small_sort_by_key(|(span, _)| span.start);
    let values = outermost(tree.get_ref());
    let mut trusted = text.len();
    let mut reported_until = 0;
    for (span, message) in &errors {
        // One typing error often causes several syntax errors; only the first error in a line is
        // reported.
        let line =
            text.get(..span.start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
        let within = values.partition_point(|value| value.start <= span.start).checked_sub(1);
        let value = within.map(|index| &values[index]).filter(|value| span.start <= value.end);
        let begin = value.map_or(line, |value| value.start.min(line));
        trusted = trusted.min(begin);
        if reported_until <= line {
            let message = format!("syntax error: {}", show::text(message));
            let help = if begin < line {
                let number = text[..begin].matches('\n').count() + 1;
                format!("close the value that begins on line {number}")
            } else {
                String::new()
            };
            issues.push(Diagnostic::error(span.clone(), message).help(help));
            reported_until = line + 1;
        }
    }
    issues.trust_until(trusted);
    read(TableReader::new(keys, tree.get_ref(), NOWHERE, issues)).and(None)
}

/// Reports an unsupported value of the key `format`. The only version is 1.
pub fn check_format(table: &TableReader) {
    let Some(entry) = table.take("format") else { return };
    if entry.integer(0..=i64::MAX).is_some_and(|version| version != 1) {
        let help = "this version of tilewalk supports only format 1";
        entry.error_with_help("`format` must be 1", help);
    }
}

/// Returns the spans of all outermost values, in the order of the file. The span of a table with a
/// header is the span of the header.
fn outermost(table: &DeTable) -> Vec<Range<usize>> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "foreign enum: others have no parts")]
    fn collect<'a, 'i: 'a>(
        values: &mut dyn Iterator<Item = &'a Spanned<DeValue<'i>>>,
        spans: &mut Vec<Range<usize>>,
    ) {
        for value in values {
            spans.push(value.span());
            match value.get_ref() {
                DeValue::Array(array) => collect(&mut array.iter(), spans),
                DeValue::Table(table) => {
                    collect(&mut table.iter().map(|(_, value)| value), spans);
                }
                _ => {}
            }
        }
    }
    let mut spans = Vec::new();
    collect(&mut table.iter().map(|(_, value)| value), &mut spans);
    spans.small_sort_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
    let mut end = 0;
    spans.retain(|span| {
        let is_outermost = span.start >= end;
        end = end.max(span.end);
        is_outermost
    });
    spans
}

/// Returns the type of a value in words, such as "a string".
fn type_word(value: &DeValue) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "an integer",
        DeValue::Float(_) => "a float",
        DeValue::Boolean(_) => "a boolean",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "an array",
        DeValue::Table(_) => "a table",
    }
}

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
        span_tree::locate_in_string(self.written(), self.span().start, offset)
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
