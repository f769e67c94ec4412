//! Loads a map with all files that the map needs.
//!
//! The seed of a map determines the random starts of agents. All other parts of a scenario are
//! the same for every seed, so [`SeededScenarios`] creates the scenarios of other seeds without
//! reading the map again.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::disk::save_note;
use crate::disk::store::{self, Origin, Store};
use crate::formats::TilesFormat;
use crate::read::agent::{StartDraft, StartRule};
use crate::read::map_file::{self, MapFile};
use crate::read::pattern_file::Library;
use crate::read::{route_queries, start_positions};
use crate::settings::{AppliedSettings, Setting, SettingError};
use crate::show;
use crate::text::diagnostic::{Diagnostic, FileId, Issues};
use crate::text::report::Report;
use crate::text::source::{self, ReadError, Source};
use crate::text::span_tree::SpanTree;
use crate::values::TunableValue;
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::scenario::parts::ScenarioParts;
use tilewalk_sim::scenario::run::FollowedRun;
use tilewalk_sim::scenario::sources::{FileRole, SourceFile, Sources};

/// Seed and settings that replace values of a map.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Seed in place of the map's seed. The seed must be below 2⁵³. `None` keeps the map's seed.
    pub seed: Option<u64>,
    /// Settings, in the order in which they are applied.
    pub set: Vec<Setting>,
    /// The run of another program that the agents follow, if any.
    pub run: Option<Arc<FollowedRun>>,
}

/// Result of loading a map.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The scenario; `None` if there are errors.
    pub scenario: Option<Arc<Scenario>>,
    /// Problems in all files read. The map is the first file.
    pub report: Report,
    /// Comment at the top of the map, without `#`; empty without a comment.
    pub comment: String,
    /// Tunable values of the requested agents, in reading order.
    pub(crate) tunables: Vec<TunableValue>,
    /// All paths that were searched, including missing files.
    pub paths: Vec<PathBuf>,
    /// Start rule of each agent kind; empty if there are errors.
    pub(crate) starts: Arc<[StartRule]>,
}

impl Loaded {
    /// Creates the result for files with errors. `report` contains the errors.
    pub(crate) fn refused(report: Report) -> Self {
        Self {
            scenario: None,
            report,
            comment: String::new(),
            tunables: Vec::new(),
            paths: Vec::new(),
            starts: Arc::default(),
        }
    }

    /// Returns the name of the map for messages.
    pub fn label(&self) -> &str {
        self.report.sources()[0].label()
    }
}

/// Error for a map that can't be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The map can't be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A setting does not fit the map.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The run of another program does not fit the map.
    #[error("{label}: {what}")]
    Run {
        /// Name of the file of the run, safe to print.
        label: String,
        /// Description of the problem, safe to print.
        what: String,
    },
}

/// Reads a map with all files that the map names. Problems in the files are in the report.
///
/// # Errors
/// Returns an error if the map can't be read, or if a setting names an agent, mode or list entry
/// that the map does not have.
pub fn load(origin: &Origin, options: &Options) -> Result<Loaded, LoadError> {
    load_tuning(origin, options, None, &[])
}

