//! JSON Schemas of maps and patterns, for editors that complete keys and mark errors.
//!
//! The reader asks for keys one by one and has no table of them, so the schemas repeat the keys,
//! ranges and words. `tests/it/schema.rs` makes a mistake in each table, takes keys, ranges and
//! words from the reader's messages, and compares the two. The title of a table is its name in
//! those messages. A schema is less strict than the reader, which also checks how keys fit
//! together.

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
use tilewalk_sim::color::WORDS;

pub use pattern::pattern;

/// The version of JSON Schema that editors know best.
const DRAFT: &str = "http://json-schema.org/draft-07/schema#";

/// The schema of a map.
pub fn map() -> Value {
    let keys = vec![
        ("format", version()),
        ("title", line("Map title.")),
        ("tick", float(0.001..=1.0, "Duration of a frame in seconds. Default: 0.05.")),
        ("seed", int(0..=MAX_SEED, "Random seed. Default: 0.")),
        (
            "edges",
            words(
                ["wall", "wrap"],
                "Map border: `wall` (solid) or `wrap` (joined to the opposite edge). Default: `wall`.",
            ),
        ),
        (
            "corners",
            words(
                ["patterns", "cut", "block"],
                "Diagonal steps past non-walkable tiles: `patterns` (allowed, except on routes), `cut` (always allowed) or `block` (never allowed). Default: `patterns`.",
            ),
        ),
        ("tiles", text("Rows of glyphs, all of equal length. Required without `tiles_file`.")),
        (
            "tiles_file",
            text("Tiles file (.txt, .map or .tmx) in the map directory. Required without `tiles`."),
        ),
        ("tiled", reference("tiled", "Glyphs for the layers and tiles of a .tmx file.")),
        ("legend", named("the legend", "legend_entry", "Tile kinds, by glyph.")),
        ("places", named("the places", "pair", "Named tiles and points to use as targets.")),
        (
            "obstacle",
            list(&reference("obstacle", ""), 0..=MAX_OBSTACLES as u64, "Round obstacles."),
        ),
        ("agent", list(&reference("agent", ""), 0..=1_000_000, "Agents and groups of agents.")),
    ];
    let mut schema = table("a map", "A tilewalk map.", &[], keys);
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
        ("empty", reference("glyph", "Glyph for positions without a tile. Default: `.` (floor).")),
        (
            "layers",
            json!({
                "type": "object", "additionalProperties": glyph(),
                "description": "Glyph of each layer, by layer name.",
            }),
        ),
        (
            "tiles",
            json!({
                "type": "object", "additionalProperties": glyphs,
                "description": "Tile numbers for each glyph, by tile set: set = { \"#\" = [4, [10, 19]] }.",
            }),
        ),
    ];
    table("the table `tiled`", "", &[], keys)
}

fn obstacle() -> Value {
    let keys = vec![
        ("at", reference("pair", "Centre of the obstacle.")),
        ("radius", float(RADIUS, "Radius in tiles.")),
    ];
    table("an obstacle", "", &["at", "radius"], keys)
}

fn kind() -> Value {
    let keys = vec![
        ("name", line("Name of the tile kind. Default: the glyph.")),
        ("walk", flag("Whether the tile is walkable. Default: true.")),
        ("opaque", flag("Whether the tile blocks the view. Default: false.")),
        ("cost", float(legend::COST, "Route cost of entering the tile. Default: 1.")),
        ("drag", float(legend::DRAG, "Additional drag on bodies on the tile, in 1/s. Default: 0.")),
        ("obstacle", float(RADIUS, "Radius of a round obstacle at the tile centre, in tiles.")),
        ("color", reference("color", "")),
        ("glyph", reference("glyph", "Displayed glyph. Default: the legend key.")),
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
            pair(number, "[x, y]: two integers for the centre of a tile, two floats for a point."),
        ),
        ("tile", pair(whole, "[x, y]: a tile; x increases to the right, y increases downwards.")),
        ("color", json!({ "anyOf": [named, exact] })),
        (
            "glyph",
            json!({
                "type": "string", "minLength": 1, "description": "One character, one column wide.",
            }),
        ),
        (
            "name",
            json!({
                "type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$", "maxLength": MAX_CHARS,
                "description": "Letters, digits and _; must not begin with a digit.",
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
    json!({ "enum": [1], "description": "Version of the file format." })
}
