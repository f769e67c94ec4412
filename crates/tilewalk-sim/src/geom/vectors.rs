//! SIMD vectors: the operations of [`super::vector`] for one vector per lane, with bit-identical
//! results.

use core::ops::{Add, AddAssign, Div, Mul, Sub};

use super::lanes::{self, Lanes, MOST_LANES, Mask};
use super::vector::{self, Vec2};

/// A batch of vectors, one per lane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Vectors<L = f32> {
    pub x: L,
    pub y: L,
}

impl<L: Lanes> Vectors<L> {
    /// Creates a batch of the vectors that `vector` returns for the lanes.
    #[inline(always)]
    pub(crate) fn from_fn(simd: L::Simd, vector: impl Fn(usize) -> Vec2) -> Self {
        Self {
            x: L::from_fn(
                simd,
                #[inline(always)]
                |lane| vector(lane).x,
            ),
            y: L::from_fn(
                simd,
                #[inline(always)]
                |lane| vector(lane).y,
            ),
        }
    }

    /// Creates a batch of the same type with the same vector in all lanes.
    #[inline(always)]
    pub(crate) fn like(self, u: Vec2) -> Self {
        Self { x: self.x.like(u.x), y: self.y.like(u.y) }
    }

    /// Loads one vector per lane from two columns of x and y coordinates, from the index `first` on.
    /// Panics if a column ends earlier.
    #[inline(always)]
    pub(crate) fn load(simd: L::Simd, x: &[f32], y: &[f32], first: usize) -> Self {
        let range = first..first + L::COUNT;
        Self { x: L::load(simd, &x[range.clone()]), y: L::load(simd, &y[range]) }
    }

    /// Stores the x and y coordinates in two columns, from the index `first` on. Panics if a column
    /// ends earlier.
    #[inline(always)]
    pub(crate) fn store(self, x: &mut [f32], y: &mut [f32], first: usize) {
        let range = first..first + L::COUNT;
        self.x.store(&mut x[range.clone()]);
        self.y.store(&mut y[range]);
    }

    #[inline(always)]
    pub(crate) fn lane(&self, lane: usize) -> Vec2 {
        Vec2::new(self.x.lane(lane), self.y.lane(lane))
    }

    #[inline(always)]
    pub(crate) fn length_squared(self) -> L {
        self.x * self.x + self.y * self.y
    }

    #[inline(always)]
    pub(crate) fn length(self) -> L {
        self.length_squared().sqrt()
    }

    /// Multiplies each vector by the factor in its lane.
    #[inline(always)]
    #[must_use]
    pub(crate) fn scaled(self, factor: L) -> Self {
        Self { x: self.x * factor, y: self.y * factor }
    }

    /// Divides each vector by the divisor in its lane.
    #[inline(always)]
    #[must_use]
    pub(crate) fn divided(self, divisor: L) -> Self {
        Self { x: self.x / divisor, y: self.y / divisor }
    }

    /// Keeps the lanes that are set in `mask`, and sets all other lanes to zero.
    #[inline(always)]
    #[must_use]
    pub(crate) fn only(self, mask: L::Mask) -> Self {
        Self { x: self.x.only(mask), y: self.y.only(mask) }
    }

    /// Takes the lanes that are set in `mask` from `self`, and all other lanes from `others`.
    #[inline(always)]
    #[must_use]
    pub(crate) fn or(self, mask: L::Mask, others: Self) -> Self {
        Self { x: mask.choose(self.x, others.x), y: mask.choose(self.y, others.y) }
    }

    /// Returns a mask of the lanes with finite vectors.
    #[inline(always)]
    pub(crate) fn are_finite(self) -> L::Mask {
        let infinity = self.x.like(f32::INFINITY);
        self.x.abs().lt(infinity) & self.y.abs().lt(infinity)
    }

    /// Returns true if all squared lengths are finite. Otherwise, [`unit()`] and [`truncate`]
    /// process each lane separately.
    #[inline(always)]
    pub(crate) fn are_measurable(self) -> bool {
        self.length_squared().lt(self.x.like(f32::INFINITY)).all()
    }

    /// Applies a scalar function to each lane.
    #[inline(always)]
    #[must_use]
    pub(crate) fn each(self, function: &dyn Fn(Vec2) -> Vec2) -> Self {
        let (mut x, mut y) = ([0.0; MOST_LANES], [0.0; MOST_LANES]);
        self.store(&mut x, &mut y, 0);
        apply(&mut x[..L::COUNT], &mut y[..L::COUNT], function);
        Self::load(self.x.simd(), &x, &y, 0)
    }
}

/// Applies a function to vectors with the given coordinates.
#[cold]
fn apply(x: &mut [f32], y: &mut [f32], function: &dyn Fn(Vec2) -> Vec2) {
    for (x, y) in x.iter_mut().zip(y) {
        (*x, *y) = function(Vec2::new(*x, *y)).into();
    }
}

impl From<Vec2> for Vectors {
    #[inline(always)]
    fn from(u: Vec2) -> Self {
        Self { x: u.x, y: u.y }
    }
}

