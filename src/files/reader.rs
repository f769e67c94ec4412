//! Reads a table of a file key by key: records what is wrong and goes on.
//!
//! A reader is asked for keys, and remembers what it was asked for; [`TableReader::finish`] then
//! reports the keys nobody wanted. It knows nothing of maps or patterns. What a key's value may be
//! is `value`'s business.

use std::ops::{Range, RangeInclusive};

use toml::de::{DeTable, DeValue};

use super::diagnostic::{Diagnostic, Issues};
use super::show;
use super::value::Entry;

/// A syntax error that can't be pointed at better than this is at the top of the file.
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
}

impl<'a> TableReader<'a> {
    /// A reader of a table that lies at `span`.
    pub fn new(
        what: &'static str,
        table: &'a DeTable<'a>,
        span: Range<usize>,
        issues: &'a Issues,
    ) -> Self {
        Self { issues, what, table, span, asked: Vec::new() }
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
        if entry.is_none() {
            let message = format!("`{key}` is missing: {} needs one", self.what);
            self.issues.error(self.span(), message);
        }
        entry
    }

    /// The number under a key, if it is there and in range.
    pub fn float(&mut self, key: &'static str, range: RangeInclusive<f64>) -> Option<f32> {
        self.take(key)?.float(range)
    }

    /// All entries in the order of the file, for tables whose keys are names of the user's.
    pub fn into_entries(self) -> Vec<(&'a str, Range<usize>, Entry<'a>)> {
        let mut entries: Vec<_> = self
            .table
            .iter()
            .map(|(key, value)| {
                let entry = Entry::new(self.what, key.span(), value, self.issues);
                (key.get_ref().as_ref(), key.span(), entry)
            })
            .collect();
        entries.sort_by_key(|(_, span, _)| span.start);
        entries
    }

    /// Reports every key that nobody asked for; those of `later` as not supported yet.
    pub fn finish(self, later: &[&str]) {
        let known = |key: &str| self.asked.contains(&key);
        for (key, _) in self.table.iter().filter(|(key, _)| !known(key.get_ref())) {
            let name = key.get_ref().as_ref();
            self.issues.push(if later.contains(&name) {
                not_yet(key.span(), name)
            } else {
                self.unknown(key.span(), name, later)
            });
        }
    }

    fn unknown(&self, span: Range<usize>, name: &str, later: &[&str]) -> Diagnostic {
        let candidates = self.asked.iter().copied().chain(later.iter().copied());
        let help = match show::nearest(name, candidates) {
            Some(near) => format!("did you mean `{near}`?"),
            None => {
                let mut known = self.asked.clone();
                known.sort_unstable();
                known.dedup();
                format!("the keys of {} are {}", self.what, show::list(known))
            }
        };
        let message = format!("unknown key `{}`", show::text(name));
        Diagnostic::error(span, message).label(format!("no key of {}", self.what)).help(help)
    }
}

/// What is planned and not there.
pub fn not_yet(span: Range<usize>, word: &str) -> Diagnostic {
    Diagnostic::error(span, format!("`{}` is not supported yet", show::text(word)))
}

/// Parses a file and hands its top table to `read`; with syntax errors, reports them and nothing
/// else: what they broke can't be told from what is wrong.
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
    let mut told: Vec<Range<usize>> = Vec::new();
    for error in errors {
        let span = error.span().unwrap_or(NOWHERE);
        // One slip of the pen often upsets the parser several times at one place.
        if !told.contains(&span) {
            let message = format!("syntax error: {}", show::text(error.message()));
            issues.error(span.clone(), message);
            told.push(span);
        }
    }
    None
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
