//! Spawn rules: when and where instances of templates appear.

use crate::condition::Condition;
use crate::geom::{TileRect, Vec2};

/// A rule that adds instances of a template to the world. Corresponds to one `[[spawn]]` or
/// `[[on]]` entry of a map file.
#[derive(Debug, Clone)]
pub struct Spawn {
    /// Index of the template in [`Scenario::kinds`](super::Scenario::kinds).
    pub kind: u32,
    /// The trigger that makes an instance appear, and the start position of the instance.
    pub cause: SpawnCause,
    /// Number of frames for which each instance exists, at least 1; `None` for no limit.
    pub lifetime: Option<u32>,
}

/// The trigger that makes an instance of a template appear, and the start position of the instance.
#[derive(Debug, Clone)]
pub enum SpawnCause {
    /// Instances appear at a given rate, at a point or in an area.
    Clock(Box<SpawnClock>),
    /// An instance appears at the position of an agent when the agent sends a signal.
    Signal {
        /// Text of the signal that makes an instance appear.
        signal: String,
        /// Whether the instance starts with the velocity of the agent that sent the signal, instead
        /// of at rest.
        inherits_velocity: bool,
    },
}

/// The times at which instances appear, and their start positions and headings.
#[derive(Debug, Clone)]
pub struct SpawnClock {
    /// Point or area in which instances start.
    pub at: SpawnArea,
    /// Heading with which instances start, fixed or random.
    pub heading: SpawnHeading,
    /// Number of the first frame in which an instance can appear, at least 1.
    pub first: u32,
    /// Least number of frames from one instance to the next, at least 1.
    pub every: u32,
    /// Largest number of instances in a run; `None` for no limit.
    pub total: Option<u32>,
    /// Condition that must hold in the previous frame for an instance to appear; `None` for no
    /// condition.
    pub when: Option<Condition>,
}

/// The area in which instances start.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SpawnArea {
    /// An exact position, in tiles.
    Point(Vec2),
    /// The centre of a random free tile in a rectangle.
    Within(TileRect),
}

/// The heading with which instances start.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SpawnHeading {
    /// The same unit vector for all instances.
    Fixed(Vec2),
    /// A random heading for each instance. The first number is the start of the range, and the
    /// second number is the clockwise width of the range. Both are in degrees.
    Random(f32, f32),
}

impl Spawn {
    /// Returns the clock of a rule; `None` if the rule reacts to a signal.
    pub fn clock(&self) -> Option<&SpawnClock> {
        match &self.cause {
            SpawnCause::Clock(clock) => Some(clock),
            SpawnCause::Signal { .. } => None,
        }
    }
}
