//! The plan of a sweep: all texts, values and seeds, identified by one hash.
//!
//! The plan does not refer to files, so later changes of the maps do not affect it. Runs are
//! numbered from 0: all seeds of the first design point, then all seeds of the second one.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use xxhash_rust::xxh3::xxh3_128;

use crate::files::show;
use crate::files::sweep::{self, FrozenSweep, Sweep, SweepOrigin};
use crate::files::values::Value;
use crate::scenario::sources::{FileRole, SourceFile, Sources};
use crate::step::ENGINE_REVISION;

use super::{SweepError, publish};

/// Version of the plan format that this program reads and writes.
const FORMAT: u32 = 1;

/// Ending that is appended to the name of the output to form the name of the plan.
const ENDING: &str = ".tilewalk.json";

/// A sweep with numbered runs, divided into shards.
#[derive(Debug)]
pub struct Plan {
    /// The maps, design points, seeds and measures.
    pub sweep: Sweep,
    /// Number of shards, at least 1. The hash of the plan does not depend on it.
    pub shards: u64,
    /// The part of the plan that the hash covers, as JSON.
    body: Box<RawValue>,
    hash: String,
}

/// The content of a plan file.
#[derive(Serialize, Deserialize)]
struct PlanFile<'a> {
    hash: String,
    shards: u64,
    #[serde(borrow)]
    plan: &'a RawValue,
}

/// The part of a plan that the hash covers.
#[derive(Serialize, Deserialize)]
struct Body {
    format: u32,
    engine: u32,
    label: String,
    sweep: String,
    maps: Vec<MapBody>,
    points: Vec<Vec<String>>,
    seeds: Vec<u64>,
}

#[derive(Serialize, Deserialize)]
struct MapBody {
    name: String,
    files: Vec<FileBody>,
}

#[derive(Serialize, Deserialize)]
struct FileBody {
    role: Role,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    label: String,
    text: String,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Role {
    Map,
    Beside,
    Pattern,
}

/// The format version and engine revision of a plan. Plans of every format have these fields.
#[derive(Deserialize)]
struct Versions {
    format: u32,
    engine: u32,
}

impl Plan {
    /// Creates the plan of a sweep.
    ///
    /// # Panics
    /// Panics if `shards` is 0.
    pub fn new(sweep: Sweep, shards: u64) -> Self {
        assert!(shards > 0, "a plan without shards");
        let text = serde_json::to_string(&Body::of(&sweep));
        let body = text.and_then(RawValue::from_string).expect("texts and numbers are valid JSON");
        let hash = hash(&body);
        Self { sweep, shards, body, hash }
    }

    /// Reads a plan file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, was changed, or has another format or engine
    /// revision.
    pub fn read(path: &Path) -> Result<Self, SweepError> {
        let text = fs::read_to_string(path).map_err(SweepError::io("read", path))?;
        let shown = || show::path(path);
        let no_plan = |why: String| SweepError::NoPlan { path: shown(), why: show::text(&why) };
        let file: PlanFile =
            serde_json::from_str(&text).map_err(|error| no_plan(error.to_string()))?;
        let versions: Versions =
            serde_json::from_str(file.plan.get()).map_err(|error| no_plan(error.to_string()))?;
        if versions.format != FORMAT {
            return Err(SweepError::OtherFormat { path: shown(), format: versions.format });
        }
        if versions.engine != u32::from(ENGINE_REVISION) {
            return Err(SweepError::OtherEngine { path: shown(), engine: versions.engine });
        }
        if hash(file.plan) != file.hash {
            return Err(SweepError::Changed { path: shown() });
        }
        let body: Body =
            serde_json::from_str(file.plan.get()).map_err(|error| no_plan(error.to_string()))?;
        let sweep = body.sweep(no_plan)?;
        if file.shards == 0 {
            return Err(no_plan("the plan has no shards".to_owned()));
        }
        Ok(Self { sweep, shards: file.shards, body: file.plan.to_owned(), hash: file.hash })
    }

    /// Writes the plan to a file. The written plan has `shards` shards. A file with the same
    /// content stays unchanged.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written, or if it exists with other content.
    pub(super) fn write(&self, path: &Path, shards: u64) -> Result<(), SweepError> {
        let file = PlanFile { hash: self.hash.clone(), shards, plan: &self.body };
        let mut text = serde_json::to_string(&file).expect("texts and numbers are valid JSON");
        text.push('\n');
        publish::text(path, &text)
    }

