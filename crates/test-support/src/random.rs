//! Random numbers for tests.

use tilewalk_sim::rng::{RngKey, Use};

/// Random numbers that depend only on the seed, which is the value of the field.
pub struct TestRng(pub u64);

impl TestRng {
    /// Returns the next random number from 0 to `bound - 1`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 += 1;
        let key = RngKey { seed: self.0, frame: 0, agent: 0, mode: 0, behaviour: 0 };
        key.stream(Use::Pattern).index(bound)
    }
}
