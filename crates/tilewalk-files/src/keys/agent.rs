//! Keys of agents, their bodies, modes and transitions.

use std::sync::LazyLock;

use serde_json::json;
use tilewalk_sim::agent::{Choose, DEFAULT_PACE};
use tilewalk_sim::body::{Form, NUMBERS, Number};
use tilewalk_sim::steering::combine::Combine;

use super::map::MAX_AGENTS;
use super::steer::{HEADING, MAX_ROWS, target};
use super::{Default, Key, Kind, MAX_COORDINATE, MAX_PACE, Table, Usage, words, written};

/// The greatest number of modes of an agent.
pub const MAX_MODES: usize = 1000;

/// The greatest number of patterns of a mode.
pub const MAX_PATTERNS: usize = 1000;

/// The greatest number of transitions of a mode.
pub const MAX_TRANSITIONS: usize = 100;

/// An agent.
#[rustfmt::skip]
pub static AGENT: LazyLock<Table> = LazyLock::new(|| {
    let mut keys = vec![
        Key::new("name", Kind::Defined("name"), "Name of the agent").required(),
        Key::new("at", Kind::Defined("at"), "Start position").required(),
        Key::new("glyph", Kind::Defined("glyph"), "Glyph on the map")
            .default(Default::Text("the first letter of the name")).details("The letter is in upper case"),
        Key::new("color", Kind::Defined("color"), "Agent colour on the screen"),
        Key::new("group", Kind::Defined("name"), "Group that the agent belongs to")
            .details("Several agents can use the same group"),
        Key::new("heading", Kind::Float(HEADING), "Initial heading in degrees: 0 = east, 90 = south")
            .shown_unit("degrees").default(Default::Number(0.0)),
        Key::new("count", Kind::Integer(1..=i64::from(MAX_AGENTS)), "Number of agents. Two or more agents form a group")
            .default(Default::Number(1.0))
            .details("N agents have the names `name.1` … `name.N` and form a group called `name`, in addition to `group`"),
        Key::new("body", Kind::Defined("body"), "Properties of the body")
            .default(Default::Text("all defaults")).details("See [Body](#body)"),
        Key::new("every", Kind::Integer(1..=MAX_PACE), "Frames between checks of the agent's view and transitions")
            .shown_unit("frames").default(Default::Number(1.0)).details("See [Transitions](#transitions)").usage(Usage::Checks),
        Key::new("mode", Kind::Array("mode", 1..=MAX_MODES as u64), "Modes of the agent. The first mode is the initial mode")
            .header("[[agent.mode]]").shown_kind("array of tables").details("They can't be combined with mode keys in `[[agent]]`"),
    ];
    keys.extend(drive());
    Table::new("an agent", "An agent or a group of agents.", keys)
});

/// A mode.
#[rustfmt::skip]
pub static MODE: LazyLock<Table> = LazyLock::new(|| {
    let mut keys = drive();
    keys.extend([
        Key::new("name", Kind::Defined("name"), "Name of the mode")
            .shown_kind("name, unique within the agent").required().valid_in("`[[agent.mode]]`"),
        Key::new("switch", Kind::Array("rule", 1..=MAX_TRANSITIONS as u64), "Transitions to other modes")
            .shown_kind("array of 1–100 `{ when, to }` tables").details("See [Transitions](#transitions)").valid_in("`[[agent.mode]]`"),
    ]);
    Table::new("a mode", "A mode: its movement and its transitions to other modes.", keys)
});

/// Keys that select the movement of a mode. A mode has at most one of them.
pub const DRIVES: [&str; 6] = ["steer", "pattern", "chase", "flee_tiles", "travel", "keys"];

