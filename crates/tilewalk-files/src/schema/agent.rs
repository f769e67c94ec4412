//! Agents, their bodies and modes.

use serde_json::{Value, json};

use super::{flag, float, int, list, reference, table, text, words};
use crate::MAX_PACE;
use crate::value::MAX_COORDINATE;
use tilewalk_sim::agent::Choose;
use tilewalk_sim::body::{Form, NUMBERS, Number};
use tilewalk_sim::steering::combine::Combine;

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
        ("name", reference("name", "Name of the agent.")),
        ("at", reference("at", "Start position.")),
        ("glyph", reference("glyph", "Glyph on the map. Default: the first letter of the name.")),
        ("color", reference("color", "")),
        ("group", reference("name", "Group that the agent belongs to.")),
        (
            "heading",
            float(-360.0..=360.0, "Initial heading in degrees: 0 = east, 90 = south. Default: 0."),
        ),
        (
            "count",
            int(1..=1_000_000, "Number of agents. Two or more agents form a group. Default: 1."),
        ),
        ("body", reference("body", "")),
        (
            "every",
            int(pace(), "Frames between checks of the agent's view and transitions. Default: 1."),
        ),
        (
            "mode",
            list(
                &reference("mode", ""),
                1..=1000,
                "Modes of the agent. The first mode is the initial mode.",
            ),
        ),
    ];
    keys.extend(drive());
    table("an agent", "An agent or a group of agents.", &["name", "at"], keys)
}

fn mode() -> Value {
    let mut keys = vec![
        ("name", reference("name", "Name of the mode.")),
        ("switch", list(&reference("rule", ""), 1..=100, "Transitions to other modes.")),
    ];
    keys.extend(drive());
    table("a mode", "A mode: its movement and its transitions to other modes.", &["name"], keys)
}

/// The keys of a mode that may stand on the agent itself.
fn drive() -> Vec<(&'static str, Value)> {
    let one = text("Name of a pattern.");
    let several = list(&text(""), 1..=1000, "Names of patterns; `choose` sets the order.");
    vec![
        ("steer", list(&reference("row", ""), 1..=100, "List of steering behaviours.")),
        (
            "combine",
            words(
                Combine::WORDS.map(|(word, _)| word),
                "Method of combining the steering forces. Default: `prioritized`.",
            ),
        ),
        ("pattern", json!({ "anyOf": [one, several] })),
        (
            "choose",
            words(
                Choose::WORDS.map(|(word, _)| word),
                "Order in which the patterns of a list run. Default: `cycle`.",
            ),
        ),
        (
            "resume",
            flag("Whether an interrupted pattern resumes where it stopped. Default: false."),
        ),
        (
            "offset",
            reference(
                "tile",
                "Map tile for the pattern's anchor. Default: the agent's start tile.",
            ),
        ),
        ("chase", reference("target", "Target to approach in a straight line, tile by tile.")),
        ("flee_tiles", reference("target", "Target to flee from, tile by tile.")),
        ("travel", reference("target", "Target to reach by the cheapest route.")),
        (
            "keys",
            json!({ "enum": [true], "description": "Manual control: the user drives the agent." }),
        ),
        ("pace", int(pace(), "Frames per tile. Default: 4.")),
    ]
}

fn rule() -> Value {
    let keys = vec![
        (
            "when",
            text("Condition for the transition, such as \"sees(thief) and time_in_mode > 2\"."),
        ),
        ("to", reference("name", "Name of the mode to enter.")),
    ];
    table("a transition", "", &["when", "to"], keys)
}

fn at() -> Value {
    let limit = i64::from(MAX_COORDINATE);
    let corners = json!({
        "type": "array", "minItems": 4, "maxItems": 4, "items": int(-limit..=limit, ""),
        "description": "[x0, y0, x1, y1]: upper left and lower right corner of the area, both inclusive.",
    });
    let within = table("a random start", "", &["within"], vec![("within", corners)]);
    json!({ "anyOf": [reference("pair", ""), words(["anywhere"], ""), within] })
}

fn body() -> Value {
    let mut keys: Vec<_> = NUMBERS.iter().filter(|it| !it.key.contains('.')).map(number).collect();
    keys.push(("solid", flag("Whether the body blocks other bodies. Default: false.")));
    keys.push(("view", reference("view", "Field of view.")));
    table("a body", "", &[], keys)
}

fn view() -> Value {
    let inner = NUMBERS.iter().filter_map(|it| Some((it.key.strip_prefix("view.")?, it)));
    table("a view", "", &[], inner.map(|(key, it)| (key, number(it).1)).collect())
}

/// A number of a body, with its description.
fn number(it: &Number) -> (&'static str, Value) {
    let unit = if it.unit.is_empty() { String::new() } else { format!(", in {}", it.unit) };
    let default = it.default().map_or_else(|| it.unset.to_owned(), |value| value.to_string());
    let about = format!("{}{unit}. Default: {default}.", it.about);
    let (least, most) = (*it.range.start(), *it.range.end());
    let value = match it.form {
        Form::Count => int(least as i64..=most as i64, &about),
        Form::Plain | Form::Angle => float(least..=most, &about),
    };
    (it.key, value)
}
