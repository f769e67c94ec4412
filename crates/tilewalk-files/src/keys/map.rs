//! Keys of a map, except the keys of agents, and keys of breakpoint files.

use std::ops::RangeInclusive;
use std::sync::LazyLock;

use serde_json::json;

use crate::keys::table::{DefaultValue, Key, TILE_RADII, Table, ValueKind};
use crate::keys::words;

pub use tilewalk_sim::scenario::limits::{MAX_AGENTS, MAX_SPAWNS};

/// Maximum number of free-standing obstacles.
pub const MAX_OBSTACLES: usize = 1_000_000;

/// Maximum number of obstacles that are larger than a tile.
pub const MAX_LARGE_OBSTACLES: usize = 10_000;

/// Maximum number of free walls. Each side of a polyline counts.
pub const MAX_WALLS: usize = 100_000;

/// Maximum length of all free walls together, in tiles. The index of walls takes about 100 bytes per
/// tile.
pub const MAX_WALL_LENGTH: f32 = 200_000.0;

/// Maximum number of `[[agent]]` tables. Each takes several kilobytes of memory.
pub const MAX_AGENT_TABLES: usize = 100_000;

/// Maximum seed. All integers up to the maximum are exact in `f64`.
pub const MAX_SEED: i64 = (1 << 53) - 1;

/// Maximum tile number within a tile set.
pub const MAX_TILE: u32 = 0x0FFF_FFFF;

pub(super) fn version() -> Key {
    Key::new("format", ValueKind::OneOf(&[1]), "Version of the file format")
        .shown_kind("1")
        .default(DefaultValue::Text("1"))
}

/// Maximum number of `[[expect]]` tables in a file.
pub const MAX_EXPECTATIONS: usize = 10_000;

pub(super) fn expectations() -> Key {
    let kind = ValueKind::Array("expect", 0..=MAX_EXPECTATIONS as u64);
    Key::new("expect", kind, "What must hold in runs of the map")
        .header("[[expect]]")
        .shown_kind("array of tables")
        .details("See [Expectations](runs.md#expectations)")
}

#[rustfmt::skip]
pub static MAP: LazyLock<Table> = LazyLock::new(|| Table::new("a map", "A tilewalk map.", vec![
    version(),
    Key::new("title", ValueKind::Line, "Map title"),
    Key::new("tick", ValueKind::Float(0.001..=1.0), "Duration of a frame in seconds")
        .shown_unit("s").default(DefaultValue::Number(0.05)),
    Key::new("seed", ValueKind::Integer(0..=MAX_SEED), "Random seed")
        .shown_kind("integer, 0 to 2⁵³ − 1").default(DefaultValue::Number(0.0)),
    Key::new("edges", words::kind(&words::EDGES), "Map border: `wall` (solid) or `wrap` (joined to the opposite edge)")
        .default(DefaultValue::Word("wall")).details("With `wrap`, the map is a torus"),
    Key::new("corners", words::kind(&words::CORNERS), "Diagonal steps past non-walkable tiles: `patterns` (allowed, except on routes), `cut` (always allowed) or `block` (never allowed)")
        .default(DefaultValue::Word("patterns")).details("This applies to all closed tiles"),
    Key::new("tiles", ValueKind::Text, "Rows of glyphs, all of equal length. Required without `tiles_file`")
        .default(DefaultValue::Alternative),
    Key::new("tiles_file", ValueKind::Text, "Path of a tiles file, relative to the map. Required without `tiles`")
        .default(DefaultValue::Alternative).details("See [Tiles](maps.md#tiles)"),
    Key::new("legend", ValueKind::Map("the legend", "legend_entry"), "Tile kinds, by glyph")
        .header("[legend]").default(DefaultValue::Text("built-in legend")),
    Key::new("places", ValueKind::Map("the places", "pair"), "Named tiles and points to use as targets")
        .header("[places]"),
    Key::new("obstacle", ValueKind::Array("obstacle", 0..=MAX_OBSTACLES as u64), "Round obstacles")
        .header("[[obstacle]]").shown_kind("array of tables"),
    Key::new("wall", ValueKind::Array("wall", 0..=MAX_WALLS as u64), "Free walls: straight walls between any two points")
        .header("[[wall]]").shown_kind("array of tables").details("See [Free walls](maps.md#free-walls)"),
    Key::new("agent", ValueKind::Array("agent", 0..=u64::from(MAX_AGENTS)), "Agents and groups of agents")
        .header("[[agent]]").shown_kind("array of tables"),
    Key::new("spawn", ValueKind::Array("spawn", 0..=MAX_SPAWNS as u64), "Rates at which instances of templates appear")
        .header("[[spawn]]").shown_kind("array of tables").details("See [Population](maps.md#population)"),
    Key::new("on", ValueKind::Array("on", 0..=MAX_SPAWNS as u64), "Signals at which instances of templates appear")
        .header("[[on]]").shown_kind("array of tables").details("See [Population](maps.md#population)"),
    Key::new("tiled", ValueKind::Defined("tiled"), "Glyphs for the layers and tiles of a Tiled map")
        .header("[tiled]").details("See [Tiled maps](imports.md#tiled-maps)"),
    expectations(),
]));

