//! SIMD vectors of numbers. This is the only module that uses the crate `fearless_simd`.
//!
//! Formulas are generic over [`Lanes`]. Batches of agents use the numbers of their instruction set
//! ([`InstructionSet::Numbers`], 8 or 16 lanes), with the best set of the CPU. An agent that is computed alone uses
//! `f32`, with one lane. Code that always needs eight lanes uses [`Eight`].
//!
//! All operations are exact IEEE 754, lane by lane. Results therefore do not depend on the machine, its
//! instructions or the number of lanes.
//!
//! Functions that are generic over [`Lanes`] must be `#[inline(always)]`: only code inside
//! [`dispatch`] is compiled for the instructions of the CPU.

use core::fmt;
use core::ops::{Add, BitAnd, Div, Mul, Neg, Sub};

use fearless_simd::prelude::*;
use fearless_simd::{Level, f32x8, f32x16, mask32x8, mask32x16, u32x8, u32x16, u64x8};

pub(crate) use fearless_simd::Simd;

/// A SIMD vector of [`LANES`] numbers. `S` is the instruction set.
pub(crate) type Eight<S> = f32x8<S>;

/// A SIMD vector of [`LANES`] integers.
pub(crate) type Words<S> = u64x8<S>;

/// Number of lanes of [`Eight`] and [`Words`].
pub(crate) const LANES: usize = 8;

/// Largest number of lanes.
pub(crate) const MOST_LANES: usize = 16;

/// A set of instructions.
pub(crate) trait InstructionSet: Simd {
    /// The numbers of a batch of agents. Sixteen lanes need the many registers of AVX-512.
    type Numbers: Batch<Simd = Self>;
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod sets {
    use fearless_simd::{Avx2, Avx512, Sse2, f32x8, f32x16};

    use super::InstructionSet;

    impl InstructionSet for Sse2 {
        type Numbers = f32x8<Self>;
    }

    impl InstructionSet for Avx2 {
        type Numbers = f32x8<Self>;
    }

    impl InstructionSet for Avx512 {
        type Numbers = f32x16<Self>;
    }
}

#[cfg(target_arch = "aarch64")]
impl InstructionSet for fearless_simd::Neon {
    type Numbers = f32x8<Self>;
}

#[cfg(not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")))]
impl InstructionSet for fearless_simd::Fallback {
    type Numbers = f32x8<Self>;
}

/// The SIMD instructions that a world uses. They change no result.
#[derive(Debug, Clone, Copy)]
pub struct Instructions(pub(crate) Level);

impl Instructions {
    /// Returns the best instructions of this CPU.
    pub(crate) fn best() -> Self {
        Self(Level::new())
    }

    /// Returns all instructions that this CPU has, best first.
    pub fn all() -> impl Iterator<Item = Self> {
        let best = Level::new();
        core::iter::once(best).chain(lesser(best)).map(Self)
    }
}

/// Returns the instructions below the best ones.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
fn lesser(best: Level) -> impl Iterator<Item = Level> {
    let avx2 = best.as_avx2().filter(|_| best.as_avx512().is_some()).map(Level::Avx2);
    let sse2 = best.as_avx2().and(best.as_sse2()).map(Level::Sse2);
    avx2.into_iter().chain(sse2)
}

/// Returns the instructions below the best ones.
#[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
fn lesser(_: Level) -> impl Iterator<Item = Level> {
    core::iter::empty()
}

impl fmt::Display for Instructions {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let name = match self.0 {
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Level::Avx512(_) => "AVX-512",
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Level::Avx2(_) => "AVX2",
            #[cfg(target_arch = "aarch64")]
            Level::Neon(_) => "NEON",
            _ => "the basic instructions",
        };
        f.write_str(name)
    }
}

/// Evaluates an expression with the given [`Instructions`]. The instruction set is the first argument,
/// and the expression is compiled once for each set.
macro_rules! dispatch {
    ($instructions:expr, $simd:ident => $evaluated:expr) => {
        match $instructions.0 {
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            fearless_simd::Level::Avx512($simd) => fearless_simd::Simd::vectorize(
                $simd,
                #[inline(always)]
                || $evaluated,
            ),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            fearless_simd::Level::Avx2($simd) => fearless_simd::Simd::vectorize(
                $simd,
                #[inline(always)]
                || $evaluated,
            ),
            level => {
                let $simd = $crate::geom::lanes::basic(level);
                fearless_simd::Simd::vectorize(
                    $simd,
                    #[inline(always)]
                    || $evaluated,
                )
            }
        }
    };
}
pub(crate) use dispatch;

/// Returns the instructions that each CPU of this kind has.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) fn basic(level: Level) -> fearless_simd::Sse2 {
    level.as_sse2().expect("each CPU for which this program is built has SSE2")
}

