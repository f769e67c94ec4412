//! Loading one map for a run.

use std::path::PathBuf;
use std::sync::Arc;

use super::applied::Applied;
use super::comment;
use super::diagnostic::{Issues, Report};
use super::library::Library;
use super::map_file;
use super::offer::Offer;
use super::origin::{Origin, Store};
use super::settings::{Setting, SettingError};
use super::source::{ReadError, Source};
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::scenario::sources::{SourceFile, Sources};

/// What is changed of a map before it is read.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Instead of the map's own seed; below 2⁵³.
    pub seed: Option<u64>,
    /// Values set from outside, in order.
    pub set: Vec<Setting>,
}

/// A map that has been read.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// What it describes; `None` when there are errors.
    pub scenario: Option<Arc<Scenario>>,
    /// Errors and warnings, and all files that were read, the map first.
    pub report: Report,
    /// The comment on top of the map, without the `#`s.
    pub comment: String,
    /// The numbers it may have.
    pub offers: Vec<Offer>,
    /// Where on the disk was looked for its files, whether something was there or not.
    pub paths: Vec<PathBuf>,
}

impl Loaded {
    /// What people call the map.
    pub fn label(&self) -> &str {
        self.report.sources()[0].label()
    }
}

/// Why a map can't be loaded at all.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// It can't be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A setting doesn't fit it.
    #[error(transparent)]
    Setting(#[from] SettingError),
}

/// Reads a map with everything it names.
///
/// # Errors
/// When the map can't be read at all, or a setting names what it doesn't have. What is wrong *in*
/// the files is in the report.
pub fn load(origin: &Origin, options: &Options) -> Result<Loaded, LoadError> {
    let (store, source, mut problems) = Store::open(origin)?;
    let sets = problems.is_empty() && !options.set.is_empty();
    let applied = sets.then(|| Applied::new(source.text(), &options.set)).transpose()?;
    let comment = comment::top(source.text());
    let text = match &applied {
        Some(applied) => applied.text.as_str().into(),
        None => Arc::clone(source.text()),
    };
    let mut report = Report::default();
    let issues = Issues::new(report.add_source(source), text);
    let mut library = Library::new(&store, report);
    let scenario = if problems.is_empty() {
        map_file::read(options.seed, &issues, &mut library)
    } else {
        problems.drain(..).for_each(|problem| issues.push(problem));
        None
    };
    let mut report = library.report;
    let paths = store.asked();
    let offers = issues.take_offers();
    let scenario = scenario.map(|mut scenario| {
        scenario.sources = Arc::new(sources(&report, options));
        Arc::new(scenario)
    });
    let list = issues.into_list();
    let list = match applied {
        Some(applied) => applied.told(list, &mut report),
        None => list,
    };
    report.extend(list);
    Ok(Loaded { scenario, report, comment, offers, paths })
}

/// What it takes to read all this again.
fn sources(report: &Report, options: &Options) -> Sources {
    let file = |source: &Source| SourceFile {
        place: source.place().clone(),
        label: source.label().to_owned(),
        text: Arc::clone(source.text()),
    };
    Sources {
        files: report.sources().iter().map(file).collect(),
        set: options.set.iter().map(Setting::to_string).collect(),
        seed: options.seed,
    }
}

/// Reads a map again from what was kept of it, with other settings or another seed.
///
/// # Errors
/// As [`load`].
pub fn reload(sources: &Arc<Sources>, options: &Options) -> Result<Loaded, LoadError> {
    load(&Origin::Kept(Arc::clone(sources)), options)
}

impl Options {
    /// Those with which a map was read.
    ///
    /// # Errors
    /// When a setting is none.
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
    fn what_was_read_can_be_read_again_from_what_was_kept() {
        for (name, origin) in shipped::maps() {
            let mut options = Options { seed: Some(9), ..Options::default() };
            let plain = load(&origin, &options).unwrap().scenario.unwrap();
            options.set = vec![format!("{}.radius=0.2", plain.kinds[0].name).parse().unwrap()];
            let first = load(&origin, &options).unwrap().scenario.unwrap();
            assert_eq!(Options::of(&first.sources).unwrap().seed, Some(9));
            let again = Options::of(&first.sources).unwrap();
            let again = reload(&first.sources, &again).unwrap().scenario.unwrap();
            assert_eq!(again.sources, first.sources, "{name}");
            assert_eq!(format!("{again:?}"), format!("{first:?}"), "{name}");
        }
    }
}