pub static LEGEND: LazyLock<Table> = LazyLock::new(|| Table::open("the legend"));

pub static PLACES: LazyLock<Table> = LazyLock::new(|| Table::open("the places"));

#[rustfmt::skip]
pub static LEGEND_ENTRY: LazyLock<Table> = LazyLock::new(|| Table::new("a legend entry", "", vec![
    Key::new("name", ValueKind::Line, "Name of the tile kind")
        .default(DefaultValue::Text("the glyph")),
    Key::new("walk", ValueKind::Flag, "Whether the tile is walkable")
        .default(DefaultValue::Flag(true)),
    Key::new("opaque", ValueKind::Flag, "Whether the tile blocks the view")
        .default(DefaultValue::Flag(false)),
    Key::new("cost", ValueKind::Float(1.0..=1000.0), "Cost of entering the tile, used only to plan routes")
        .default(DefaultValue::Number(1.0)),
    Key::new("drag", ValueKind::Float(0.0..=1000.0), "Additional drag on the bodies of vehicles. Agents that walk from tile to tile keep their pace")
        .unit("1/s").default(DefaultValue::Number(0.0)),
    Key::new("obstacle", ValueKind::Float(TILE_RADII), "Radius of a round obstacle at the tile centre")
        .unit("tiles").details("See [Obstacles](maps.md#obstacles)"),
    Key::new("color", ValueKind::Defined("color"), "Tile colour on the screen"),
    Key::new("glyph", ValueKind::Defined("glyph"), "Displayed glyph")
        .default(DefaultValue::Text("the legend key")),
]));

#[rustfmt::skip]
pub static OBSTACLE: LazyLock<Table> = LazyLock::new(|| Table::new("an obstacle", "", vec![
    Key::new("at", ValueKind::Defined("pair"), "Centre of the obstacle")
        .shown_kind("position on the map").required(),
    Key::new("radius", ValueKind::Float(0.05..=64.0), "Radius in tiles")
        .shown_unit("tiles").required(),
    Key::new("opaque", ValueKind::Flag, "Whether the obstacle blocks the view")
        .default(DefaultValue::Flag(false)),
]));

#[rustfmt::skip]
pub static SPAWN: LazyLock<Table> = LazyLock::new(|| Table::new("a spawn rule", "", vec![
    Key::new("agent", ValueKind::Defined("name"), "Name of the template").required(),
    Key::new("every", ValueKind::Float(SECONDS), "Minimum time from one instance to the next")
        .unit("s").required(),
    Key::new("at", ValueKind::Defined("at"), "Where an instance starts")
        .default(DefaultValue::Text("the template's `at`")),
    Key::new("first", ValueKind::Float(0.0..=*SECONDS.end()), "Time of the first instance, at least one frame")
        .unit("s").default(DefaultValue::Text("`every`")),
    Key::new("total", ValueKind::Integer(1..=MAX_TOTAL), "Largest number of instances in a run")
        .default(DefaultValue::Text("no limit")),
    Key::new("when", ValueKind::Condition, "An instance appears only after a frame in which this condition holds")
        .details("See [Conditions](conditions.md)"),
    lifetime(),
]));

