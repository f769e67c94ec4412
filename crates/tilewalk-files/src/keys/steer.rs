//! Keys of steering behaviours: keys of all behaviours, and parameters of individual behaviours.

use std::ops::RangeInclusive;
use std::sync::LazyLock;

use serde_json::json;
use tilewalk_sim::steering::path::MAX_POINTS;
use tilewalk_sim::steering::{Parameter, ParameterShape, ParameterValue, SPECS, Spec, TargetKeys};

use crate::keys::table::{DefaultValue, Key, Table, Usage, ValueKind, written};

pub use tilewalk_sim::scenario::limits::MAX_ROWS;

/// Range of headings, in degrees.
pub const HEADING: RangeInclusive<f64> = -360.0..=360.0;

/// Keys of a behaviour before its name is known.
pub static ANY_BEHAVIOUR: LazyLock<Table> =
    LazyLock::new(|| Table { keys: vec![name(&[])], ..Table::open("a behaviour") });

/// Keys of all behaviours, in the order of [`SPECS`].
pub static BEHAVIOURS: LazyLock<Vec<Table>> = LazyLock::new(|| {
    let table = |spec: &'static Spec| {
        let article = if spec.word.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        let title = format!("{article} `{}` behaviour", spec.word);
        Table { reserved: &["every"], ..Table::new(&title, "", keys(spec)) }
    };
    SPECS.into_iter().map(table).collect()
});

/// Returns the value kind of a key that names a target.
pub(super) fn target() -> ValueKind {
    ValueKind::Defined("target")
}

/// Returns the table of the keys that are valid for a behaviour.
pub fn table(spec: &Spec) -> &'static Table {
    let index = SPECS.iter().position(|other| other.word == spec.word);
    index.map_or(&ANY_BEHAVIOUR, |index| &BEHAVIOURS[index])
}

fn name(words: &[&'static str]) -> Key {
    Key::new("do", ValueKind::Words(words.to_vec()), "Name of the behaviour")
        .shown_kind("word")
        .required()
}

fn keys(spec: &'static Spec) -> Vec<Key> {
    let mut keys = common(spec);
    let subject = match spec.subject {
        TargetKeys::Nothing => None,
        TargetKeys::Target(key) => Some(Key::new(key, target(), "Target of the behaviour")),
        TargetKeys::Heading(key, _) => {
            let schema = || {
                json!({ "anyOf": [
                    { "type": "number", "minimum": HEADING.start(), "maximum": HEADING.end(), "description": "Heading in degrees." },
                    { "type": "string", "description": "Agent or group whose heading to match." },
                ] })
            };
            Some(Key::new(key, ValueKind::Other(schema), "Heading to turn to"))
        }
        TargetKeys::Pair(key) => Some(Key::new(
            key,
            ValueKind::Array("target", 2..=2),
            "The two targets of the behaviour",
        )),
    };
    keys.extend(subject.map(Key::required));
    keys.extend(spec.parameters.iter().flat_map(|it| parameter(spec, it)));
    keys
}

/// Returns the keys that all behaviours have, with the defaults of `spec`.
#[rustfmt::skip]
pub fn common(spec: &Spec) -> Vec<Key> {
    vec![
        name(&[spec.word]),
        Key::new("weight", ValueKind::Float(0.0..=1e6), "Factor applied to the steering force").details("A weight of 0 causes a warning")
            .default(DefaultValue::Number(written(spec.weight))),
        Key::new("probability", ValueKind::Float(0.001..=1.0), "Probability per frame that the behaviour acts; used only by `dithered`")
            .default(DefaultValue::Number(written(spec.probability))).usage(Usage::Dithered),
        Key::new("enabled", ValueKind::Flag, "Whether the behaviour is enabled").default(DefaultValue::Flag(true)),
    ]
}

/// Returns the keys that describe a path.
#[rustfmt::skip]
pub fn path() -> Vec<Key> {
    vec![
        Key::new("points", ValueKind::Array("pair", 2..=MAX_POINTS as u64), "Points of the path. Required without `pattern`")
            .shown_kind("array of 2–10,000 positions").default(DefaultValue::Alternative).details("Straight lines connect the points"),
        Key::new("loop", ValueKind::Flag, "Whether the last point is connected to the first. Requires `points`")
            .default(DefaultValue::Flag(false)),
        Key::new("pattern", ValueKind::Text, "Name of a path pattern. Required without `points`")
            .default(DefaultValue::Alternative)
            .details("The pattern has at most 10,000 vertices. The points of the path are the centres of the vertex tiles, placed as for a walker. A `closed` pattern is a loop. The keys `ends`, `line` and `dwell` are ignored"),
        Key::new("offset", ValueKind::Defined("tile"), "Map tile for the pattern's first vertex")
            .default(DefaultValue::Text("the agent's start tile")).details("Valid only with a `pattern` that is not `absolute`"),
    ]
}

/// Returns the keys of a parameter: one key, or several keys for a path.
pub fn parameter(spec: &Spec, it: &Parameter) -> Vec<Key> {
    let kind = match &it.shape {
        ParameterShape::Path => return path(),
        ParameterShape::Number(range) | ParameterShape::Angle(range) => {
            ValueKind::Float(range.clone())
        }
        ParameterShape::NumberOrWord(range, words) => ValueKind::FloatOrWord(range.clone(), words),
        ParameterShape::Count(range) => ValueKind::Integer(range.clone()),
        ParameterShape::Flag => ValueKind::Flag,
        ParameterShape::Words(words) => ValueKind::Words(words.to_vec()),
        ParameterShape::Group { .. } => ValueKind::Defined("name"),
        ParameterShape::Offset(range) => ValueKind::Vector(range.clone()),
    };
    let key = Key::new(it.key, kind, it.about).unit(it.unit).details(it.details);
    let shown =
        if matches!(it.shape, ParameterShape::Group { .. }) { "name of a group" } else { "" };
    vec![key.default(default(spec, it)).shown_kind(shown)]
}

fn default(spec: &Spec, it: &Parameter) -> DefaultValue {
    if it.is_required {
        return DefaultValue::Required;
    }
    match (&it.shape, (it.access.get)(&(spec.create)())) {
        (ParameterShape::NumberOrWord(_, words), Some(ParameterValue::Number(number))) => {
            let word = words.iter().find(|(_, meaning)| *meaning == number);
            word.map_or(DefaultValue::Number(written(number)), |(word, _)| DefaultValue::Word(word))
        }
        (_, Some(ParameterValue::Number(_))) => {
            let number = it.default_number(spec).map(written);
            number.map_or(DefaultValue::Nothing, DefaultValue::Number)
        }
        (_, Some(ParameterValue::Flag(flag))) => DefaultValue::Flag(flag),
        (_, Some(ParameterValue::Word(word))) => DefaultValue::Word(word),
        (
            _,
            Some(ParameterValue::Group(_) | ParameterValue::Offset(_) | ParameterValue::Path(_))
            | None,
        ) => DefaultValue::Text(it.unset),
    }
}
