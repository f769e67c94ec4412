//! Vectors in tile units, from the crate `glam`.

pub use glam::{DVec2, Vec2};

use super::lanes;

/// Returns `u / |u|`, or zero if `u` is zero or not finite.
#[inline]
pub fn unit(u: Vec2) -> Vec2 {
    if u.length_squared().is_finite() { u.normalize_or_zero() } else { unit_of_long(u) }
}

/// Returns the unit vector of a vector so long that its squared length overflows. Returns zero for
/// a vector that is not finite.
#[cold]
fn unit_of_long(u: Vec2) -> Vec2 {
    if u.is_finite() { (u / u.abs().max_element()).normalize_or_zero() } else { Vec2::ZERO }
}

/// Rotates `u` by 90° clockwise as seen on the screen. For a heading, the result points to
/// starboard.
#[inline]
pub(crate) fn starboard(u: Vec2) -> Vec2 {
    Vec2::new(-u.y, u.x)
}

/// Shortens `u` to at most `length`, or to zero if `length` ≤ 0. Returns vectors with infinite or
/// NaN components unchanged, so that the NaN guard finds them.
#[inline]
pub fn truncate(u: Vec2, length: f32) -> Vec2 {
    let squared = u.length_squared();
    let longer = squared > length * length || length < 0.0;
    if longer && u.is_finite() { unit(u) * length.max(0.0) } else { u }
}

/// Formats a position or vector with three decimals, such as `(1.500, -0.250)`.
pub fn point_text(at: Vec2) -> String {
    // Avoids printing -0.000.
    let visible = |number: f32| if number.abs() < 5e-4 { 0.0 } else { number };
    format!("({:.3}, {:.3})", visible(at.x), visible(at.y))
}

/// Converts a vector from body coordinates (x ahead, y to starboard) to world coordinates.
/// `heading` is a unit vector.
#[inline]
pub(crate) fn to_world(local: Vec2, heading: Vec2) -> Vec2 {
    heading * local.x + starboard(heading) * local.y
}

/// Converts a vector from world coordinates to body coordinates (x ahead, y to starboard).
/// `heading` is a unit vector.
#[inline]
pub(crate) fn to_local(world: Vec2, heading: Vec2) -> Vec2 {
    Vec2::new(world.dot(heading), world.dot(starboard(heading)))
}

/// Rotates `u` clockwise by the angle with the given cosine and sine.
#[inline]
pub(crate) fn rotate(u: Vec2, cos: f32, sin: f32) -> Vec2 {
    Vec2::new(u.x * cos - u.y * sin, u.x * sin + u.y * cos)
}

/// Rotates `u` clockwise by `radians`.
pub fn rotate_by(u: Vec2, radians: f32) -> Vec2 {
    rotate(u, libm::cosf(radians), libm::sinf(radians))
}

/// Returns the angle from one unit vector to another in radians, clockwise positive, accurate to
/// 3e-5. Returns +π for half a turn.
#[inline]
pub fn turn(from: Vec2, to: Vec2) -> f32 {
    lanes::angle(from.perp_dot(to), from.dot(to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_of_zero_or_nan_is_zero() {
        assert_eq!(unit(Vec2::ZERO), Vec2::ZERO);
        assert_eq!(unit(Vec2::new(f32::NAN, 1.0)), Vec2::ZERO);
        assert_eq!(unit(Vec2::new(f32::INFINITY, 1.0)), Vec2::ZERO);
    }

    #[test]
    fn very_long_vectors_have_a_direction() {
        assert_eq!(unit(Vec2::new(0.0, -3e30)), -Vec2::Y);
        assert_eq!(truncate(Vec2::new(3e38, 0.0), 2.0), Vec2::new(2.0, 0.0));
    }

    #[test]
    fn turns_are_signed_and_accurate() {
        assert_eq!(turn(Vec2::X, Vec2::X), 0.0);
        for degree in -179..=179 {
            let angle = (degree as f32).to_radians();
            let error = turn(Vec2::Y, rotate_by(Vec2::Y, angle)) - angle;
            assert!(error.abs() < 3e-5, "{degree}°: {error}");
        }
    }

    #[test]
    fn starboard_of_east_is_south() {
        assert_eq!(starboard(Vec2::X), Vec2::Y);
        assert_eq!(to_world(Vec2::new(2.0, 1.0), Vec2::Y), Vec2::new(-1.0, 2.0));
    }

    #[test]
    fn truncate_keeps_short_vectors_exactly() {
        let u = Vec2::new(0.3, -0.4);
        assert_eq!(truncate(u, 0.5), u);
        assert_eq!(truncate(u * 10.0, 0.5), u);
        assert_eq!(truncate(u, 0.0), Vec2::ZERO);
        assert!(truncate(Vec2::new(f32::INFINITY, 0.0), 1.0).x.is_infinite());
        assert!(truncate(Vec2::new(f32::NAN, 0.0), 1.0).is_nan());
    }
}
