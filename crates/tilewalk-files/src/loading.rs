//! Loads a map with all files that the map needs.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::agent::StartRule;
use super::comment;
use super::diagnostic::{Diagnostic, Issues};
use super::expect_file;
use super::library::Library;
use super::map_file::{self, MapFile};
use super::origin::{Origin, Store};
use super::queries;
use super::report::Report;
use super::save_note;
use super::settings::Applied;
use super::settings::{Setting, SettingError};
use super::show;
use super::source::{ReadError, Source};
use super::span_tree::SpanTree;
use super::sweep;
use super::tiles_file::Format;
use super::tunable::TunableValue;
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::scenario::sources::{SourceFile, Sources};

/// Seed and settings that replace values of a map.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Seed in place of the map's seed. The seed must be below 2⁵³. `None` keeps the map's seed.
    pub seed: Option<u64>,
    /// Settings, in the order in which they are applied.
    pub set: Vec<Setting>,
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
    pub(super) tunables: Vec<TunableValue>,
    /// All paths that were searched, including missing files.
    pub paths: Vec<PathBuf>,
    /// Start rule of each agent kind; empty if there are errors.
    pub(super) starts: Arc<[StartRule]>,
}

impl Loaded {
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
pub(super) fn load_tuning(
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
    let applied = parsed.map(|map| Applied::new(map, &options.set)).transpose()?;
    let comment = comment::top(source.text());
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
    let paths = store.asked();
    let tunables = issues.take_offers();
    let mut starts: Arc<[StartRule]> = Arc::default();
    let scenario = scenario.map(|MapFile { mut scenario, start_rules, expectations }| {
        starts = start_rules.into();
        for (expectation, offset) in scenario.expectations.iter_mut().zip(expectations) {
            let place = &mut expectation.place;
            let settings = applied.as_ref().filter(|_| place.file == 0);
            let offset = settings.map_or(offset, |applied| applied.offset_in_file(offset));
            (place.line, place.column) = report.sources()[place.file].line_column(offset);
        }
        let set = applied.iter().flat_map(Applied::settings).map(Setting::to_string);
        scenario.sources = Arc::new(sources(&report, set.collect(), options.seed));
        Arc::new(scenario.build().expect("the reader has checked all ranges and indices"))
    });
    let list = issues.into_list();
    let list = match applied {
        Some(applied) => applied.relocated(list, &mut report),
        None => list,
    };
    report.extend(list);
    Ok(Loaded { scenario, report, comment, tunables, paths, starts })
}

/// Returns an error if the extension or the text shows that the file is not a map. Returns `None`
/// if the file may be a map.
fn no_map(path: &Path, text: &str) -> Option<ReadError> {
    let (what, command, does) = match path.extension()?.to_str()? {
        _ if expect_file::map_of(path).is_some() => {
            ("a file of expectations", "check", "checks the file together with its map")
        }
        queries::ENDING => ("a scenario", "scen", "plans its routes and compares their lengths"),
        "twr" => ("a recording", "replay", "opens the recording"),
        "csv" | "ndjson" => ("a trace", "diff MAP", "compares the trace with a run"),
        _ if Format::of_path(path).is_some() => {
            ("a tiles file", "import", "converts the file to a map")
        }
        _ if sweep::is_sweep(text) => ("a sweep", "sweep", "runs the sweep"),
        _ => return None,
    };
    Some(ReadError::NoMap { label: show::path(path), what, command, does })
}

/// Returns the files, settings and seed that are needed to read the map again.
fn sources(report: &Report, set: Vec<String>, seed: Option<u64>) -> Sources {
    let file = |source: &Source| SourceFile {
        place: source.place().clone(),
        label: source.label().to_owned(),
        text: Arc::clone(source.text()),
    };
    Sources { files: report.sources().iter().map(file).collect(), set, seed, built: None }
}

/// Reads a map again from its stored files, with other settings or another seed.
///
/// # Errors
/// Returns the same errors as [`load`].
pub fn reload(sources: &Arc<Sources>, options: &Options) -> Result<Loaded, LoadError> {
    load(&Origin::Kept(Arc::clone(sources)), options)
}

impl Options {
    /// Returns the options with which a map was loaded.
    ///
    /// # Errors
    /// Returns an error if a stored setting is invalid.
    pub fn of(sources: &Sources) -> Result<Self, SettingError> {
        let set: Result<_, _> = sources.set.iter().map(|setting| setting.parse()).collect();
        Ok(Self { seed: sources.seed, set: set? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shipped;

    #[test]
    fn stored_files_load_the_same_map() {
        for (name, origin) in shipped::maps() {
            let mut options = Options { seed: Some(9), ..Options::default() };
            let plain = load(&origin, &options).unwrap().scenario.unwrap();
            options.set = vec![format!("{}.radius=0.2", plain.kinds()[0].name).parse().unwrap()];
            let first = load(&origin, &options).unwrap().scenario.unwrap();
            assert_eq!(Options::of(first.sources()).unwrap().seed, Some(9));
            let again = Options::of(first.sources()).unwrap();
            let again = reload(first.sources(), &again).unwrap().scenario.unwrap();
            assert_eq!(again.sources(), first.sources(), "{name}");
            assert_eq!(format!("{again:?}"), format!("{first:?}"), "{name}");
        }
    }
}
