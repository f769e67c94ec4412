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
