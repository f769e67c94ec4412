//! Mistakes in a scenario that is built in code.

use crate::geom::Vec2;
use crate::scenario::limits::{MAX_COORDINATE, MAX_PACE};
use crate::steering::path::MAX_POINTS;

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
    /// Two agents, groups or places have the same name.
    #[error("the name `{0}` is used twice")]
    Duplicate(String),
    /// The scenario, or one of its parts, exceeds a size limit.
    #[error("more than {limit} {what}")]
    TooMany {
        /// Plural noun for the items that exceed the limit, such as ``modes of `cat` ``.
        what: String,
        /// Largest allowed number of these items.
        limit: usize,
    },
    /// A coordinate of a place, a target, a path or a pattern is outside the range from −1,000,000
    /// to 1,000,000 tiles. The string is a phrase such as ``place `home` ``.
    #[error("the coordinates of the {0} must be from -{limit} to {limit}", limit = MAX_COORDINATE)]
    Position(String),
    /// The number of points of a path is below 2 or above `MAX_POINTS`. The field is the index of
    /// the path.
    #[error("the path {0} needs 2 to {limit} points", limit = MAX_POINTS)]
    Path(usize),
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
    /// a radius of up to 0.5 tiles are always allowed. The string is the agent's name.
    #[error("`{0}`: on a map that wraps, the diameter must be less than half of each side")]
    TooLarge(String),
    /// An agent belongs to a group that [`Builder::group`](super::Builder::group) did not return.
    /// The string is the agent's name.
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
    /// The heading of an agent is infinite or NaN. The string is the agent's name.
    #[error("`{0}`: the heading is not a finite number")]
    Heading(String),
    /// The largest number of instances of a template is 0. The string is the name of the template.
    #[error("`{0}`: a template needs room for at least one instance")]
    Template(String),
    /// A spawn rule refers to an agent that is not a template, or has a duration of 0 frames or a
    /// total of 0. The number is the index of the rule.
    #[error(
        "the spawn rule {0} needs a template, durations of at least one frame, and a total of at \
         least 1"
    )]
    Spawn(usize),
    /// The start point of a spawn rule is outside the map, or a body of the template does not fit
    /// there.
    #[error("the spawn rule {rule}: `{agent}` can't start at ({}, {})", at.x, at.y)]
    SpawnPoint {
        /// Index of the spawn rule, in the order of [`Builder::spawn`](super::Builder::spawn).
        rule: usize,
        /// Name of the template.
        agent: String,
        /// Start position, in tiles.
        at: Vec2,
    },
    /// The area of a spawn rule is empty or has a corner outside the map. The number is the index
    /// of the rule.
    #[error("the spawn rule {0}: the area is empty or extends beyond the map")]
    SpawnArea(usize),
    /// The heading of a spawn rule is invalid. A fixed heading must be a unit vector. A random
    /// range must start within ±360° and be 0° to 720° wide. The number is the index of the rule.
    #[error("the spawn rule {0}: the heading is neither a unit vector nor a range of angles")]
    SpawnHeading(usize),
    /// The condition of a spawn rule is invalid in this scenario.
    #[error("the spawn rule {rule}: condition `{text}`: {message}")]
    SpawnCondition {
        /// Index of the spawn rule, in the order of [`Builder::spawn`](super::Builder::spawn).
        rule: usize,
        /// Text of the condition.
        text: String,
        /// Description of the mistake in the condition.
        message: String,
    },
    /// The pattern list of a mode is empty. The string is the agent's name.
    #[error("`{0}`: the list of patterns is empty")]
    NoPatterns(String),
    /// A behaviour or drive refers to an agent or group that was not added to the builder.
    #[error("`{agent}`: the target of `{word}` does not exist")]
    Target {
        /// Name of the agent with the behaviour or drive.
        agent: String,
        /// Keyword of the behaviour or drive in files.
        word: &'static str,
    },
    /// A behaviour refers to a path that [`Builder::path`](super::Builder::path) did not
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
    /// The pace of a mode is 0 frames or more than `MAX_PACE` frames. The string is the agent's
    /// name.
    #[error("`{0}`: a step takes 1 to {limit} frames", limit = MAX_PACE)]
    Pace(String),
    /// The name of a mode is invalid.
    #[error("`{agent}`: invalid mode name `{mode}`")]
    ModeName {
        /// Name of the agent with the mode.
        agent: String,
        /// The invalid name.
        mode: String,
    },
    /// Two modes of an agent share a name.
    #[error("`{agent}`: duplicate mode `{mode}`")]
    DuplicateMode {
        /// Name of the agent with the modes.
        agent: String,
        /// The shared name.
        mode: String,
    },
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
