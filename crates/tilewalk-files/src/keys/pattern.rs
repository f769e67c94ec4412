//! Keys of patterns.

use std::ops::RangeInclusive;
use std::sync::LazyLock;

use serde_json::{Value, json};
use tilewalk_sim::geom::LineKind;
use tilewalk_sim::pattern::MAX_TILES;

use crate::keys::map::version;
use crate::keys::table::{DefaultValue, Key, MAX_PACE, Table, ValueKind};
use crate::keys::words;

/// Maximum number of rows, vertices or segments in a pattern.
const MOST: u64 = MAX_TILES as u64;

/// Range of turns and distances in a steps row. The unit is tiles, degrees, or multiples of 45° or
/// 90°.
pub const AMOUNT: RangeInclusive<f64> = 0.0..=1_000_000.0;

/// Range of the limits of a leg, in tiles or degrees.
const LIMIT: RangeInclusive<f64> = 0.001..=10_000.0;

/// Keys that a pattern may have if its kind is unknown.
pub static ANY_PATTERN: LazyLock<Table> =
    LazyLock::new(|| Table::new("a pattern", "", common(&["path", "matrix", "steps", "thrust"])));

#[rustfmt::skip]
pub static PATH: LazyLock<Table> = LazyLock::new(|| kind("path", "a path pattern", vec![
    Key::new("vertices", ValueKind::Array("tile", 2..=MOST), "Vertices of the path")
        .shown_kind("array of 2 or more tiles, not all the same").required(),
    Key::new("closed", ValueKind::Flag, "Whether the last vertex is connected to the first")
        .default(DefaultValue::Flag(false)),
    Key::new("ends", words::kind(&words::ENDS), "Action at the end of an open path: `reverse` (walk back) or `stop`")
        .default(DefaultValue::Word("reverse"))
        .details("With `stop`, the walker stays at the end. With `closed = true`, `ends` is an error"),
    Key::new("dwell", ValueKind::Integer(0..=1_000_000), "Additional waiting time at each vertex")
        .unit("frames").default(DefaultValue::Number(0.0)),
    line(),
    absolute(),
]));

#[rustfmt::skip]
pub static MATRIX: LazyLock<Table> = LazyLock::new(|| kind("matrix", "a matrix pattern", vec![
    Key::new("segments", ValueKind::Other(segments), "Line segments of allowed tiles")
        .shown_kind("array of `[[x, y], [x, y]]`").default(DefaultValue::Alternative)
        .details("A matrix needs `segments`, `cells` or both"),
    Key::new("cells", ValueKind::Text, "Rows of equal length. `1` marks an allowed tile; `.` marks any other tile")
        .default(DefaultValue::Alternative).details("`0` and space mark other tiles too. The top-left cell has the coordinates `[0, 0]`"),
    moves("The walker steps in these directions"),
    Key::new("dead_end", words::kind(&words::DEAD_ENDS), "Action at a dead end: `back` (turn back) or `stay`")
        .default(DefaultValue::Word("back")).details("With `stay`, the walker stops for good"),
    line(),
    absolute(),
]));

#[rustfmt::skip]
pub static STEPS: LazyLock<Table> = LazyLock::new(|| kind("steps", "a steps pattern", vec![
    Key::new("steps", ValueKind::Array("step", 1..=MOST), "Rows of the pattern, in order")
        .shown_kind("array of 1 or more tables").required(),
    Key::new("repeat", ValueKind::Flag, "Whether the pattern repeats after the last row")
        .default(DefaultValue::Flag(true)),
    moves("The unit of turns is 45° (8) or 90° (4)"),
    Key::new("unit", words::kind(&words::UNITS), "Unit of turns. With `degrees`, the body can stop between tile centres")
        .default(DefaultValue::Alternative).details("Distances can be floats. `unit` can't be combined with `moves`"),
]));

