//! Patterns, one table for each kind.

use serde_json::{Value, json};

use super::{finish, flag, float, int, line, list, reference, shared, table, text, version, words};
use crate::MAX_PACE;
use tilewalk_sim::pattern::MAX_TILES;

/// The most rows, vertices or segments.
const MOST: u64 = MAX_TILES as u64;

/// What rows turn, move or wait at most.
const AMOUNT: std::ops::RangeInclusive<f64> = 0.0..=1_000_000.0;

/// The schema of a pattern.
pub fn pattern() -> Value {
    let kinds = [path(), matrix(), steps(), thrust()];
    let mut schema = json!({ "title": "a pattern", "type": "object", "anyOf": kinds });
    let mut definitions = shared();
    definitions.extend([("step", step()), ("leg", leg())]);
    finish(&mut schema, definitions);
    schema
}

fn kind(word: &str, title: &str, required: &[&str], mut keys: Vec<(&str, Value)>) -> Value {
    keys.push(("format", version()));
    keys.push(("kind", words([word], "Kind of pattern.")));
    table(title, "", &[&["kind"], required].concat(), keys)
}

fn drawn() -> Value {
    words(
        ["standard", "book", "symmetric"],
        "Line algorithm that selects the tiles of a segment. Default: `standard`.",
    )
}

fn absolute() -> Value {
    flag("Whether coordinates are map coordinates, not relative to the anchor. Default: false.")
}

fn moves() -> Value {
    json!({ "enum": [4, 8], "description": "Number of directions: 4, or 8 including diagonals. Default: 8." })
}

fn path() -> Value {
    let vertices = list(&reference("tile", ""), 2..=MOST, "Vertices of the path.");
    let keys = vec![
        ("vertices", vertices),
        ("closed", flag("Whether the last vertex is connected to the first. Default: false.")),
        (
            "ends",
            words(
                ["reverse", "stop"],
                "Action at the end of an open path: `reverse` or `stop`. Default: `reverse`.",
            ),
        ),
        ("line", drawn()),
        (
            "dwell",
            int(0..=1_000_000, "Additional waiting time at each vertex, in frames. Default: 0."),
        ),
        ("absolute", absolute()),
    ];
    kind("path", "a path pattern", &["vertices"], keys)
}

fn matrix() -> Value {
    let segment =
        list(&reference("tile", ""), 2..=2, "[[x, y], [x, y]]: the two endpoints of a segment.");
    let keys = vec![
        ("segments", list(&segment, 1..=MOST, "Line segments of allowed tiles.")),
        (
            "cells",
            text("Rows of equal length. `1` marks an allowed tile; `.` marks any other tile."),
        ),
        ("moves", moves()),
        (
            "dead_end",
            words(
                ["back", "stay"],
                "Action at a dead end: `back` (turn back) or `stay`. Default: `back`.",
            ),
        ),
        ("line", drawn()),
        ("absolute", absolute()),
    ];
    kind("matrix", "a matrix pattern", &[], keys)
}

fn steps() -> Value {
    let keys = vec![
        ("steps", list(&reference("step", ""), 1..=MOST, "Rows of the pattern, in order.")),
        ("repeat", flag("Whether the pattern repeats after the last row. Default: true.")),
        ("moves", moves()),
        (
            "unit",
            words(
                ["degrees"],
                "Unit of turns. With `degrees`, the body can stop between tile centres.",
            ),
        ),
    ];
    kind("steps", "a steps pattern", &["steps"], keys)
}

fn step() -> Value {
    let keys = vec![
        ("forward", float(AMOUNT, "Distance forward, in tiles.")),
        ("backward", float(AMOUNT, "Distance backward, in tiles.")),
        ("left", float(AMOUNT, "Left turn, in units of 45° (90° with `moves = 4`) or in degrees.")),
        (
            "right",
            float(AMOUNT, "Right turn, in units of 45° (90° with `moves = 4`) or in degrees."),
        ),
        ("wait", int(0..=1_000_000, "Waiting time, in multiples of `pace`.")),
        ("pace", int(1..=i64::from(MAX_PACE), "Frames per tile from this row on.")),
        ("signal", line("Text of the `signal` event that is sent when the row begins.")),
    ];
    table("a steps row", "", &[], keys)
}

fn thrust() -> Value {
    let keys = vec![
        ("legs", list(&reference("leg", ""), 1..=MOST, "Legs of the pattern, in order.")),
        (
            "heading_from",
            words(
                ["velocity", "orientation"],
                "Heading that `until_turned` measures. Default: `velocity`.",
            ),
        ),
        ("repeat", flag("Whether the pattern repeats after the last leg. Default: true.")),
    ];
    kind("thrust", "a thrust pattern", &["legs"], keys)
}

fn leg() -> Value {
    let keys = vec![
        ("port", flag("Whether the port thruster fires and turns the craft right.")),
        ("starboard", flag("Whether the starboard thruster fires and turns the craft left.")),
        ("until_moved", float(0.001..=10_000.0, "Distance after which the leg ends, in tiles.")),
        (
            "until_turned",
            float(0.001..=10_000.0, "Turn angle after which the leg ends, in degrees."),
        ),
    ];
    table("a leg", "", &[], keys)
}
