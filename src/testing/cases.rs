//! Finds the expectations of maps.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::files::{self, FailedSeeds, Options, Origin, ReadError, SeededScenarios, Setting, show};
use crate::scenario::Scenario;
use crate::scenario::expectation::{Expectation, Seeds};
use crate::scenario::sources::FileRole;

use super::{Plan, RunOutcome, TestedMap};

/// The maps to test, and the selected expectations.
#[derive(Debug)]
pub struct Cases {
    /// All maps that were read, including maps without expectations.
    pub maps: Vec<TestedMap>,
    /// The selected expectations, ordered by map, then by position in the file.
    pub list: Vec<Case>,
}

/// The run of another program whose expectations are judged.
#[derive(Debug)]
pub struct RunCase<'a> {
    pub path: &'a Path,
    /// The file with the expectations.
    pub expect: &'a Path,
    /// The words of the command line that open the run, after its path.
    pub options: Vec<String>,
}

/// An expectation of a map, as one test.
#[derive(Debug)]
pub struct Case {
    /// Index of the map in [`Cases::maps`].
    pub map: usize,
    /// Test id: path of the map, `::` and name of the expectation. Safe to print.
    pub id: String,
    /// File name, line and column of the expectation. Line and column count from 1. The file name
    /// is safe to print.
    pub place: (String, usize, usize),
    pub expectation: Expectation,
    /// The seeds to judge, in order.
    pub seeds: Vec<u64>,
    /// Number of seeds at the start of `seeds` that failed in an earlier run of the tests.
    pub kept: usize,
    /// Path and text of the file that contains the expectation.
    pub(super) file: (PathBuf, Arc<str>),
    pub(super) path: PathBuf,
    /// The words after the path in a command that opens the map or run.
    options: Vec<String>,
    pub(super) index: usize,
    /// The scenarios of all seeds, with the settings of the expectation applied. `Err` contains the
    /// errors of the map with these settings.
    pub(super) scenarios: Result<Arc<SeededScenarios>, String>,
}

/// Returns the given files, and the maps in the given directories.
///
/// # Errors
/// Returns an error if a path cannot be read.
pub fn maps(paths: &[PathBuf]) -> Result<Vec<PathBuf>, ReadError> {
    files::maps(paths)
}

impl Cases {
    /// Reads maps and selects their expectations by the filter and tags of the plan. A map that
    /// cannot be read adds no cases, but is listed with its problems.
    pub fn read(maps: Vec<PathBuf>, plan: &Plan) -> Self {
        let mut cases = Self { maps: Vec::new(), list: Vec::new() };
        for path in maps {
            let loaded = files::load(&Origin::Disk(path.clone()), &Options::default());
            let problems = loaded.map(|loaded| {
                let mut report = loaded.report.clone();
                if let Some(scenarios) = loaded.seeded() {
                    let (failed, problems) = files::load_seeds(&path, scenarios.loaded());
                    report.merge(problems);
                    cases.add(&path, &Arc::new(scenarios), None, plan, &failed);
                }
                report
            });
            cases.maps.push(TestedMap { path, problems });
        }
        cases
    }

    /// Adds the expectations about the run of another program.
    pub fn add_run(&mut self, run: &RunCase, scenario: Arc<Scenario>, plan: &Plan) {
        let scenarios = Arc::new(SeededScenarios::of(scenario));
        let first = self.list.len();
        self.add(run.path, &scenarios, Some(run.expect), plan, &FailedSeeds::default());
        for case in &mut self.list[first..] {
            case.options.clone_from(&run.options);
        }
    }