impl From<Vectors> for Vec2 {
    #[inline(always)]
    fn from(u: Vectors) -> Self {
        Self::new(u.x, u.y)
    }
}

/// Computes [`vector::unit`] for each lane.
#[inline(always)]
pub(crate) fn unit<L: Lanes>(u: Vectors<L>) -> Vectors<L> {
    let squared = u.length_squared();
    if !u.are_measurable() {
        return u.each(&vector::unit);
    }
    u.scaled(squared.like(1.0) / squared.sqrt()).only(squared.gt(squared.like(0.0)))
}

/// Computes [`vector::truncate`] for each lane.
#[inline(always)]
pub(crate) fn truncate<L: Lanes>(u: Vectors<L>, length: f32) -> Vectors<L> {
    if !u.are_measurable() {
        return u.each(&|u| vector::truncate(u, length));
    }
    let squared = u.length_squared();
    let limit = if length < 0.0 { -1.0 } else { length * length };
    (unit(u) * length.max(0.0)).or(squared.gt(squared.like(limit)), u)
}

/// Computes [`vector::to_world`] for each lane.
#[inline(always)]
pub(crate) fn to_world<L: Lanes>(local: Vectors<L>, heading: Vectors<L>) -> Vectors<L> {
    Vectors {
        x: heading.x * local.x - heading.y * local.y,
        y: heading.y * local.x + heading.x * local.y,
    }
}

/// Computes [`vector::turn`] for each lane.
#[inline(always)]
pub(crate) fn turns<L: Lanes>(from: Vectors<L>, to: Vectors<L>) -> L {
    lanes::angle(from.x * to.y - from.y * to.x, from.x * to.x + from.y * to.y)
}

impl<L: Lanes> Add for Vectors<L> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y }
    }
}

impl<L: Lanes> Add<Vec2> for Vectors<L> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Vec2) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y }
    }
}

impl<L: Lanes> AddAssign for Vectors<L> {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<L: Lanes> Sub for Vectors<L> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y }
    }
}

impl<L: Lanes> Mul<f32> for Vectors<L> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, factor: f32) -> Self {
        Self { x: self.x * factor, y: self.y * factor }
    }
}

impl<L: Lanes> Div<f32> for Vectors<L> {
    type Output = Self;

    #[inline(always)]
    fn div(self, divisor: f32) -> Self {
        Self { x: self.x / divisor, y: self.y / divisor }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::lanes::{InstructionSet, Instructions, dispatch};
    use super::*;

    /// Generates numbers of all magnitudes, infinities and NaN.
    fn number() -> impl Strategy<Value = f32> {
        prop_oneof![4 => -9.0_f32..9.0, 1 => any::<f32>(), 1 => Just(0.0)]
    }

    fn sixteen() -> impl Strategy<Value = [Vec2; MOST_LANES]> {
        proptest::array::uniform16((number(), number()).prop_map(|(x, y)| Vec2::new(x, y)))
    }

    /// Returns true if all bits are equal. All NaN values count as equal.
    fn same(a: Vec2, b: Vec2) -> bool {
        let bits = |x: f32| if x.is_nan() { 0x7fc0_0000 } else { x.to_bits() };
        (bits(a.x), bits(a.y)) == (bits(b.x), bits(b.y))
    }

    /// Compares the lanes of a batch, one lane, and the scalar functions.
    #[inline(always)]
    fn check<S: InstructionSet>(
        simd: S,
        us: [Vec2; MOST_LANES],
        headings: [Vec2; MOST_LANES],
        length: f32,
    ) {
        let lanes = Vectors::<S::Numbers>::from_fn(simd, |lane| us[lane]);
        let heading = Vectors::from_fn(simd, |lane| headings[lane]);
        let directions = turns(heading.like(headings[0]), heading);
        let batch = [unit(lanes), truncate(lanes, length), to_world(lanes, heading)];
        for (lane, (u, heading)) in us.into_iter().zip(headings).take(S::Numbers::COUNT).enumerate()
        {
            let one = Vectors::from(u);
            let alone = [unit(one), truncate(one, length), to_world(one, heading.into())];
            let scalar =
                [vector::unit(u), vector::truncate(u, length), vector::to_world(u, heading)];
            for ((batch, alone), scalar) in batch.iter().zip(alone).zip(scalar) {
                let batch = batch.lane(lane);
                assert!(same(batch, scalar), "{batch}, lane {lane}: {scalar}");
                assert!(same(alone.into(), scalar), "{alone:?} alone: {scalar}");
            }
            assert_eq!(directions.lane(lane), vector::turn(headings[0], heading));
        }
    }

    proptest! {
        #[test]
        fn lanes_match_scalar_operations(
            us in sixteen(), angles in proptest::array::uniform16(-4.0_f32..4.0), length in -1.0_f32..9.0
        ) {
            let headings = angles.map(|angle| vector::rotate_by(Vec2::X, angle));
            for instructions in Instructions::all() {
                dispatch!(instructions, simd => check(simd, us, headings, length));
            }
        }
    }
}
