//! Bodies: their properties and limits, and their motion at one moment.

mod numbers;

use crate::geom::{Vec2, unit};

pub use numbers::{Form, NUMBERS, Needs, Number, degrees, number};

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
    /// What it can see.
    pub view: View,
    /// What it is like as a craft: only thrust patterns look at it.
    pub craft: Craft,
}

/// How far and how wide a body sees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    /// In tiles; ≥ 0.
    pub range: f32,
    /// The whole angle about its heading, in radians: 0 to 2π.
    pub angle: f32,
}

impl Default for View {
    fn default() -> Self {
        Self { range: 8.0, angle: core::f32::consts::TAU }
    }
}

impl View {
    /// Does something at an offset lie in it, whatever stands between? `heading` is a unit vector.
    pub fn holds(&self, offset: Vec2, heading: Vec2) -> bool {
        if offset.length() > self.range {
            return false;
        }
        // All round there is nothing to compare, and one's own place lies in every direction.
        self.angle >= core::f32::consts::TAU
            || offset == Vec2::ZERO
            || heading.dot(unit(offset)) >= libm::cosf(self.angle / 2.0)
    }
}

/// What a body is like that thrusters push and turn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Craft {
    /// Moment of inertia, in mass · tiles²; > 0.
    pub inertia: f32,
    /// Length, in tiles; ≥ 0. Its side thrusters sit half of it ahead of its centre.
    pub length: f32,
    /// Force of its engine, in tiles/s² · mass; ≥ 0.
    pub thrust: f32,
    /// Force of a side thruster, in tiles/s² · mass; ≥ 0.
    pub side_thrust: f32,
    /// Quadratic drag, in mass / tile; ≥ 0.
    pub water_drag: f32,
    /// Linear drag of turning, in mass · tiles² / s; ≥ 0.
    pub angular_drag: f32,
    /// Linear drag sideways, in mass / s; ≥ 0.
    pub keel: f32,
}

impl Default for Craft {
    fn default() -> Self {
        Self {
            inertia: 0.05,
            length: 0.8,
            thrust: 3.0,
            side_thrust: 4.0,
            water_drag: 0.8,
            angular_drag: 0.5,
            keel: 6.0,
        }
    }
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
            view: View::default(),
            craft: Craft::default(),
        }
    }
}

impl Body {
    /// The factor on errors of velocity in frames of `dt` seconds, in 1/s.
    #[inline]
    pub fn gain_in(&self, dt: f32) -> f32 {
        self.gain.min(1.0 / dt)
    }

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
