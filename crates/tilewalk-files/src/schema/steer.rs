//! Rows of steering, one table for each behaviour.

use std::ops::RangeInclusive;

use serde_json::{Value, json};

use super::{flag, float, list, reference, table, text, words};
use crate::steer::{About, FORMS, LENGTH, POSITIVE, PROBABILITY};
use tilewalk_sim::steering::Hand;
use tilewalk_sim::steering::course::MAX_POINTS;

use Shape::{Deceleration, Flag, Group, Number, Offset, Pattern, Points, Side, Tile};

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
        "description": "An agent, a group, a place, \"home\", \"last_seen(name)\" or a position [x, y].",
    });
    vec![("row", json!({ "anyOf": rows })), ("target", target)]
}

fn row(word: &str, title: &str, about: About) -> Value {
    let mut keys = vec![
        ("do", words([word], "Name of the behaviour.")),
        ("weight", float(0.0..=1e6, "Factor applied to the steering force.")),
        (
            "probability",
            float(
                PROBABILITY,
                "Probability per frame that the behaviour acts; used only by `dithered`.",
            ),
        ),
        ("enabled", flag("Whether the behaviour is enabled. Default: true.")),
    ];
    let mut required = vec!["do"];
    match about {
        About::Nothing => {}
        About::One(key) => {
            keys.push((key, reference("target", "")));
            required.push(key);
        }
        About::Heading(key) => {
            let degrees = float(-360.0..=360.0, "Heading in degrees.");
            keys.push((
                key,
                json!({ "anyOf": [degrees, text("Agent or group whose heading to match.")] }),
            ));
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

/// What a parameter can be.
enum Shape {
    /// A number in a range.
    Number(RangeInclusive<f64>),
    /// `true` or `false`.
    Flag,
    /// The side of a wall.
    Side,
    /// The name of a group.
    Group,
    /// A word for how fast to brake, or a number.
    Deceleration,
    /// A position relative to the leader.
    Offset,
    /// The points of a path.
    Points,
    /// The name of a path pattern.
    Pattern,
    /// A tile of the map.
    Tile,
}

/// The behaviours that turn an oriented body.
const TURNING: &[&str] = &["align", "face", "look_ahead"];

/// The behaviours that follow a path.
const COURSE: &[&str] = &["follow_path", "stay_on_path"];

/// The behaviours of a flock.
const FLOCK: &[&str] = &["separation", "alignment", "cohesion"];

/// The parameters: the behaviours that have it, its key, what it can be, and what it does.
#[rustfmt::skip]
const PARAMETERS: &[(&[&str], &str, Shape, &str)] = &[
    (&["flee"], "panic", Number(LENGTH), "Distance at which fleeing starts, in tiles. Default: no limit."),
    (&["arrive"], "deceleration", Deceleration, ""),
    (&["arrive"], "tweak", Number(POSITIVE), "Braking time per unit of `deceleration`, in seconds. Default: 0.3."),
    (&["arrive"], "tolerance", Number(THOUSAND), "Distance to the target at which the agent stops, in tiles. Default: 0.02."),
    (&["pursue"], "turn_time", Number(THOUSAND), "Additional prediction time for targets that are not straight ahead, in seconds. Default: 0."),
    (&["pursue"], "head_on", Number(-1.0..=1.0), "Cosine of the angle between the headings below which the target counts as head-on. Default: -0.95."),
    (&["evade"], "threat", Number(LENGTH), "Distance at which evading starts, in tiles. Default: 6."),
    (&["offset_pursue"], "offset", Offset, ""),
    (&["dynamic_arrive"], "target_radius", Number(REACH), "Distance to the target at which the agent stops, in tiles. Default: 0.1."),
    (&["dynamic_arrive"], "slow_radius", Number(LENGTH), "Distance to the target at which the agent slows down, in tiles. Default: 2."),
    (&["dynamic_arrive", "match_velocity"], "time_to_target", Number(POSITIVE), "Velocity correction time, in seconds. Default: 0.1."),
    (&["tether"], "radius", Number(LENGTH), "Distance to the target beyond which the agent seeks the target, in tiles."),
    (TURNING, "target_angle", Number(0.0..=180.0), "Heading error at which turning stops, in degrees. Default: 1."),
    (TURNING, "slow_angle", Number(0.001..=180.0), "Heading error at which turning slows down, in degrees. Default: 90."),
    (TURNING, "time_to_target", Number(POSITIVE), "Turn rate correction time, in seconds. Default: 0.1."),
    (&["track"], "rate", Number(0.0..=100.0), "Velocity change per frame, in tiles/s. Default: 0.4."),
    (&["track"], "range", Number(LENGTH), "Maximum distance at which the agent tracks the target, in tiles. Default: 12."),
    (&["track"], "noise", Number(0.0..=100.0), "Maximum random velocity change per axis, in tiles/s. Default: 0.1."),
    (&["track"], "noise_chance", Number(0.0..=1.0), "Probability per frame of a random velocity change. Default: 0.1."),
    (&["track"], "slow", Number(0.0..=0.99), "Factor applied to a velocity above the speed limit. Default: 0.75."),
    (&["hide"], "distance", Number(0.0..=100.0), "Distance from the obstacle edge to the hiding spot, in tiles. Default: 0.8."),
    (&["hide"], "only_if_seen", Flag, "Whether the agent hides only while it is visible to the target. Default: false."),
    (&["flow"], "predict", Number(THOUSAND), "Prediction time for the agent's position, in seconds. Default: 0."),
    (COURSE, "points", Points, "Points of the path. Required without `pattern`."),
    (COURSE, "loop", Flag, "Whether the last point is connected to the first. Requires `points`."),
    (COURSE, "pattern", Pattern, "Name of a path pattern. Required without `points`."),
    (COURSE, "offset", Tile, "Map tile for the pattern's first vertex. Default: the agent's start tile."),
    (&["follow_path"], "reach", Number(LENGTH), "Distance at which a path point counts as reached, in tiles. Default: 0.6."),
    (&["stay_on_path"], "width", Number(REACH), "Maximum distance from the path, in tiles. Default: 0.5."),
    (&["stay_on_path"], "predict", Number(THOUSAND), "Prediction time for the agent's position, in seconds. Default: 0.5."),
    (&["hug_walls"], "distance", Number(0.001..=20.0), "Distance from the body's centre to the wall, in tiles. Default: 0.8."),
    (&["hug_walls"], "hand", Side, "Side on which the wall is kept. Default: `left`."),
    (&["wander"], "radius", Number(LENGTH), "Radius of the wander circle, in tiles. Default: 1.2."),
    (&["wander"], "distance", Number(REACH), "Distance from the agent to the centre of the wander circle, in tiles. Default: 2."),
    (&["wander"], "jitter", Number(REACH), "Maximum random speed of the wander point per axis, in tiles/s. Default: 8."),
    (&["wander"], "strength", Number(0.001..=10_000.0), "Acceleration per tile of distance to the wander point, in 1/s². Default: 4."),
    (&["avoid_obstacles"], "box", Number(0.001..=100.0), "Length of the detection box at rest, in tiles. Default: 2."),
    (&["avoid_obstacles"], "brake", Number(THOUSAND), "Maximum braking force as a fraction of `max_force`. Default: 0.2."),
    (&["avoid_obstacles"], "margin", Number(THOUSAND), "Distance kept from obstacles, in tiles. Default: 0.2."),
    (&["avoid_walls"], "feeler", Number(0.001..=1000.0), "Length of the front feeler at full speed, in tiles. Default: 2.5."),
    (&["avoid_walls"], "side", Number(0.001..=1.0), "Length of the side feelers as a fraction of `feeler`. Default: 0.5."),
    (&["avoid_walls"], "angle", Number(0.0..=180.0), "Angle between each side feeler and the heading, in degrees. Default: 45."),
    (&["avoid_agents"], "lead", Number(0.001..=60.0), "Prediction time for collisions, in seconds. Default: 1."),
    (&["avoid_agents"], "of", Group, "Group of agents to avoid. Default: all agents."),
    (FLOCK, "radius", Number(LENGTH), "Radius of the neighbourhood, in tiles. Default: 4."),
    (FLOCK, "angle", Number(0.1..=360.0), "Full neighbourhood angle, centred on the heading, in degrees. Default: no limit."),
    (FLOCK, "of", Group, "Group of the neighbours. Default: the agent's own group."),
];

/// The parameters that a behaviour can't do without.
const REQUIRED: &[(&str, &str)] = &[("offset_pursue", "offset"), ("tether", "radius")];

/// The parameters of a behaviour, and which of them are required.
fn parameters(word: &str) -> (Vec<Key>, Vec<&'static str>) {
    let own = PARAMETERS.iter().filter(|(words, ..)| words.contains(&word));
    let keys = own.map(|(_, key, shape, what)| (*key, shape.schema(what))).collect();
    let required = REQUIRED.iter().filter(|(behaviour, _)| *behaviour == word);
    (keys, required.map(|(_, key)| *key).collect())
}

impl Shape {
    fn schema(&self, what: &str) -> Value {
        match self {
            Number(range) => float(range.clone(), what),
            Flag => flag(what),
            Side => words(Hand::WORDS.map(|(word, _)| word), what),
            Group => reference("name", what),
            Deceleration => json!({
                "anyOf": [words(["slow", "normal", "fast"], ""), float(POSITIVE, "")],
            }),
            Offset => json!({
                "type": "array", "minItems": 2, "maxItems": 2, "items": float(-10_000.0..=10_000.0, ""),
                "description": "Position relative to the leader: [ahead, to starboard], in tiles.",
            }),
            Points => list(&reference("pair", ""), 2..=MAX_POINTS as u64, what),
            Pattern => text(what),
            Tile => reference("tile", what),
        }
    }
}
