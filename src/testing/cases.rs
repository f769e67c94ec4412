//! Finds the expectations of maps.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::files::{self, Options, Origin, ReadError, SeededScenarios, Setting, show};
use crate::judge::judge_until;
use crate::scenario::Scenario;
use crate::scenario::expectation::{Expectation, Form, Seeds};
use crate::scenario::sources::FileRole;
use crate::time::Frame;

use super::outcome::Run;
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
    /// Path and text of the file that contains the expectation.
    pub(super) file: (PathBuf, Arc<str>),
    path: PathBuf,
    /// The words after the path in a command that opens the map or run.
    options: Vec<String>,
    pub(super) index: usize,
    /// The scenarios of all seeds, with the settings of the expectation applied. `Err` contains the
    /// errors of the map with these settings.
    scenarios: Result<Arc<SeededScenarios>, String>,
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
                if let Some(scenarios) = loaded.seeded() {
                    cases.add(&path, &Arc::new(scenarios), None, plan);
                }
                loaded.report
            });
            cases.maps.push(TestedMap { path, problems });
        }
        cases
    }

    /// Adds the expectations about the run of another program.
    pub fn add_run(&mut self, run: &RunCase, scenario: Arc<Scenario>, plan: &Plan) {
        let scenarios = Arc::new(SeededScenarios::of(scenario));
        let first = self.list.len();
        self.add(run.path, &scenarios, Some(run.expect), plan);
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
            let is_golden = matches!(expectation.form, Form::Golden(_));
            let seeds = match (plan.seeds, &expectation.seeds) {
                (Some(count), Seeds::Next(_)) if !is_golden => Seeds::Next(count),
                (_, seeds) => seeds.clone(),
            };
            self.list.push(Case {
                map: self.maps.len(),
                id,
                place: (source.label.clone(), place.line, place.column),
                file: (file, Arc::clone(&source.text)),
                expectation: expectation.clone(),
                seeds: seeds.list(scenario.seed()),
                path: path.to_owned(),
                options: Vec::new(),
                index,
                scenarios: match &expectation.set[..] {
                    [] => Ok(Arc::clone(scenarios)),
                    set => read_with(scenario, set).map(Arc::new),
                },
            });
        }
    }
}

impl Case {
    /// Simulates the map with a seed until the expectation is decided, or until the computation
    /// takes longer than `limit`. Also measures the computation time.
    #[expect(clippy::disallowed_methods, reason = "`--times` and `--timeout` need the time")]
    pub(super) fn run(&self, seed: u64, limit: Option<Duration>) -> Run {
        let started = Instant::now();
        let is_late = || limit.is_some_and(|limit| started.elapsed() > limit);
        let outcome = self.scenario(seed).and_then(|scenario| {
            let run = judge_until(&scenario, self.index, is_late).ok_or("the run was stopped")?;
            let absent = run.absent;
            let agent = run.agent.map(|id| scenario.name(id).to_string());
            let seconds = scenario.seconds(Frame(run.verdict.frame));
            Ok(RunOutcome { seed, verdict: run.verdict, seconds, why: run.why, agent, absent })
        });
        Run { seed, outcome, time: started.elapsed() }
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
