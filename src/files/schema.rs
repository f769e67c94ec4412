//! JSON Schemas of maps and patterns: what an editor needs to complete keys and to mark what is wrong.
//!
//! A schema says less than the reader, which also knows what fits together. A table is titled by what
//! the reader calls it, and tests hold the keys and ranges of the two against each other.

mod agent;
mod pattern;
mod steer;

use std::ops::RangeInclusive;

use serde_json::{Map, Value, json};

use super::map_file::{MAX_OBSTACLES, MAX_SEED};
use super::name::MAX_CHARS;
use super::tiled::MAX_TILE;
use super::value::MAX_COORDINATE;
use super::{RADIUS, legend};
use crate::color::WORDS;

pub use pattern::pattern;

/// The version of JSON Schema that editors know best.
const DRAFT: &str = "http://json-schema.org/draft-07/schema#";

/// The schema of a map.
pub fn map() -> Value {
    let keys = vec![
        ("format", version()),
        ("title", line("What the map is called.")),
        ("tick", float(0.001..=1.0, "Seconds per frame; 0.05 if left out.")),
        ("seed", int(0..=MAX_SEED, "The seed of all dice; 0 if left out.")),
        ("edges", words(["wall", "wrap"], "Beyond the border all is solid, or a torus.")),
        (
            "corners",
            words(["patterns", "cut", "block"], "Who may step diagonally past a closed tile."),
        ),
        ("tiles", text("Rows of glyphs, all equally long. This or `tiles_file`.")),
        ("tiles_file", text("A file beside the map: .txt, .map or .tmx. This or `tiles`.")),
        ("tiled", reference("tiled", "What the tiles of a .tmx file are.")),
        ("legend", named("the legend", "legend_entry", "Kinds of tiles by glyph.")),
        ("places", named("a place", "pair", "Named tiles or points, which may be targets.")),
        (
            "obstacle",
            list(&reference("obstacle", ""), 0..=MAX_OBSTACLES as u64, "Round obstacles."),
        ),
        ("agent", list(&reference("agent", ""), 0..=1_000_000, "Who moves here.")),
    ];
    let mut schema = table("a map", "A map of tilewalk.", &[], keys);
    let mut definitions = shared();
    definitions.extend([("tiled", tiled()), ("obstacle", obstacle()), ("legend_entry", kind())]);
    definitions.extend(agent::definitions());
    definitions.extend(steer::definitions());
    finish(&mut schema, definitions);
    schema
}

/// Makes a table the top of a document.
fn finish(schema: &mut Value, definitions: Vec<(&str, Value)>) {
    schema["$schema"] = DRAFT.into();
    schema["definitions"] = object(definitions);
}

fn tiled() -> Value {
    let glyph = || reference("glyph", "");
    let tile = || json!({ "type": "integer", "minimum": 0, "maximum": MAX_TILE });
    let stretch = json!({ "type": "array", "items": tile(), "minItems": 2, "maxItems": 2 });
    let numbers = json!({ "type": "array", "items": { "anyOf": [tile(), stretch] } });
    let glyphs = json!({ "type": "object", "additionalProperties": numbers });
    let keys = vec![
        ("empty", reference("glyph", "What is where no layer has a tile; floor if left out.")),
        (
            "layers",
            json!({
                "type": "object", "additionalProperties": glyph(),
                "description": "What the tiles of a layer are, by the layer's name.",
            }),
        ),
        (
            "tiles",
            json!({
                "type": "object", "additionalProperties": glyphs,
                "description": "What tiles of a tile set are: set = { \"#\" = [4, [10, 19]] }.",
            }),
        ),
    ];
    table("the table `tiled`", "", &[], keys)
}

fn obstacle() -> Value {
    let keys =
        vec![("at", reference("pair", "Its middle.")), ("radius", float(RADIUS, "In tiles."))];
    table("an obstacle", "", &["at", "radius"], keys)
}

