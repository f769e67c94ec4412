//! Headings and compass directions. Files, screen and traces use degrees. The simulator uses unit
//! vectors.
//!
//! 0° is east, and angles grow clockwise as seen on the screen, so 90° is south.

use super::tile_pos::TilePos;
use super::vector::Vec2;

/// Returns the unit vector of a heading in degrees, clockwise from east. Any angle is valid.
/// Multiples of 45° return exactly the vectors of [`Direction`].
pub fn from_degrees(degrees: f32) -> Vec2 {
    let turned = degrees - 360.0 * libm::floorf(degrees / 360.0);
    let eighths = turned / 45.0;
    if eighths == libm::floorf(eighths) {
        return Direction::ALL[(eighths as usize) % 8].vector();
    }
    let radians = turned.to_radians();
    Vec2::new(libm::cosf(radians), libm::sinf(radians))
}

/// Returns the heading of a vector in degrees, clockwise from east, in [0, 360). Returns 0 for the
/// zero vector.
pub fn to_degrees(heading: Vec2) -> f32 {
    if heading == Vec2::ZERO {
        // The angle of (−0, 0) is 180°.
        return 0.0;
    }
    let degrees = libm::atan2f(heading.y, heading.x).to_degrees();
    let positive = if degrees < 0.0 { degrees + 360.0 } else { degrees };
    // Tiny negative angles round up to 360; adding 0.0 turns −0 into 0.
    if positive >= 360.0 { 0.0 } else { positive + 0.0 }
}

/// A compass direction: one of the eight steps on tiles, clockwise from east. The order of the
/// variants breaks ties between directions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// East: heading 0°.
    East,
    /// South-east: heading 45°.
    SouthEast,
    /// South: heading 90°.
    South,
    /// South-west: heading 135°.
    SouthWest,
    /// West: heading 180°.
    West,
    /// North-west: heading 225°.
    NorthWest,
    /// North: heading 270°.
    North,
    /// North-east: heading 315°.
    NorthEast,
}

impl Direction {
    /// All eight directions, clockwise from east.
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

    /// The four directions along the axes, clockwise from east.
    pub const STRAIGHT: [Self; 4] = [Self::East, Self::South, Self::West, Self::North];

    /// Returns the offset to the adjacent tile, in tiles.
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

    /// Returns a vector of length 1 in this direction. North is (0, −1), because y grows downwards.
    pub fn vector(self) -> Vec2 {
        let step = self.step();
        let length = if self.is_diagonal() { core::f32::consts::FRAC_1_SQRT_2 } else { 1.0 };
        Vec2::new(step.x as f32 * length, step.y as f32 * length)
    }

    /// Returns true if a step in this direction changes both coordinates.
    pub fn is_diagonal(self) -> bool {
        self as u8 % 2 == 1
    }

    /// Rotates the direction clockwise by eighths of a full turn. Negative numbers rotate
    /// counterclockwise.
    #[must_use]
    pub fn turned(self, eighths: i32) -> Self {
        Self::ALL[(self as i32 + eighths).rem_euclid(8) as usize]
    }

    /// Returns the direction of a step to an adjacent tile; `None` for any other step.
    pub fn of_step(step: TilePos) -> Option<Self> {
        Self::ALL.into_iter().find(|direction| direction.step() == step)
    }

    /// Returns the direction nearest to a heading. If two directions are equally near, returns the
    /// more clockwise one. Returns east for the zero vector. `straight_only` excludes diagonals.
    pub fn nearest(heading: Vec2, straight_only: bool) -> Self {
        let (width, every) = if straight_only { (90.0, 2) } else { (45.0, 1) };
        let index = libm::floorf(to_degrees(heading) / width + 0.5) as usize;
        Self::ALL[(index * every) % 8]
    }

    /// Returns the compass abbreviation, such as `E` or `SE`.
    pub fn word(self) -> &'static str {
        ["E", "SE", "S", "SW", "W", "NW", "N", "NE"][self as usize]
    }

    /// Returns an arrow that points in this direction on the screen, such as `→` or `↘`.
    pub fn arrow(self) -> &'static str {
        ["→", "↘", "↓", "↙", "←", "↖", "↑", "↗"][self as usize]
    }
}

impl TilePos {
    /// Returns the adjacent tile in a direction. The result does not wrap around and can be outside
    /// the map.
    #[must_use]
    pub fn neighbour(self, direction: Direction) -> Self {
        self + direction.step()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multiples_of_45_degrees_convert_exactly() {
        for (index, direction) in Direction::ALL.into_iter().enumerate() {
            let degrees = 45.0 * index as f32;
            assert_eq!(from_degrees(degrees), direction.vector());
            assert_eq!(to_degrees(direction.vector()), degrees);
            assert_eq!(from_degrees(degrees - 720.0), direction.vector());
        }
    }

    #[test]
    fn degrees_are_below_360() {
        assert_eq!(to_degrees(Vec2::new(1.0, -1e-12)), 0.0);
        assert_eq!(to_degrees(Vec2::new(1.0, -0.0)).to_bits(), 0.0_f32.to_bits());
        for (x, y) in [(0.0, 0.0), (-0.0, 0.0), (-0.0, -0.0), (0.0, -0.0)] {
            assert_eq!(to_degrees(Vec2::new(x, y)).to_bits(), 0, "({x:?}, {y:?})");
        }
        for tenth in 0..3600 {
            let degrees = tenth as f32 / 10.0;
            assert!((to_degrees(from_degrees(degrees)) - degrees).abs() < 1e-3, "{degrees}");
        }
    }

    #[test]
    fn nearest_breaks_ties_clockwise() {
        assert_eq!(Direction::nearest(from_degrees(44.0), false), Direction::SouthEast);
        assert_eq!(Direction::nearest(from_degrees(45.0), true), Direction::South);
        assert_eq!(Direction::nearest(from_degrees(350.0), false), Direction::East);
        assert_eq!(Direction::nearest(from_degrees(316.0), true), Direction::East);
    }
}
