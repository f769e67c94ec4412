//! Rung 2: what a body is like, and how it moves at one moment.

use crate::geom::Vec2;

/// A body's properties and limits; they don't change from frame to frame.
///
/// Defaults and ranges are those of the map format (docs/formats.md).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Body {
    /// Mass; > 0.
    pub mass: f32,
    /// Radius, in tiles: 0.05 to 0.5.
    pub radius: f32,
    /// Largest speed, in tiles/s; ≥ 0.
    pub max_speed: f32,
    /// Largest steering force, in tiles/s² · mass; ≥ 0.
    pub max_force: f32,
    /// How hard an error of velocity is corrected, in 1/s; > 0. Limited to one frame's worth.
    pub gain: f32,
    /// How fast the velocity may turn, in radians/s, if limited.
    pub max_turn_rate: Option<f32>,
    /// The largest angular acceleration, in radians/s²; ≥ 0.
    pub max_turn_accel: f32,
    /// Linear drag, in 1/s; ≥ 0.
    pub drag: f32,
    /// How many headings make the one that is shown, in frames; 0 shows the present one.
    pub smoothing: u32,
    /// Does it keep others off its tile?
    pub solid: bool,
}

impl Default for Body {
    fn default() -> Self {
        Self {
            mass: 1.0,
            radius: 0.3,
            max_speed: 4.0,
            max_force: 12.0,
            gain: 8.0,
            max_turn_rate: None,
            max_turn_accel: 1440.0_f32.to_radians(),
            drag: 0.0,
            smoothing: 0,
            solid: false,
        }
    }
}

impl Body {
    /// The fastest an oriented body turns, in radians/s: its `max_turn_rate`, or a whole turn.
    pub fn top_turn_rate(&self) -> f32 {
        self.max_turn_rate.unwrap_or(core::f32::consts::TAU)
    }
}

/// Where a body is and how it moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Motion {
    /// Its centre, in tiles.
    pub position: Vec2,
    /// In tiles/s.
    pub velocity: Vec2,
    /// Unit vector of where it faces.
    pub heading: Vec2,
    /// How fast its heading turns by its own wish, in radians/s; positive turns right.
    pub angular_velocity: f32,
}

impl Motion {
    /// Are all numbers finite?
    pub fn is_finite(&self) -> bool {
        self.position.is_finite()
            && self.velocity.is_finite()
            && self.heading.is_finite()
            && self.angular_velocity.is_finite()
    }
}
