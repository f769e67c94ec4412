//! Reads the form of an expectation: the keys that state the expected behaviour.

use super::Expectations;
use crate::show;
use crate::text::reader::{Entry, TableReader};
use tilewalk_sim::condition::Condition;
use tilewalk_sim::scenario::expectation::{Form, Golden};

/// A form of an expectation, with the keys that belong to the form.
struct FormKeys {
    /// Key that names the form.
    name: &'static str,
    /// Keys of further conditions that complete the form.
    conditions: &'static [&'static str],
    /// Keys of durations that complete the form.
    durations: &'static [&'static str],
    /// Keys of bounds that complete the form.
    bounds: &'static [&'static str],
    read: fn(&FormReader) -> Option<Form>,
}

const FORMS: [FormKeys; 9] = [
    FormKeys::simple("eventually", |it| it.condition("eventually").map(Form::Eventually)),
    FormKeys::simple("never", |it| it.condition("never").map(Form::Never)),
    FormKeys::simple("always", |it| it.condition("always").map(Form::Always)),
    FormKeys {
        conditions: &["then"],
        durations: &["within"],
        ..FormKeys::simple("when", response)
    },
    FormKeys { conditions: &["before"], ..FormKeys::simple("first", precedence) },
    FormKeys { durations: &["for"], ..FormKeys::simple("settles", settles) },
    FormKeys { durations: &["every"], ..FormKeys::simple("repeats", repeats) },
    FormKeys { bounds: &["below", "above"], ..FormKeys::simple("value", bounds) },
    FormKeys::simple("golden", |it| golden(&it.entry("golden")?)),
];

impl FormKeys {
    /// Creates a form with a single key.
    const fn simple(name: &'static str, read: fn(&FormReader) -> Option<Form>) -> Self {
        Self { name, conditions: &[], durations: &[], bounds: &[], read }
    }

    /// Returns the keys that complete this form. Omits `within`, because it sets the length of the
    /// window in other forms.
    fn others(&self) -> impl Iterator<Item = &'static str> {
        let keys = self.conditions.iter().chain(self.durations).chain(self.bounds);
        keys.copied().filter(|key| *key != "within")
    }
}

/// The table of an expectation whose form is known.
struct FormReader<'a> {
    table: &'a TableReader<'a>,
    name: &'static str,
    expectations: &'a Expectations<'a>,
}

/// Reads the form of an expectation. Reports a missing form, more than one form, and keys of other
/// forms. Returns `None` after any error.
pub fn read(table: &TableReader, expectations: &Expectations) -> Option<Form> {
    let mut named: Vec<_> =
        FORMS.iter().filter_map(|form| Some((form, table.take(form.name)?))).collect();
    named.sort_by_key(|(_, entry)| entry.key_span.start);
    match &named[..] {
        [] => {
            report_missing(table);
            None
        }
        [(form, _)] => {
            let name = form.name;
            let is_alone = refuse_others(table, Some(name));
            let form = (form.read)(&FormReader { table, name, expectations });
            form.filter(|_| is_alone)
        }
        [(first, _), rest @ ..] => {
            for (form, entry) in rest {
                let (name, first) = (form.name, first.name);
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
        let forms = show::list(FORMS.iter().map(|form| form.name));
        let message = format!("an expectation needs one of {forms}");
        table.issues.error(table.span(), message);
    }
}

/// Reports keys that belong to forms other than `form`. Returns true if the table has no such keys.
fn refuse_others(table: &TableReader, form: Option<&str>) -> bool {
    let mut is_whole = true;
    for other in FORMS.iter().filter(|other| form != Some(other.name)) {
        for key in other.others() {
            let Some(entry) = table.take(key) else { continue };
            is_whole = false;
            let help = if form.is_some() { "an expectation has exactly one form" } else { "" };
            entry.error_at_key(format!("`{key}` needs `{}`", other.name), help);
            if !other.conditions.contains(&key) {
                table.double(key);
            }
        }
    }
    is_whole
}

impl<'a> FormReader<'a> {
    /// Returns the value of a key. Reports a missing key and returns `None`.
    fn entry(&self, key: &'static str) -> Option<Entry<'a>> {
        let entry = self.table.take(key);
        if entry.is_none() {
            super::missing(self.table, key, self.name, self.table.issues);
        }
        entry
    }

    fn condition(&self, key: &'static str) -> Option<Condition> {
        self.expectations.condition(&self.entry(key)?)
    }

    /// Reads a duration in seconds and converts it to frames. Reports a missing key and returns
    /// `None`.
    fn frames(&self, key: &'static str) -> Option<u64> {
        self.entry(key)?;
        self.table.double(key).map(|seconds| self.expectations.frames(seconds))
    }
}

fn response(it: &FormReader) -> Option<Form> {
    let (when, then) = (it.condition("when"), it.condition("then"));
    let within = it.frames("within");
    Some(Form::Response { when: when?, then: then?, within: within? })
}

fn precedence(it: &FormReader) -> Option<Form> {
    let (first, before) = (it.condition("first"), it.condition("before"));
    Some(Form::Precedence { first: first?, before: before? })
}

fn settles(it: &FormReader) -> Option<Form> {
    let (condition, hold) = (it.condition("settles"), it.frames("for"));
    Some(Form::Settles { condition: condition?, hold: hold? })
}

fn repeats(it: &FormReader) -> Option<Form> {
    let (condition, every) = (it.condition("repeats"), it.frames("every"));
    Some(Form::Repeats { condition: condition?, every: every? })
}

fn bounds(it: &FormReader) -> Option<Form> {
    let value = it.expectations.value(&it.entry("value")?);
    let (below, above) = (it.table.double("below"), it.table.double("above"));
    if !it.table.has("below") && !it.table.has("above") {
        super::missing(it.table, "below", it.name, it.table.issues);
        return None;
    }
    if let (Some(below), Some(above)) = (below, above)
        && below <= above
    {
        it.entry("below")?.error("`below` must be greater than `above`");
        return None;
    }
    Some(Form::Bounds { value: value?, below, above })
}

/// Reads an engine revision and a state hash, such as `2:0123456789abcdef`. An empty text means
/// that the state is not known yet. Reports an invalid text and returns `None`.
fn golden(entry: &Entry) -> Option<Form> {
    let text = entry.line()?;
    if text.is_empty() {
        return Some(Form::Golden(None));
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
    golden.map(|golden| Form::Golden(Some(golden)))
}
