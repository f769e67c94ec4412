//! SIMD vectors of numbers. This is the only module that uses the crate `wide`.
//!
//! All operations are exact IEEE 754, lane by lane. Results therefore do not depend on the machine
//! or on the number of lanes.

/// A SIMD vector of [`LANES`] numbers.
pub(crate) type Lanes = wide::f32x4;

/// Number of `f32` values that one SIMD operation processes.
pub(crate) const LANES: usize = 4;

#[inline]
pub(crate) fn splat(number: f32) -> Lanes {
    Lanes::splat(number)
}

/// Reduces coordinate differences on a circle of length `around` to the shortest way: (−`around`/2,
/// `around`/2]. The differences must be between −1.5 × `around` and 1.5 × `around`.
#[inline]
pub(crate) fn short_way(difference: Lanes, around: f32) -> Lanes {
    let (half, around) = (splat(around / 2.0), splat(around));
    let above = difference.simd_gt(half) & around;
    let below = difference.simd_le(-half) & around;
    (difference - above) + below
}

/// Coefficients of a polynomial for the arctangent of −1 to 1, accurate to 1e-5. Source: Abramowitz
/// and Stegun, Handbook of Mathematical Functions, 4.4.47.
const ARC_TANGENT: [f32; 5] = [0.999_866, -0.330_299_5, 0.180_141, -0.085_133, 0.020_835_1];

/// Returns angles in radians from their sines and cosines, accurate to 3e-5. Returns +π for half a
/// turn.
#[inline]
pub(crate) fn angle(sine: Lanes, cosine: Lanes) -> Lanes {
    // Angles above 90° are measured from a right angle, which makes them smaller.
    let wide = cosine.simd_lt(splat(0.0));
    let side = sine.simd_lt(splat(0.0)).select(splat(-1.0), splat(1.0));
    let (turned_sine, turned_cosine) = (-(side * cosine), side * sine);
    let (sine, cosine) = (wide.select(turned_sine, sine), wide.select(turned_cosine, cosine));
    // The tangent of half the angle; at most 1.
    let half = sine / (splat(1.0) + cosine);
    let square = half * half;
    let [a, b, c, d, e] = ARC_TANGENT.map(splat);
    let arc = half * (a + square * (b + square * (c + square * (d + square * e))));
    arc + arc + (wide & (side * splat(core::f32::consts::FRAC_PI_2)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_are_signed_and_accurate() {
        let of = |sine, cosine| angle(splat(sine), splat(cosine)).to_array()[0];
        assert_eq!((of(0.0, 1.0), of(-0.0, 1.0)), (0.0, 0.0));
        for half_turn in [of(0.0, -1.0), of(-0.0, -1.0)] {
            assert!((half_turn - core::f32::consts::PI).abs() < 3e-5, "{half_turn}");
        }
        for thousandths in -3141_i16..=3141 {
            let exact = f32::from(thousandths) / 1000.0;
            let error = of(libm::sinf(exact), libm::cosf(exact)) - exact;
            assert!(error.abs() < 3e-5, "{exact}: {error}");
        }
    }
}
