//! Keys of agents, their bodies, modes and transitions.

use std::sync::LazyLock;

use serde_json::json;
use tilewalk_sim::agent::{Choose, DEFAULT_PACE};
use tilewalk_sim::body::{BodyNumber, NUMBERS, NumberForm};
use tilewalk_sim::steering::combine::Combine;

use crate::keys::map::MAX_AGENTS;
use crate::keys::steer::{HEADING, MAX_ROWS, target};
use crate::keys::table::{
    DefaultValue, Key, MAX_COORDINATE, MAX_PACE, Table, Usage, ValueKind, written,
};
use crate::keys::words;

pub use tilewalk_sim::scenario::limits::{MAX_MODES, MAX_PATTERNS};

/// Maximum number of transitions of a mode.
pub const MAX_TRANSITIONS: usize = 100;

#[rustfmt::skip]
pub static AGENT: LazyLock<Table> = LazyLock::new(|| {
    let mut keys = vec![
        Key::new("name", ValueKind::Defined("name"), "Name of the agent").required(),
        Key::new("at", ValueKind::Defined("at"), "Start position. Required except in templates")
            .default(DefaultValue::Alternative),
        Key::new("glyph", ValueKind::Defined("glyph"), "Glyph on the map")
            .default(DefaultValue::Text("the first letter of the name that no other agent uses, in upper case")),
        Key::new("color", ValueKind::Defined("color"), "Agent colour on the screen"),
        Key::new("group", ValueKind::Defined("name"), "Group that the agent belongs to")
            .details("Several agents can use the same group"),
        Key::new("heading", ValueKind::Heading(HEADING), "Initial heading in degrees: 0 = east, 90 = south")
            .shown_unit("degrees").default(DefaultValue::Number(0.0))
            .details("`\"random\"` draws a heading for each agent, and `[from, to]` draws it clockwise between two headings"),
        Key::new("count", ValueKind::Integer(1..=i64::from(MAX_AGENTS)), "Number of agents. Two or more agents form a group")
            .default(DefaultValue::Number(1.0))
            .details("N agents have the names `name.1` … `name.N` and form a group called `name`, in addition to `group`"),
        Key::new("numbered", ValueKind::Flag, "Whether a single agent is named like the agents of a group: `name.1`")
            .default(DefaultValue::Flag(false)).details("Its random numbers are then those of the first agent of a larger group"),
        Key::new("template", ValueKind::Flag, "Whether this is a template: its instances appear by `[[spawn]]` or `[[on]]`, instead of one agent at frame 0")
            .default(DefaultValue::Flag(false)).details("See [Population](maps.md#population)"),
        Key::new("max", ValueKind::Integer(1..=i64::from(MAX_AGENTS)), "Largest number of instances at once. Required in templates, and valid only there"),
        Key::new("remove", ValueKind::Condition, "Condition that removes the agent from the world, in any mode")
            .details("See [Population](maps.md#population)"),
        Key::new("body", ValueKind::Defined("body"), "Properties of the body")
            .default(DefaultValue::Text("all defaults")).details("See [Body](maps.md#body)"),
        Key::new("every", ValueKind::Integer(1..=MAX_PACE), "Frames between checks of the agent's view and transitions")
            .shown_unit("frames").default(DefaultValue::Number(1.0)).details("See [Transitions](movement.md#transitions)").usage(Usage::Checks),
        Key::new("mode", ValueKind::Array("mode", 1..=MAX_MODES as u64), "Modes of the agent. The first mode is the initial mode")
            .header("[[agent.mode]]").shown_kind("array of tables").details("They can't be combined with mode keys in `[[agent]]`"),
    ];
    keys.extend(drive());
    Table::new("an agent", "An agent or a group of agents.", keys)
});

#[rustfmt::skip]
pub static MODE: LazyLock<Table> = LazyLock::new(|| {
    let mut keys = drive();
    keys.extend([
        Key::new("name", ValueKind::Defined("name"), "Name of the mode")
            .shown_kind("name, unique within the agent").required().valid_in("`[[agent.mode]]`"),
        Key::new("switch", ValueKind::Array("rule", 1..=MAX_TRANSITIONS as u64), "Transitions to other modes")
            .shown_kind("array of 1–100 `{ when, to, signal }` tables").details("See [Transitions](movement.md#transitions)").valid_in("`[[agent.mode]]`"),
        Key::new("remove", ValueKind::Condition, "Condition that removes an agent in this mode from the world")
            .details("See [Population](maps.md#population)").valid_in("`[[agent.mode]]`"),
        Key::new("on_enter", ValueKind::Line, "Text of the `signal` event that is sent when a transition leads into the mode")
            .details("See [Signals](maps.md#signals)").valid_in("`[[agent.mode]]`"),
        Key::new("on_leave", ValueKind::Line, "Text of the `signal` event that is sent when a transition leads out of the mode")
            .details("See [Signals](maps.md#signals)").valid_in("`[[agent.mode]]`"),
    ]);
    Table::new("a mode", "A mode: its movement and its transitions to other modes.", keys)
});

/// Keys that select the movement of a mode. A mode has at most one of these keys.
pub const DRIVES: [&str; 6] = ["steer", "pattern", "chase", "flee_tiles", "travel", "keys"];

