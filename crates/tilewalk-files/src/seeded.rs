//! Creates the scenarios of a map for other seeds without reading the map again.
//!
//! The seed of a map determines the random starts of agents. All other parts of a scenario are the
//! same for every seed.

use std::sync::Arc;

use super::agent::{StartDraft, StartRule};
use super::diagnostic::{FileId, Issues};
use super::loading::{LoadError, Loaded, Options, reload};
use super::report::Report;
use super::start;
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::scenario::parts::ScenarioParts;
use tilewalk_sim::scenario::sources::Sources;

/// The scenarios of a map for all seeds. A copy shares its data with the original.
#[derive(Debug, Clone)]
pub struct SeededScenarios {
    scenario: Arc<Scenario>,
    /// Start rule of each agent kind, in the order of `scenario.kinds`.
    starts: Arc<[StartRule]>,
}

/// Error for a seed without a scenario.
#[derive(Debug, thiserror::Error)]
pub enum SeedError {
    /// The map has errors for this seed: there is no room for a random start.
    #[error("{}", .0.plain())]
    Map(Box<Report>),
    /// The map can't be read again to report its errors.
    #[error(transparent)]
    Load(#[from] LoadError),
}

impl Loaded {
    /// Returns the scenarios of the map for all seeds; `None` if the map has errors.
    pub fn seeded(&self) -> Option<SeededScenarios> {
        let scenario = Arc::clone(self.scenario.as_ref()?);
        Some(SeededScenarios { scenario, starts: Arc::clone(&self.starts) })
    }
}

impl SeededScenarios {
    /// Returns the scenario for the seed with which the map was loaded.
    pub fn loaded(&self) -> &Arc<Scenario> {
        &self.scenario
    }

    /// Returns the scenario for another seed. The result is the same as loading the map with
    /// [`load`](super::load), this seed and the original settings.
    ///
    /// # Errors
    /// Returns the errors of the map if a random start has no room for this seed.
    ///
    /// # Panics
    /// Panics if the seed is not below 2⁵³.
    pub fn scenario(&self, seed: u64) -> Result<Arc<Scenario>, SeedError> {
        let issues = Issues::new(FileId::default(), Arc::default());
        let kinds = self.scenario.kinds().iter().zip(self.starts.iter());
        let drafts: Vec<_> = kinds.map(|(kind, start)| StartDraft { kind, start }).collect();
        let starts = start::place(&drafts, self.scenario.map(), seed, &issues);
        if !issues.is_sound() {
            return Err(self.errors(seed));
        }
        let sources = Sources { seed: Some(seed), ..Sources::clone(self.scenario.sources()) };
        let sources = Arc::new(sources);
        let parts = Scenario::clone(&self.scenario).into_parts();
        let parts = ScenarioParts { seed, starts, sources, ..parts };
        Ok(Arc::new(parts.build().expect("a seed below 2^53")))
    }

    /// Reads the map again to find its errors for this seed.
    fn errors(&self, seed: u64) -> SeedError {
        let sources = self.scenario.sources();
        let options = Options::of(sources).map_err(LoadError::from);
        let options = options.map(|options| Options { seed: Some(seed), ..options });
        match options.and_then(|options| reload(sources, &options)) {
            Ok(loaded) => SeedError::Map(Box::new(loaded.report)),
            Err(error) => SeedError::Load(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Origin, load, shipped};

    #[test]
    fn scenarios_are_those_of_a_map_that_is_read_again() {
        for (name, origin) in shipped::maps() {
            let seeded = load(&origin, &Options::default()).unwrap().seeded().unwrap();
            for seed in (0..19).chain([(1 << 53) - 1]) {
                let options = Options { seed: Some(seed), ..Options::default() };
                let read = load(&origin, &options).unwrap().scenario.unwrap();
                let quick = seeded.scenario(seed).unwrap();
                assert_eq!(quick.sources(), read.sources(), "{name} {seed}");
                assert!(format!("{quick:?}") == format!("{read:?}"), "{name} {seed}");
            }
        }
    }

    #[test]
    fn settings_are_kept() {
        let set = vec!["guard.at={ within = [13, 1, 20, 8] }".parse().unwrap()];
        let options = Options { seed: None, set };
        let origin = shipped::map("castle");
        let seeded = load(&origin, &options).unwrap().seeded().unwrap();
        let starts = (0..5).map(|seed| {
            let quick = seeded.scenario(seed).unwrap();
            let options = Options { seed: Some(seed), ..options.clone() };
            let read = load(&origin, &options).unwrap().scenario.unwrap();
            assert_eq!(format!("{quick:?}"), format!("{read:?}"));
            quick.starts().to_vec()
        });
        let starts: Vec<_> = starts.collect();
        assert!(starts.iter().any(|other| *other != starts[0]));
    }

    /// Agent `a` starts on one of two tiles at random. Agent `b` can only start on one of these
    /// tiles, so some seeds leave no room for `b`.
    #[test]
    fn a_seed_without_room_is_an_error_of_this_seed() {
        let text = "tiles = '..#'\nagent = [{ name = 'a', at = { within = [0, 0, 1, 0] } }, \
                    { name = 'b', at = { within = [0, 0, 0, 0] } }]\n";
        let (label, text) = ("a.toml".to_owned(), text.to_owned());
        let origin = Origin::Text { label, text, set: None };
        let load = |seed| load(&origin, &Options { seed: Some(seed), ..Options::default() });
        let results: Vec<_> = (0..20).map(|seed| load(seed).unwrap()).collect();
        let good = results.iter().find(|loaded| loaded.scenario.is_some()).unwrap();
        let seeded = good.seeded().unwrap();
        let mut failures = 0;
        for (seed, loaded) in results.iter().enumerate() {
            match (seeded.scenario(seed as u64), &loaded.scenario) {
                (Ok(quick), Some(read)) => assert_eq!(format!("{quick:?}"), format!("{read:?}")),
                (Err(error), None) => {
                    failures += 1;
                    assert_eq!(error.to_string(), loaded.report.plain());
                    assert!(error.to_string().contains("no free tile for `b`"), "{error}");
                }
                (quick, _) => panic!("{seed}: {quick:?}"),
            }
        }
        assert!(failures > 0);
    }
}
