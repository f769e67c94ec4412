//! The words of the language: fields, calls and events. Names of the user's can't be any of the
//! fields, calls or keywords.

/// A number that every agent has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// Position, in tiles.
    X,
    /// Position, in tiles.
    Y,
    /// The tile it is on.
    TileX,
    /// The tile it is on.
    TileY,
    /// Velocity, in tiles/s.
    Vx,
    /// Velocity, in tiles/s.
    Vy,
    /// Length of the velocity, in tiles/s.
    Speed,
    /// In degrees, in [0, 360).
    Heading,
    /// Seconds since the mode was entered.
    TimeInMode,
}

/// Something that is true of an agent or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fact {
    /// Its last due step on tiles was refused.
    Blocked,
    /// It stands where it travelled to.
    Arrived,
    /// Its pattern has ended for good.
    Finished,
    /// It is on its way to its pattern.
    Joining,
    /// Its body touches something solid.
    Collided,
    /// It has not come from the spot for a while, though it wants to.
    Stuck,
    /// It is frozen, as its numbers went wrong.
    Quarantined,
}

/// What a word after an agent's name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// A number.
    Quantity(Quantity),
    /// A fact.
    Fact(Fact),
    /// The name of its mode.
    Mode,
}

/// Every field of an agent.
pub const FIELDS: [(&str, Field); 17] = [
    ("x", Field::Quantity(Quantity::X)),
    ("y", Field::Quantity(Quantity::Y)),
    ("tile_x", Field::Quantity(Quantity::TileX)),
    ("tile_y", Field::Quantity(Quantity::TileY)),
    ("vx", Field::Quantity(Quantity::Vx)),
    ("vy", Field::Quantity(Quantity::Vy)),
    ("speed", Field::Quantity(Quantity::Speed)),
    ("heading", Field::Quantity(Quantity::Heading)),
    ("mode", Field::Mode),
    ("time_in_mode", Field::Quantity(Quantity::TimeInMode)),
    ("blocked", Field::Fact(Fact::Blocked)),
    ("arrived", Field::Fact(Fact::Arrived)),
    ("finished", Field::Fact(Fact::Finished)),
    ("joining", Field::Fact(Fact::Joining)),
    ("collided", Field::Fact(Fact::Collided)),
    ("stuck", Field::Fact(Fact::Stuck)),
    ("quarantined", Field::Fact(Fact::Quarantined)),
];

/// The fields of the world.
pub const WORLD_FIELDS: [&str; 2] = ["frame", "time"];

/// Words with a meaning of their own.
pub const KEYWORDS: [&str; 5] = ["or", "and", "not", "true", "false"];

/// What can be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Call {
    /// `sees(t)`, `sees(a, t)`.
    Sees,
    /// `distance(t)`, `distance(a, b)`.
    Distance,
    /// `in(area)`, `in(a, area)`.
    In,
    /// `chance(p)`.
    Chance,
    /// `event(word)`, `event(a, word)`.
    Event,
    /// `any(group, condition)`.
    Any,
    /// `all(group, condition)`.
    All,
    /// `changed(value)`.
    Changed,
}

/// Every call, and how it is written.
pub const CALLS: [(&str, Call, &str); 8] = [
    ("sees", Call::Sees, "sees(target) or sees(agent, target)"),
    ("distance", Call::Distance, "distance(target) or distance(agent, target)"),
    ("in", Call::In, "in(place), in([x0, y0, x1, y1]), or in(agent, …)"),
    ("chance", Call::Chance, "chance(0.1)"),
    ("event", Call::Event, "event(bump) or event(agent, bump)"),
    ("any", Call::Any, "any(group, condition)"),
    ("all", Call::All, "all(group, condition)"),
    ("changed", Call::Changed, "changed(guard.mode)"),
];

/// Every event, as it is written in a condition: `_` stands where its word has a space.
pub const EVENTS: [&str; 17] = [
    "mode",
    "pattern",
    "bump",
    "overlap",
    "blocked",
    "dead_end",
    "joined",
    "arrived",
    "finished",
    "signal",
    "seen",
    "lost",
    "stuck",
    "circling",
    "quarantined",
    "reloaded",
    "edited",
];

/// Words for places every map has.
pub const PLACES: [&str; 2] = ["home", "anywhere"];

/// Is it a word that no agent, group or place can bear?
pub fn is_reserved(word: &str) -> bool {
    FIELDS.iter().any(|&(field, _)| field == word)
        || CALLS.iter().any(|&(call, ..)| call == word)
        || [&WORLD_FIELDS[..], &KEYWORDS, &PLACES].iter().any(|words| words.contains(&word))
}
