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
    let keys = vec![
        ("mass", float(0.001..=1e6, "Mass. Default: 1.")),
        ("radius", float(RADIUS, "Radius in tiles. Default: 0.3.")),
        ("max_speed", float(0.0..=1000.0, "Maximum speed in tiles/s. Default: 4.")),
        ("max_force", float(0.0..=1e6, "Maximum steering force in mass · tiles/s². Default: 12.")),
        ("gain", float(0.001..=1e6, "Gain of the velocity correction, in 1/s. Default: 8.")),
        (
            "max_turn_rate",
            float(
                0.0..=1e6,
                "Maximum turn rate in degrees/s. Default: no limit; 360 for oriented bodies.",
            ),
        ),
        (
            "max_turn_accel",
            float(0.0..=1e6, "Maximum angular acceleration in degrees/s². Default: 1440."),
        ),
        (
            "smoothing",
            int(0..=100, "Number of frames averaged for the displayed heading. Default: 0."),
        ),
        ("drag", float(0.0..=1000.0, "Linear drag in 1/s. Default: 0.")),
        ("solid", flag("Whether the body blocks other bodies. Default: false.")),
        ("view", reference("view", "Field of view.")),
        ("thrust", float(0.0..=1e6, "Craft only: forward thrust in mass · tiles/s². Default: 3.")),
        (
            "side_thrust",
            float(
                0.0..=1e6,
                "Craft only: force of each side thruster in mass · tiles/s². Default: 4.",
            ),
        ),
        ("length", float(0.0..=100.0, "Craft only: length in tiles. Default: 0.8.")),
        ("inertia", float(0.001..=1e6, "Craft only: moment of inertia. Default: 0.05.")),
        ("water_drag", float(0.0..=1e6, "Craft only: quadratic drag coefficient. Default: 0.8.")),
        (
            "angular_drag",
            float(0.0..=1e6, "Craft only: drag coefficient of the rotation. Default: 0.5."),
        ),
        ("keel", float(0.0..=1e6, "Craft only: drag coefficient of sideways motion. Default: 6.")),
    ];
    table("a body", "", &[], keys)
}

fn view() -> Value {
    let keys = vec![
        ("range", float(0.0..=10_000.0, "Viewing distance in tiles. Default: 8.")),
        (
            "angle",
            float(
                0.0..=360.0,
                "Full viewing angle, centred on the heading, in degrees. Default: 360.",
            ),
        ),
    ];
    table("a view", "", &[], keys)
}
