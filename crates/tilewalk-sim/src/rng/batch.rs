//! Random numbers of several agents at a time (SIMD), bit-identical to those of [`super::RngStream`].

use crate::geom::Vectors;
use crate::geom::lanes::{
    Batch, Eight, LANES, Lanes, MOST_LANES, Simd, Words, numbers, rotate_left, words,
};

use super::AgentStreams;

/// One xoshiro256++ generator per lane (Blackman and Vigna 2021).
#[derive(Debug, Clone, Copy)]
struct Generators<S: Simd>([Words<S>; 4]);

impl<S: Simd> Generators<S> {
    /// Starts from the first four numbers of a SplitMix64 generator with the given seeds.
    #[inline(always)]
    fn new(seeds: Words<S>) -> Self {
        // `map` would not be inlined.
        Self([split_mix(seeds, 1), split_mix(seeds, 2), split_mix(seeds, 3), split_mix(seeds, 4)])
    }

    #[inline(always)]
    fn next(&mut self) -> Words<S> {
        let [a, b, c, d] = self.0;
        let number = rotate_left(a + d, 23) + a;
        let (e, f) = (c ^ a, d ^ b);
        self.0 = [a ^ f, b ^ e, e ^ (b << 17), rotate_left(f, 45)];
        number
    }

    /// Draws a number in [0, 1) per lane, see [`super::RngStream::unit`].
    #[inline(always)]
    fn unit(&mut self) -> Eight<S> {
        numbers(self.next() >> 40) / (1_u32 << 24) as f32
    }

    /// Draws a number per lane, see [`super::RngStream::triangular`].
    #[inline(always)]
    fn triangular(&mut self) -> Eight<S> {
        let first = self.unit();
        first - self.unit()
    }
}

/// Returns the number of a SplitMix64 generator after some steps (Steele, Lea and Flood 2014).
#[inline(always)]
fn split_mix<S: Simd>(seeds: Words<S>, steps: u64) -> Words<S> {
    let state = seeds + 0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(steps);
    let mixed = (state ^ (state >> 30)) * 0xBF58_476D_1CE4_E5B9;
    let mixed = (mixed ^ (mixed >> 27)) * 0x94D0_49BB_1331_11EB;
    mixed ^ (mixed >> 31)
}

impl AgentStreams {
    /// Draws the first two numbers of [`super::RngStream::triangular`] of each agent, one agent per lane.
    #[inline(always)]
    pub(crate) fn two_triangular<L: Batch>(self, simd: L::Simd, agents: &[u64]) -> Vectors<L> {
        let (mut x, mut y) = ([0.0; MOST_LANES], [0.0; MOST_LANES]);
        let (agents, _) = agents.as_chunks::<LANES>();
        let (x_chunks, y_chunks) = (x.chunks_exact_mut(LANES), y.chunks_exact_mut(LANES));
        for ((agents, x), y) in agents.iter().zip(x_chunks).zip(y_chunks) {
            let mut seeds: [u64; LANES] = *agents;
            for seed in &mut seeds {
                *seed = self.seed(*seed);
            }
            let mut generators = Generators::new(words(simd, seeds));
            generators.triangular().store(x);
            generators.triangular().store(y);
        }
        Vectors::load(simd, &x, &y, 0)
    }
}
