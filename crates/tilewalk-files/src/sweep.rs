//! Sweeps: many runs of a map over seeds and values, with one row of measures per run.
//!
//! [`load`] reads a sweep file with its maps, checks both, and returns all design points.
//! [`Sweep::point`] reads the map of one design point. A [`FrozenSweep`] contains all texts of a
//! sweep, so that its runs can be repeated without the files.

pub(crate) mod axis;
pub(crate) mod design;
mod maps;
mod measure;
mod read;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use maps::{Maps, numbering, with_settings};

use crate::read::loading::{self, LoadError, SeededScenarios};
use crate::settings::{self, Setting, SettingError};
use crate::show;
use crate::text::report::{Report, read_source};
use crate::text::source::{self, ReadError, Source, is_other_file, is_sweep};
use crate::values::{Value, ValuePath};
use tilewalk_sim::condition::{Condition, ConditionContext, ConditionError, NumberCondition};
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::scenario::sources::Sources;

pub use measure::{Measure, MeasureKind};

pub use crate::keys::sweep::Take;

/// Source of a sweep.
#[derive(Debug, Clone)]
pub enum SweepOrigin {
    /// A sweep file on disk. The paths of its maps are relative to the file.
    Disk(PathBuf),
    /// A sweep that was read earlier, with the stored contents of all files.
    Kept(Arc<FrozenSweep>),
}

/// The texts of a sweep, sufficient to read the sweep again without files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrozenSweep {
    /// Name of the sweep file in messages.
    pub label: String,
    /// Text of the sweep file.
    pub text: Arc<str>,
    /// Name of each map as written in the sweep file, and the files of the map.
    pub maps: Vec<(String, Arc<Sources>)>,
}

/// Result of loading a sweep.
#[derive(Debug, Clone)]
pub struct LoadedSweep {
    /// The sweep; `None` if there are errors.
    pub sweep: Option<Sweep>,
    /// Problems in all files that were read. The sweep file is the first file of the report.
    pub report: Report,
}

/// A valid sweep: design points, seeds and measures.
#[derive(Debug, Clone)]
pub struct Sweep {
    /// Texts of the sweep file and of all its maps.
    pub frozen: Arc<FrozenSweep>,
    /// Number of frames of each run, at least 1.
    pub frames: u64,
    /// Seeds of each design point.
    pub seeds: Vec<u64>,
    /// Paths of the varied values, as written. `map` stands for the map.
    pub varied: Vec<String>,
    /// The design points: one value for each path, in the order of `varied`.
    pub points: Vec<Vec<Value>>,
    /// The measures, in file order.
    pub measures: Vec<Measure>,
    /// Condition that ends a run early, as written; `None` if all runs have `frames` frames.
    pub until: Option<String>,
    /// Parsed paths of the varied values; `None` for the map.
    paths: Vec<Option<ValuePath>>,
}

/// Reads a sweep and its maps. The report contains the problems in all files.
///
/// Each listed value and both ends of each range are checked with the maps. Combinations of values
/// are not checked: [`Sweep::point`] reports values that are invalid only together.
///
/// # Errors
/// Returns an error if the sweep file can't be read, or is a map or pattern. The report contains
/// maps that can't be read.
pub fn load(origin: &SweepOrigin) -> Result<LoadedSweep, ReadError> {
    let (source, problems, mut maps) = match origin {
        SweepOrigin::Disk(path) => {
            let (source, problems) = source::read(path, show::path(path))?;
            if let Some(what) = other_kind(path, source.text()) {
                return Err(ReadError::NoSweep { label: show::path(path), what });
            }
            (source, problems, Maps::on_disk(path))
        }
        SweepOrigin::Kept(frozen) => {
            let (text, problems) = source::decode(frozen.text.as_bytes());
            (Source::new(frozen.label.clone(), None, &text), problems, Maps::kept(frozen))
        }
    };
    let label = source.label().to_owned();
    let mut report = Report::default();
    let sweep =
        read_source(&mut report, source, problems, |issues| read::read(&label, issues, &mut maps));
    for other in maps.reports {
        report.merge(other);
    }
    let sweep = sweep.filter(|_| report.errors() == 0);
    Ok(LoadedSweep { sweep, report })
}