/// Returns the instructions that each CPU of this kind has.
#[cfg(target_arch = "aarch64")]
pub(crate) fn basic(level: Level) -> fearless_simd::Neon {
    level.as_neon().expect("each CPU of this kind has NEON")
}

/// Returns the instructions that each CPU of this kind has.
#[cfg(not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")))]
pub(crate) fn basic(_: Level) -> fearless_simd::Fallback {
    fearless_simd::Fallback::new()
}

/// Numbers that are computed at the same time, one per lane.
pub(crate) trait Lanes:
    Copy
    + Neg<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Add<f32, Output = Self>
    + Sub<f32, Output = Self>
    + Mul<f32, Output = Self>
    + Div<f32, Output = Self>
{
    /// The instruction set.
    type Simd: Copy;
    /// One bool per lane.
    type Mask: Mask<Self>;
    /// Number of lanes.
    const COUNT: usize;

    /// Returns the instruction set.
    fn simd(&self) -> Self::Simd;

    /// Creates a vector of the numbers that `number` returns for the lanes.
    fn from_fn(simd: Self::Simd, number: impl FnMut(usize) -> f32) -> Self;

    /// Loads one number per lane. Panics if the slice has another length.
    fn load(simd: Self::Simd, numbers: &[f32]) -> Self;

    /// Stores one number per lane. Panics if the slice has another length.
    fn store(self, numbers: &mut [f32]);

    /// Creates a vector with the same number in all lanes.
    fn splat(simd: Self::Simd, number: f32) -> Self;

    /// Returns the number of one lane.
    fn lane(&self, lane: usize) -> f32;

    fn sqrt(self) -> Self;
    fn abs(self) -> Self;
    fn lt(self, other: Self) -> Self::Mask;
    fn le(self, other: Self) -> Self::Mask;
    fn gt(self, other: Self) -> Self::Mask;
    fn ge(self, other: Self) -> Self::Mask;

    /// Creates a vector of the same type with the same number in all lanes.
    #[inline(always)]
    fn like(&self, number: f32) -> Self {
        Self::splat(self.simd(), number)
    }

    /// Adds the lanes of `other` that are set in `mask`. No lane of `self` may be −0.
    #[inline(always)]
    fn plus(self, other: Self, mask: Self::Mask) -> Self {
        self + other.only(mask)
    }

    /// Keeps the lanes that are set in `mask`, and sets all other lanes to zero.
    #[inline(always)]
    fn only(self, mask: Self::Mask) -> Self {
        mask.choose(self, self.like(0.0))
    }
}

/// The numbers of a batch of agents.
pub(crate) trait Batch: Lanes<Simd: Simd> {
    /// Loads a row of numbers per lane, and returns the columns. There must be at least
    /// [`Lanes::COUNT`] rows.
    fn columns(simd: Self::Simd, rows: &[[f32; LANES]]) -> [Self; LANES];

    /// Returns a mask from bits. The lowest bit is the first lane.
    fn mask(simd: Self::Simd, bits: u32) -> Self::Mask;

    /// Returns the cells of points in a grid, by rows; one per lane. The side length of a cell is 2 to
    /// the power of `side_bits`, and the grid is `across` cells wide. The coordinates must be at least 0
    /// and below 2³¹.
    fn cells(x: Self, y: Self, side_bits: u32, across: u32) -> [u32; MOST_LANES];
}

/// One bool per lane.
pub(crate) trait Mask<L>: Copy + BitAnd<Output = Self> {
    /// Takes the lanes that are set from `chosen`, and all others from `other`.
    fn choose(self, chosen: L, other: L) -> L;

    /// Returns one bit per lane. The lowest bit is the first lane.
    fn bits(self) -> u32;

    fn all(self) -> bool;
}

