//! Stateless random numbers: each is a pure function of seed, frame, agent and purpose.
//!
//! A generator is created from a hash of these values for each purpose and frame. There is no
//! generator state to save or rewind. Adding an agent does not affect the numbers of other agents.
//! When a frame is explained, the same numbers are drawn again.

mod batch;

use std::cell::Cell;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};
use xxhash_rust::xxh3::xxh3_64;

/// The purpose of a random number. Numbers for different purposes are independent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Use {
    /// The start position of an agent whose position is not fixed.
    Placement = 1,
    /// The initial angle of the wander point.
    WanderStart = 2,
    /// The displacement of the wander point in one frame.
    Wander = 3,
    /// The next direction on a matrix pattern.
    Matrix = 4,
    /// The decision whether a behaviour acts under dithering.
    Dither = 5,
    /// The result of the condition `chance(p)`.
    Chance = 6,
    /// The random drift of an agent with the behaviour `track`.
    Track = 16,
    /// The direction that separates two agents at the same position.
    Apart = 20,
    /// The choice of the next pattern in a mode's list of patterns.
    Pattern = 24,
    /// The initial heading of an agent whose heading is not fixed.
    StartHeading = 28,
    /// The value of a varied parameter at a design point of a sweep.
    Design = 32,
    /// The random change of the preferred velocity with the behaviour `avoid_crowd`.
    AvoidCrowd = 36,
    /// Whether a held solid body presses against others in a second.
    Press = 40,
}

/// The key of an agent's random numbers in one frame. [`RngKey::stream`] adds the purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RngKey {
    /// Seed of the run, below 2⁵³.
    pub seed: u64,
    /// The frame in which the number is used.
    pub frame: u64,
    /// [`name_hash`] of the agent's name.
    pub agent: u64,
    /// [`name_hash`] of the current mode's name.
    pub mode: u64,
    /// Index of the behaviour in the steering list; 0 for draws that belong to no behaviour.
    pub behaviour: u32,
}

thread_local! {
    /// Whether this thread has created a stream that depends on a seed. Keys are created for all
    /// agents in every frame, so they do not carry such a flag.
    static IS_SEED_USED: Cell<bool> = const { Cell::new(false) };
}

/// Returns true if this thread has drawn random numbers that depend on a seed since the last call.
///
/// A run without such numbers is the same for all seeds.
pub fn take_seed_use() -> bool {
    IS_SEED_USED.replace(false)
}

impl RngKey {
    /// Creates the stream of random numbers for one purpose. The same key and purpose always
    /// produce the same numbers.
    #[inline]
    pub fn stream(&self, use_: Use) -> RngStream {
        self.streams(use_).of_agent(self.agent)
    }

    /// Prepares the streams of several agents for one purpose. Only [`RngKey::agent`] differs between
    /// them.
    #[inline]
    pub(crate) fn streams(&self, use_: Use) -> AgentStreams {
        // The numbers of `Apart` are the same for all seeds.
        if use_ != Use::Apart {
            IS_SEED_USED.set(true);
        }
        let purpose = u64::from(self.behaviour) << 8 | use_ as u64;
        let shared = KEY_BYTES
            .wrapping_mul(PRIME)
            .wrapping_add(mix(self.seed ^ SECRET[0], self.frame ^ SECRET[1]))
            .wrapping_add(mix(self.mode ^ SECRET[2], purpose ^ SECRET[3]));
        AgentStreams { shared, mode: self.mode ^ SECRET[5], frame: self.frame ^ SECRET[6] }
    }
}

/// The shared part of the keys of several agents.
///
/// A generator starts from the XXH3 hash of the numbers seed, frame, agent, mode and purpose
/// (`XXH3_64bits` of 40 bytes, see the XXH3 specification). The hash is the sum of products of two numbers
/// each, and half of the products are the same for all agents.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AgentStreams {
    shared: u64,
    mode: u64,
    frame: u64,
}

const KEY_BYTES: u64 = 40;
const PRIME: u64 = 0x9E37_79B1_85EB_CA87;
const AVALANCHE_PRIME: u64 = 0x1656_6791_9E37_79F9;

/// The first 64 bytes of XXH3's default secret, as numbers.
const SECRET: [u64; 8] = [
    0xBE4B_A423_396C_FEB8,
    0x1CAD_21F7_2C81_017C,
    0xDB97_9083_E96D_D4DE,
    0x1F67_B3B7_A4A4_4072,
    0x78E5_C0CC_4EE6_79CB,
    0x2172_FFCC_7DD0_5A82,
    0x8E24_43F7_7446_08B8,
    0x4C26_3A81_E690_35E0,
];

/// Returns the product of two numbers: the exclusive or of its halves.
#[inline]
fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

impl AgentStreams {
    /// Creates the stream of the agent with a name's hash.
    #[inline]
    pub(crate) fn of_agent(self, agent: u64) -> RngStream {
        RngStream(Xoshiro256PlusPlus::seed_from_u64(self.seed(agent)))
    }

