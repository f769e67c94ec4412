//! Reads a table of a TOML file key by key, and continues after errors.
//!
//! A reader remembers which keys it was asked for. [`TableReader::finish`] then reports all other
//! keys as unknown. Each problem is recorded with its byte range, so that one pass finds everything
//! that is wrong with a file. The reader knows nothing of maps or patterns; `value` checks the
//! values of keys.

use std::ops::{Range, RangeInclusive};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::diagnostic::{Diagnostic, Issues};
use super::offer::Offer;
use super::show;
use super::value::Entry;

/// Where the top table lies, and what can't be pointed at better.
const NOWHERE: Range<usize> = 0..0;

/// A table that is being read.
#[derive(Debug)]
pub struct TableReader<'a> {
    /// Where problems go.
    pub issues: &'a Issues,
    /// What the table describes, as in "an agent".
    what: &'static str,
    table: &'a DeTable<'a>,
    span: Range<usize>,
    asked: Vec<&'static str>,
    /// What a setting calls the table, as in `guard.body`; nothing for one it can't name.
    path: String,
}

impl<'a> TableReader<'a> {
    /// A reader of a table that lies at `span`.
    pub fn new(
        what: &'static str,
        table: &'a DeTable<'a>,
        span: Range<usize>,
        issues: &'a Issues,
    ) -> Self {
        Self { issues, what, table, span, asked: Vec::new(), path: String::new() }
    }

    /// The same, called so by settings; its numbers are noted as they are asked for.
    #[must_use]
    pub fn at(self, path: String) -> Self {
        Self { path, ..self }
    }

    /// What a setting calls the table.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Says more exactly what the table describes, once that is known.
    pub fn describe(&mut self, what: &'static str) {
        self.what = what;
    }