/// Implements the traits for a vector of numbers and its mask.
macro_rules! lanes {
    ($numbers:ident, $mask:ident, $count:expr) => {
        impl<S: Simd> Lanes for $numbers<S> {
            type Simd = S;
            type Mask = $mask<S>;
            const COUNT: usize = $count;

            #[inline(always)]
            fn simd(&self) -> S {
                self.token()
            }

            #[inline(always)]
            fn from_fn(simd: S, number: impl FnMut(usize) -> f32) -> Self {
                <Self as SimdBase<S>>::from_fn(simd, number)
            }

            #[inline(always)]
            fn load(simd: S, numbers: &[f32]) -> Self {
                <Self as SimdBase<S>>::from_slice(simd, numbers)
            }

            #[inline(always)]
            fn store(self, numbers: &mut [f32]) {
                self.store_slice(numbers);
            }

            #[inline(always)]
            fn splat(simd: S, number: f32) -> Self {
                number.simd_into(simd)
            }

            #[inline(always)]
            fn lane(&self, lane: usize) -> f32 {
                self.as_array()[lane]
            }

            #[inline(always)]
            fn plus(self, other: Self, mask: Self::Mask) -> Self {
                // One instruction with AVX-512. Without it, selecting zeros is faster.
                #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
                if matches!(self.token().level(), Level::Avx512(_)) {
                    return mask.select(self + other, self);
                }
                self + other.only(mask)
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                <Self as SimdFloat<S>>::sqrt(self)
            }

            #[inline(always)]
            fn abs(self) -> Self {
                <Self as SimdBase<S>>::abs(self)
            }

            #[inline(always)]
            fn lt(self, other: Self) -> Self::Mask {
                self.simd_lt(other)
            }

            #[inline(always)]
            fn le(self, other: Self) -> Self::Mask {
                self.simd_le(other)
            }

            #[inline(always)]
            fn gt(self, other: Self) -> Self::Mask {
                self.simd_gt(other)
            }

            #[inline(always)]
            fn ge(self, other: Self) -> Self::Mask {
                self.simd_ge(other)
            }
        }

        impl<S: Simd> Mask<$numbers<S>> for $mask<S> {
            #[inline(always)]
            fn choose(self, chosen: $numbers<S>, other: $numbers<S>) -> $numbers<S> {
                self.select(chosen, other)
            }

            #[inline(always)]
            fn bits(self) -> u32 {
                self.to_bitmask() as u32
            }

            #[inline(always)]
            fn all(self) -> bool {
                self.all_true()
            }
        }
    };
}

lanes!(f32x8, mask32x8, LANES);
lanes!(f32x16, mask32x16, MOST_LANES);

impl<S: Simd> Batch for f32x8<S> {
    #[inline(always)]
    fn columns(simd: S, rows: &[[f32; LANES]]) -> [Self; LANES] {
        let row = |row: usize| <Self as Lanes>::load(simd, &rows[row]);
        transpose([row(0), row(1), row(2), row(3), row(4), row(5), row(6), row(7)])
    }

    #[inline(always)]
    fn mask(simd: S, bits: u32) -> mask32x8<S> {
        SimdMask::from_bitmask(simd, bits.into())
    }

    #[inline(always)]
    fn cells(x: Self, y: Self, side_bits: u32, across: u32) -> [u32; MOST_LANES] {
        let (x, y): (u32x8<S>, u32x8<S>) = (x.to_int(), y.to_int());
        let cells = (y >> side_bits) * across + (x >> side_bits);
        *cells.combine(cells)
    }
}

impl<S: Simd> Batch for f32x16<S> {
    #[inline(always)]
    fn columns(simd: S, rows: &[[f32; LANES]]) -> [Self; LANES] {
        let (left, right) = rows.split_at(LANES);
        let [a, b, c, d, e, f, g, h] = Eight::<S>::columns(simd, left);
        let [i, j, k, l, m, n, o, p] = Eight::<S>::columns(simd, right);
        [
            a.combine(i),
            b.combine(j),
            c.combine(k),
            d.combine(l),
            e.combine(m),
            f.combine(n),
            g.combine(o),
            h.combine(p),
        ]
    }

    #[inline(always)]
    fn mask(simd: S, bits: u32) -> mask32x16<S> {
        SimdMask::from_bitmask(simd, bits.into())
    }

    #[inline(always)]
    fn cells(x: Self, y: Self, side_bits: u32, across: u32) -> [u32; MOST_LANES] {
        let (x, y): (u32x16<S>, u32x16<S>) = (x.to_int(), y.to_int());
        *((y >> side_bits) * across + (x >> side_bits))
    }
}

impl Lanes for f32 {
    type Simd = ();
    type Mask = bool;
    const COUNT: usize = 1;

    #[inline(always)]
    fn simd(&self) {}

    #[inline(always)]
    fn from_fn((): (), mut number: impl FnMut(usize) -> f32) -> Self {
        number(0)
    }

    #[inline(always)]
    fn load((): (), numbers: &[f32]) -> Self {
        numbers[0]
    }

    #[inline(always)]
    fn store(self, numbers: &mut [f32]) {
        numbers[0] = self;
    }

    #[inline(always)]
    fn splat((): (), number: f32) -> Self {
        number
    }

    #[inline(always)]
    fn lane(&self, _: usize) -> f32 {
        *self
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        self.sqrt()
    }

    #[inline(always)]
    fn abs(self) -> Self {
        self.abs()
    }

    #[inline(always)]
    fn lt(self, other: Self) -> bool {
        self < other
    }

    #[inline(always)]
    fn le(self, other: Self) -> bool {
        self <= other
    }

    #[inline(always)]
    fn gt(self, other: Self) -> bool {
        self > other
    }

    #[inline(always)]
    fn ge(self, other: Self) -> bool {
        self >= other
    }
}

impl Mask<f32> for bool {
    #[inline(always)]
    fn choose(self, chosen: f32, other: f32) -> f32 {
        if self { chosen } else { other }
    }

