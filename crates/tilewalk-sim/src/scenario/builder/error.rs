//! Mistakes in a scenario that is built in code.

use crate::geom::Vec2;

/// A mistake in a scenario that is built in code.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum BuildError {
    /// The frame duration is not a number from 0.001 to 1 s.
    #[error("a frame of {0} s: the range is 0.001 to 1")]
    Tick(f64),
    /// The seed is 2⁵³ or more.
    #[error("the seed {0} is not below 2^53")]
    Seed(u64),
    /// A name is invalid or a reserved word.
    #[error("invalid name `{0}`")]
    Name(String),
    /// Two of the agents, groups and places share a name.
    #[error("the name `{0}` is used twice")]
    Duplicate(String),
    /// The value of a body property is out of range.
    #[error("`{agent}`: {key} is {value}; the range is {range}")]
    Body {
        /// Name of the agent with the invalid body.
        agent: String,
        /// Key of the property in map files, such as `max_speed`.
        key: &'static str,
        /// The invalid value, in the unit of the property.
        value: f32,
        /// Valid range of the property, such as `0.05 to 8`.
        range: String,
    },
    /// A body with a radius above 0.5 tiles moves on tiles. The string is the agent's name.
    #[error("`{0}`: a body that moves on tiles has a radius of at most 0.5")]
    Walker(String),
    /// The diameter of a body is at least half of the shorter side of a map that wraps. Bodies with
    /// a radius of up to 0.5 tiles are always allowed.
    #[error("`{0}`: on a map that wraps, the diameter must be less than half of each side")]
    TooLarge(String),
    /// An agent belongs to a group that [`Builder::group`](super::Builder::group) did not return.
    #[error("`{0}` belongs to a group that does not exist")]
    Group(String),
    /// An agent starts outside the map, or at a position where its body does not fit.
    #[error("`{agent}` can't start at ({}, {})", at.x, at.y)]
    Start {
        /// Name of the agent that starts at the position.
        agent: String,
        /// Start position, in tiles.
        at: Vec2,
    },
    /// The largest number of instances of a template is 0.
    #[error("`{0}`: a template needs at least one place")]
    Template(String),
    /// A spawn rule refers to an agent that is not a template, or has a duration of 0 frames. The
    /// number is the index of the rule.
    #[error("the spawn rule {0} needs a template, and durations of at least one frame")]
    Spawn(usize),
    /// The pattern list of a mode is empty. The string is the agent's name.
    #[error("`{0}`: the list of patterns is empty")]
    NoPatterns(String),
    /// A behaviour or drive refers to an agent or group that was not added to the builder, or to a
    /// position that is not finite.
    #[error("`{agent}`: the target of `{word}` does not exist")]
    Target {
        /// Name of the agent with the behaviour or drive.
        agent: String,
        /// Keyword of the behaviour or drive in files.
        word: &'static str,
    },
    /// A behaviour refers to a path that [`Builder::course`](super::Builder::course) did not
    /// return.
    #[error("`{agent}`: the path of `{word}` does not exist")]
    SteeringPath {
        /// Name of the agent with the behaviour.
        agent: String,
        /// Keyword of the behaviour in files.
        word: &'static str,
    },
    /// A weight is below 0 or not finite, or a probability is not in (0, 1].
    #[error("`{agent}`: the weight or the probability of `{word}` is out of range")]
    Weight {
        /// Name of the agent with the behaviour.
        agent: String,
        /// Keyword of the behaviour in files.
        word: &'static str,
    },
    /// The pace of a mode is 0 frames. The string is the agent's name.
    #[error("`{0}`: a step takes at least one frame")]
    Pace(String),
    /// A transition starts or ends at a mode that the agent does not have.
    #[error("`{agent}` has no mode `{mode}`")]
    Mode {
        /// Name of the agent with the transition.
        agent: String,
        /// Name of the missing mode.
        mode: String,
    },
    /// The condition of a transition or of a removal is invalid.
    #[error("`{agent}`: condition `{text}`: {message}")]
    Condition {
        /// Name of the agent with the condition.
        agent: String,
        /// Text of the condition, as passed to the builder.
        text: String,
        /// Description of the mistake in the condition.
        message: String,
    },
}