    /// Where the table lies; for tables with a header, that header.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// Is a key there? Does not count as asking for it.
    pub fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// The value of a key, if it is there.
    pub fn take(&mut self, key: &'static str) -> Option<Entry<'a>> {
        self.asked.push(key);
        let (spanned, value) = self.table.get_key_value(key)?;
        Some(Entry::new(key, spanned.span(), value, self.issues))
    }

    /// The value of a key that must be there.
    pub fn require(&mut self, key: &'static str) -> Option<Entry<'a>> {
        let entry = self.take(key);
        if entry.is_none() && !self.issues.is_partial() {
            let message = format!("missing key `{key}` in {}", self.what);
            self.issues.error(self.span(), message);
        }
        entry
    }

    /// The number under a key, if it is there and in range.
    pub fn float(&mut self, key: &'static str, range: RangeInclusive<f64>) -> Option<f32> {
        self.take(key)?.float(range)
    }

    /// The number of frames under a key, if it is there and in range; else its default.
    pub fn frames_or(
        &mut self,
        key: &'static str,
        range: RangeInclusive<u32>,
        default: u32,
    ) -> u32 {
        self.offer_frames(key, range.clone(), default);
        self.take(key).and_then(|value| value.count(range)).unwrap_or(default)
    }

    /// Records that a number of frames can be under a key.
    pub fn offer_frames(&self, key: &'static str, range: RangeInclusive<u32>, default: u32) {
        let range = f64::from(*range.start())..=f64::from(*range.end());
        self.note(key, range, Some(f64::from(default)), "frames", true);
    }

    /// Records that a number in a unit can be under a key.
    pub fn offer(
        &self,
        key: &'static str,
        range: RangeInclusive<f64>,
        default: Option<f32>,
        unit: &'static str,
    ) {
        // By way of its text, as 0.1 in f32 is another number in f64.
        let default = default.and_then(|default| default.to_string().parse().ok());
        self.note(key, range, default, unit, false);
    }

    fn note(
        &self,
        key: &'static str,
        range: RangeInclusive<f64>,
        default: Option<f64>,
        unit: &'static str,
        whole: bool,
    ) {
        if self.path.is_empty() {
            return;
        }
        let place = format!("{}.{key}", self.path);
        let value = self.table.get(key).and_then(|value| self.issues.text().get(value.span()));
        let value = value.map(ToOwned::to_owned);
        let what = self.what;
        self.issues.offer(Offer { place, key, what, value, default, range, unit, whole });
    }

    /// All entries in the order of the file, for tables whose keys are names of the user's.
    pub fn into_entries(self) -> Vec<(&'a str, Range<usize>, Entry<'a>)> {
        let mut entries: Vec<_> = self
            .table
            .iter()
            .map(|(key, value)| {
                let name = key.get_ref().as_ref();
                (name, key.span(), Entry::new(name, key.span(), value, self.issues))
            })
            .collect();
        entries.sort_by_key(|(_, span, _)| span.start);
        entries
    }

    /// Reports every key that nobody asked for; some may be meant for the table under `owner`, which has
    /// the keys `inner`.
    pub fn finish_beside(self, owner: &str, inner: &[&str]) {
        for (span, name) in self.unasked() {
            let mut problem = self.unknown(span, name, &[]);
            // `speed` is a word of `max_speed`, though other keys are spelled more like it.
            let word = |key: &&&str| key.split('_').any(|part| part == name);
            let same = inner.iter().find(|key| **key == name).or_else(|| inner.iter().find(word));
            let own = show::nearest(name, self.asked.iter().copied());
            let near = || show::nearest(name, inner.iter().copied()).filter(|_| own.is_none());
            if let Some(meant) = same.copied().or_else(near) {
                problem.help = vec![format!("did you mean `{owner}.{meant}`?")];
            }
            self.issues.push(problem);
        }
    }

    /// Reports every key that nobody asked for; those of `later` as not supported yet.
    pub fn finish(self, later: &[&str]) {
        for (span, name) in self.unasked() {
            self.issues.push(if later.contains(&name) {
                not_yet(span, name)
            } else {
                self.unknown(span, name, later)
            });
        }
    }

    /// The keys that nobody asked for.
    fn unasked(&self) -> impl Iterator<Item = (Range<usize>, &str)> {
        let keys = self.table.iter().map(|(key, _)| (key.span(), key.get_ref().as_ref()));
        keys.filter(|(_, name)| !self.asked.contains(name))
    }

    fn unknown(&self, span: Range<usize>, name: &str, later: &[&str]) -> Diagnostic {
        let candidates = self.asked.iter().copied().chain(later.iter().copied());
        let help = if let Some(near) = show::nearest(name, candidates) {
            format!("did you mean `{near}`?")
        } else {
            let mut known = self.asked.clone();
            known.sort_unstable();
            known.dedup();
            format!("valid keys: {}", show::list(known))
        };
        let message = format!("unknown key `{}`", show::text(name));
        Diagnostic::error(span, message).label(format!("not a key of {}", self.what)).help(help)
    }
}

/// What is planned and not there.
pub fn not_yet(span: Range<usize>, word: &str) -> Diagnostic {
    Diagnostic::error(span, format!("`{}` is not supported yet", show::text(word)))
}

/// Parses a file and hands its top table to `read`. With syntax errors there is no value; what
/// stands before the first of them is checked nevertheless, and what comes after can't be: what
/// they broke can't be told from what is wrong.
pub fn document<T>(
    text: &str,
    what: &'static str,
    issues: &Issues,
    read: impl FnOnce(TableReader) -> Option<T>,
) -> Option<T> {
    let (tree, errors) = DeTable::parse_recoverable(text);
    if errors.is_empty() {
        return read(TableReader::new(what, tree.get_ref(), NOWHERE, issues));
    }
    let mut errors: Vec<_> =
        errors.iter().map(|error| (error.span().unwrap_or(NOWHERE), error.message())).collect();
    errors.sort_by_key(|(span, _)| span.start);
    let values = outermost(tree.get_ref());
    let mut trusted = text.len();
    let mut told = 0;
    for (span, message) in &errors {
        // One slip of the pen often upsets the parser several times: the first time in a line counts.
        let line =
            text.get(..span.start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
        let within = values.partition_point(|value| value.start <= span.start).checked_sub(1);
        let value = within.map(|index| &values[index]).filter(|value| span.start <= value.end);
        let begin = value.map_or(line, |value| value.start.min(line));
        trusted = trusted.min(begin);
        if told <= line {
            let message = format!("syntax error: {}", show::text(message));
            let help = if begin < line {
                let number = text[..begin].matches('\n').count() + 1;
                format!("close the value that begins on line {number}")
            } else {
                String::new()
            };
            issues.push(Diagnostic::error(span.clone(), message).help(help));
            told = line + 1;
        }
    }
    issues.trust_until(trusted);
    read(TableReader::new(what, tree.get_ref(), NOWHERE, issues)).and(None)
}

/// Where all values lie that are in no other value, in the order of the file. A table with a
/// header lies where the header does.
fn outermost(table: &DeTable) -> Vec<Range<usize>> {
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
    spans.sort_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
    let mut end = 0;
    spans.retain(|span| {
        let is_outermost = span.start >= end;
        end = end.max(span.end);
        is_outermost
    });
    spans
}

/// The word for a value's type.
pub fn type_word(value: &DeValue) -> &'static str {
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
