//! The seeds with which an expectation is judged.

use crate::files::{FailedSeeds, add_seeds};
use crate::rng::{RngKey, Use};
use crate::scenario::expectation::{Expectation, Form, Seeds};

use super::{Case, Tested};

/// The choice of seeds for a test run.
#[derive(Debug, Clone, Copy, Default)]
pub struct SeedPlan {
    /// Number of seeds, for expectations without a list of seeds. `None` uses the number in the map
    /// file.
    pub count: Option<u32>,
    /// A random number from which seeds are drawn, for expectations without a list of seeds. `None`
    /// uses the seed of the map and the next seeds.
    pub fresh: Option<u64>,
}

impl SeedPlan {
    /// Returns the seeds to judge in order, and the number of seeds at their start that failed
    /// earlier. `first` is the seed of the map.
    pub(super) fn of(
        self,
        expectation: &Expectation,
        first: u64,
        failed: &FailedSeeds,
    ) -> (Vec<u64>, usize) {
        let Seeds::Next(count) = expectation.seeds else {
            return (expectation.seeds.list(first), 0);
        };
        if let Form::Golden(_) = expectation.form {
            return (Seeds::Next(1).list(first), 0);
        }
        let count = self.count.unwrap_or(count);
        let drawn = match self.fresh {
            Some(number) => drawn(number, count),
            None => Seeds::Next(count).list(first),
        };
        let mut seeds = Vec::new();
        if keeps_seeds(expectation) {
            seeds.extend(failed.of(&expectation.name));
        }
        let kept = seeds.len();
        let is_new = |seed: &u64| !seeds[..kept].contains(seed);
        let new: Vec<u64> = drawn.into_iter().filter(is_new).collect();
        seeds.extend(new);
        (seeds, kept)
    }
}

/// Returns true if failed seeds of an expectation are kept. An expectation that some seeds may fail
/// would be judged with too many of these seeds.
fn keeps_seeds(expectation: &Expectation) -> bool {
    expectation.at_least == 1.0 && expectation.fails.is_none()
}

/// Draws `count` different seeds below 2⁵³.
fn drawn(number: u64, count: u32) -> Vec<u64> {
    let key = |index| RngKey { seed: number, frame: index, agent: 0, mode: 0, behaviour: 0 };
    let seed = |index| (key(index).stream(Use::Design).unit_f64() * (1_u64 << 53) as f64) as u64;
    let mut seeds: Vec<u64> = (0..u64::from(count)).map(seed).collect();
    seeds.sort_unstable();
    seeds.dedup();
    seeds
}

/// Adds the failed seeds of a test to the file `MAP.seeds.toml`. Returns the path of the file as
/// printable text, or `None` if it did not change.
///
/// # Errors
/// Returns the reason if the file could not be written.
pub fn keep_failed(case: &Case, tested: &Tested) -> Result<Option<String>, String> {
    let seeds = &tested.failed_seeds;
    if seeds.is_empty() || !keeps_seeds(&case.expectation) || !case.is_drawn() {
        return Ok(None);
    }
    let scenario = case.scenario(seeds[0])?;
    let name = case.expectation.name.as_str();
    let seeds: Vec<(&str, u64)> = seeds.iter().map(|&seed| (name, seed)).collect();
    add_seeds(&case.path, &scenario, &seeds)
}
