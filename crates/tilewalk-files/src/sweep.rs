//! Sweeps: many runs of a map over seeds and values, with one row of measures per run.
//!
//! [`load`] reads a sweep file with its maps, checks both, and returns all design points.
//! [`Sweep::point`] reads the map of one design point. A [`FrozenSweep`] contains all texts of a
//! sweep, so that its runs can be repeated without the files.

mod check;
pub(crate) mod design;
mod maps;
mod measure;
mod point;
mod read;
mod value;
mod vary;

use std::path::PathBuf;
use std::sync::Arc;

use super::report::{Report, read_source};
use super::show;
use super::source::{self, ReadError, Source};
use super::value_path::ValuePath;
use tilewalk_sim::scenario::sources::Sources;

use maps::Maps;

pub use measure::{Measure, MeasureKind, Take};
pub use point::{Compiled, Point, PointError};
pub use value::{NoValue, Value};

/// Source of a sweep.
#[derive(Debug, Clone)]
pub enum SweepOrigin {
    /// A sweep file on disk. Its maps are relative to the file.
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
    /// The maps: each name as written in the sweep file, and the files of the map.
    pub maps: Vec<(String, Arc<Sources>)>,
}

/// Result of loading a sweep.
#[derive(Debug, Clone)]
pub struct LoadedSweep {
    /// The sweep; `None` if there are errors.
    pub sweep: Option<Sweep>,
    /// Problems in all files read. The sweep is the first file.
    pub report: Report,
}

/// A valid sweep: the design points and what is measured.
#[derive(Debug, Clone)]
pub struct Sweep {
    /// The texts of the sweep.
    pub frozen: Arc<FrozenSweep>,
    /// Frames of each run, at least 1.
    pub frames: u64,
    /// Seeds of each design point.
    pub seeds: Vec<u64>,
    /// Paths of the varied values, as written. `map` stands for the map.
    pub varied: Vec<String>,
    /// The design points: one value for each path.
    pub points: Vec<Vec<Value>>,
    /// The measures, in file order.
    pub measures: Vec<Measure>,
    /// Condition that ends a run early, as written.
    pub until: Option<String>,
    /// Parsed paths of the varied values; `None` for the map.
    paths: Vec<Option<ValuePath>>,
}

/// Reads a sweep and its maps. Problems in the files are in the report.
///
/// Each listed value and both ends of each range are checked with the maps. Values that are invalid
/// only together are found by [`Sweep::point`].
///
/// # Errors
/// Returns an error if the sweep file can't be read. A map that can't be read is in the report.
pub fn load(origin: &SweepOrigin) -> Result<LoadedSweep, ReadError> {
    let (source, problems, mut maps) = match origin {
        SweepOrigin::Disk(path) => {
            let (source, problems) = source::read(path, show::path(path))?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

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
