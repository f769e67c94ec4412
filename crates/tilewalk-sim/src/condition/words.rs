//! The words of the condition language: fields, functions and events. Fields, keywords and most
//! functions are reserved words.

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

/// A function of the condition language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Call {
    /// `sees(target)` or `sees(agent, target)`: the agent sees the target.
    Sees,
    /// `distance(target)` or `distance(agent, target)`: the distance to the target, in tiles.
    Distance,
    /// `in(area)` or `in(agent, area)`: the tile of the agent is in the area.
    In,
    /// `exists(agent)` or `exists(group)`: the agent is in the world, or at least one member of the
    /// group is.
    Exists,
    /// `chance(p)`: holds with probability `p` in each frame.
    Chance,
    /// `event(word)` or `event(agent, word)`: the event happened in this frame.
    Event,
    /// `any(group, condition)`: the condition holds for at least one member of the group.
    Any,
    /// `all(group, condition)`: the condition holds for all members of the group.
    All,
    /// `changed(value)`: the value differs from its value in the previous frame.
    Changed,
    /// `gap(agents)` or `gap(agents, agents)`: the distance between the edges of two bodies, in
    /// tiles.
    Gap,
    /// `touching(agents, agents)` or `touching(group)`: the bodies of at least one pair touch or
    /// overlap.
    Touching,
    /// `count(group, condition)`: the number of members for which the condition holds.
    Count,
    /// `mean(group, number)`, `min`, `max` or `sum`: combines the numbers of all members of the
    /// group.
    Fold(Fold),
    /// `polarisation(group)`: the length of the mean heading vector, from 0 to 1.
    Polarisation,
    /// `abs(number)`: the absolute value.
    Absolute,
}

impl Call {
    /// Returns true if the function's name cannot be the name of an agent, a group or a place.
    ///
    /// Functions that were added later are not reserved, because maps may already use their names.
    /// A word before `(` is always a function, so conditions stay unambiguous.
    fn is_reserved(self) -> bool {
        match self {
            Self::Sees
            | Self::Distance
            | Self::In
            | Self::Chance
            | Self::Event
            | Self::Any
            | Self::All
            | Self::Changed => true,
            Self::Exists
            | Self::Gap
            | Self::Touching
            | Self::Count
            | Self::Fold(_)
            | Self::Polarisation
            | Self::Absolute => false,
        }
    }
}

/// A function that combines one number of each member of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fold {
    /// The mean of the numbers; undefined without members.
    Mean,
    /// The smallest number; undefined without members.
    Min,
    /// The largest number; undefined without members.
    Max,
    /// The sum of the numbers; 0 without members.
    Sum,
}

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

/// All functions of the condition language. Each entry has the name, the function and the usage
/// text.
pub const CALLS: [(&str, Call, &str); 19] = [
    ("sees", Call::Sees, "sees(target) or sees(agent, target)"),
    ("distance", Call::Distance, "distance(target) or distance(agent, target)"),
    ("in", Call::In, "in(place), in([x0, y0, x1, y1]), or in(agent, …)"),
    ("exists", Call::Exists, "exists(agent) or exists(group)"),
    ("chance", Call::Chance, "chance(0.1)"),
    ("event", Call::Event, "event(bump) or event(agent, bump)"),
    ("any", Call::Any, "any(group, condition) or any(a in group, condition)"),
    ("all", Call::All, "all(group, condition) or all(a in group, condition)"),
    ("changed", Call::Changed, "changed(guard.mode)"),
    ("gap", Call::Gap, "gap(agent) or gap(agent, agent)"),
    ("touching", Call::Touching, "touching(agent, agent) or touching(group)"),
    ("count", Call::Count, "count(group, condition)"),
    ("mean", Call::Fold(Fold::Mean), "mean(group, number)"),
    ("min", Call::Fold(Fold::Min), "min(group, number)"),
    ("max", Call::Fold(Fold::Max), "max(group, number)"),
    ("sum", Call::Fold(Fold::Sum), "sum(group, number)"),
    ("polarisation", Call::Polarisation, "polarisation(group)"),
    ("polarization", Call::Polarisation, "polarization(group)"),
    ("abs", Call::Absolute, "abs(number)"),
];

/// Names of similar functions in other languages. Each entry has the foreign name and the function
/// to suggest.
pub(super) const HABITS: [(&str, &str); 12] = [
    ("dist", "distance"),
    ("avg", "mean"),
    ("average", "mean"),
    ("total", "sum"),
    ("some", "any"),
    ("every", "all"),
    ("each", "all"),
    ("inside", "in"),
    ("within", "in"),
    ("overlaps", "touching"),
    ("collides", "touching"),
    ("alive", "exists"),
];

/// All event words that conditions can use. `_` stands for a space.
pub const EVENTS: [&str; 21] = [
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
    "reloaded",
    "edited",
];

/// Names of places that exist on every map.
pub(crate) const PLACES: [&str; 2] = ["home", "anywhere"];

/// Fields that are also allowed as names of agents. They were added later, and maps may already use
/// these words. Conditions stay unambiguous, because a name alone is not a condition.
pub const UNRESERVED_FIELDS: [&str; 3] = ["oscillating", "deadlocked", "overlapping"];

/// Returns true if a word cannot be the name of an agent, a group or a place.
pub fn is_reserved(word: &str) -> bool {
    FIELDS.iter().any(|&(field, _)| field == word && !UNRESERVED_FIELDS.contains(&field))
        || CALLS.iter().any(|&(name, call, _)| name == word && call.is_reserved())
        || [&WORLD_FIELDS[..], &KEYWORDS, &PLACES].iter().any(|words| words.contains(&word))
}