/// Returns what a file is if its name or text shows that it is not a sweep.
fn other_kind(path: &Path, text: &str) -> Option<&'static str> {
    let by_name = loading::other_kind(path).map(|(what, ..)| what);
    let by_text = || (!is_sweep(text) && is_other_file(text)).then_some("a map or a pattern");
    by_name.or_else(by_text)
}

/// Maximum number of seeds with which the map of a design point is read.
const MAX_SEEDS: usize = 16;

/// A design point, ready to run.
#[derive(Debug, Clone)]
pub struct DesignPoint {
    /// The map with the values of the point, for all seeds.
    pub scenarios: SeededScenarios,
    /// Condition that ends a run early; `None` if only the number of frames ends a run.
    pub until: Option<Condition>,
    /// The measures, in file order.
    pub measures: Vec<CompiledMeasure>,
}

/// A measure, and the frames that it covers.
#[derive(Debug, Clone)]
pub struct CompiledMeasure {
    /// The quantity.
    pub kind: Compiled,
    /// Number of the first measured frame.
    pub from: u64,
}

/// A measure, checked for the map of a design point.
#[derive(Debug, Clone)]
pub enum Compiled {
    /// A number in each frame, and the rule that combines the numbers of a run.
    Value(NumberCondition, Take),
    /// Number of frames in which the condition holds.
    Count(Condition),
    /// First frame in which the condition holds; empty if there is none.
    First(Condition),
    /// Verdict of the expectation with this index in the scenario.
    Expect(usize),
}

/// Error for a design point whose map has errors. Contains a report in plain text that is safe to
/// print.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PointError(String);

impl From<SettingError> for PointError {
    fn from(error: SettingError) -> Self {
        Self(error.to_string())
    }
}

impl From<LoadError> for PointError {
    fn from(error: LoadError) -> Self {
        Self(error.to_string())
    }
}

impl Sweep {
    /// Reads the map of a design point. `values` has one value for each varied path.
    ///
    /// # Errors
    /// Returns an error if the map is invalid with these values.
    pub fn point(&self, values: &[Value]) -> Result<DesignPoint, PointError> {
        if values.len() != self.paths.len() {
            let (count, paths) = (values.len(), self.paths.len());
            return Err(PointError(format!("{count} values for {paths} varied paths")));
        }
        let mut map = None;
        let mut settings = Vec::with_capacity(values.len());
        for (path, value) in self.paths.iter().zip(values) {
            match path {
                Some(path) => settings.push(settings::with_value(path, value)),
                None => map = Some(value.text()),
            }
        }
        self.point_with(map.as_deref(), &settings)
    }

    /// Reads a map with settings, and prepares the conditions of the sweep for this map. `map` is
    /// the name of a map as written in the sweep file; `None` stands for the first map.
    ///
    /// # Errors
    /// Returns an error if the sweep has no such map, or if the map is invalid with the settings.
    pub fn point_with(
        &self,
        map: Option<&str>,
        settings: &[Setting],
    ) -> Result<DesignPoint, PointError> {
        let sources = self.sources(map)?;
        let paths = settings.iter().map(Setting::path).chain(self.paths.iter().flatten());
        let settings = [numbering(paths), settings.to_vec()].concat();
        let load = |seed| with_settings(sources, seed, settings.clone());
        let mut loaded = load(self.seeds.first().copied())?;
        // With some seeds, a random start has no room.
        for seed in self.seeds.iter().take(MAX_SEEDS).skip(1) {
            if loaded.scenario.is_some() {
                break;
            }
            loaded = load(Some(*seed))?;
        }
        let Some(scenarios) = loaded.seeded() else {
            return Err(PointError(loaded.report.plain()));
        };
        let scenario = scenarios.loaded();
        let read = |text: &String| compile_condition(text, scenario);
        let until = self.until.as_ref().map(read).transpose()?;
        let measures = self.measures.iter().map(|measure| {
            let from = (measure.from / scenario.tick() + 1e-6) as u64;
            compile(&measure.kind, scenario).map(|kind| CompiledMeasure { kind, from })
        });
        let measures = measures.collect::<Result<_, PointError>>()?;
        Ok(DesignPoint { scenarios, until, measures })
    }

