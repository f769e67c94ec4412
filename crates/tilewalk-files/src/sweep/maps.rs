//! Reads the maps of a sweep. Checks each value of the sweep with each map.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::FrozenSweep;
use crate::disk::store::Origin;
use crate::read::loading::{LoadError, Loaded, Options, load};
use crate::settings::Setting;
use crate::show;
use crate::sweep::read::Varied;
use crate::text::diagnostic::{Diagnostic, Severity};
use crate::text::report::Report;
use crate::text::span_tree::SpanTree;
use crate::values::ValuePath;
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::scenario::sources::{FileRole, Sources};

/// The maps that a sweep file can name.
#[derive(Debug)]
pub struct Maps<'a> {
    place: Location<'a>,
    /// Problems in the maps read so far, one report per map.
    pub reports: Vec<Report>,
}

#[derive(Debug)]
enum Location<'a> {
    /// The directory of the sweep file.
    Disk(PathBuf),
    Kept(&'a FrozenSweep),
}

/// A valid map before the sweep varies its values.
#[derive(Debug)]
pub struct BaseMap {
    /// Name as written in the sweep file.
    pub name: String,
    /// The files of the map as stored, before any settings are applied.
    pub sources: Arc<Sources>,
    /// The map with the settings of [`numbering`].
    pub scenario: Arc<Scenario>,
    /// The parsed text of the map file; `None` for invalid TOML.
    pub tree: Option<SpanTree>,
}

impl BaseMap {
    /// Returns a line of advice with the name of the map; empty if the sweep has only one map.
    pub fn among(&self, maps: &[Self]) -> String {
        if maps.len() == 1 {
            return String::new();
        }
        format!("in the map `{}`", show::text(&self.name))
    }
}

impl<'a> Maps<'a> {
    pub fn on_disk(sweep: &Path) -> Self {
        let folder = sweep.parent().unwrap_or(Path::new("")).to_owned();
        Self { place: Location::Disk(folder), reports: Vec::new() }
    }

    pub fn kept(frozen: &'a FrozenSweep) -> Self {
        Self { place: Location::Kept(frozen), reports: Vec::new() }
    }

    /// Reads a map by its name in the sweep file. `seed` replaces the seed of the map. `varied` are
    /// the paths of the varied values. For a map with errors, returns `None` and adds the errors to
    /// the reports.
    ///
    /// # Errors
    /// Returns the reason if the map can't be read. The reason is one line that is safe to print.
    pub fn read(
        &mut self,
        name: &str,
        seed: Option<u64>,
        varied: &[ValuePath],
    ) -> Result<Option<BaseMap>, String> {
        let origin = match &self.place {
            Location::Disk(folder) => Origin::Disk(folder.join(name)),
            Location::Kept(frozen) => {
                let kept = frozen.maps.iter().find(|(other, _)| other == name);
                let (_, sources) = kept.ok_or("the stored files do not include this map")?;
                Origin::Kept(Arc::clone(sources))
            }
        };
        let options = Options { seed, set: Vec::new() };
        let loaded = load(&origin, &options).map_err(|error| error.to_string())?;
        self.reports.push(loaded.report);
        let Some(mut scenario) = loaded.scenario else { return Ok(None) };
        let sources = Sources { seed: None, ..Sources::clone(&scenario.sources) };
        let sources = Arc::new(sources);
        let text = sources.file(&FileRole::Map).map(|file| Arc::clone(&file.text));
        let tree = text.and_then(|text| SpanTree::parse(&text));
        let is_known = |setting: &Setting| {
            let mut names = scenario.kinds.iter().map(|kind| kind.name.as_str());
            names.any(|name| setting.path().agent() == Some(name))
        };
        let numbering: Vec<_> = numbering(varied).into_iter().filter(is_known).collect();
        if !numbering.is_empty() {
            let loaded = with_settings(&sources, seed, numbering);
            let loaded = loaded.map_err(|error| error.to_string())?;
            scenario = loaded.scenario.ok_or_else(|| loaded.report.plain())?;
        }
        Ok(Some(BaseMap { name: name.to_owned(), sources, scenario, tree }))
    }
}

/// Returns a setting `numbered=true` for each agent whose `count` is among the paths `set`. The
/// members of such a group have the same names and random numbers for every count.
pub fn numbering<'a>(set: impl IntoIterator<Item = &'a ValuePath>) -> Vec<Setting> {
    let is_count = |path: &&ValuePath| path.within_agent() == "count";
    let agents = set.into_iter().filter(is_count).filter_map(ValuePath::agent);
    let agents: BTreeSet<_> = agents.collect();
    agents.into_iter().filter_map(|agent| format!("{agent}.numbered=true").parse().ok()).collect()
}

/// Reads a map from its stored files and applies settings. `seed` replaces the seed of the map.
///
/// # Errors
/// Returns an error if a setting does not fit the map.
pub fn with_settings(
    sources: &Arc<Sources>,
    seed: Option<u64>,
    set: Vec<Setting>,
) -> Result<Loaded, LoadError> {
    load(&Origin::Kept(Arc::clone(sources)), &Options { seed, set })
}

/// Maximum number of values to check.
const MOST_VALUES: usize = 1000;

/// Maximum number of bytes of map text to read for the check.
const MOST_BYTES: usize = 16 * 1024 * 1024;

/// Checks each value with each map, and reports errors at the location of the value. Does not check
/// combinations of values. If there are many values or large maps, checks only the first values.
pub fn check_values(varied: &[Varied], maps: &[BaseMap], seed: Option<u64>) {
    for map in maps {
        let bytes: usize = map.sources.files.iter().map(|file| file.text.len()).sum();
        let all = (MOST_BYTES / bytes.max(1)).clamp(20, MOST_VALUES);
        let mut left = (all / maps.len()).max(1);
        for each in varied {
            let Some(path) = &each.path else { continue };
            for (value, span) in each.checks.iter().take(left) {
                left -= 1;
                let problem = match Setting::of(path, value.toml()) {
                    Ok(setting) => {
                        let set = [numbering([path]), vec![setting]].concat();
                        first_error(with_settings(&map.sources, seed, set))
                    }
                    Err(error) => Some((error.to_string(), Vec::new())),
                };
                if let Some(problem) = problem {
                    report_value(each, span.clone(), problem, maps, map);
                }
            }
        }
    }
}

/// Returns the message and advice of the first error of a map; `None` for a map without errors.
fn first_error(loaded: Result<Loaded, LoadError>) -> Option<(String, Vec<String>)> {
    let loaded = match loaded {
        Ok(loaded) => loaded,
        Err(error) => return Some((error.to_string(), Vec::new())),
    };
    let mut errors = loaded.report.diagnostics().iter();
    let error = errors.find(|each| each.severity == Severity::Error)?;
    let source = loaded.report.source(error.file);
    let mut help = error.help.clone();
    // An error outside of the setting has its place in the map.
    if error.file.0 == 0 {
        let (line, column) = source.line_column(error.span.start);
        help.push(format!("at {}:{line}:{column}", source.label()));
    }
    Some((error.message.clone(), help))
}

fn report_value(
    varied: &Varied,
    span: Range<usize>,
    (message, help): (String, Vec<String>),
    maps: &[BaseMap],
    map: &BaseMap,
) {
    let mut problem = Diagnostic::error(span, message);
    problem.help = help;
    varied.entry.issues.push(problem.help(map.among(maps)));
}