fn kind() -> Value {
    let keys = vec![
        ("name", line("What it is called; the glyph if left out.")),
        ("walk", flag("May be walked; true if left out.")),
        ("opaque", flag("Hides what is behind it; false if left out.")),
        ("cost", float(legend::COST, "Cost of entering, for routes; 1 if left out.")),
        ("drag", float(legend::DRAG, "Added to the drag of bodies on it, 1/s; 0 if left out.")),
        ("obstacle", float(RADIUS, "Radius of a round obstacle in its middle, in tiles.")),
        ("color", reference("color", "")),
        ("glyph", reference("glyph", "Drawn instead.")),
    ];
    table("a legend entry", "", &[], keys)
}

/// What several tables use.
fn shared() -> Vec<(&'static str, Value)> {
    let number = json!({ "type": "number", "minimum": -MAX_COORDINATE, "maximum": MAX_COORDINATE });
    let pair = |of: Value, what: &str| {
        json!({
            "type": "array", "items": of, "minItems": 2, "maxItems": 2, "description": what,
        })
    };
    let whole = int(-i64::from(MAX_COORDINATE)..=i64::from(MAX_COORDINATE), "");
    let named = json!({ "enum": WORDS });
    let exact = json!({ "type": "string", "pattern": "^#[0-9A-Fa-f]{6}$" });
    vec![
        (
            "pair",
            pair(number, "[x, y]: two integers mean the centre of a tile, two floats a point."),
        ),
        ("tile", pair(whole, "[x, y]: a tile, x to the right and y downwards.")),
        ("color", json!({ "anyOf": [named, exact] })),
        (
            "glyph",
            json!({
                "type": "string", "minLength": 1, "description": "One character one column wide.",
            }),
        ),
        (
            "name",
            json!({
                "type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$", "maxLength": MAX_CHARS,
                "description": "Letters, digits and _, not beginning with a digit.",
            }),
        ),
    ]
}

/// A table with these keys and no others.
fn table(title: &str, what: &str, required: &[&str], keys: Vec<(&str, Value)>) -> Value {
    let mut value = json!({
        "title": title,
        "type": "object",
        "properties": object(keys),
        "additionalProperties": false,
    });
    if !required.is_empty() {
        value["required"] = json!(required);
    }
    described(value, what)
}

/// A table whose keys are names of the user's.
fn named(title: &str, definition: &str, what: &str) -> Value {
    json!({
        "title": title,
        "type": "object",
        "additionalProperties": reference(definition, ""),
        "description": what,
    })
}

fn object(entries: Vec<(&str, Value)>) -> Value {
    let entries = entries.into_iter().map(|(key, value)| (key.to_owned(), value));
    Value::Object(entries.collect::<Map<_, _>>())
}

fn described(mut value: Value, what: &str) -> Value {
    if !what.is_empty() {
        value["description"] = what.into();
    }
    value
}

fn reference(definition: &str, what: &str) -> Value {
    let reference = json!({ "$ref": format!("#/definitions/{definition}") });
    if what.is_empty() {
        return reference;
    }
    // Beside a reference nothing else counts.
    described(json!({ "allOf": [reference] }), what)
}

fn float(range: RangeInclusive<f64>, what: &str) -> Value {
    let (least, most) = (range.start(), range.end());
    described(json!({ "type": "number", "minimum": least, "maximum": most }), what)
}

fn int(range: RangeInclusive<i64>, what: &str) -> Value {
    let (least, most) = (range.start(), range.end());
    described(json!({ "type": "integer", "minimum": least, "maximum": most }), what)
}

fn flag(what: &str) -> Value {
    described(json!({ "type": "boolean" }), what)
}

fn text(what: &str) -> Value {
    described(json!({ "type": "string" }), what)
}

fn line(what: &str) -> Value {
    described(json!({ "type": "string", "maxLength": 200 }), what)
}

fn words<'a>(words: impl IntoIterator<Item = &'a str>, what: &str) -> Value {
    let words: Vec<&str> = words.into_iter().collect();
    described(json!({ "enum": words }), what)
}

fn list(items: &Value, count: RangeInclusive<u64>, what: &str) -> Value {
    let mut value = json!({ "type": "array", "items": items, "maxItems": count.end() });
    if *count.start() > 0 {
        value["minItems"] = (*count.start()).into();
    }
    described(value, what)
}

fn version() -> Value {
    json!({ "enum": [1], "description": "The version of the format." })
}