#[rustfmt::skip]
pub static ON: LazyLock<Table> = LazyLock::new(|| Table::new("a signal rule", "", vec![
    Key::new("signal", ValueKind::Line, "Text of the signal").required(),
    Key::new("spawn", ValueKind::Defined("name"), "Name of the template").required(),
    Key::new("inherit", words::kind(&INHERIT), "Property that the instance inherits from the sender, besides position and heading")
        .default(DefaultValue::Text("nothing")),
    lifetime(),
]));

/// Words for the properties that an instance inherits from the sender of a signal. The boolean is
/// true if the instance inherits the velocity.
pub const INHERIT: [(&str, bool); 1] = [("velocity", true)];

/// Maximum number of instances of a spawn rule in a run.
const MAX_TOTAL: i64 = 1_000_000_000;

/// Range of durations in spawn rules, in seconds.
const SECONDS: RangeInclusive<f64> = 0.001..=1_000_000.0;

fn lifetime() -> Key {
    Key::new(
        "lifetime",
        ValueKind::Float(SECONDS),
        "Time until each instance is removed, rounded to frames",
    )
    .unit("s")
    .default(DefaultValue::Text("no limit"))
}

#[rustfmt::skip]
pub static WALL: LazyLock<Table> = LazyLock::new(|| Table::new("a wall", "", vec![
    Key::new("from", ValueKind::Defined("pair"), "Start of the wall. Required without `points`")
        .shown_kind("position on the map").default(DefaultValue::Alternative),
    Key::new("to", ValueKind::Defined("pair"), "End of the wall. Required without `points`")
        .shown_kind("position on the map").default(DefaultValue::Alternative),
    Key::new("points", ValueKind::Array("pair", 2..=MAX_WALLS as u64), "Corners of a polyline of walls, instead of `from` and `to`")
        .shown_kind("array of at least 2 positions").default(DefaultValue::Alternative),
    Key::new("closed", ValueKind::Flag, "Whether a wall joins the last of the `points` to the first")
        .default(DefaultValue::Flag(false)),
    Key::new("one_sided", ValueKind::Flag, "Whether the wall stops only bodies from the side of its normal")
        .default(DefaultValue::Flag(false)).details("The normal points to the right, looking from the start to the end"),
    Key::new("opaque", ValueKind::Flag, "Whether the wall blocks the view, in both directions")
        .default(DefaultValue::Flag(true)),
    Key::new("name", ValueKind::Line, "Name of the wall in messages")
        .default(DefaultValue::Text("number of the wall in the file")),
]));

#[rustfmt::skip]
pub static TILED: LazyLock<Table> = LazyLock::new(|| Table::new("the table `tiled`", "", vec![
    Key::new("empty", ValueKind::Defined("glyph"), "Glyph for positions without a tile")
        .default(DefaultValue::Text("`.` (floor)")),
    Key::new("layers", ValueKind::Other(|| json!({ "type": "object", "additionalProperties": glyph() })), "Glyph of each layer, by layer name")
        .shown_kind("table"),
    Key::new("tiles", ValueKind::Other(|| json!({ "type": "object", "additionalProperties": tiles_of_set() })), "Tile numbers for each glyph, by tile set: set = { \"#\" = [4, [10, 19]] }")
        .shown_kind("table of tables").details("Tiled shows the number of each tile. `[first, last]` is a range of numbers"),
    Key::new("solid", selectors(), "Selectors of solid tiles, such as \"layer:Walls\"")
        .shown_kind("array of strings").details("See [Solid tiles](imports.md#solid-tiles)"),
    Key::new("walkable", selectors(), "Selectors of walkable tiles")
        .shown_kind("array of strings"),
    Key::new("one_way", selectors(), "Selectors of one-way platforms")
        .shown_kind("array of strings").details("See [Walls of tiles](imports.md#walls-of-tiles)"),
    Key::new("ignore", selectors(), "Parts to leave out, such as \"layer:Above\", \"group:Roofs\", \"objects:Signs\", \"others:Ground\", \"other-objects:wall\" or \"property:z\"")
        .shown_kind("array of strings"),
    Key::new("combine", words::kind(&words::COMBINE), "Tile that counts at each position: `top` (the topmost tile with a glyph) or `any` (a solid tile in any layer)")
        .default(DefaultValue::Word("top")),
]));

