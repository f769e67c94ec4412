//! Keys of expectations.

use std::ops::RangeInclusive;
use std::sync::LazyLock;

use serde_json::json;

use crate::keys::map::{MAX_EXPECTATIONS, MAX_SEED, expectations, version};
use crate::keys::table::{DefaultValue, Key, Table, ValueKind};
use tilewalk_sim::condition::{Condition, NumberCondition};
use tilewalk_sim::scenario::expectation::{Form, Golden};

/// Maximum length of the name of an expectation, in characters.
pub const MAX_NAME: usize = 80;

/// Maximum number of seeds of an expectation.
pub const MAX_SEEDS: usize = 1_000_000;

/// Default of `seeds`. A run without random numbers is judged once.
pub const DEFAULT_SEEDS: u32 = 20;

/// Default of `duration` and `start_by`, in seconds: the length of the window, and the time limit
/// for its start.
pub const DEFAULT_DURATION: f64 = 60.0;

/// Range of durations, in seconds.
pub const SECONDS: RangeInclusive<f64> = 0.0..=1_000_000.0;

/// Range of the bounds of a value.
const BOUNDS: RangeInclusive<f64> = -1e12..=1e12;

#[rustfmt::skip]
pub static FILE: LazyLock<Table> = LazyLock::new(|| Table::new("a file of expectations", "", vec![
    version(),
    expectations(),
]));

/// The file `MAP.seeds.toml`.
#[rustfmt::skip]
pub static SEEDS_FILE: LazyLock<Table> = LazyLock::new(|| Table::new("a file of seeds", "", vec![
    version(),
    Key::new("expect", ValueKind::Array("seeds", 0..=MAX_EXPECTATIONS as u64), "Expectations that have failed")
        .header("[[expect]]"),
]));

/// An expectation in the file `MAP.seeds.toml`.
#[rustfmt::skip]
pub static FAILED_SEEDS: LazyLock<Table> = LazyLock::new(|| Table::new("an expectation", "", vec![
    Key::new("name", ValueKind::Other(|| text(MAX_NAME)), "Name of an expectation of the map").required(),
    Key::new("seeds", ValueKind::Other(seeds), "Seeds with which the expectation has failed").required(),
]));

/// A form of expectations: the key that selects it, and the keys that complete it.
#[derive(Debug)]
pub struct FormKeys {
    pub key: Key,
    pub others: Vec<(Key, FormKeyUse)>,
    /// Function that creates the form from the values of the keys, in the order of the keys.
    pub create: fn(&mut FormValues) -> Option<Form>,
}

/// How a key completes a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormKeyUse {
    /// The form needs the key.
    Required,
    /// The form needs the key: a duration that must not exceed the window.
    InWindow,
    /// The form needs the key: a duration. Other forms accept the key, too: it is the length of
    /// their window.
    Shared,
    /// The form needs at least one of its two bounds. The first bound is the greater one.
    Bound,
}

/// The value of a key of a form.
#[derive(Debug)]
pub enum FormValue {
    Condition(Condition),
    Number(NumberCondition),
    /// A duration in frames.
    Frames(u64),
    /// A bound, if the expectation has it.
    Bound(Option<f64>),
    /// A state, or `None` if it is not known yet.
    Golden(Option<Golden>),
}

/// The values of the keys of a form that are not used yet, in the order of the keys.
#[derive(Debug)]
pub struct FormValues(pub std::vec::IntoIter<FormValue>);

impl FormValues {
    fn condition(&mut self) -> Option<Condition> {
        let FormValue::Condition(condition) = self.0.next()? else { return None };
        Some(condition)
    }

    fn number(&mut self) -> Option<NumberCondition> {
        let FormValue::Number(number) = self.0.next()? else { return None };
        Some(number)
    }

    fn frames(&mut self) -> Option<u64> {
        let FormValue::Frames(frames) = self.0.next()? else { return None };
        Some(frames)
    }

    /// Returns the upper and the lower bound.
    fn bounds(&mut self) -> Option<[Option<f64>; 2]> {
        let FormValue::Bound(upper) = self.0.next()? else { return None };
        let FormValue::Bound(lower) = self.0.next()? else { return None };
        Some([upper, lower])
    }