/// Reads a map like [`load`], and records the tunable values of the agents with the given names.
/// `parsed` is the tree of the map text without settings; `None` if the caller has not parsed the
/// map.
pub(crate) fn load_tuning(
    origin: &Origin,
    options: &Options,
    parsed: Option<SpanTree>,
    agents: &[&str],
) -> Result<Loaded, LoadError> {
    let (store, source, mut problems) = Store::open(origin)?;
    if let Origin::Disk(path) = origin
        && let Some(error) = no_map(path, source.text())
    {
        return Err(error.into());
    }
    let sets = problems.is_empty() && !options.set.is_empty();
    // A map with syntax errors stays unchanged; the errors are reported when the map is read.
    let parse = || sets.then(|| SpanTree::parse(source.text())).flatten();
    let parsed = parsed.or_else(parse);
    let applied = parsed.map(|map| AppliedSettings::new(map, &options.set)).transpose()?;
    let comment = source::top_comment(source.text());
    let text = match &applied {
        Some(applied) => applied.map.text().into(),
        None => Arc::clone(source.text()),
    };
    let mut report = Report::default();
    let issues = Issues::new(report.add_source(source), text).tuning(agents);
    if let Origin::Disk(path) = origin
        && let Some(message) = save_note::interrupted(path)
    {
        issues.push(Diagnostic::warning(0..0, message));
    }
    let mut library = Library::new(&store, report);
    let scenario = if problems.is_empty() {
        map_file::read(options.seed, &issues, &mut library)
    } else {
        problems.drain(..).for_each(|problem| issues.push(problem));
        None
    };
    let mut report = library.report;
    let paths = store.searched_paths();
    let tunables = issues.take_tunables();
    let mut starts: Arc<[StartRule]> = Arc::default();
    let mut unfit = None;
    let scenario = scenario.and_then(|MapFile { mut scenario, start_rules, expectations }| {
        starts = start_rules.into();
        for (expectation, offset) in scenario.expectations.iter_mut().zip(expectations) {
            let place = &mut expectation.place;
            let settings = applied.as_ref().filter(|_| place.file == 0);
            let offset = settings.map_or(offset, |applied| applied.offset_in_file(offset));
            (place.line, place.column) = report.sources()[place.file].line_column(offset);
        }
        let set = applied.iter().flat_map(AppliedSettings::settings).cloned().collect();
        let mut sources = sources(&report, set, options);
        if let Origin::Kept(kept) = origin {
            keep_patterns(&mut sources, kept);
        }
        scenario.sources = Arc::new(sources);
        if let Some(run) = &options.run {
            scenario = match run.apply(scenario) {
                Ok(scenario) => scenario,
                Err(what) => {
                    let label = run.table.label.clone();
                    unfit = Some(LoadError::Run { label, what });
                    return None;
                }
            };
        }
        Some(Arc::new(scenario.build().expect("the reader has checked all ranges and indices")))
    });
    if let Some(error) = unfit {
        return Err(error);
    }
    let deprecated = issues.take_deprecated();
    let list = issues.into_list();
    let list = if let Some(applied) = applied {
        applied.relocated(list, &mut report)
    } else {
        report.add_deprecated(deprecated);
        list
    };
    report.extend(list);
    Ok(Loaded { scenario, report, comment, tunables, paths, starts })
}

/// Returns an error if the extension or the text shows that the file is not a map. Returns `None`
/// if the file may be a map.
fn no_map(path: &Path, text: &str) -> Option<ReadError> {
    let is_sweep = || source::is_sweep(text);
    let known =
        other_kind(path).or_else(|| is_sweep().then_some(("a sweep", "sweep", "runs the sweep")));
    let (what, command, does) = known?;
    Some(ReadError::NoMap { label: show::path(path), what, command, does })
}

/// Returns what a file is if its name shows that it is neither a map nor a pattern nor a sweep: the
/// kind of file, the command for it, and what the command does.
pub(crate) fn other_kind(path: &Path) -> Option<(&'static str, &'static str, &'static str)> {
    let kind = match path.extension()?.to_str()? {
        _ if store::map_of_expect_file(path).is_some() => {
            ("a file of expectations", "check", "checks the file together with its map")
        }
        route_queries::ENDING => {
            ("a scenario", "scen", "plans its routes and compares their lengths")
        }
        "twr" => ("a recording", "replay", "opens the recording"),
        "csv" | "ndjson" | "jsonl" => ("a trace", "diff MAP", "compares the trace with a run"),
        _ if TilesFormat::of_path(path).is_some() => {
            ("a tiles file", "import", "converts the file to a map")
        }
        _ => return None,
    };
    Some(kind)
}

/// Returns the files, settings and seed that are needed to read the map again.
fn sources(report: &Report, set: Vec<Setting>, options: &Options) -> Sources {
    let file = |source: &Source| SourceFile {
        place: source.place().clone(),
        label: source.label().to_owned(),
        text: Arc::clone(source.text()),
    };
    Sources {
        files: report.sources().iter().map(file).collect(),
        set,
        seed: options.seed,
        built: None,
        run: options.run.clone(),
    }
}