    #[inline(always)]
    fn bits(self) -> u32 {
        self.into()
    }

    #[inline(always)]
    fn all(self) -> bool {
        self
    }
}

/// Loads one integer per lane.
#[inline(always)]
pub(crate) fn words<S: Simd>(simd: S, integers: [u64; LANES]) -> Words<S> {
    integers.simd_into(simd)
}

/// Rotates the bits of each integer to the left.
#[inline(always)]
pub(crate) fn rotate_left<S: Simd>(integers: Words<S>, bits: u32) -> Words<S> {
    integers << bits | integers >> (u64::BITS - bits)
}

/// Converts integers below 2²⁴ to the same numbers.
#[inline(always)]
pub(crate) fn numbers<S: Simd>(integers: Words<S>) -> Eight<S> {
    let (halves, _) = integers.narrow(integers).split();
    halves.to_float()
}

/// Exchanges rows and columns: element i of row j becomes element j of row i.
#[inline(always)]
pub(crate) fn transpose<S: Simd>(mut rows: [Eight<S>; LANES]) -> [Eight<S>; LANES] {
    // Each of the three rounds moves one bit of the row number into the number of the lane.
    for _ in 0..LANES.ilog2() {
        let [a, b, c, d, e, f, g, h] = rows;
        let pairs = [a.interleave(e), b.interleave(f), c.interleave(g), d.interleave(h)];
        let [(a, b), (c, d), (e, f), (g, h)] = pairs;
        rows = [a, b, c, d, e, f, g, h];
    }
    rows
}

/// Reduces coordinate differences on a circle of length `around` to the shortest way: (−`around`/2,
/// `around`/2]. The differences must be between −1.5 × `around` and 1.5 × `around`.
#[inline(always)]
pub(crate) fn short_way<L: Lanes>(difference: L, around: f32) -> L {
    let (half, around) = (around / 2.0, difference.like(around));
    let above = around.only(difference.gt(difference.like(half)));
    let below = around.only(difference.le(difference.like(-half)));
    (difference - above) + below
}

/// Coefficients of a polynomial for the arctangent of −1 to 1, accurate to 1e-5. Source: Abramowitz
/// and Stegun, Handbook of Mathematical Functions, 4.4.47.
const ARC_TANGENT: [f32; 5] = [0.999_866, -0.330_299_5, 0.180_141, -0.085_133, 0.020_835_1];

/// Returns angles in radians from their sines and cosines, accurate to 3e-5. Returns +π for half a
/// turn.
#[inline(always)]
pub(crate) fn angle<L: Lanes>(sine: L, cosine: L) -> L {
    let zero = sine.like(0.0);
    // Angles above 90° are measured from a right angle, which makes them smaller.
    let wide = cosine.lt(zero);
    let side = sine.lt(zero).choose(sine.like(-1.0), sine.like(1.0));
    let (turned_sine, turned_cosine) = (-(side * cosine), side * sine);
    let (sine, cosine) = (wide.choose(turned_sine, sine), wide.choose(turned_cosine, cosine));
    // The tangent of half the angle; at most 1.
    let half = sine / (cosine + 1.0);
    let square = half * half;
    let [a, b, c, d, e] = ARC_TANGENT;
    let arc = half * (square * (square * (square * (square * e + d) + c) + b) + a);
    arc + arc + (side * core::f32::consts::FRAC_PI_2).only(wide)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[inline(always)]
    fn transposed<S: Simd>(simd: S) -> [[f32; LANES]; LANES] {
        let row = |row: usize| <Eight<S> as Lanes>::from_fn(simd, |lane| (10 * row + lane) as f32);
        transpose(core::array::from_fn(row)).map(|row| *row)
    }

    #[test]
    fn transposing_exchanges_rows_and_columns() {
        for instructions in Instructions::all() {
            let rows = dispatch!(instructions, simd => transposed(simd));
            for (row, column) in (0..LANES).flat_map(|row| (0..LANES).map(move |it| (row, it))) {
                assert_eq!(rows[row][column], (10 * column + row) as f32, "{instructions}");
            }
        }
    }

    #[test]
    fn angles_are_signed_and_accurate() {
        assert_eq!((angle(0.0, 1.0), angle(-0.0, 1.0)), (0.0, 0.0));
        for half_turn in [angle(0.0, -1.0), angle(-0.0, -1.0)] {
            assert!((half_turn - core::f32::consts::PI).abs() < 3e-5, "{half_turn}");
        }
        for thousandths in -3141_i16..=3141 {
            let exact = f32::from(thousandths) / 1000.0;
            let error = angle(libm::sinf(exact), libm::cosf(exact)) - exact;
            assert!(error.abs() < 3e-5, "{exact}: {error}");
        }
    }
}
