//! The words of the condition language: fields, operators and events, and which words are reserved.

/// A numeric field of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// X coordinate of the position, in tiles.
    X,
    /// Y coordinate of the position, in tiles.
    Y,
    /// Column of the tile that contains the agent, from 0.
    TileX,
    /// Row of the tile that contains the agent, from 0.
    TileY,
    /// X component of the velocity, in tiles/s.
    Vx,
    /// Y component of the velocity, in tiles/s.
    Vy,
    /// Magnitude of the velocity, in tiles/s.
    Speed,
    /// Heading in degrees, clockwise from east, in [0, 360).
    Heading,
    /// Seconds since the agent entered its current mode.
    TimeInMode,
}

impl Quantity {
    /// Returns true if the value of the field is never negative.
    pub(super) fn is_never_negative(self) -> bool {
        matches!(self, Self::Speed | Self::Heading | Self::TimeInMode)
    }
}

/// A boolean field of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fact {
    /// The agent has no route, or something prevented its last step to another tile.
    Blocked,
    /// The agent has arrived at its travel target.
    Arrived,
    /// The last pattern of the mode has ended.
    Finished,
    /// The agent is on its way back to its pattern.
    Joining,
    /// The agent's body touches a solid tile, an obstacle or a wall.
    Collided,
    /// The stuck detector has reported the agent: it wants to move, but stays near the same place.
    Stuck,
    /// The agent moves back and forth without coming closer to its destination.
    Oscillating,
    /// The agent is stuck in a cycle of agents. Each agent wants the tile that the next agent
    /// holds.
    Deadlocked,
    /// The NaN guard froze the agent, since its state was not finite.
    Quarantined,
    /// The agent's solid body overlaps another solid body.
    Overlapping,
}

/// A field of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// A field with a numeric value.
    Quantity(Quantity),
    /// A field with a boolean value.
    Fact(Fact),
    /// The name of the agent's current mode.
    Mode,
}

/// All fields of agents, by their names in conditions.
pub const FIELDS: [(&str, Field); 20] = [
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
    ("oscillating", Field::Fact(Fact::Oscillating)),
    ("deadlocked", Field::Fact(Fact::Deadlocked)),
    ("overlapping", Field::Fact(Fact::Overlapping)),
];

/// The fields that belong to the world instead of an agent.
pub const WORLD_FIELDS: [&str; 2] = ["frame", "time"];

/// The operators and constants of the condition language that are written as words.
pub const KEYWORDS: [&str; 5] = ["or", "and", "not", "true", "false"];

/// An arithmetic operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// Addition: `+`.
    Add,
    /// Subtraction: `-`.
    Subtract,
    /// Multiplication: `*`.
    Multiply,
    /// Division: `/`.
    Divide,
}

impl Operator {
    const SIGNS: [(char, Self); 4] =
        [('+', Self::Add), ('-', Self::Subtract), ('*', Self::Multiply), ('/', Self::Divide)];

    /// Returns the operator with the given symbol. Returns `None` for other characters.
    pub(super) fn of(sign: char) -> Option<Self> {
        Self::SIGNS.into_iter().find(|&(known, _)| known == sign).map(|(_, operator)| operator)
    }

    /// Returns the symbol of the operator, such as `+`.
    pub(super) fn sign(self) -> char {
        Self::SIGNS.into_iter().find(|&(_, known)| known == self).map_or('?', |(sign, _)| sign)
    }

    /// Returns true for `*` and `/`, whose precedence is higher.
    pub(super) fn binds_tightly(self) -> bool {
        matches!(self, Self::Multiply | Self::Divide)
    }
}

/// All event words that conditions can use. `_` stands for a space.
pub const EVENTS: [&str; 22] = [
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
    "oscillating",
    "deadlocked",
    "quarantined",
    "spawned",
    "removed",
    "trace",
    "reloaded",
    "edited",
];

/// Names of places that exist on every map.
pub(crate) const PLACES: [&str; 2] = ["home", "anywhere"];

/// Fields that are also allowed as names of agents. They were added later, and maps may already use
/// these words. Conditions stay unambiguous, because a name alone is not a condition.
pub const UNRESERVED_FIELDS: [&str; 3] = ["oscillating", "deadlocked", "overlapping"];
