//! Several numbers side by side: the door to `wide`.
//!
//! A lane holds the same number whatever its neighbours hold, and every operation used here is exact
//! IEEE 754: so the bits of a result don't depend on the machine, nor on how many lanes there are.

pub use wide::{CmpEq, CmpGe, CmpGt, CmpLe, CmpLt, CmpNe};

/// As many numbers as are worked out at once.
pub type Lanes = wide::f32x4;

/// How many those are.
pub const LANES: usize = 4;

/// The same number in every lane.
#[inline]
pub fn splat(number: f32) -> Lanes {
    Lanes::splat(number)
}

/// Differences of coordinates between two positions on a circle of length `around`, the short way
/// round; exactly half-way the way it grows.
#[inline]
pub fn short_way(difference: Lanes, around: f32) -> Lanes {
    let (half, around) = (splat(around / 2.0), splat(around));
    let far = difference.cmp_gt(half) & around;
    let back = difference.cmp_le(-half) & around;
    (difference - far) + back
}
