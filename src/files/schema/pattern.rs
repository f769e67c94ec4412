//! Patterns, one table for each kind.

use serde_json::{Value, json};

use super::{finish, flag, float, int, line, list, reference, shared, table, text, version, words};
use crate::files::MAX_PACE;
use crate::pattern::MAX_TILES;

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
    keys.push(("kind", words([word], "What moves the body.")));
    table(title, "", &[&["kind"], required].concat(), keys)
}

fn drawn() -> Value {
    words(["standard", "book", "symmetric"], "Which tiles a segment covers.")
}

fn absolute() -> Value {
    flag("Its tiles are tiles of the map; false if left out.")
}

fn moves() -> Value {
    json!({ "enum": [4, 8], "description": "8 with diagonals; 8 if left out." })
}

fn path() -> Value {
    let vertices = list(&reference("tile", ""), 2..=MOST, "Where the walk turns.");
    let keys = vec![
        ("vertices", vertices),
        ("closed", flag("The last joins the first; false if left out.")),
        ("ends", words(["reverse", "stop"], "What happens at the end of an open path.")),
        ("line", drawn()),
        ("dwell", int(0..=1_000_000, "Frames longer at each vertex; 0 if left out.")),
        ("absolute", absolute()),
    ];
    kind("path", "a path pattern", &["vertices"], keys)
}

fn matrix() -> Value {
    let segment = list(&reference("tile", ""), 2..=2, "[[x, y], [x, y]].");
    let keys = vec![
        ("segments", list(&segment, 1..=MOST, "Lines of allowed tiles.")),
        ("cells", text("Rows, equally long: 1 is allowed, . is not.")),
        ("moves", moves()),
        ("dead_end", words(["back", "stay"], "Where no other way is left.")),
        ("line", drawn()),
        ("absolute", absolute()),
    ];
    kind("matrix", "a matrix pattern", &[], keys)
}

fn steps() -> Value {
    let keys = vec![
        ("steps", list(&reference("step", ""), 1..=MOST, "Row by row, what is done.")),
        ("repeat", flag("Begins again after the last row; true if left out.")),
        ("moves", moves()),
        ("unit", words(["degrees"], "Turns are degrees, for free bodies.")),
    ];
    kind("steps", "a steps pattern", &["steps"], keys)
}

fn step() -> Value {
    let keys = vec![
        ("forward", float(AMOUNT, "Tiles.")),
        ("backward", float(AMOUNT, "Tiles.")),
        ("left", float(AMOUNT, "Notches, or degrees.")),
        ("right", float(AMOUNT, "Notches, or degrees.")),
        ("wait", int(0..=1_000_000, "Paces.")),
        ("pace", int(1..=i64::from(MAX_PACE), "Frames a tile takes from here on.")),
        ("signal", line("An event when the row begins.")),
    ];
    table("a row of steps", "", &[], keys)
}

fn thrust() -> Value {
    let keys = vec![
        ("legs", list(&reference("leg", ""), 1..=MOST, "Leg by leg, what burns.")),
        ("heading_from", words(["velocity", "orientation"], "What turns are measured by.")),
        ("repeat", flag("Begins again after the last leg; true if left out.")),
    ];
    kind("thrust", "a thrust pattern", &["legs"], keys)
}

fn leg() -> Value {
    let keys = vec![
        ("port", flag("The port thruster burns: a right turn.")),
        ("starboard", flag("The starboard thruster burns: a left turn.")),
        ("until_moved", float(0.001..=10_000.0, "Tiles.")),
        ("until_turned", float(0.001..=10_000.0, "Degrees.")),
    ];
    table("a leg", "", &[], keys)
}
