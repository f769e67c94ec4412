//! Headings: degrees outside (files, screen, traces), unit vectors inside.
//!
//! 0 is east and angles grow clockwise as seen on the screen, so 90 is south.

use super::tile_pos::TilePos;
use super::vector::Vec2;

/// The unit vector of a heading in degrees. Multiples of 45° give the very vectors of [`Notch`].
pub fn from_degrees(degrees: f32) -> Vec2 {
    let turned = degrees - 360.0 * libm::floorf(degrees / 360.0);
    let eighths = turned / 45.0;
    if eighths == libm::floorf(eighths) {
        return Notch::ALL[(eighths as usize) % 8].vector();
    }
    let radians = turned.to_radians();
    Vec2::new(libm::cosf(radians), libm::sinf(radians))
}

/// The heading of a vector in degrees, in [0, 360); the zero vector heads east.
pub fn to_degrees(heading: Vec2) -> f32 {
    let degrees = libm::atan2f(heading.y, heading.x).to_degrees();
    let positive = if degrees < 0.0 { degrees + 360.0 } else { degrees };
    // A hair below zero rounds up to 360 itself; and no heading is written as -0.
    if positive >= 360.0 { 0.0 } else { positive + 0.0 }
}

/// One of the eight directions a step on tiles can take, clockwise from east.
///
/// The order is also the order in which neighbours are looked at wherever a tie has to be broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Notch {
    /// 0°
    East,
    /// 45°
    SouthEast,
    /// 90°
    South,
    /// 135°
    SouthWest,
    /// 180°
    West,
    /// 225°
    NorthWest,
    /// 270°
    North,
    /// 315°
    NorthEast,
}

impl Notch {
    /// All eight, clockwise from east.
    pub const ALL: [Self; 8] = [
        Self::East,
        Self::SouthEast,
        Self::South,
        Self::SouthWest,
        Self::West,
        Self::NorthWest,
        Self::North,
        Self::NorthEast,
    ];

    /// The four along the axes, clockwise from east.
    pub const STRAIGHT: [Self; 4] = [Self::East, Self::South, Self::West, Self::North];

    /// The step in tiles.
    pub fn step(self) -> TilePos {
        let (x, y) = match self {
            Self::East => (1, 0),
            Self::SouthEast => (1, 1),
            Self::South => (0, 1),
            Self::SouthWest => (-1, 1),
            Self::West => (-1, 0),
            Self::NorthWest => (-1, -1),
            Self::North => (0, -1),
            Self::NorthEast => (1, -1),
        };
        TilePos::new(x, y)
    }

    /// The unit vector that points this way.
    pub fn vector(self) -> Vec2 {
        let step = self.step();
        let length = if self.is_diagonal() { core::f32::consts::FRAC_1_SQRT_2 } else { 1.0 };
        Vec2::new(step.x as f32 * length, step.y as f32 * length)
    }

    /// Does a step this way change both coordinates?
    pub fn is_diagonal(self) -> bool {
        self as u8 % 2 == 1
    }

    /// This direction turned clockwise by `eighths` of a full turn (negative: the other way).
    #[must_use]
    pub fn turned(self, eighths: i32) -> Self {
        Self::ALL[(self as i32 + eighths).rem_euclid(8) as usize]
    }

    /// The direction of a single step, or `None` when `step` is no single step.
    pub fn of_step(step: TilePos) -> Option<Self> {
        Self::ALL.into_iter().find(|notch| notch.step() == step)
    }

    /// The direction nearest to a heading; half-way between two, the clockwise one.
    ///
    /// With `straight_only` the four along the axes are the choice.
    pub fn nearest(heading: Vec2, straight_only: bool) -> Self {
        let (width, every) = if straight_only { (90.0, 2) } else { (45.0, 1) };
        let index = libm::floorf(to_degrees(heading) / width + 0.5) as usize;
        Self::ALL[(index * every) % 8]
    }

    /// The compass word, as shown on the screen: `E`, `SE`, `S` …
    pub fn word(self) -> &'static str {
        ["E", "SE", "S", "SW", "W", "NW", "N", "NE"][self as usize]
    }

    /// The arrow that points this way.
    pub fn arrow(self) -> &'static str {
        ["→", "↘", "↓", "↙", "←", "↖", "↑", "↗"][self as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eighths_of_a_turn_are_exact_both_ways() {
        for (index, notch) in Notch::ALL.into_iter().enumerate() {
            let degrees = 45.0 * index as f32;
            assert_eq!(from_degrees(degrees), notch.vector());
            assert_eq!(to_degrees(notch.vector()), degrees);
            assert_eq!(from_degrees(degrees - 720.0), notch.vector());
        }
    }

    #[test]
    fn degrees_stay_below_a_full_turn() {
        assert_eq!(to_degrees(Vec2::new(1.0, -1e-12)), 0.0);
        assert_eq!(to_degrees(Vec2::new(1.0, -0.0)).to_bits(), 0.0_f32.to_bits());
        assert_eq!(to_degrees(Vec2::ZERO), 0.0);
        for tenth in 0..3600 {
            let degrees = tenth as f32 / 10.0;
            assert!((to_degrees(from_degrees(degrees)) - degrees).abs() < 1e-3, "{degrees}");
        }
    }

    #[test]
    fn ties_between_notches_go_clockwise() {
        assert_eq!(Notch::nearest(from_degrees(44.0), false), Notch::SouthEast);
        assert_eq!(Notch::nearest(from_degrees(45.0), true), Notch::South);
        assert_eq!(Notch::nearest(from_degrees(350.0), false), Notch::East);
        assert_eq!(Notch::nearest(from_degrees(316.0), true), Notch::East);
    }
}
