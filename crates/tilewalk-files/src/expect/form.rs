//! Reads the form of an expectation: the keys that state the expected behaviour. The table
//! [`FORMS`] has the keys of each form.

use super::Expectations;
use crate::keys::expect::{FORMS, FormKeyUse, FormKeys, FormValue, FormValues};
use crate::keys::{Key, ValueKind};
use crate::reader::{Entry, TableReader};
use crate::show;
use tilewalk_sim::scenario::expectation::{Form, Golden};

/// The table of an expectation whose form is known.
struct FormReader<'a> {
    table: &'a TableReader<'a>,
    form: &'static FormKeys,
    expectations: &'a Expectations<'a>,
}

/// Reads the form of an expectation. Reports a missing form, more than one form, and keys of other
/// forms. Returns `None` after any error.
pub fn read(table: &TableReader, expectations: &Expectations) -> Option<Form> {
    let mut named: Vec<_> =
        FORMS.iter().filter_map(|form| Some((form, table.take(form.key.name)?))).collect();
    named.sort_by_key(|(_, entry)| entry.key_span.start);
    match &named[..] {
        [] => {
            report_missing(table);
            None
        }
        &[(form, _)] => {
            let is_alone = refuse_others(table, Some(form.key.name));
            let form = FormReader { table, form, expectations }.read();
            form.filter(|_| is_alone)
        }
        [(first, _), rest @ ..] => {
            for (form, entry) in rest {
                let (name, first) = (form.key.name, first.key.name);
                let message = format!("`{name}` and `{first}` can't be used together");
                entry.error_at_key(message, "an expectation has exactly one form");
            }
            None
        }
    }
}

/// Reports an expectation without a form.
fn report_missing(table: &TableReader) {
    let is_whole = refuse_others(table, None);
    if is_whole && !table.issues.is_partial() {
        let forms = show::list(FORMS.iter().map(|form| form.key.name));
        let message = format!("an expectation needs one of {forms}");
        table.issues.error(table.span(), message);
    }
}

/// Reports keys that belong to forms other than `form`. Returns true if the table has no such keys.
fn refuse_others(table: &TableReader, form: Option<&str>) -> bool {
    let mut is_whole = true;
    for other in FORMS.iter().filter(|other| form != Some(other.key.name)) {
        for (key, usage) in &other.others {
            let is_shared = *usage == FormKeyUse::Shared;
            let Some(entry) = table.take(key.name).filter(|_| !is_shared) else { continue };
            is_whole = false;
            let help = if form.is_some() { "an expectation has exactly one form" } else { "" };
            entry.error_at_key(format!("`{}` needs `{}`", key.name, other.key.name), help);
            if let ValueKind::Float(_) = key.kind {
                table.double(key.name);
            }
        }
    }
    is_whole
}

/// Reports a duration of the form that exceeds the length of the window, `duration` frames.
pub fn check_window(table: &TableReader, expectations: &Expectations, duration: u64) {
    let keys = FORMS.iter().flat_map(|form| &form.others);
    for (key, _) in keys.filter(|(_, usage)| *usage == FormKeyUse::InWindow) {
        let Some(entry) = table.take(key.name) else { continue };
        let frames = table.double(key.name).map(|seconds| expectations.frames(seconds));
        if frames.is_some_and(|frames| frames > duration) {
            let seconds = (duration as f64 * expectations.scene.tick * 1000.0).round() / 1000.0;
            let message = format!("`{}` is longer than the window of {seconds} s", key.name);
            entry.error_with_help(message, "increase `duration`");
        }
    }
}

impl<'a> FormReader<'a> {
    /// Reads all keys of the form. Reports missing keys and invalid values, and returns `None`.
    fn read(&self) -> Option<Form> {
        let keys = core::iter::once(&self.form.key).chain(self.form.others.iter().map(|it| &it.0));
        let values: Vec<_> = keys.map(|key| self.value(key)).collect();
        let are_valid = self.check_bounds();
        let values: Option<Vec<FormValue>> = values.into_iter().collect();
        (self.form.create)(&mut FormValues(values.filter(|_| are_valid)?.into_iter()))
    }

    fn value(&self, key: &Key) -> Option<FormValue> {
        let number = || self.table.double(key.name);
        if self.bounds().any(|bound| bound == key.name) {
            return Some(FormValue::Bound(number()));
        }
        let entry = self.entry(key.name)?;
        if let ValueKind::Condition = key.kind {
            self.expectations.condition(&entry).map(FormValue::Condition)
        } else if let ValueKind::Text = key.kind {
            self.expectations.value(&entry).map(FormValue::Number)
        } else if let ValueKind::Line = key.kind {
            golden(&entry)
        } else {
            number().map(|seconds| FormValue::Frames(self.expectations.frames(seconds)))
        }
    }

    /// Returns the value of a key. Reports a missing key and returns `None`.
    fn entry(&self, key: &'static str) -> Option<Entry<'a>> {
        let entry = self.table.take(key);
        if entry.is_none() {
            super::missing(self.table, key, self.form.key.name, self.table.issues);
        }
        entry
    }

    /// Iterates over the keys of the bounds: the upper bound, then the lower bound.
    fn bounds(&self) -> impl Iterator<Item = &'static str> {
        let bounds = self.form.others.iter().filter(|(_, usage)| *usage == FormKeyUse::Bound);
        bounds.map(|(key, _)| key.name)
    }

    /// Reports missing bounds, and an upper bound that is not above the lower bound. Returns true
    /// if there is no such error.
    fn check_bounds(&self) -> bool {
        let keys: Vec<_> = self.bounds().collect();
        let &[upper, lower] = &keys[..] else { return true };
        let table = self.table;
        if !table.has(upper) && !table.has(lower) {
            super::missing(table, upper, self.form.key.name, table.issues);
            return false;
        }
        if let (Some(below), Some(above), Some(entry)) =
            (table.double(upper), table.double(lower), table.take(upper))
            && below <= above
        {
            entry.error(format!("`{upper}` must be greater than `{lower}`"));
            return false;
        }
        true
    }
}

/// Reads an engine revision and a state hash, such as `2:0123456789abcdef`. An empty text means
/// that the state is not known yet. Reports an invalid text and returns `None`.
fn golden(entry: &Entry) -> Option<FormValue> {
    let text = entry.line()?;
    if text.is_empty() {
        return Some(FormValue::Golden(None));
    }
    let read = || {
        let (engine, hash) = text.split_once(':')?;
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let hash = (hash.len() == 16 && digits(hash)).then_some(hash)?;
        let engine = engine.bytes().all(|byte| byte.is_ascii_digit()).then_some(engine)?;
        let hash = u64::from_str_radix(hash, 16).ok()?;
        Some(Golden { engine: engine.parse().ok()?, hash })
    };
    let golden = read();
    if golden.is_none() {
        let help = "write an empty string; `tilewalk test --bless` replaces it";
        entry.error_with_help(format!("invalid state `{}`", show::text(text)), help);
    }
    golden.map(|golden| FormValue::Golden(Some(golden)))
}
