//! Agents, their bodies and modes.

use serde_json::{Value, json};

use super::{flag, float, int, list, reference, table, text, words};
use crate::agent::Choose;
use crate::files::value::MAX_COORDINATE;
use crate::files::{MAX_PACE, RADIUS};
use crate::steering::combine::Combine;

/// The tables of an agent.
pub fn definitions() -> Vec<(&'static str, Value)> {
    vec![
        ("agent", agent()),
        ("mode", mode()),
        ("rule", rule()),
        ("body", body()),
        ("view", view()),
        ("at", at()),
    ]
}

fn pace() -> std::ops::RangeInclusive<i64> {
    1..=i64::from(MAX_PACE)
}

fn agent() -> Value {
    let mut keys = vec![
        ("name", reference("name", "What it is called.")),
        ("at", reference("at", "Where it starts.")),
        ("glyph", reference("glyph", "Its sign; the first letter of its name if left out.")),
        ("color", reference("color", "")),
        ("group", reference("name", "The group it belongs to.")),
        ("heading", float(-360.0..=360.0, "Where it faces at first: 0 = east, 90 = south.")),
        ("count", int(1..=1_000_000, "How many there are; more than one form a group.")),
        ("body", reference("body", "")),
        ("every", int(pace(), "It looks around and tries its rules every so many frames.")),
        ("mode", list(&reference("mode", ""), 1..=1000, "Its modes; it starts in the first.")),
    ];
    keys.extend(drive());
    table("an agent", "Who moves, and how.", &["name", "at"], keys)
}

fn mode() -> Value {
    let mut keys = vec![
        ("name", reference("name", "What it is called.")),
        ("switch", list(&reference("rule", ""), 1..=100, "When it changes to another mode.")),
    ];
    keys.extend(drive());
    table("a mode", "What moves the body, and until when.", &["name"], keys)
}

/// The keys of a mode that may stand on the agent itself.
fn drive() -> Vec<(&'static str, Value)> {
    let one = text("The name of a pattern.");
    let several = list(&text(""), 1..=1000, "Patterns that follow each other.");
    vec![
        ("steer", list(&reference("row", ""), 1..=100, "A steering list.")),
        ("combine", words(Combine::WORDS.map(|(word, _)| word), "How the list becomes one force.")),
        ("pattern", json!({ "anyOf": [one, several] })),
        ("choose", words(Choose::WORDS.map(|(word, _)| word), "Which of several comes next.")),
        ("resume", flag("A pattern that was left goes on where it was.")),
        ("offset", reference("tile", "Where the anchor of the pattern stands.")),
        ("chase", reference("target", "Goes straight at it, tile by tile.")),
        ("flee_tiles", reference("target", "Goes away from it, tile by tile.")),
        ("travel", reference("target", "Goes to it by the cheapest walk.")),
        ("keys", json!({ "enum": [true], "description": "A person drives it." })),
        ("pace", int(pace(), "Frames per tile; 4 if left out.")),
    ]
}

fn rule() -> Value {
    let keys = vec![
        ("when", text("A condition, such as \"sees(thief) and time_in_mode > 2\".")),
        ("to", reference("name", "The mode it leads to.")),
    ];
    table("a rule", "", &["when", "to"], keys)
}

fn at() -> Value {
    let limit = i64::from(MAX_COORDINATE);
    let corners = json!({
        "type": "array", "minItems": 4, "maxItems": 4, "items": int(-limit..=limit, ""),
        "description": "[x0, y0, x1, y1], the upper left corner first, both inclusive.",
    });
    let within = table("a random place", "", &["within"], vec![("within", corners)]);
    json!({ "anyOf": [reference("pair", ""), words(["anywhere"], ""), within] })
}

fn body() -> Value {
    let keys = vec![
        ("mass", float(0.001..=1e6, "1 if left out.")),
        ("radius", float(RADIUS, "In tiles; 0.3 if left out.")),
        ("max_speed", float(0.0..=1000.0, "Tiles/s; 4 if left out.")),
        ("max_force", float(0.0..=1e6, "Tiles/s² · mass; 12 if left out.")),
        ("gain", float(0.001..=1e6, "1/s: how hard an error of velocity is corrected; 8.")),
        ("max_turn_rate", float(0.0..=1e6, "Degrees/s; no limit if left out.")),
        ("max_turn_accel", float(0.0..=1e6, "Degrees/s², of oriented bodies; 1440.")),
        ("smoothing", int(0..=100, "Frames the heading that is shown is the mean of.")),
        ("drag", float(0.0..=1000.0, "1/s; 0 if left out.")),
        ("solid", flag("Keeps others out; false if left out.")),
        ("view", reference("view", "What it sees.")),
        ("thrust", float(0.0..=1e6, "Of a craft: the engine, forward; 3.")),
        ("side_thrust", float(0.0..=1e6, "Of a craft: a side thruster, at the bow; 4.")),
        ("length", float(0.0..=100.0, "Of a craft, in tiles; 0.8.")),
        ("inertia", float(0.001..=1e6, "Of a craft: resists turning; 0.05.")),
        ("water_drag", float(0.0..=1e6, "Of a craft: times speed²; 0.8.")),
        ("angular_drag", float(0.0..=1e6, "Of a craft: times the angular speed; 0.5.")),
        ("keel", float(0.0..=1e6, "Of a craft: times the speed sideways; 6.")),
    ];
    table("a body", "", &[], keys)
}

fn view() -> Value {
    let keys = vec![
        ("range", float(0.0..=10_000.0, "In tiles; 8 if left out.")),
        ("angle", float(0.0..=360.0, "Degrees about its heading; 360 if left out.")),
    ];
    table("a view", "", &[], keys)
}