    fn sources(&self, map: Option<&str>) -> Result<&Arc<Sources>, PointError> {
        let maps = &self.frozen.maps;
        let found = match map {
            Some(name) => maps.iter().find(|(other, _)| other == name),
            None => maps.first(),
        };
        found.map(|(_, sources)| sources).ok_or_else(|| {
            let known = show::known_names(maps.iter().map(|(name, _)| name.as_str()));
            let name = show::text(map.unwrap_or_default());
            PointError(format!("the sweep has no map `{name}`; {known}"))
        })
    }
}

fn compile(kind: &MeasureKind, scenario: &Scenario) -> Result<Compiled, PointError> {
    Ok(match kind {
        MeasureKind::Value { text, take } => {
            let number = NumberCondition::read(text, scenario, ConditionContext::Global);
            Compiled::Value(number.map_err(|error| refused(text, &error))?, *take)
        }
        MeasureKind::Count(text) => Compiled::Count(compile_condition(text, scenario)?),
        MeasureKind::First(text) => Compiled::First(compile_condition(text, scenario)?),
        MeasureKind::Expect(name) => {
            let index = scenario.expectations().iter().position(|each| each.name == *name);
            let error = || PointError(format!("unknown expectation `{}`", show::text(name)));
            Compiled::Expect(index.ok_or_else(error)?)
        }
    })
}

fn compile_condition(text: &str, scenario: &Scenario) -> Result<Condition, PointError> {
    let condition = Condition::read(text, scenario, ConditionContext::Global);
    condition.map_err(|error| refused(text, &error))
}

