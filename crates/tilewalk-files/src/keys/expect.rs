//! Keys of expectations.

use std::ops::RangeInclusive;
use std::sync::LazyLock;

use serde_json::json;

use crate::keys::map::{MAX_SEED, expectations, version};
use crate::keys::table::{DefaultValue, Key, Table, ValueKind};

/// Maximum length of the name of an expectation, in characters.
pub const MAX_NAME: usize = 80;

/// Maximum number of seeds of an expectation.
pub const MAX_SEEDS: usize = 1_000_000;

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

#[rustfmt::skip]
pub static EXPECT: LazyLock<Table> = LazyLock::new(|| Table::new("an expectation", "Exactly one of `eventually`, `never`, `always`, `when`, `first`, `settles`, `repeats`, `value` and `golden` is required.", vec![
    Key::new("name", ValueKind::Other(|| text(MAX_NAME)), "Name, unique in the map")
        .shown_kind("string, one line, up to 80 characters").required(),
    condition("eventually", "This condition holds in some frame of the window"),
    condition("never", "This condition holds in no frame of the window"),
    condition("always", "This condition holds in every frame of the window"),
    condition("when", "Each time this condition becomes true, `then` holds in that frame or at most `within` later"),
    condition("then", "The condition that must follow `when`"),
    Key::new("within", ValueKind::Float(SECONDS), "With `when`: maximum time from a trigger to `then`. In other forms: another spelling of `duration`")
        .unit("s").default(DefaultValue::Alternative),
    condition("first", "This condition holds before `before` holds, or in the same frame"),
    condition("before", "The condition that does not hold before `first` has held"),
    condition("settles", "From some frame on, this condition holds until the end of the window"),
    Key::new("for", ValueKind::Float(SECONDS), "With `settles`: minimum time for which the condition holds until the end of the window")
        .unit("s").default(DefaultValue::Alternative),
    condition("repeats", "This condition becomes true in every span of `every`"),
    Key::new("every", ValueKind::Float(0.001..=*SECONDS.end()), "With `repeats`: length of the spans")
        .unit("s").default(DefaultValue::Alternative),
    Key::new("value", ValueKind::Text, "This number stays within the bounds in every frame of the window in which it is defined")
        .shown_kind("[number](conditions.md)").default(DefaultValue::Alternative),
    Key::new("below", ValueKind::Float(BOUNDS), "With `value`: the number is less than this"),
    Key::new("above", ValueKind::Float(BOUNDS), "With `value`: the number is greater than this"),
    Key::new("golden", ValueKind::Line, "Engine revision and state hash at the end of the window, such as `2:0123456789abcdef`; an empty string is replaced by `tilewalk test --bless`")
        .shown_kind("string").default(DefaultValue::Alternative),
    Key::new("duration", ValueKind::Float(SECONDS), "Length of the window")
        .unit("s").default(DefaultValue::Number(DEFAULT_DURATION)),
    Key::new("from", ValueKind::Other(|| json!({ "anyOf": [{ "type": "number", "minimum": 0 }, { "type": "string" }] })), "Start of the window: a time in seconds, or a condition")
        .shown_kind("0–1,000,000 s, or a condition").default(DefaultValue::Number(0.0)),
    Key::new("start_by", ValueKind::Float(SECONDS), "Latest start of the window if `from` is a condition")
        .unit("s").default(DefaultValue::Number(DEFAULT_DURATION)),
    Key::new("seeds", ValueKind::Other(seeds), "Number of seeds, from the map's seed on, or a list of seeds")
        .shown_kind("1–1,000,000, or array of integers").default(DefaultValue::Number(1.0)),
    Key::new("at_least", ValueKind::Float(0.0..=1.0), "Share of the seeds that must pass, above 0")
        .default(DefaultValue::Number(1.0)),
    Key::new("confidence", ValueKind::Float(0.0..=1.0), "Confidence of the claim that `at_least` is the share of all seeds, between 0 and 1")
        .details("Without it, `at_least` is the share of the listed seeds"),
    Key::new("set", ValueKind::Other(|| json!({ "type": "object" })), "Values for this expectation only, as in `--set`: `{ \"guard.body.max_speed\" = 3.0 }`")
        .shown_kind("table"),
    Key::new("fails", ValueKind::Line, "Reason why the expectation is known to fail. A failure then counts as a pass, and a pass as a failure"),
    Key::new("tags", ValueKind::Other(|| json!({ "type": "array", "items": text(MAX_NAME) })), "Tags for the option `--tag` of `tilewalk test`")
        .shown_kind("array of strings"),
]));

/// The table `set`, whose keys are paths of values.
pub static SET: LazyLock<Table> = LazyLock::new(|| Table::open("the settings"));

fn condition(name: &'static str, about: &'static str) -> Key {
    Key::new(name, ValueKind::Condition, about).default(DefaultValue::Alternative)
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
