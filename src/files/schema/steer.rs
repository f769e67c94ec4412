//! Rows of steering, one table for each behaviour.

use std::ops::RangeInclusive;

use serde_json::{Value, json};

use super::{flag, float, list, reference, table, text, words};
use crate::files::steer::{About, FORMS, LENGTH, POSITIVE, PROBABILITY};
use crate::steering::Hand;
use crate::steering::course::MAX_POINTS;

/// Lengths that may be nothing.
const REACH: RangeInclusive<f64> = 0.0..=10_000.0;

/// Factors and seconds that may be nothing.
const THOUSAND: RangeInclusive<f64> = 0.0..=1000.0;

/// A key and what it may be.
type Key = (&'static str, Value);

/// A row, a target, and what they are made of.
pub fn definitions() -> Vec<(&'static str, Value)> {
    let rows: Vec<Value> =
        FORMS.iter().map(|&(word, form)| row(word, form.row, form.about)).collect();
    let target = json!({
        "anyOf": [
            { "type": "string" },
            reference("pair", ""),
        ],
        "description": "An agent, a group, a place, \"home\", \"last_seen(name)\", or a pair.",
    });
    vec![("row", json!({ "anyOf": rows })), ("target", target)]
}

fn row(word: &str, title: &str, about: About) -> Value {
    let mut keys = vec![
        ("do", words([word], "The behaviour.")),
        ("weight", float(0.0..=1e6, "Factor on what it wants.")),
        ("probability", float(PROBABILITY, "Its chance each frame; used by `dithered` alone.")),
        ("enabled", flag("true if left out.")),
    ];
    let mut required = vec!["do"];
    match about {
        About::Nothing => {}
        About::One(key) => {
            keys.push((key, reference("target", "")));
            required.push(key);
        }
        About::Heading(key) => {
            let degrees = float(-360.0..=360.0, "Degrees.");
            keys.push((key, json!({ "anyOf": [degrees, text("An agent or a group.")] })));
            required.push(key);
        }
        About::Two => {
            keys.push(("between", list(&reference("target", ""), 2..=2, "")));
            required.push("between");
        }
    }
    let (own, needed) = parameters(word);
    keys.extend(own);
    required.extend(needed);
    table(title, "", &required, keys)
}

/// The parameters of a behaviour, and which of them it can't do without.
fn parameters(word: &str) -> (Vec<Key>, &'static [&'static str]) {
    let vector = || {
        json!({
            "type": "array", "minItems": 2, "maxItems": 2, "items": float(-10_000.0..=10_000.0, ""),
            "description": "[ahead, to starboard] of the leader, in tiles.",
        })
    };
    let keys = match word {
        "flee" => vec![("panic", float(LENGTH, "Beyond so many tiles, nothing."))],
        "arrive" => vec![
            (
                "deceleration",
                json!({
                    "anyOf": [words(["slow", "normal", "fast"], ""), float(POSITIVE, "")],
                }),
            ),
            ("tweak", float(POSITIVE, "Seconds; 0.3.")),
            ("tolerance", float(THOUSAND, "Tiles; 0.02.")),
        ],
        "pursue" => vec![
            ("turn_time", float(THOUSAND, "Seconds; 0.")),
            ("head_on", float(-1.0..=1.0, "A cosine; -0.95.")),
        ],
        "evade" => vec![("threat", float(LENGTH, "Beyond so many tiles, nothing; 6."))],
        "offset_pursue" => return (vec![("offset", vector())], &["offset"]),
        "dynamic_arrive" => vec![
            ("target_radius", float(REACH, "Tiles; 0.1.")),
            ("slow_radius", float(LENGTH, "Tiles; 2.")),
            ("time_to_target", float(POSITIVE, "Seconds; 0.1.")),
        ],
        "match_velocity" => vec![("time_to_target", float(POSITIVE, "Seconds; 0.1."))],
        "tether" => return (vec![("radius", float(LENGTH, "Tiles."))], &["radius"]),
        "align" | "face" | "look_ahead" => turning(),
        "track" => vec![
            ("rate", float(0.0..=100.0, "Tiles/s per frame; 0.4.")),
            ("range", float(LENGTH, "Tiles; 12.")),
            ("noise", float(0.0..=100.0, "Tiles/s; 0.1.")),
            ("noise_chance", float(0.0..=1.0, "Each frame; 0.1.")),
            ("slow", float(0.0..=0.99, "Factor on too high a speed; 0.75.")),
        ],
        "hide" => vec![
            ("distance", float(0.0..=100.0, "From the edge of an obstacle, in tiles; 0.8.")),
            ("only_if_seen", flag("Hides only while it can be seen.")),
        ],
        "flow" => vec![("predict", float(THOUSAND, "Seconds; 0."))],
        "follow_path" => course(("reach", float(LENGTH, "Within it, a point is reached; 0.6."))),
        "stay_on_path" => {
            let mut keys = course(("width", float(REACH, "Radius of the tube, in tiles; 0.5.")));
            keys.push(("predict", float(THOUSAND, "Seconds; 0.5.")));
            keys
        }
        "hug_walls" => vec![
            ("distance", float(0.001..=20.0, "From its middle to the wall, in tiles; 0.8.")),
            ("hand", words(Hand::WORDS.map(|(word, _)| word), "The side of the wall.")),
        ],
        "wander" => vec![
            ("radius", float(LENGTH, "Of the circle, in tiles; 1.2.")),
            ("distance", float(REACH, "Of the circle, in tiles; 2.")),
            ("jitter", float(REACH, "Tiles/s; 8.")),
            ("strength", float(0.001..=10_000.0, "1/s²; 4.")),
        ],
        "avoid_obstacles" => vec![
            ("box", float(0.001..=100.0, "Its length at rest, in tiles; 2.")),
            ("brake", float(THOUSAND, "Share of the force; 0.2.")),
            ("margin", float(THOUSAND, "Room left beside an obstacle, in tiles; 0.2.")),
        ],
        "avoid_walls" => vec![
            ("feeler", float(0.001..=1000.0, "Tiles; 2.5.")),
            ("side", float(0.001..=1.0, "Share of the feeler; 0.5.")),
            ("angle", float(0.0..=180.0, "Degrees; 45.")),
        ],
        "avoid_agents" => vec![
            ("lead", float(0.001..=60.0, "How far ahead it looks, in seconds; 1.")),
            ("of", reference("name", "The name of a group; everyone if left out.")),
        ],
        "separation" | "alignment" | "cohesion" => vec![
            ("radius", float(LENGTH, "Of the neighbourhood, in tiles; 4.")),
            ("angle", float(0.1..=360.0, "Of a cone about the heading, in degrees.")),
            ("of", reference("name", "The name of a group; its own if left out.")),
        ],
        _ => Vec::new(),
    };
    (keys, &[])
}

fn turning() -> Vec<Key> {
    vec![
        ("target_angle", float(0.0..=180.0, "Nearer, it stops turning; degrees, 1.")),
        ("slow_angle", float(0.001..=180.0, "Nearer, it turns more slowly; degrees, 90.")),
        ("time_to_target", float(POSITIVE, "Seconds; 0.1.")),
    ]
}

/// The path that is followed, and one key more.
fn course(more: Key) -> Vec<Key> {
    vec![
        ("points", list(&reference("pair", ""), 2..=MAX_POINTS as u64, "This or `pattern`.")),
        ("loop", flag("The last point joins the first; with `points`.")),
        ("pattern", text("The name of a path pattern; this or `points`.")),
        ("offset", reference("tile", "Where the pattern's first vertex stands.")),
        more,
    ]
}