    fn add(
        &mut self,
        path: &Path,
        scenarios: &Arc<SeededScenarios>,
        expect: Option<&Path>,
        plan: &Plan,
        failed: &FailedSeeds,
    ) {
        let scenario = scenarios.loaded();
        for (index, expectation) in scenario.expectations().iter().enumerate() {
            let id = format!("{}::{}", show::path(path), show::escaped(&expectation.name));
            let is_selected =
                plan.filter.as_ref().is_none_or(|filter| id.contains(filter.as_str()))
                    && (plan.tags.is_empty()
                        || expectation.tags.iter().any(|tag| plan.tags.contains(tag)));
            if !is_selected {
                continue;
            }
            let place = expectation.place;
            let source = &scenario.sources().files[place.file];
            let file = match (&source.place, expect) {
                (FileRole::Beside(_), Some(expect)) => expect.to_owned(),
                (FileRole::Beside(name), None) => path.with_file_name(name),
                (FileRole::Map | FileRole::Pattern(_), _) => path.to_owned(),
            };
            let (seeds, kept) = plan.seeds.of(expectation, scenario.seed(), failed);
            self.list.push(Case {
                map: self.maps.len(),
                id,
                place: (source.label.clone(), place.line, place.column),
                file: (file, Arc::clone(&source.text)),
                expectation: expectation.clone(),
                seeds,
                kept,
                path: path.to_owned(),
                options: Vec::new(),
                index,
                scenarios: self.scenarios(scenarios, expectation),
            });
        }
    }
}

impl Cases {
    /// Returns the scenarios of an expectation, with its settings applied. Expectations of a map
    /// with the same settings share their scenarios.
    fn scenarios(
        &self,
        scenarios: &Arc<SeededScenarios>,
        expectation: &Expectation,
    ) -> Result<Arc<SeededScenarios>, String> {
        if expectation.set.is_empty() {
            return Ok(Arc::clone(scenarios));
        }
        let of_map = self.list.iter().rev().take_while(|case| case.map == self.maps.len());
        let same = of_map.into_iter().find(|case| case.expectation.set == expectation.set);
        match same {
            Some(case) => case.scenarios.clone(),
            None => read_with(scenarios.loaded(), &expectation.set).map(Arc::new),
        }
    }
}

impl Case {
    /// Returns true if the seeds are not listed in the map.
    pub(super) fn is_drawn(&self) -> bool {
        matches!(self.expectation.seeds, Seeds::Next(_))
    }

    /// Returns the scenario of the map with a seed and the settings of the expectation.
    ///
    /// # Errors
    /// Returns the reason if the map has errors with this seed or these settings.
    pub fn scenario(&self, seed: u64) -> Result<Arc<Scenario>, String> {
        let scenarios = self.scenarios.as_ref().map_err(Clone::clone)?;
        scenarios.scenario(seed).map_err(|error| error.to_string())
    }

    /// Returns a `tilewalk` command that opens a run at the frame of its verdict. The arguments are
    /// quoted for a shell.
    pub fn command(&self, run: &RunOutcome) -> String {
        let mut words = vec!["tilewalk".to_owned(), self.path.display().to_string()];
        words.extend(self.options.iter().cloned());
        words.extend(["--seed".to_owned(), run.seed.to_string()]);
        for setting in &self.expectation.set {
            words.extend(["--set".to_owned(), setting.to_string()]);
        }
        words.extend(["--goto".to_owned(), run.verdict.frame.to_string()]);
        if let Some(agent) = &run.agent {
            words.extend(["--agent".to_owned(), agent.clone()]);
        }
        let quoted = shlex::try_join(words.iter().map(String::as_str));
        show::escaped(&quoted.unwrap_or_else(|_| words.join(" ")))
    }
}

/// Reads the files of a map again, with settings applied. Uses the texts in memory, because the
/// files on disk may have changed.
fn read_with(scenario: &Scenario, set: &[Setting]) -> Result<SeededScenarios, String> {
    let options = Options { seed: None, set: set.to_vec(), run: scenario.sources().run.clone() };
    let loaded = files::reload(scenario.sources(), &options);
    let loaded = loaded.map_err(|error| error.to_string())?;
    loaded.seeded().ok_or_else(|| loaded.report.plain())
}
