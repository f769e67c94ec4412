//! Mistakes in a scenario that is built in code.

use crate::geom::Vec2;

/// A mistake in a scenario.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum BuildError {
    /// A frame lasts less than 0.001 s or more than 1 s, or the number is not finite.
    #[error("a frame of {0} s: the range is 0.001 to 1")]
    Tick(f64),
    /// The seed is 2⁵³ or more.
    #[error("the seed {0} is not below 2^53")]
    Seed(u64),
    /// Not a name, or a reserved word.
    #[error("invalid name `{0}`")]
    Name(String),
    /// Two agents, groups or places have the same name.
    #[error("the name `{0}` is used twice")]
    Duplicate(String),
    /// A number of a body is out of range.
    #[error("`{agent}`: {key} is {value}; the range is {range}")]
    Body {
        /// Name of the agent.
        agent: String,
        /// The number, by its key in files.
        key: &'static str,
        /// The value that is out of range.
        value: f32,
        /// What it can be.
        range: String,
    },
    /// A group that [`Builder::group`](super::Builder::group) did not return.
    #[error("`{0}` belongs to a group that does not exist")]
    Group(String),
    /// An agent starts outside the map, or where its body does not fit.
    #[error("`{agent}` can't start at ({}, {})", at.x, at.y)]
    Start {
        /// Name of the agent.
        agent: String,
        /// The position, in tiles.
        at: Vec2,
    },
    /// A mode with a list of patterns has none.
    #[error("`{0}`: the list of patterns is empty")]
    NoPatterns(String),
    /// A target or a group that was not added to the builder.
    #[error("`{agent}`: the target of `{word}` does not exist")]
    Target {
        /// Name of the agent.
        agent: String,
        /// The behaviour or drive.
        word: &'static str,
    },
    /// A path that [`Builder::course`](super::Builder::course) did not return.
    #[error("`{agent}`: the path of `{word}` does not exist")]
    SteeringPath {
        /// Name of the agent.
        agent: String,
        /// Word of the behaviour in files.
        word: &'static str,
    },
    /// A weight below 0, or a probability that is not in (0, 1].
    #[error("`{agent}`: the weight or the probability of `{word}` is out of range")]
    Weight {
        /// Name of the agent.
        agent: String,
        /// Word of the behaviour in files.
        word: &'static str,
    },
    /// A pace of zero frames.
    #[error("`{0}`: a step takes at least one frame")]
    Pace(String),
    /// A transition leads to a mode that the agent does not have.
    #[error("`{agent}` has no mode `{mode}`")]
    Mode {
        /// Name of the agent.
        agent: String,
        /// Name of the missing mode.
        mode: String,
    },
    /// The condition of a transition is wrong.
    #[error("`{agent}`: condition `{text}`: {message}")]
    Condition {
        /// Name of the agent.
        agent: String,
        /// Text of the condition.
        text: String,
        /// What is wrong with it.
        message: String,
    },
}