fn selectors() -> ValueKind {
    ValueKind::Other(|| json!({ "type": "array", "items": { "type": "string" } }))
}

/// The table `tiled.layers`, whose keys are layer names.
pub static LAYERS: LazyLock<Table> = LazyLock::new(|| Table::open("the layers"));

/// The table `tiled.tiles`, whose keys are tile set names.
pub static TILE_SETS: LazyLock<Table> = LazyLock::new(|| Table::open("the tile sets"));

/// A table in `tiled.tiles`, whose keys are glyphs.
pub static TILES_OF_SET: LazyLock<Table> = LazyLock::new(|| Table::open("the tiles of a set"));

fn glyph() -> serde_json::Value {
    json!({ "$ref": "#/definitions/glyph" })
}

fn tiles_of_set() -> serde_json::Value {
    let tile = json!({ "type": "integer", "minimum": 0, "maximum": MAX_TILE });
    let range = json!({ "type": "array", "items": tile, "minItems": 2, "maxItems": 2 });
    let numbers = json!({ "type": "array", "items": { "anyOf": [tile, range] } });
    json!({ "type": "object", "additionalProperties": numbers })
}

/// Maximum number of breakpoints in a file. The same limit applies to bookmarks.
pub const MAX_BREAKS: usize = 1000;

#[rustfmt::skip]
pub static BREAKS_FILE: LazyLock<Table> = LazyLock::new(|| Table::new("a breakpoint file", "", vec![
    version(),
    Key::new("break", ValueKind::Array("break", 0..=MAX_BREAKS as u64), "Breakpoints with `when`, and watchpoints with `watch`")
        .header("[[break]]").shown_kind("up to 1000 tables"),
    Key::new("marker", ValueKind::Array("marker", 0..=MAX_BREAKS as u64), "Bookmarks")
        .header("[[marker]]").shown_kind("up to 1000 tables"),
]));

/// Keys of a breakpoint or watchpoint.
#[rustfmt::skip]
pub static BREAK: LazyLock<Table> = LazyLock::new(|| Table::new("a breakpoint", "", vec![
    Key::new("when", ValueKind::Condition, "Condition of a breakpoint").default(DefaultValue::Alternative)
        .details("Every field must name its agent: see [Conditions](conditions.md)"),
    Key::new("watch", ValueKind::Text, "Value of a watchpoint: a field such as `guard.mode`, or a call such as `distance(guard, thief)`")
        .default(DefaultValue::Alternative),
    Key::new("enabled", ValueKind::Flag, "Whether the breakpoint or watchpoint is enabled")
        .default(DefaultValue::Flag(true)),
]));

#[rustfmt::skip]
pub static MARKER: LazyLock<Table> = LazyLock::new(|| Table::new("a bookmark", "", vec![
    Key::new("frame", ValueKind::Integer(0..=1 << 53), "Frame of the bookmark, in every run")
        .shown_kind("integer, 0–2⁵³").required(),
    Key::new("name", ValueKind::Line, "Name of the bookmark; the screen uses the first 40 characters").required(),
]));
