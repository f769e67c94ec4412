//! The output of steering: a force and an angular acceleration.

use core::ops::AddAssign;

use crate::geom::Vec2;

/// The desired force and angular acceleration of a body.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SteeringOutput {
    /// The desired force, in tiles/s² · mass.
    pub force: Vec2,
    /// The desired angular acceleration, in radians/s²; positive turns right.
    pub turn: f32,
}

impl SteeringOutput {
    /// An output with neither a force nor a turn.
    pub const NONE: Self = Self { force: Vec2::ZERO, turn: 0.0 };

    /// Creates an output with a force and no turn.
    #[inline]
    pub fn force(force: Vec2) -> Self {
        Self { force, turn: 0.0 }
    }

    /// Creates an output with a turn and no force.
    #[inline]
    pub fn turn(turn: f32) -> Self {
        Self { force: Vec2::ZERO, turn }
    }

    #[inline]
    pub(crate) fn is_finite(self) -> bool {
        self.force.is_finite() && self.turn.is_finite()
    }
}

impl AddAssign for SteeringOutput {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        self.force += other.force;
        self.turn += other.turn;
    }
}

impl core::ops::Mul<f32> for SteeringOutput {
    type Output = Self;

    #[inline]
    fn mul(self, factor: f32) -> Self {
        Self { force: self.force * factor, turn: self.turn * factor }
    }
}
