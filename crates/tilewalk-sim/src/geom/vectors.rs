//! SIMD vectors: the operations of [`super::vector`] for one vector per lane, with bit-identical
//! results.

use core::ops::{Add, AddAssign, Div, Mul, Sub};

use super::lanes::{self, LANES, Lanes, splat};
use super::vector::{self, Vec2};

/// A batch of vectors, one per SIMD lane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Vectors {
    pub x: Lanes,
    pub y: Lanes,
}

impl Vectors {
    #[inline]
    pub(crate) fn new(each: [Vec2; LANES]) -> Self {
        Self { x: Lanes::new(each.map(|u| u.x)), y: Lanes::new(each.map(|u| u.y)) }
    }

    #[inline]
    pub(crate) fn splat(u: Vec2) -> Self {
        Self { x: splat(u.x), y: splat(u.y) }
    }

    /// Loads the first [`LANES`] vectors from two slices of x and y coordinates. Panics if a slice
    /// is shorter.
    #[inline]
    pub(crate) fn from_columns(x: &[f32], y: &[f32]) -> Self {
        let lanes = |column: &[f32]| Lanes::new(core::array::from_fn(|lane| column[lane]));
        Self { x: lanes(x), y: lanes(y) }
    }

    /// Stores the x and y coordinates in two slices. Panics unless both have the length [`LANES`].
    #[inline]
    pub(crate) fn to_columns(self, x: &mut [f32], y: &mut [f32]) {
        x.copy_from_slice(&self.x.to_array());
        y.copy_from_slice(&self.y.to_array());
    }

    #[inline]
    pub(crate) fn to_array(self) -> [Vec2; LANES] {
        let (x, y) = (self.x.to_array(), self.y.to_array());
        core::array::from_fn(|lane| Vec2::new(x[lane], y[lane]))
    }

    #[inline]
    pub(crate) fn first(self) -> Vec2 {
        self.to_array()[0]
    }

    #[inline]
    pub(crate) fn length_squared(self) -> Lanes {
        self.x * self.x + self.y * self.y
    }

    #[inline]
    pub(crate) fn length(self) -> Lanes {
        self.length_squared().sqrt()
    }

    /// Keeps the lanes that are set in `mask`, and sets all other lanes to zero.
    #[inline]
    #[must_use]
    pub(crate) fn only(self, mask: Lanes) -> Self {
        Self { x: self.x & mask, y: self.y & mask }
    }

    /// Takes the lanes that are set in `mask` from `self`, and all other lanes from `others`.
    #[inline]
    #[must_use]
    pub(crate) fn or(self, mask: Lanes, others: Self) -> Self {
        Self { x: mask.select(self.x, others.x), y: mask.select(self.y, others.y) }
    }

    /// Returns a mask of the lanes with finite vectors.
    #[inline]
    pub(crate) fn are_finite(self) -> Lanes {
        let infinity = splat(f32::INFINITY);
        self.x.abs().simd_lt(infinity) & self.y.abs().simd_lt(infinity)
    }

    /// Returns true if all squared lengths are finite. Otherwise, [`unit()`] and [`truncate`]
    /// process each lane separately.
    #[inline]
    pub(crate) fn are_measurable(self) -> bool {
        self.length_squared().simd_lt(splat(f32::INFINITY)).all()
    }

    /// Applies a scalar function to each lane.
    #[cold]
    #[must_use]
    pub(crate) fn each(self, function: impl Fn(Vec2) -> Vec2) -> Self {
        Self::new(self.to_array().map(function))
    }
}

/// Computes [`vector::unit`] for each lane.
#[inline]
pub(crate) fn unit(u: Vectors) -> Vectors {
    let squared = u.length_squared();
    if !u.are_measurable() {
        return u.each(vector::unit);
    }
    (u * (splat(1.0) / squared.sqrt())).only(squared.simd_gt(splat(0.0)))
}

/// Computes [`vector::truncate`] for each lane.
#[inline]
pub(crate) fn truncate(u: Vectors, length: f32) -> Vectors {
    if !u.are_measurable() {
        return u.each(|u| vector::truncate(u, length));
    }
    let limit = if length < 0.0 { -1.0 } else { length * length };
    let longer = u.length_squared().simd_gt(splat(limit));
    (unit(u) * splat(length.max(0.0))).or(longer, u)
}

/// Computes [`vector::to_world`] for each lane.
#[inline]
pub(crate) fn to_world(local: Vectors, heading: Vectors) -> Vectors {
    Vectors {
        x: heading.x * local.x - heading.y * local.y,
        y: heading.y * local.x + heading.x * local.y,
    }
}

/// Computes [`vector::turn`] for each lane.
#[inline]
pub(crate) fn turns(from: Vectors, to: Vectors) -> Lanes {
    lanes::angle(from.x * to.y - from.y * to.x, from.x * to.x + from.y * to.y)
}

impl Add for Vectors {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y }
    }
}

impl AddAssign for Vectors {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Vectors {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y }
    }
}

impl Mul<Lanes> for Vectors {
    type Output = Self;

    #[inline]
    fn mul(self, factor: Lanes) -> Self {
        Self { x: self.x * factor, y: self.y * factor }
    }
}

impl Div<Lanes> for Vectors {
    type Output = Self;

    #[inline]
    fn div(self, divisor: Lanes) -> Self {
        Self { x: self.x / divisor, y: self.y / divisor }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Generates numbers of all magnitudes, infinities and NaN.
    fn number() -> impl Strategy<Value = f32> {
        prop_oneof![4 => -9.0_f32..9.0, 1 => any::<f32>(), 1 => Just(0.0)]
    }

    fn four() -> impl Strategy<Value = [Vec2; LANES]> {
        proptest::array::uniform4((number(), number()).prop_map(|(x, y)| Vec2::new(x, y)))
    }

    /// Returns true if all bits are equal. All NaN values count as equal.
    fn same(lanes: Vectors, scalar: [Vec2; LANES]) -> bool {
        let bits = |x: f32| if x.is_nan() { 0x7fc0_0000 } else { x.to_bits() };
        let pairs = lanes.to_array().into_iter().zip(scalar);
        pairs.into_iter().all(|(a, b)| (bits(a.x), bits(a.y)) == (bits(b.x), bits(b.y)))
    }

    proptest! {
        #[test]
        fn lanes_match_scalar_operations(
            us in four(), angles in proptest::array::uniform4(-4.0_f32..4.0), length in -1.0_f32..9.0
        ) {
            let headings = angles.map(|angle| vector::rotate_by(Vec2::X, angle));
            let lanes = Vectors::new(us);
            prop_assert!(same(unit(lanes), us.map(vector::unit)));
            prop_assert!(same(truncate(lanes, length), us.map(|u| vector::truncate(u, length))));
            let scalar = core::array::from_fn(|lane| vector::to_world(us[lane], headings[lane]));
            let turns = us.map(|_| headings[0]);
            let scalar_turns = headings.map(|heading| vector::turn(headings[0], heading));
            prop_assert_eq!(super::turns(Vectors::new(turns), Vectors::new(headings)).to_array(), scalar_turns);
            prop_assert!(same(to_world(lanes, Vectors::new(headings)), scalar));
        }
    }
}
