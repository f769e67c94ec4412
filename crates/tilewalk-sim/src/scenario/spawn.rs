//! Spawn rules: when and where instances of templates appear.

use crate::condition::Condition;
use crate::geom::{TileRect, Vec2};

/// A rule that brings instances of a template into the world. Corresponds to one `[[spawn]]` or
/// `[[on]]` entry of a map file.
#[derive(Debug, Clone)]
pub struct Spawn {
    /// Index of the template in [`Scenario::kinds`](super::Scenario::kinds).
    pub kind: u32,
    /// What makes an instance appear, and where.
    pub cause: SpawnCause,
    /// Number of frames for which each instance exists, at least 1; `None` for no limit.
    pub lifetime: Option<u32>,
}

/// What makes an instance of a template appear, and where.
#[derive(Debug, Clone)]
pub enum SpawnCause {
    /// Instances appear at a given rate, at a point or in an area.
    Clock(Box<SpawnClock>),
    /// An instance appears where a row of a steps pattern sends a signal.
    Signal {
        /// Text of the signal that makes an instance appear.
        signal: String,
        /// Whether the instance starts with the velocity of the agent that sent the signal, instead
        /// of at rest.
        inherits_velocity: bool,
    },
}

/// The rate at which instances appear, and how they start.
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
    /// Condition for an instance to appear: it must hold in the frame before. `None` for no
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
    /// A random heading for each instance, in degrees. The first number is the start of the range,
    /// and the second number is its width, clockwise.
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