    /// Returns the seed of an agent's generator.
    #[inline(always)]
    fn seed(self, agent: u64) -> u64 {
        let sum = self
            .shared
            .wrapping_add(mix(agent ^ SECRET[4], self.mode))
            .wrapping_add(mix(self.frame, agent ^ SECRET[7]));
        let hash = (sum ^ sum >> 37).wrapping_mul(AVALANCHE_PRIME);
        hash ^ hash >> 32
    }
}

/// A stream of random numbers for one purpose in one frame.
#[derive(Debug, Clone)]
pub struct RngStream(Xoshiro256PlusPlus);

impl RngStream {
    /// Draws a number in [0, 1) with 24 bits, so that every value is an exact f32.
    #[inline]
    pub fn unit(&mut self) -> f32 {
        (self.0.next_u64() >> 40) as f32 / (1_u32 << 24) as f32
    }

    /// Draws a number in [0, 1) with 53 bits, so that every value is an exact f64.
    pub fn unit_f64(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Draws the difference of two uniform numbers, which has a triangular distribution on (−1, 1).
    #[inline]
    pub fn triangular(&mut self) -> f32 {
        let first = self.unit();
        first - self.unit()
    }

    /// Draws an index below `count` with equal probability, or 0 if `count` is 0. The bias is below
    /// 2⁻³² for any number of tiles that a map can have.
    pub fn index(&mut self, count: usize) -> usize {
        ((u128::from(self.0.next_u64()) * count as u128) >> 64) as usize
    }
}

/// Returns the 64-bit hash of a name, used in RNG keys and state hashes.
pub fn name_hash(name: &str) -> u64 {
    xxh3_64(name.as_bytes())
}

#[cfg(test)]
mod tests {
    use crate::geom::lanes::{InstructionSet, Instructions, Lanes, MOST_LANES, dispatch};
    use crate::geom::{Vec2, Vectors};

    use super::*;

    fn stream(seed: u64, frame: u64, agent: &str) -> RngStream {
        RngKey { seed, frame, agent: name_hash(agent), mode: 0, behaviour: 0 }.stream(Use::Wander)
    }

    #[test]
    fn same_key_gives_the_same_numbers() {
        let numbers = |seed, frame, agent| {
            let mut random = stream(seed, frame, agent);
            [random.unit(), random.unit(), random.unit()]
        };
        assert_eq!(numbers(7, 3, "boid.3"), numbers(7, 3, "boid.3"));
        assert_ne!(numbers(7, 3, "boid.3"), numbers(7, 4, "boid.3"));
        assert_ne!(numbers(7, 3, "boid.3"), numbers(8, 3, "boid.3"));
        assert_ne!(numbers(7, 3, "boid.3"), numbers(7, 3, "boid.4"));
    }

    proptest::proptest! {
        #[test]
        fn keys_are_hashed_with_xxh3(words: [u64; 4], behaviour: u32) {
            let [seed, frame, agent, mode] = words;
            let key = RngKey { seed, frame, agent, mode, behaviour };
            let purpose = u64::from(behaviour) << 8 | Use::Wander as u64;
            let bytes: Vec<u8> =
                [seed, frame, agent, mode, purpose].iter().flat_map(|word| word.to_le_bytes()).collect();
            let mut expected = Xoshiro256PlusPlus::seed_from_u64(xxh3_64(&bytes));
            proptest::prop_assert_eq!(key.stream(Use::Wander).0.next_u64(), expected.next_u64());
        }
    }

    #[inline(always)]
    fn two_triangular<S: InstructionSet>(
        simd: S,
        streams: AgentStreams,
        agents: &[u64],
    ) -> Vec<Vec2> {
        let count = S::Numbers::COUNT;
        let drawn: Vectors<S::Numbers> = streams.two_triangular(simd, &agents[..count]);
        (0..count).map(|lane| drawn.lane(lane)).collect()
    }

    proptest::proptest! {
        #[test]
        fn batches_draw_the_same_numbers(agents: [u64; MOST_LANES], frame: u64) {
            let key = RngKey { seed: 1, frame, agent: 0, mode: 2, behaviour: 3 };
            let expected = agents.map(|agent| {
                let mut random = RngKey { agent, ..key }.stream(Use::Wander);
                Vec2::new(random.triangular(), random.triangular())
            });
            let streams = key.streams(Use::Wander);
            for instructions in Instructions::all() {
                let drawn = dispatch!(instructions, simd => two_triangular(simd, streams, &agents));
                proptest::prop_assert_eq!(&drawn[..], &expected[..drawn.len()]);
            }
        }
    }

    /// Checks that the generator never changes. A change of crate or key would invalidate every
    /// recorded run.
    #[test]
    fn generator_is_pinned() {
        let mut random = stream(1, 2, "guard");
        let numbers: Vec<u32> = (0..4).map(|_| random.index(1000) as u32).collect();
        assert_eq!(numbers, [43, 119, 200, 6]);
    }

    #[test]
    fn indices_are_uniform() {
        let mut counts = [0_u32; 10];
        for frame in 0..100_000 {
            counts[stream(5, frame, "a").index(10)] += 1;
        }
        let chi2: f64 =
            counts.iter().map(|&n| (f64::from(n) - 1e4) * (f64::from(n) - 1e4) / 1e4).sum();
        assert!(chi2 < 27.9, "χ² = {chi2} with 9 degrees of freedom (p < 0.001)");
    }
}