/// Adds the stored patterns that the map does not use, so that a later change can use them.
fn keep_patterns(sources: &mut Sources, kept: &Sources) {
    for file in &kept.files {
        if matches!(file.place, FileRole::Pattern(_)) && sources.file(&file.place).is_none() {
            sources.files.push(file.clone());
        }
    }
}

/// Reads a map again from its stored files, with other settings or another seed.
///
/// # Errors
/// Returns the same errors as [`load`].
pub fn reload(sources: &Arc<Sources>, options: &Options) -> Result<Loaded, LoadError> {
    load(&Origin::Kept(Arc::clone(sources)), options)
}

/// Returns a scenario in which a mode drives an agent that has followed a run. The other agents go on
/// following the run.
///
/// # Errors
/// Returns a description of the problem if no agent follows a run, or if the agent or the mode is
/// unknown.
pub fn take_over(scenario: &Scenario, agent: &str, mode: &str) -> Result<Arc<Scenario>, String> {
    let sources = scenario.sources();
    let options = Options::of(sources);
    let Some(run) = &options.run else {
        return Err("no agent follows the run of another program".to_owned());
    };
    let mut run = FollowedRun::clone(run);
    run.taken_over.retain(|(known, _)| known != agent);
    run.taken_over.push((agent.to_owned(), mode.to_owned()));
    let options = Options { run: Some(Arc::new(run)), ..options };
    let loaded = reload(sources, &options).map_err(|error| error.to_string())?;
    loaded.scenario.ok_or_else(|| loaded.report.plain())
}

impl Options {
    /// Returns the options with which a map was loaded.
    pub fn of(sources: &Sources) -> Self {
        Self { seed: sources.seed, set: sources.set.clone(), run: sources.run.clone() }
    }
}

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
    /// Returns a scenario without random starts as the scenario of all seeds.
    pub fn of(scenario: Arc<Scenario>) -> Self {
        Self { scenario, starts: Arc::default() }
    }

    /// Returns the scenario for the seed with which the map was loaded.
    pub fn loaded(&self) -> &Arc<Scenario> {
        &self.scenario
    }

    /// Returns the scenario for another seed. The result is the same as loading the map with
    /// [`load`], this seed and the original settings.
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
        let starts = if self.scenario.traced().is_some() {
            // A trace contains the starts.
            self.scenario.starts().to_vec()
        } else {
            start_positions::place(&drafts, self.scenario.map(), seed, &issues)
        };
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
        let options = Options { seed: Some(seed), ..Options::of(sources) };
        match reload(sources, &options) {
            Ok(loaded) => SeedError::Map(Box::new(loaded.report)),
            Err(error) => SeedError::Load(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Origin, load, settings, shipped};

    #[test]
    fn stored_files_load_the_same_map() {
        for (name, origin) in shipped::maps() {
            let mut options = Options { seed: Some(9), ..Options::default() };
            let plain = load(&origin, &options).unwrap().scenario.unwrap();
            options.set =
                vec![settings::parse(&format!("{}.radius=0.2", plain.kinds()[0].name)).unwrap()];
            let first = load(&origin, &options).unwrap().scenario.unwrap();
            assert_eq!(Options::of(first.sources()).seed, Some(9));
            let again = Options::of(first.sources());
            let again = reload(first.sources(), &again).unwrap().scenario.unwrap();
            assert_eq!(again.sources(), first.sources(), "{name}");
            assert_eq!(format!("{again:?}"), format!("{first:?}"), "{name}");
        }
    }

    #[test]
    fn scenarios_match_those_of_a_map_that_is_read_again() {
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
    fn scenarios_for_other_seeds_have_the_settings_of_the_loaded_map() {
        let set = vec![settings::parse("guard.at={ within = [13, 1, 20, 8] }").unwrap()];
        let options = Options { set, ..Options::default() };
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
