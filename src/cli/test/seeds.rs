//! The seeds of `tilewalk test`, and `--fresh-seeds`.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

use crate::testing::{self, Case, SeedPlan, Tested};

use super::complain;
use super::report::TestReport;

/// Which seeds to judge.
#[derive(Debug, clap::Args)]
pub struct SeedArgs {
    /// Number of seeds (overrides `seeds` of expectations that do not list their seeds)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub seeds: Option<u32>,
    /// Judge random seeds, and add those that fail to MAP.seeds.toml; later tests begin with them
    #[arg(long, conflicts_with_all = ["bless", "list"])]
    pub fresh_seeds: bool,
    /// Judge all seeds, even after the result is certain, and print exact intervals
    #[arg(long)]
    pub all_seeds: bool,
}

impl SeedArgs {
    /// Returns the choice of seeds. Draws a new random number for `--fresh-seeds`.
    pub(super) fn plan(&self) -> SeedPlan {
        // The standard library takes the keys of hash maps from the operating system.
        let random = || RandomState::new().hash_one(0) >> 11;
        SeedPlan { count: self.seeds, fresh: self.fresh_seeds.then(random) }
    }

    /// Adds the failed seeds of a test to the file of its map if the seeds are fresh. A failure to
    /// write the file is printed to standard error.
    pub(super) fn keep(&self, report: &mut TestReport, case: &Case, tested: &Tested) {
        let Some(failure) = report.failure.as_mut().filter(|_| self.fresh_seeds) else { return };
        match testing::keep_failed(case, tested) {
            Ok(file) => failure.seeds_file = file,
            Err(why) => complain(&format!("{}: seeds not kept: {why}", case.id)),
        }
    }
}