    /// Returns the hash of all files, values and seeds, as 32 hexadecimal digits. It does not cover
    /// the number of shards.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// Returns the number of runs: design points times seeds.
    pub fn runs(&self) -> u64 {
        self.sweep.points.len() as u64 * self.sweep.seeds.len() as u64
    }

    /// Returns the design point and the seed of a run, both as indices in the plan.
    pub fn run(&self, number: u64) -> (usize, usize) {
        let seeds = self.sweep.seeds.len() as u64;
        ((number / seeds) as usize, (number % seeds) as usize)
    }

    /// Returns the run numbers of a shard. The sizes of two shards differ by at most 1.
    ///
    /// # Errors
    /// Returns an error if the plan has no shard `index`.
    pub fn shard(&self, index: u64) -> Result<Range<u64>, SweepError> {
        if index >= self.shards {
            return Err(SweepError::NoShard { index, shards: self.shards });
        }
        let start = |index: u64| {
            (u128::from(self.runs()) * u128::from(index) / u128::from(self.shards)) as u64
        };
        Ok(start(index)..start(index + 1))
    }
}

/// Returns the path of an output's plan, which is the path of the output with `.tilewalk.json`
/// appended.
pub fn plan_path(output: &Path) -> PathBuf {
    publish::with_ending(output, ENDING)
}

fn hash(body: &RawValue) -> String {
    format!("{:032x}", xxh3_128(body.get().as_bytes()))
}

impl Body {
    fn of(sweep: &Sweep) -> Self {
        let frozen = &sweep.frozen;
        let maps = frozen.maps.iter().map(|(name, sources)| {
            let files = sources.files.iter().map(FileBody::of).collect();
            MapBody { name: name.clone(), files }
        });
        let points = sweep.points.iter();
        let notation =
            |point: &Vec<Value>| point.iter().map(|value| value.toml().to_owned()).collect();
        Self {
            format: FORMAT,
            engine: ENGINE_REVISION.into(),
            label: frozen.label.clone(),
            sweep: frozen.text.to_string(),
            maps: maps.collect(),
            points: points.map(notation).collect(),
            seeds: sweep.seeds.clone(),
        }
    }

    /// Parses the texts of the plan again. Replaces the resulting design points and seeds by those
    /// in the plan.
    fn sweep(self, no_plan: impl Fn(String) -> SweepError) -> Result<Sweep, SweepError> {
        let maps = self.maps.into_iter().map(|map| {
            let files = map.files.into_iter().map(FileBody::source).collect();
            (map.name, Arc::new(Sources { files, ..Sources::default() }))
        });
        let frozen =
            FrozenSweep { label: self.label, text: self.sweep.into(), maps: maps.collect() };
        let loaded = sweep::load(&SweepOrigin::Kept(Arc::new(frozen)));
        let loaded = loaded.map_err(|error| no_plan(error.to_string()))?;
        let Some(mut sweep) = loaded.sweep else { return Err(no_plan(loaded.report.plain())) };
        let values = |point: Vec<String>| point.iter().map(|value| value.parse()).collect();
        let points: Result<Vec<Vec<_>>, _> = self.points.into_iter().map(values).collect();
        let points = points.map_err(|_| no_plan("a value is not TOML".to_owned()))?;
        if points.is_empty()
            || self.seeds.is_empty()
            || points.iter().any(|point| point.len() != sweep.varied.len())
        {
            return Err(no_plan("its values do not fit its sweep".to_owned()));
        }
        (sweep.points, sweep.seeds) = (points, self.seeds);
        Ok(sweep)
    }
}

impl FileBody {
    fn of(file: &SourceFile) -> Self {
        let (role, name) = match &file.place {
            FileRole::Map => (Role::Map, None),
            FileRole::Beside(name) => (Role::Beside, Some(name.clone())),
            FileRole::Pattern(name) => (Role::Pattern, Some(name.clone())),
        };
        Self { role, name, label: file.label.clone(), text: file.text.to_string() }
    }

    fn source(self) -> SourceFile {
        let name = self.name.unwrap_or_default();
        let place = match self.role {
            Role::Map => FileRole::Map,
            Role::Beside => FileRole::Beside(name),
            Role::Pattern => FileRole::Pattern(name),
        };
        SourceFile { place, label: self.label, text: self.text.into() }
    }
}
