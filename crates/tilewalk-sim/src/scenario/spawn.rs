//! Spawn rules: when and where instances of templates appear.

use crate::condition::Condition;
use crate::geom::{TileRect, Vec2};

/// A rule that brings instances of a template into the world. Corresponds to one `[[spawn]]` or
/// `[[on]]` entry of a map file.
#[derive(Debug, Clone)]
pub struct Spawn {
    /// Index of the template in the scenario's list of kinds.
    pub kind: u32,
    /// When and where an instance appears.
    pub cause: SpawnCause,
    /// Number of frames for which each instance exists, at least 1; `None` for no limit.
    pub lifetime: Option<u32>,
}

/// When and where an instance of a template appears.
#[derive(Debug, Clone)]
pub enum SpawnCause {
    /// Instances appear at a rate.
    Clock(SpawnClock),
    /// An instance appears where a row of a steps pattern sends a signal.
    Signal {
        /// Text of the signal.
        signal: String,
        /// Whether the instance starts with the velocity of the sender, instead of at rest.
        inherits_velocity: bool,
    },
}

/// A rate at which instances appear.
#[derive(Debug, Clone)]
pub struct SpawnClock {
    /// Where an instance starts.
    pub at: SpawnArea,
    /// Heading with which an instance starts.
    pub heading: SpawnHeading,
    /// The frame of the first instance, at least 1.
    pub first: u32,
    /// Least number of frames from one instance to the next, at least 1.
    pub every: u32,
    /// Largest number of instances in a run; `None` for no limit.
    pub total: Option<u32>,
    /// An instance appears only after a frame in which this condition holds.
    pub when: Option<Condition>,
}

/// The area in which instances start.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SpawnArea {
    /// An exact position, in tiles.
    Point(Vec2),
    /// The centre of a random free tile within a rectangle.
    Within(TileRect),
}

/// The heading with which instances start.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SpawnHeading {
    /// The same heading for all instances, as a unit vector.
    Fixed(Vec2),
    /// A random heading for each instance: clockwise from the first angle by up to the second one,
    /// in degrees.
    Random(f32, f32),
}

impl Spawn {
    /// Returns the rate of a rule, unless the rule reacts to a signal.
    pub fn clock(&self) -> Option<&SpawnClock> {
        match &self.cause {
            SpawnCause::Clock(clock) => Some(clock),
            SpawnCause::Signal { .. } => None,
        }
    }
}