/// Returns the keys of a mode that are also valid in `[[agent]]`, for agents without
/// `[[agent.mode]]`.
#[rustfmt::skip]
pub fn drive() -> Vec<Key> {
    vec![
        Key::new("steer", ValueKind::Array("row", 1..=MAX_ROWS as u64), "List of steering behaviours")
            .shown_kind("array of 1–100 tables").details("The agent is a vehicle: see [Steering](movement.md#steering)"),
        Key::new("combine", words::kind(&Combine::WORDS), "Method of combining the steering forces")
            .shown_kind("word").default(DefaultValue::Word("prioritized")).details("See [Combining](movement.md#combining)").valid_in("modes with `steer`"),
        Key::new("pattern", ValueKind::Other(|| json!({ "anyOf": [
            { "type": "string", "description": "Name of a pattern." },
            { "type": "array", "items": { "type": "string" }, "minItems": 1, "maxItems": MAX_PATTERNS,
              "description": "Names of patterns; `choose` sets the order." },
        ] })), "Pattern or pattern list to follow")
            .shown_kind("string, or array of 1–1000 strings").details("See [Patterns](movement.md#patterns) and [Pattern lists](movement.md#pattern-lists)"),
        Key::new("choose", words::kind(&Choose::WORDS), "Order in which the patterns of a list run")
            .default(DefaultValue::Word("cycle")).valid_in("modes with a [pattern list](movement.md#pattern-lists)"),
        Key::new("resume", ValueKind::Flag, "Whether an interrupted pattern resumes where it stopped")
            .default(DefaultValue::Flag(false)).valid_in("modes with `pattern`"),
        Key::new("offset", ValueKind::Defined("tile"), "Map tile for the pattern's anchor")
            .default(DefaultValue::Text("the agent's start tile")).details("See [Patterns](movement.md#patterns)")
            .valid_in("modes with a path or matrix pattern that is not `absolute`"),
        Key::new("chase", target(), "Target to approach in a straight line, tile by tile"),
        Key::new("flee_tiles", target(), "Target to flee from, tile by tile"),
        Key::new("travel", target(), "Target to reach by the cheapest route"),
        Key::new("keys", ValueKind::True, "Manual control: the user drives the agent")
            .details("The agent is a walker if the mode has `pace`, and a vehicle otherwise: see [Manual control](movement.md#manual-control)"),
        Key::new("pace", ValueKind::Integer(1..=MAX_PACE), "Frames per tile")
            .shown_unit("frames").default(DefaultValue::Number(f64::from(DEFAULT_PACE)))
            .valid_in("modes with `pattern` (except thrust patterns), `chase`, `flee_tiles`, `travel` or `keys`"),
    ]
}

#[rustfmt::skip]
pub static TRANSITION: LazyLock<Table> = LazyLock::new(|| Table::new("a transition", "", vec![
    Key::new("when", ValueKind::Condition, "Condition for the transition, such as \"sees(thief) and time_in_mode > 2\"")
        .required().details("See [Conditions](conditions.md)"),
    Key::new("to", ValueKind::Defined("name"), "Name of the mode to enter").required(),
    Key::new("signal", ValueKind::Line, "Text of the `signal` event that is sent with the transition")
        .details("See [Signals](maps.md#signals)"),
]));

/// Keys of a rectangle for random starts.
#[rustfmt::skip]
pub static RANDOM_START: LazyLock<Table> = LazyLock::new(|| Table::new("a random start", "", vec![
    Key::new("within", ValueKind::Other(|| json!({
        "type": "array", "minItems": 4, "maxItems": 4,
        "items": { "type": "integer", "minimum": -MAX_COORDINATE, "maximum": MAX_COORDINATE },
    })), "[x0, y0, x1, y1]: upper left and lower right corner of the area, both inclusive").required(),
]));

#[rustfmt::skip]
pub static BODY: LazyLock<Table> = LazyLock::new(|| {
    let mut keys: Vec<_> = NUMBERS.iter().filter(|it| !it.key.contains('.')).map(number).collect();
    keys.extend([
        Key::new("solid", ValueKind::Flag, "Whether the body blocks other bodies").default(DefaultValue::Flag(false))
            .details("It blocks walkers and other solid bodies"),
        Key::new("view", ValueKind::Defined("view"), "Field of view").shown_kind("table").default(DefaultValue::Text("all defaults")),
    ]);
    Table::new("a body", "", keys)
});

/// Keys of a field of view.
pub static VIEW: LazyLock<Table> = LazyLock::new(|| {
    let inner = NUMBERS.iter().filter_map(|it| Some((it.key.strip_prefix("view.")?, it)));
    Table::new("a view", "", inner.map(|(name, it)| Key { name, ..number(it) }).collect())
});

/// Returns true if a name is a key of an agent, of its body or, after `view.`, of its view.
#[cfg(feature = "tiled")]
pub fn is_agent_key(name: &str) -> bool {
    let in_view = name.strip_prefix("view.").and_then(|name| VIEW.key(name));
    AGENT.key(name).or(BODY.key(name)).or(in_view).is_some()
}

fn number(it: &BodyNumber) -> Key {
    let kind = match it.form {
        NumberForm::Plain | NumberForm::Angle => ValueKind::Float(it.range.clone()),
        NumberForm::Count => ValueKind::Integer(*it.range.start() as i64..=*it.range.end() as i64),
    };
    let default =
        it.default().map_or(DefaultValue::Text(it.unset), |it| DefaultValue::Number(written(it)));
    let key = Key::new(it.key, kind, it.about).unit(it.unit).details(it.details);
    key.default(default).usage(Usage::Body(it.needs))
}
