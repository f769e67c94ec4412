//! JSON Schemas of maps, patterns and sweeps. Editors use the schemas to complete keys and mark
//! errors.
//!
//! The schemas derive from the table of keys in `keys/table.rs`. A schema is less strict than the
//! reader, which also checks whether keys can be combined.

use std::ops::RangeInclusive;

use serde_json::{Map, Value, json};

use crate::keys::agent::{AGENT, BODY, MODE, RANDOM_START, TRANSITION, VIEW};
use crate::keys::expect::EXPECT;
use crate::keys::map::{LEGEND_ENTRY, MAP, OBSTACLE, ON, SPAWN, TILED, WALL};
use crate::keys::pattern::{LEG, MATRIX, PATH, STEPS, STEPS_ROW, THRUST};
use crate::keys::steer::BEHAVIOURS;
use crate::keys::sweep::{MAX_POINTS, MEASURE, RANGE, SWEEP};
use crate::keys::table::{DefaultValue, Key, MAX_COORDINATE, Table, Usage, ValueKind};
use tilewalk_sim::body::Needs;
use tilewalk_sim::color::WORDS;
use tilewalk_sim::scenario::builder::MAX_NAME as MAX_CHARS;

/// Version of JSON Schema with the best support in editors.
const DRAFT: &str = "http://json-schema.org/draft-07/schema#";

/// Returns the JSON Schema for map files.
pub fn map() -> Value {
    let mut schema = table(&MAP);
    let place = json!({ "type": "string", "description": "A place, or \"anywhere\"." });
    let at = json!({ "anyOf": [reference("pair", ""), place, table(&RANDOM_START)] });
    let rows: Vec<_> = BEHAVIOURS.iter().map(table).collect();
    let target = json!({
        "anyOf": [{ "type": "string" }, reference("pair", "")],
        "description": "An agent, a group, a place, \"home\", \"last_seen(name)\" or a position [x, y].",
    });
    let mut definitions = shared();
    definitions.extend([
        ("tiled", table(&TILED)),
        ("obstacle", table(&OBSTACLE)),
        ("spawn", table(&SPAWN)),
        ("on", table(&ON)),
        ("wall", table(&WALL)),
        ("expect", table(&EXPECT)),
        ("legend_entry", table(&LEGEND_ENTRY)),
        ("agent", table(&AGENT)),
        ("mode", table(&MODE)),
        ("rule", table(&TRANSITION)),
        ("body", table(&BODY)),
        ("view", table(&VIEW)),
        ("at", at),
        ("row", json!({ "anyOf": rows })),
        ("target", target),
    ]);
    finish(&mut schema, definitions);
    schema
}

/// Returns the JSON Schema for pattern files.
pub fn pattern() -> Value {
    let kinds = [&PATH, &MATRIX, &STEPS, &THRUST].map(|keys| table(keys));
    let mut schema = json!({ "title": "a pattern", "type": "object", "anyOf": kinds });
    let mut definitions = shared();
    definitions.extend([("step", table(&STEPS_ROW)), ("leg", table(&LEG))]);
    finish(&mut schema, definitions);
    schema
}

/// Returns the JSON Schema for sweep files.
pub fn sweep() -> Value {
    let mut schema = table(&SWEEP);
    let list = array(&json!({}), 1..=MAX_POINTS.cast_unsigned());
    let vary = json!({ "anyOf": [list, table(&RANGE)] });
    let about = "An array of values, or a range of numbers.";
    let definitions = vec![("vary", described(vary, about)), ("measure", table(&MEASURE))];
    finish(&mut schema, definitions);
    schema
}

/// Adds the version of JSON Schema and the definitions to a top-level schema.
fn finish(schema: &mut Value, definitions: Vec<(&str, Value)>) {
    schema["$schema"] = DRAFT.into();
    schema["definitions"] = object(definitions.into_iter());
}

/// Returns the definitions of values that several tables use.
fn shared() -> Vec<(&'static str, Value)> {
    let limit = i64::from(MAX_COORDINATE);
    let number = json!({ "type": "number", "minimum": -limit, "maximum": limit });
    let whole = json!({ "type": "integer", "minimum": -limit, "maximum": limit });
    let pair = |of, about| described(array(&of, 2..=2), about);
    let exact = json!({ "type": "string", "pattern": "^#[0-9A-Fa-f]{6}$" });
    let glyph = json!({ "type": "string", "minLength": 1 });
    let name =
        json!({ "type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$", "maxLength": MAX_CHARS });
    vec![
        (
            "pair",
            pair(number, "[x, y]: two integers for the centre of a tile, two floats for a point."),
        ),
        ("tile", pair(whole, "[x, y]: a tile; x increases to the right, y increases downwards.")),
        ("color", json!({ "anyOf": [words(&WORDS), exact] })),
        ("glyph", described(glyph, "One character, one column wide.")),
        ("name", described(name, "Letters, digits and _; must not begin with a digit.")),
    ]
}

