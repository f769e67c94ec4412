//! Reads the maps of a sweep. Checks each value of the sweep with each map.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::FrozenSweep;
use crate::disk::store::Origin;
use crate::read::loading::{LoadError, Loaded, Options, load};
use crate::settings::{self, Setting};
use crate::show;
use crate::text::report::Report;
use crate::text::span_tree::SpanTree;
use crate::values::{self, Value, ValuePath};
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::scenario::sources::{FileRole, Sources};
use tilewalk_sim::sort::SmallCollect;

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
        let options = Options { seed, ..Options::default() };
        let loaded = load(&origin, &options).map_err(|error| error.to_string())?;
        self.reports.push(loaded.report);
        let Some(mut scenario) = loaded.scenario else { return Ok(None) };
        let sources = Sources { seed: None, ..Sources::clone(scenario.sources()) };
        let sources = Arc::new(sources);
        let text = sources.file(&FileRole::Map).map(|file| Arc::clone(&file.text));
        let tree = text.and_then(|text| SpanTree::parse(&text));
        let is_known = |setting: &Setting| {
            let mut names = scenario.kinds().iter().map(|kind| kind.name.as_str());
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
    let agents: BTreeSet<_> = agents.small_collect();
    let numbered = |agent: &str| {
        let path =
            ValuePath { table: Some(values::agent_table(agent)?), key: "numbered".to_owned() };
        Some(settings::with_value(&path, &Value::of_boolean(true)))
    };
    agents.into_iter().filter_map(numbered).collect()
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
    load(&Origin::Kept(Arc::clone(sources)), &Options { seed, set, run: None })
}
