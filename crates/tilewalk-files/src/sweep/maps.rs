//! Reads the maps of a sweep.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::loading::{LoadError, Loaded, Options, load};
use crate::origin::Origin;
use crate::report::Report;
use crate::settings::Setting;
use crate::span_tree::SpanTree;
use crate::sweep::FrozenSweep;
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::scenario::sources::{Place, Sources};

/// The maps that a sweep file can name.
#[derive(Debug)]
pub struct Maps<'a> {
    place: Location<'a>,
    /// Problems in the maps that were read.
    pub reports: Vec<Report>,
}

#[derive(Debug)]
enum Location<'a> {
    /// The directory of the sweep file.
    Disk(PathBuf),
    Kept(&'a FrozenSweep),
}

/// A valid map without varied values.
#[derive(Debug)]
pub struct BaseMap {
    /// Name as written in the sweep file.
    pub name: String,
    /// The files of the map, without settings.
    pub sources: Arc<Sources>,
    pub scenario: Arc<Scenario>,
    /// The values of the map file.
    pub tree: Option<SpanTree>,
}

impl<'a> Maps<'a> {
    pub fn on_disk(sweep: &Path) -> Self {
        let folder = sweep.parent().unwrap_or(Path::new("")).to_owned();
        Self { place: Location::Disk(folder), reports: Vec::new() }
    }

    pub fn kept(frozen: &'a FrozenSweep) -> Self {
        Self { place: Location::Kept(frozen), reports: Vec::new() }
    }

    /// Reads a map by its name in the sweep file, with settings. Problems in the map are added to
    /// the reports; `None` for a map with errors.
    ///
    /// # Errors
    /// Returns the reason if the map can't be read, in a line that is safe to print.
    pub fn read(&mut self, name: &str, options: &Options) -> Result<Option<BaseMap>, String> {
        let origin = match &self.place {
            Location::Disk(folder) => Origin::Disk(folder.join(name)),
            Location::Kept(frozen) => {
                let kept = frozen.maps.iter().find(|(other, _)| other == name);
                let (_, sources) = kept.ok_or("the stored files do not include this map")?;
                Origin::Kept(Arc::clone(sources))
            }
        };
        let loaded = load(&origin, options).map_err(|error| error.to_string())?;
        let base = loaded.scenario.as_ref().map(|scenario| {
            let plain =
                Sources { set: Vec::new(), seed: None, ..Sources::clone(&scenario.sources) };
            let text = plain.file(&Place::Map).map(|file| Arc::clone(&file.text));
            BaseMap {
                name: name.to_owned(),
                sources: Arc::new(plain),
                scenario: Arc::clone(scenario),
                tree: text.and_then(|text| SpanTree::parse(&text)),
            }
        });
        self.reports.push(loaded.report);
        Ok(base)
    }
}

/// Reads a map from its stored files with settings.
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
