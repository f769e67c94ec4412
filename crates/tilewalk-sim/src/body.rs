//! Bodies: properties, limits and motion.

mod numbers;

use crate::geom::{Vec2, unit};

pub use numbers::{Form, NUMBERS, Needs, Number, degrees, number};

const HALF_TILE: f32 = 0.5;

/// The constant properties and limits of a body. [`NUMBERS`] lists units, ranges and file keys.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Body {
    /// Mass, in arbitrary units; > 0.
    pub mass: f32,
    /// Radius in tiles; 0.05 to 8, at most 0.5 for a body that moves on tiles.
    pub radius: f32,
    /// Largest speed, in tiles/s; ≥ 0.
    pub max_speed: f32,
    /// Largest steering force, in tiles/s² · mass; ≥ 0.
    pub max_force: f32,
    /// Gain of the velocity correction, in 1/s; > 0. Limited to 1/dt in each frame.
    pub gain: f32,
    /// Maximum turn rate, in radians/s. Limits the heading of an oriented body, and the velocity of
    /// any other body. `None` means 2π for an oriented body, and no limit for any other body.
    pub max_turn_rate: Option<f32>,
    /// Largest angular acceleration, in radians/s²; ≥ 0.
    pub max_turn_accel: f32,
    /// Linear drag, in 1/s; ≥ 0.
    pub drag: f32,
    /// Number of recent frames whose headings are averaged for display; 0 shows the current
    /// heading.
    pub smoothing: u32,
    /// Whether the body blocks other bodies: agents that move on tiles, and other solid bodies.
    pub solid: bool,
    /// Field of view of the body. Opaque tiles, walls and obstacles hide targets in it.
    pub view: View,
    /// Properties used by thrust patterns only.
    pub craft: Craft,
}

/// A field of view: a circle, or a sector around the heading.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    /// Range of sight in tiles; ≥ 0.
    pub range: f32,
    /// Full viewing angle, centred on the heading, in radians; 0 to 2π.
    pub angle: f32,
}

impl Default for View {
    fn default() -> Self {
        Self { range: 8.0, angle: core::f32::consts::TAU }
    }
}

impl View {
    /// Returns true if a point is in the field of view. `offset` is the vector from the body to the
    /// point, in tiles. Opaque tiles are ignored. `heading` is a unit vector.
    pub fn holds(&self, offset: Vec2, heading: Vec2) -> bool {
        if offset.length() > self.range {
            return false;
        }
        // A zero offset has no direction and is always visible.
        self.angle >= core::f32::consts::TAU
            || offset == Vec2::ZERO
            || heading.dot(unit(offset)) >= libm::cosf(self.angle / 2.0)
    }
}

/// Properties of a body moved by thrusters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Craft {
    /// Moment of inertia, in mass · tiles²; > 0.
    pub inertia: f32,
    /// Length in tiles; ≥ 0. The side thrusters are half the length in front of the centre.
    pub length: f32,
    /// Engine force, in tiles/s² · mass; ≥ 0.
    pub thrust: f32,
    /// Force of each side thruster, in tiles/s² · mass; ≥ 0.
    pub side_thrust: f32,
    /// Quadratic drag, in mass / tile; ≥ 0.
    pub water_drag: f32,
    /// Linear drag of the rotation, in mass · tiles² / s; ≥ 0.
    pub angular_drag: f32,
    /// Linear drag of sideways motion, in mass / s; ≥ 0.
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
    /// Returns the gain of the velocity correction for frames of `dt` seconds, in 1/s; at most
    /// 1/dt.
    #[inline]
    pub(crate) fn gain_in(&self, dt: f32) -> f32 {
        self.gain.min(1.0 / dt)
    }

    /// Returns the part of the radius that exceeds half a tile, in tiles; 0 for small bodies.
    /// Behaviours add this part to their look-ahead distances.
    pub(crate) fn excess(&self) -> f32 {
        (self.radius - HALF_TILE).max(0.0)
    }

    /// Returns the largest turn rate of an oriented body, in radians/s: `max_turn_rate`, or 2π if
    /// unset.
    pub fn top_turn_rate(&self) -> f32 {
        self.max_turn_rate.unwrap_or(core::f32::consts::TAU)
    }
}

/// The position and velocity of a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Motion {
    /// Position of the centre, in tiles.
    pub position: Vec2,
    /// Velocity of the centre, in tiles/s.
    pub velocity: Vec2,
    /// Direction in which the body faces, as a unit vector.
    pub heading: Vec2,
    /// Angular velocity of an oriented body, in radians/s; positive turns right.
    pub angular_velocity: f32,
}

impl Motion {
    /// Returns true if all components are finite.
    pub fn is_finite(&self) -> bool {
        self.position.is_finite()
            && self.velocity.is_finite()
            && self.heading.is_finite()
            && self.angular_velocity.is_finite()
    }
}