    fn golden(&mut self) -> Option<Form> {
        let FormValue::Golden(golden) = self.0.next()? else { return None };
        Some(Form::Golden(golden))
    }
}

impl FormKeys {
    fn new(key: Key, create: fn(&mut FormValues) -> Option<Form>) -> Self {
        Self { key, others: Vec::new(), create }
    }

    fn with(mut self, key: Key, usage: FormKeyUse) -> Self {
        self.others.push((key, usage));
        self
    }
}

/// All forms, in the order of the documentation. A key of type `Condition` has a condition, `Text`
/// a number, `Line` a state, and `Float` a duration in seconds or, with [`FormKeyUse::Bound`], a
/// bound.
#[rustfmt::skip]
pub static FORMS: LazyLock<Vec<FormKeys>> = LazyLock::new(|| vec![
    FormKeys::new(
        condition("eventually", "This condition holds in some frame of the window"),
        |values| Some(Form::Eventually(values.condition()?)),
    ),
    FormKeys::new(
        condition("never", "This condition holds in no frame of the window"),
        |values| Some(Form::Never(values.condition()?)),
    ),
    FormKeys::new(
        condition("always", "This condition holds in every frame of the window"),
        |values| Some(Form::Always(values.condition()?)),
    ),
    FormKeys::new(
        condition("when", "Each time this condition becomes true, `then` holds in that frame or at most `within` later"),
        |values| Some(Form::Response { when: values.condition()?, then: values.condition()?, within: values.frames()? }),
    )
    .with(condition("then", "The condition that must follow `when`"), FormKeyUse::Required)
    .with(seconds("within", SECONDS, "With `when`: maximum time from a trigger to `then`. In other forms: another spelling of `duration`"), FormKeyUse::Shared),
    FormKeys::new(
        condition("first", "This condition holds before `before` holds, or in the same frame"),
        |values| Some(Form::Precedence { first: values.condition()?, before: values.condition()? }),
    )
    .with(condition("before", "The condition that does not hold before `first` has held"), FormKeyUse::Required),
    FormKeys::new(
        condition("settles", "From some frame on, this condition holds until the end of the window"),
        |values| Some(Form::Settles { condition: values.condition()?, hold: values.frames()? }),
    )
    .with(seconds("for", SECONDS, "With `settles`: minimum time for which the condition holds until the end of the window"), FormKeyUse::InWindow),
    FormKeys::new(
        condition("repeats", "This condition becomes true in every span of `every`"),
        |values| Some(Form::Repeats { condition: values.condition()?, every: values.frames()? }),
    )
    .with(seconds("every", 0.001..=*SECONDS.end(), "With `repeats`: length of the spans"), FormKeyUse::InWindow),
    FormKeys::new(
        Key::new("value", ValueKind::Text, "This number stays within the bounds in every frame of the window in which it is defined")
            .shown_kind("[number](conditions.md)").default(DefaultValue::Alternative),
        |values| {
            let (value, [below, above]) = (values.number()?, values.bounds()?);
            Some(Form::Bounds { value, below, above })
        },
    )
    .with(Key::new("below", ValueKind::Float(BOUNDS), "With `value`: the number is less than this"), FormKeyUse::Bound)
    .with(Key::new("above", ValueKind::Float(BOUNDS), "With `value`: the number is greater than this"), FormKeyUse::Bound),
    FormKeys::new(
        Key::new("golden", ValueKind::Line, "Engine revision and state hash at the end of the window, such as `2:0123456789abcdef`; an empty string is replaced by `tilewalk test --bless`")
            .shown_kind("string").default(DefaultValue::Alternative),
        FormValues::golden,
    ),
]);

/// Returns the keys of all forms, each form followed by the keys that complete it.
fn form_keys() -> impl Iterator<Item = Key> {
    FORMS.iter().flat_map(|form| {
        core::iter::once(&form.key).chain(form.others.iter().map(|(key, _)| key)).cloned()
    })
}

