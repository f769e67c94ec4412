//! Vectors in tiles: the door to `glam`, with the few operations steering is written in.

pub use glam::Vec2;

use super::lanes::{self, splat};

/// `u / |u|`, or zero when `u` is zero or not finite.
#[inline]
pub fn unit(u: Vec2) -> Vec2 {
    if u.length_squared().is_finite() { u.normalize_or_zero() } else { unit_of_endless(u) }
}

/// The square of what is very long is not finite, though its direction is as good as any.
#[cold]
fn unit_of_endless(u: Vec2) -> Vec2 {
    if u.is_finite() { (u / u.abs().max_element()).normalize_or_zero() } else { Vec2::ZERO }
}

/// `u` turned 90° clockwise as seen on the screen: the starboard side of a heading.
#[inline]
pub(crate) fn starboard(u: Vec2) -> Vec2 {
    Vec2::new(-u.y, u.x)
}

/// `u`, shortened to `length` when it is longer.
///
/// A `length` of 0 or less gives zero. What is not finite stays as it is: it must be found out, not
/// hidden.
#[inline]
pub fn truncate(u: Vec2, length: f32) -> Vec2 {
    let squared = u.length_squared();
    let longer = squared > length * length || length < 0.0;
    if longer && u.is_finite() { unit(u) * length.max(0.0) } else { u }
}

/// From the frame of a body with the given unit `heading` (x ahead, y to starboard) to the world's.
#[inline]
pub(crate) fn to_world(local: Vec2, heading: Vec2) -> Vec2 {
    heading * local.x + starboard(heading) * local.y
}

/// From the world's frame to that of a body with the given unit `heading`.
#[inline]
pub(crate) fn to_local(world: Vec2, heading: Vec2) -> Vec2 {
    Vec2::new(world.dot(heading), world.dot(starboard(heading)))
}

/// `u` turned clockwise by the angle whose cosine and sine are given.
#[inline]
pub(crate) fn rotate(u: Vec2, cos: f32, sin: f32) -> Vec2 {
    Vec2::new(u.x * cos - u.y * sin, u.x * sin + u.y * cos)
}

/// `u` turned clockwise by `radians`.
pub fn rotate_by(u: Vec2, radians: f32) -> Vec2 {
    rotate(u, libm::cosf(radians), libm::sinf(radians))
}

/// The turn between two unit vectors, in radians: clockwise positive, a half turn clockwise; true to
/// 3e-5.
#[inline]
pub fn turn(from: Vec2, to: Vec2) -> f32 {
    lanes::angle(splat(from.perp_dot(to)), splat(from.dot(to))).to_array()[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_of_nothing_is_nothing() {
        assert_eq!(unit(Vec2::ZERO), Vec2::ZERO);
        assert_eq!(unit(Vec2::new(f32::NAN, 1.0)), Vec2::ZERO);
        assert_eq!(unit(Vec2::new(f32::INFINITY, 1.0)), Vec2::ZERO);
    }

    #[test]
    fn what_is_very_long_still_has_a_direction() {
        assert_eq!(unit(Vec2::new(0.0, -3e30)), -Vec2::Y);
        assert_eq!(truncate(Vec2::new(3e38, 0.0), 2.0), Vec2::new(2.0, 0.0));
    }

    #[test]
    fn turns_are_signed_and_nearly_exact() {
        assert_eq!(turn(Vec2::X, Vec2::X), 0.0);
        for degree in -179..=179 {
            let angle = (degree as f32).to_radians();
            let off = turn(Vec2::Y, rotate_by(Vec2::Y, angle)) - angle;
            assert!(off.abs() < 3e-5, "{degree}°: {off}");
        }
    }

    #[test]
    fn starboard_of_east_is_south() {
        assert_eq!(starboard(Vec2::X), Vec2::Y);
        assert_eq!(to_world(Vec2::new(2.0, 1.0), Vec2::Y), Vec2::new(-1.0, 2.0));
    }

    #[test]
    fn truncate_keeps_short_vectors_to_the_bit() {
        let u = Vec2::new(0.3, -0.4);
        assert_eq!(truncate(u, 0.5), u);
        assert_eq!(truncate(u * 10.0, 0.5), u);
        assert_eq!(truncate(u, 0.0), Vec2::ZERO);
        assert!(truncate(Vec2::new(f32::INFINITY, 0.0), 1.0).x.is_infinite());
        assert!(truncate(Vec2::new(f32::NAN, 0.0), 1.0).is_nan());
    }
}