/// Keys of a row of a steps pattern.
#[rustfmt::skip]
pub static STEPS_ROW: LazyLock<Table> = LazyLock::new(|| Table::new("a steps row", "", vec![
    amount("forward", "Distance forward").unit("tiles").shown_kind("integer (float with `unit`), 0–1,000,000 tiles"),
    amount("backward", "Distance backward").unit("tiles").shown_kind("integer (float with `unit`), 0–1,000,000 tiles"),
    amount("left", "Left turn, in units of 45° (90° with `moves = 4`) or in degrees").shown_kind("integer (float with `unit`), 0–1,000,000"),
    amount("right", "Right turn, in units of 45° (90° with `moves = 4`) or in degrees").shown_kind("integer (float with `unit`), 0–1,000,000"),
    Key::new("wait", ValueKind::Integer(0..=1_000_000), "Waiting time, in multiples of `pace`")
        .details("A row with `wait` can't turn or move"),
    Key::new("pace", ValueKind::Integer(1..=MAX_PACE), "Frames per tile from this row on").shown_unit("frames"),
    Key::new("signal", ValueKind::Line, "Text of the `signal` event that is sent when the row begins"),
]));

#[rustfmt::skip]
pub static THRUST: LazyLock<Table> = LazyLock::new(|| kind("thrust", "a thrust pattern", vec![
    Key::new("legs", ValueKind::Array("leg", 1..=MOST), "Legs of the pattern, in order")
        .shown_kind("array of 1 or more tables").required(),
    Key::new("heading_from", words::kind(&words::HEADINGS), "Heading that `until_turned` measures")
        .default(DefaultValue::Word("velocity")).details("It is the direction of motion (`velocity`) or of the bow (`orientation`)"),
    Key::new("repeat", ValueKind::Flag, "Whether the pattern repeats after the last leg")
        .default(DefaultValue::Flag(true)).details("Otherwise, the engine stops and the craft drifts to rest"),
]));

/// Keys of a leg of a thrust pattern.
#[rustfmt::skip]
pub static LEG: LazyLock<Table> = LazyLock::new(|| Table::new("a leg", "", vec![
    Key::new("port", ValueKind::Flag, "Whether the port thruster fires and turns the craft right")
        .default(DefaultValue::Flag(false)),
    Key::new("starboard", ValueKind::Flag, "Whether the starboard thruster fires and turns the craft left")
        .default(DefaultValue::Flag(false)),
    Key::new("until_moved", ValueKind::Float(LIMIT), "Distance from the start of the leg at which the leg ends")
        .unit("tiles").details("The distance is measured in a straight line, not along the course. On a wrapping map, it continues to grow across the border"),
    Key::new("until_turned", ValueKind::Float(LIMIT), "Turn angle after which the leg ends")
        .unit("degrees").details("The leg can turn to either side. Full turns add up, and opposite turns cancel out"),
    Key::new("signal", ValueKind::Line, "Text of the `signal` event that is sent when the leg begins"),
]));

/// Returns the keys that all patterns have. `words` are the valid kinds of patterns.
pub fn common(words: &[&'static str]) -> Vec<Key> {
    vec![
        Key::new("kind", ValueKind::Words(words.to_vec()), "Kind of pattern").required(),
        version(),
    ]
}

fn kind(word: &'static str, title: &str, keys: Vec<Key>) -> Table {
    Table::new(title, "", [common(&[word]), keys].concat())
}

fn segments() -> Value {
    let tile = json!({ "$ref": "#/definitions/tile" });
    let about = "[[x, y], [x, y]]: the two endpoints of a segment.";
    let segment = json!({ "type": "array", "items": tile, "minItems": 2, "maxItems": 2, "description": about });
    json!({ "type": "array", "items": segment, "minItems": 1, "maxItems": MOST })
}

fn amount(name: &'static str, about: &'static str) -> Key {
    Key::new(name, ValueKind::Float(AMOUNT), about)
}

fn moves(details: &'static str) -> Key {
    let about = "Number of directions: 4, or 8 including diagonals";
    let key = Key::new("moves", ValueKind::OneOf(&[4, 8]), about).details(details);
    key.default(DefaultValue::Number(8.0))
}

fn line() -> Key {
    let about = "Line algorithm that selects the tiles of a segment";
    let details = "`standard` is the midpoint line, `book` is the line printed by Bourg & Seemann, and `symmetric` is a \
                   midpoint line that is the same in both directions";
    let key = Key::new("line", words::kind(&LineKind::WORDS), about).details(details);
    key.default(DefaultValue::Word("standard"))
}

fn absolute() -> Key {
    let about = "Whether coordinates are map coordinates, not relative to the anchor";
    Key::new("absolute", ValueKind::Flag, about).default(DefaultValue::Flag(false))
}