fn refused(text: &str, error: &ConditionError) -> PointError {
    PointError(format!("`{}`: {}", show::text(text), show::text(&error.message)))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use tilewalk_sim::id::AgentId;

    fn shipped() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sweeps")
    }

    fn sweep(path: PathBuf) -> Sweep {
        let loaded = load(&SweepOrigin::Disk(path)).unwrap();
        let report = loaded.report.plain();
        loaded.sweep.unwrap_or_else(|| panic!("{report}"))
    }

    #[test]
    fn shipped_sweeps_load_without_problems() {
        let files = fs::read_dir(shipped()).unwrap().map(|entry| entry.unwrap().path());
        let sweeps = files.filter(|path| path.extension().is_some_and(|ending| ending == "toml"));
        let mut count = 0;
        for path in sweeps {
            let loaded = load(&SweepOrigin::Disk(path)).unwrap();
            assert!(loaded.report.diagnostics().is_empty(), "{}", loaded.report.plain());
            let sweep = loaded.sweep.unwrap();
            sweep.point(&sweep.points[0]).unwrap();
            sweep.point(sweep.points.last().unwrap()).unwrap();
            count += 1;
        }
        assert!(count > 0);
    }

    /// Returns the sweep of a map with three agents, and the folder with both files.
    fn written(text: &str) -> (tempfile::TempDir, LoadedSweep) {
        let map = "tiles = '''\n....\n....\n'''\n[[agent]]\nname = 'boid'\nat = 'anywhere'\n\
                   count = 3\nsteer = [{ do = 'wander' }]\n";
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("map.toml"), map).unwrap();
        let path = folder.path().join("sweep.toml");
        fs::write(&path, text).unwrap();
        let loaded = load(&SweepOrigin::Disk(path)).unwrap();
        (folder, loaded)
    }

    /// The first agents are the same for every count, because their names and random numbers are
    /// the same.
    #[test]
    fn agents_are_numbered_in_a_sweep_over_their_count() {
        let text = "map = 'map.toml'\nframes = 9\nseeds = [4, 2]\n[vary]\n'boid.count' = [1, 2, 5]\n\
                    [measure]\nspeed = { value = 'boid.1.speed' }\n";
        let sweep = written(text).1.sweep.unwrap();
        let points: Vec<_> = sweep.points.iter().map(|it| sweep.point(it).unwrap()).collect();
        for (point, count) in points.iter().zip([1, 2, 5]) {
            for &seed in &sweep.seeds {
                let scenario = point.scenarios.scenario(seed).unwrap();
                let last = points[2].scenarios.scenario(seed).unwrap();
                assert_eq!(
                    (scenario.kinds()[0].count, scenario.starts().len()),
                    (count, count as usize)
                );
                assert_eq!(scenario.starts()[..], last.starts()[..count as usize]);
                assert_eq!(scenario.find("boid.1"), Some(AgentId(0)));
                assert_eq!(scenario.find("boid"), None);
            }
        }
        let setting = [settings::parse("boid.steer.wander.jitter=2").unwrap()];
        let scenarios = sweep.point_with(None, &setting).unwrap().scenarios;
        let set = scenarios.loaded().sources().set.iter().map(Setting::to_string);
        assert_eq!(set.collect::<Vec<_>>(), ["boid.numbered=true", "boid.steer.1.jitter=2"]);
    }

    #[test]
    fn values_that_are_invalid_only_together_are_errors_of_their_point() {
        let text = "map = 'map.toml'\nframes = 9\n[vary]\n'boid.count' = [3, 8]\n\
                    'boid.at' = ['anywhere', { within = [0, 0, 3, 0] }]\n[measure]\nx = { count = 'true' }\n";
        let (_folder, loaded) = written(text);
        let sweep = loaded.sweep.unwrap_or_else(|| panic!("{}", loaded.report.plain()));
        let results: Vec<_> = sweep.points.iter().map(|point| sweep.point(point)).collect();
        let is_valid: Vec<_> = results.iter().map(Result::is_ok).collect();
        assert_eq!(is_valid, [true, true, true, false]);
        let error = results[3].as_ref().unwrap_err().to_string();
        assert!(error.contains("only 4 of 8 agents of `boid` fit"), "{error}");
    }

    #[test]
    fn maps_and_sweeps_are_distinguished() {
        let map = "tiles = '''\n..\n'''\n# the measure of all things\n";
        let sweep = "map = 'a.toml'\nframes = 9\n[measure]\n";
        assert!(is_sweep(sweep) && is_sweep("vary = 1") && !is_sweep(map) && !is_sweep(""));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.toml");
        fs::write(&path, map).unwrap();
        let error = load(&SweepOrigin::Disk(path.clone())).unwrap_err().to_string();
        assert!(error.contains("this is not a sweep, but a map"), "{error}");
        fs::write(&path, sweep).unwrap();
        let error = crate::load(&crate::Origin::Disk(path), &crate::Options::default());
        let error = error.unwrap_err().to_string();
        assert!(error.contains("this is a sweep, not a map\n`tilewalk sweep"), "{error}");
        let tiles = folder.path().join("a.tmx");
        fs::write(&tiles, "<map/>").unwrap();
        let error = load(&SweepOrigin::Disk(tiles)).unwrap_err().to_string();
        assert!(error.contains("this is not a sweep, but a tiles file\n"), "{error}");
    }

    #[test]
    fn large_sweeps_load_quickly() {
        let text = "map = 'map.toml'\nframes = 9\ndesign = 'latin'\npoints = 100_000\n[vary]\n\
                    'boid.body.max_speed' = { from = 1, to = 5 }\ntick = { from = 0.01, to = 0.1 }\n\
                    [measure]\nx = { value = 'mean(boid, speed)', take = 'mean' }\n";
        let sweep = written(text).1.sweep.unwrap();
        assert_eq!(sweep.points.len(), 100_000);
        sweep.point(&sweep.points[99_999]).unwrap();
    }

    #[test]
    fn a_frozen_sweep_has_the_same_points_and_scenarios() {
        let disk = sweep(shipped().join("flock.toml"));
        let kept = load(&SweepOrigin::Kept(Arc::clone(&disk.frozen))).unwrap().sweep.unwrap();
        assert_eq!(disk.frozen, kept.frozen);
        assert_eq!((&disk.varied, &disk.points), (&kept.varied, &kept.points));
        assert_eq!((&disk.seeds, &disk.measures), (&kept.seeds, &kept.measures));
        for values in &disk.points {
            let [a, b] = [&disk, &kept].map(|sweep| sweep.point(values).unwrap().scenarios);
            for &seed in &disk.seeds[..2] {
                let [a, b] = [&a, &b].map(|point| point.scenario(seed).unwrap());
                assert_eq!(format!("{a:?}"), format!("{b:?}"));
            }
        }
    }
}