/// Returns the schema of a table. Keys that the table does not list are invalid.
fn table(table: &Table) -> Value {
    let mut value = json!({
        "title": table.title,
        "type": "object",
        "properties": object(table.keys.iter().map(|key| (key.name, schema(key)))),
        "additionalProperties": false,
    });
    let required = table.keys.iter().filter(|key| key.default == DefaultValue::Required);
    let required: Vec<_> = required.map(|key| key.name).collect();
    if !required.is_empty() {
        value["required"] = json!(required);
    }
    described(value, table.about)
}

fn schema(key: &Key) -> Value {
    let value = match &key.kind {
        ValueKind::Float(range) => float(range),
        ValueKind::Integer(range) => {
            json!({ "type": "integer", "minimum": range.start(), "maximum": range.end() })
        }
        ValueKind::OneOf(numbers) => json!({ "enum": numbers }),
        ValueKind::Flag => json!({ "type": "boolean" }),
        ValueKind::True => json!({ "enum": [true] }),
        ValueKind::Text | ValueKind::Condition => json!({ "type": "string" }),
        ValueKind::Line => json!({ "type": "string", "maxLength": 200 }),
        ValueKind::Words(known) => words(known),
        ValueKind::FloatOrWord(range, known) => {
            let known: Vec<_> = known.iter().map(|(word, _)| *word).collect();
            json!({ "anyOf": [words(&known), float(range)] })
        }
        ValueKind::Heading(range) => {
            json!({ "anyOf": [float(range), words(&["random"]), array(&float(range), 2..=2)] })
        }
        ValueKind::Vector(range) => array(&float(range), 2..=2),
        ValueKind::Defined(name) => return reference(name, &description(key)),
        ValueKind::Array(name, count) => array(&reference(name, ""), count.clone()),
        ValueKind::Map(title, name) => {
            json!({ "title": title, "type": "object", "additionalProperties": reference(name, "") })
        }
        ValueKind::Other(schema) => schema(),
    };
    described(value, &description(key))
}

fn description(key: &Key) -> String {
    let about = match key.usage {
        Usage::Body(Needs::Thrust) => format!("Craft only: {}", key.about.to_lowercase()),
        Usage::Body(_) | Usage::Always | Usage::Checks | Usage::Dithered => key.about.to_owned(),
    };
    let unit = match key.unit {
        "" => String::new(),
        "s" => ", in seconds".to_owned(),
        unit => format!(", in {unit}"),
    };
    let default = match key.default {
        DefaultValue::Nothing
        | DefaultValue::Alternative
        | DefaultValue::Required
        | DefaultValue::Text("") => String::new(),
        DefaultValue::Number(number) => format!(" Default: {number}."),
        DefaultValue::Flag(flag) => format!(" Default: {flag}."),
        DefaultValue::Word(word) => format!(" Default: `{word}`."),
        DefaultValue::Text(text) => format!(" Default: {text}."),
    };
    format!("{about}{unit}.{default}")
}

fn object<'a>(entries: impl Iterator<Item = (&'a str, Value)>) -> Value {
    Value::Object(entries.map(|(key, value)| (key.to_owned(), value)).collect::<Map<_, _>>())
}

fn described(mut value: Value, about: &str) -> Value {
    if !about.is_empty() {
        value["description"] = about.into();
    }
    value
}

fn reference(definition: &str, about: &str) -> Value {
    let reference = json!({ "$ref": format!("#/definitions/{definition}") });
    if about.is_empty() {
        return reference;
    }
    // Editors ignore a description next to a reference.
    described(json!({ "allOf": [reference] }), about)
}

fn float(range: &RangeInclusive<f64>) -> Value {
    json!({ "type": "number", "minimum": range.start(), "maximum": range.end() })
}

fn words(words: &[&str]) -> Value {
    json!({ "enum": words })
}

fn array(items: &Value, count: RangeInclusive<u64>) -> Value {
    let mut value = json!({ "type": "array", "items": items, "maxItems": count.end() });
    if *count.start() > 0 {
        value["minItems"] = (*count.start()).into();
    }
    value
}
