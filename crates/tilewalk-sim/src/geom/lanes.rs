//! Several numbers side by side: the door to `wide`.
//!
//! A lane holds the same number whatever its neighbours hold, and every operation used here is exact
//! IEEE 754: so the bits of a result don't depend on the machine, nor on how many lanes there are.

/// As many numbers as are worked out at once.
pub(crate) type Lanes = wide::f32x4;

/// How many those are.
pub(crate) const LANES: usize = 4;

/// The same number in every lane.
#[inline]
pub fn splat(number: f32) -> Lanes {
    Lanes::splat(number)
}

/// Differences of coordinates between two positions on a circle of length `around`, the short way
/// round; exactly half-way the way it grows.
#[inline]
pub(crate) fn short_way(difference: Lanes, around: f32) -> Lanes {
    let (half, around) = (splat(around / 2.0), splat(around));
    let far = difference.simd_gt(half) & around;
    let back = difference.simd_le(-half) & around;
    (difference - far) + back
}

/// The arc tangent from -1 to 1 by odd powers, true to 1e-5 (Abramowitz and Stegun, Handbook of
/// Mathematical Functions, 4.4.47).
const ARC_TANGENT: [f32; 5] = [0.999_866, -0.330_299_5, 0.180_141, -0.085_133, 0.020_835_1];

/// The angles whose sines and cosines are given, in radians, true to 3e-5; a half turn is positive.
#[inline]
pub fn angle(sine: Lanes, cosine: Lanes) -> Lanes {
    // Seen from a right angle, no angle is wider than that.
    let wide = cosine.simd_lt(splat(0.0));
    let side = sine.simd_lt(splat(0.0)).select(splat(-1.0), splat(1.0));
    let (turned_sine, turned_cosine) = (-(side * cosine), side * sine);
    let (sine, cosine) = (wide.select(turned_sine, sine), wide.select(turned_cosine, cosine));
    // The tangent of half the angle.
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
    fn angles_are_signed_and_nearly_exact() {
        let of = |sine, cosine| angle(splat(sine), splat(cosine)).to_array()[0];
        assert_eq!((of(0.0, 1.0), of(-0.0, 1.0)), (0.0, 0.0));
        for half_turn in [of(0.0, -1.0), of(-0.0, -1.0)] {
            assert!((half_turn - core::f32::consts::PI).abs() < 3e-5, "{half_turn}");
        }
        for thousandths in -3141_i16..=3141 {
            let exact = f32::from(thousandths) / 1000.0;
            let off = of(libm::sinf(exact), libm::cosf(exact)) - exact;
            assert!(off.abs() < 3e-5, "{exact}: {off}");
        }
    }
}