#[rustfmt::skip]
pub static EXPECT: LazyLock<Table> = LazyLock::new(|| {
    let name = Key::new("name", ValueKind::Other(|| text(MAX_NAME)), "Name, unique in the map")
        .shown_kind("string, one line, up to 80 characters").required();
    let keys = core::iter::once(name).chain(form_keys()).chain(window_keys()).collect();
    Table::new("an expectation", "Exactly one of `eventually`, `never`, `always`, `when`, `first`, `settles`, `repeats`, `value` and `golden` is required.", keys)
});

/// Returns the keys that all forms have.
#[rustfmt::skip]
fn window_keys() -> Vec<Key> { vec![
    Key::new("duration", ValueKind::Float(SECONDS), "Length of the window")
        .unit("s").default(DefaultValue::Number(DEFAULT_DURATION)),
    Key::new("from", ValueKind::Other(|| json!({ "anyOf": [{ "type": "number", "minimum": 0 }, { "type": "string" }] })), "Start of the window: a time in seconds, or a condition")
        .shown_kind("0–1,000,000 s, or a condition").default(DefaultValue::Number(0.0)),
    Key::new("start_by", ValueKind::Float(SECONDS), "Latest start of the window if `from` is a condition")
        .unit("s").default(DefaultValue::Number(DEFAULT_DURATION)),
    Key::new("seeds", ValueKind::Other(seeds), "Number of seeds, from the map's seed on, or a list of seeds")
        .shown_kind("1–1,000,000, or array of integers").default(DefaultValue::Number(f64::from(DEFAULT_SEEDS)))
        .details("Runs end when the result is certain. Runs without random numbers are judged once, and `golden` has one seed"),
    Key::new("at_least", ValueKind::Float(0.0..=1.0), "Share of the seeds that must pass, above 0")
        .default(DefaultValue::Number(1.0)),
    Key::new("confidence", ValueKind::Float(0.0..=1.0), "Confidence of the claim that `at_least` is the share of all seeds, between 0 and 1")
        .details("Without it, `at_least` is the share of the listed seeds"),
    Key::new("margin", ValueKind::Float(0.0..=1.0), "With `confidence`: a share that differs from `at_least` by less than this also passes")
        .default(DefaultValue::Number(0.0)),
    Key::new("set", ValueKind::Other(|| json!({ "type": "object" })), "Values for this expectation only, as in `--set`: `{ \"guard.body.max_speed\" = 3.0 }`")
        .shown_kind("table"),
    Key::new("fails", ValueKind::Line, "Reason why the expectation is known to fail. A failure then counts as a pass, and a pass as a failure"),
    Key::new("tags", ValueKind::Other(|| json!({ "type": "array", "items": text(MAX_NAME) })), "Tags for the option `--tag` of `tilewalk test`")
        .shown_kind("array of strings"),
] }

/// The table `set`, whose keys are paths of values.
pub static SET: LazyLock<Table> = LazyLock::new(|| Table::open("the settings"));

fn condition(name: &'static str, about: &'static str) -> Key {
    Key::new(name, ValueKind::Condition, about).default(DefaultValue::Alternative)
}

fn seconds(name: &'static str, range: RangeInclusive<f64>, about: &'static str) -> Key {
    Key::new(name, ValueKind::Float(range), about).unit("s").default(DefaultValue::Alternative)
}

fn text(longest: usize) -> serde_json::Value {
    json!({ "type": "string", "minLength": 1, "maxLength": longest })
}

pub(super) fn seeds() -> serde_json::Value {
    let seed = json!({ "type": "integer", "minimum": 0, "maximum": MAX_SEED });
    let count = json!({ "type": "integer", "minimum": 1, "maximum": MAX_SEEDS });
    let list = json!({
        "type": "array", "items": seed, "minItems": 1, "maxItems": MAX_SEEDS, "uniqueItems": true,
    });
    json!({ "anyOf": [count, list] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_description_of_an_expectation_lists_all_forms() {
        let forms: Vec<_> = FORMS.iter().map(|form| form.key.name).collect();
        let listed: Vec<_> = EXPECT.about.split('`').skip(1).step_by(2).collect();
        assert_eq!(listed, forms);
    }
}