/// Keys of a mode that an agent without `[[agent.mode]]` can have itself.
#[rustfmt::skip]
pub fn drive() -> Vec<Key> {
    vec![
        Key::new("steer", Kind::Array("row", 1..=MAX_ROWS as u64), "List of steering behaviours")
            .shown_kind("array of 1–100 tables").details("The agent is a vehicle: see [Steering](#steering)"),
        Key::new("combine", words::kind(&Combine::WORDS), "Method of combining the steering forces")
            .shown_kind("word").default(Default::Word("prioritized")).details("See [Combining](#combining)").valid_in("modes with `steer`"),
        Key::new("pattern", Kind::Other(|| json!({ "anyOf": [
            { "type": "string", "description": "Name of a pattern." },
            { "type": "array", "items": { "type": "string" }, "minItems": 1, "maxItems": MAX_PATTERNS,
              "description": "Names of patterns; `choose` sets the order." },
        ] })), "Pattern or pattern list to follow")
            .shown_kind("string, or array of 1–1000 strings").details("See [Patterns](#patterns) and [Pattern lists](#pattern-lists)"),
        Key::new("choose", words::kind(&Choose::WORDS), "Order in which the patterns of a list run")
            .default(Default::Word("cycle")).valid_in("modes with a [pattern list](#pattern-lists)"),
        Key::new("resume", Kind::Flag, "Whether an interrupted pattern resumes where it stopped")
            .default(Default::Flag(false)).valid_in("modes with `pattern`"),
        Key::new("offset", Kind::Defined("tile"), "Map tile for the pattern's anchor")
            .default(Default::Text("the agent's start tile")).details("See [Patterns](#patterns)")
            .valid_in("modes with a path or matrix pattern that is not `absolute`"),
        Key::new("chase", target(), "Target to approach in a straight line, tile by tile"),
        Key::new("flee_tiles", target(), "Target to flee from, tile by tile"),
        Key::new("travel", target(), "Target to reach by the cheapest route"),
        Key::new("keys", Kind::True, "Manual control: the user drives the agent")
            .details("The agent is a walker if the mode has `pace`, and a vehicle otherwise: see [Manual control](#manual-control)"),
        Key::new("pace", Kind::Integer(1..=MAX_PACE), "Frames per tile")
            .shown_unit("frames").default(Default::Number(f64::from(DEFAULT_PACE)))
            .valid_in("modes with `pattern` (except thrust patterns), `chase`, `flee_tiles`, `travel` or `keys`"),
    ]
}

/// A transition.
#[rustfmt::skip]
pub static TRANSITION: LazyLock<Table> = LazyLock::new(|| Table::new("a transition", "", vec![
    Key::new("when", Kind::Text, "Condition for the transition, such as \"sees(thief) and time_in_mode > 2\"")
        .required().details("See [Conditions](conditions.md)"),
    Key::new("to", Kind::Defined("name"), "Name of the mode to enter").required(),
]));

/// A rectangle for random starts.
#[rustfmt::skip]
pub static RANDOM_START: LazyLock<Table> = LazyLock::new(|| Table::new("a random start", "", vec![
    Key::new("within", Kind::Other(|| json!({
        "type": "array", "minItems": 4, "maxItems": 4,
        "items": { "type": "integer", "minimum": -MAX_COORDINATE, "maximum": MAX_COORDINATE },
    })), "[x0, y0, x1, y1]: upper left and lower right corner of the area, both inclusive").required(),
]));

/// A body.
#[rustfmt::skip]
pub static BODY: LazyLock<Table> = LazyLock::new(|| {
    let mut keys: Vec<_> = NUMBERS.iter().filter(|it| !it.key.contains('.')).map(number).collect();
    keys.extend([
        Key::new("solid", Kind::Flag, "Whether the body blocks other bodies").default(Default::Flag(false))
            .details("A solid body blocks walkers and other solid bodies"),
        Key::new("view", Kind::Defined("view"), "Field of view").shown_kind("table").default(Default::Text("all defaults")),
    ]);
    Table::new("a body", "", keys)
});

/// A field of view.
pub static VIEW: LazyLock<Table> = LazyLock::new(|| {
    let inner = NUMBERS.iter().filter_map(|it| Some((it.key.strip_prefix("view.")?, it)));
    Table::new("a view", "", inner.map(|(name, it)| Key { name, ..number(it) }).collect())
});

fn number(it: &Number) -> Key {
    let kind = match it.form {
        Form::Plain | Form::Angle => Kind::Float(it.range.clone()),
        Form::Count => Kind::Integer(*it.range.start() as i64..=*it.range.end() as i64),
    };
    let default = it.default().map_or(Default::Text(it.unset), |it| Default::Number(written(it)));
    let key = Key::new(it.key, kind, it.about).unit(it.unit).details(it.details);
    key.default(default).usage(Usage::Body(it.needs))
}
