//! Checks any number of maps, patterns and sweeps.

mod settings;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::config::{self, ConfigSchema};
use crate::disk::store::{self, Origin, Store};
use crate::formats::tiled::{self, Rules};
use crate::formats::{LevelOptions, TilesFormat};
use crate::read::loading::{LoadError, Loaded, Options, load, reload};
use crate::read::pattern_file;
use crate::read::recorded::{self, RecordedError};
use crate::read::route_queries;
use crate::read::{breaks, failed_seeds};
use crate::show;
use crate::sweep::{self, SweepOrigin};
use crate::text::diagnostic::{Diagnostic, Issues};
use crate::text::report::{Report, read_source};
use crate::text::source::{self, ReadError, Source};
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::sort::SmallSort;

/// Maximum depth of nested directories. Deeper directories are not searched.
const MAX_DEPTH: usize = 64;

/// Checks the files in `paths`, and all `.toml` files in the directories in `paths`. Returns their
/// problems.
///
/// The file name selects the reader of these files:
/// - tiles files, tile sets (`.tsx`, `.tsj`) and scenarios (`.scen`)
/// - breakpoint files, expectation files and recordings (`.twr`)
/// - `config.toml`, unless `schema` is `None`
///
/// The content selects the reader of any other file. A file with the table `vary` or `measure` is a
/// sweep. A file with the key `kind` is a pattern. All other files are maps. The report contains
/// each file once, with the files that it names.
///
/// # Errors
/// Returns an error if a path is missing, unreadable, neither a file nor a directory, or a
/// directory without `.toml` files.
pub fn check(paths: &[PathBuf], schema: Option<&ConfigSchema>) -> Result<Report, ReadError> {
    let mut files = Vec::new();
    for path in paths {
        let about = fs::metadata(path).map_err(|error| ReadError::io(path, error))?;
        if about.is_dir() {
            let before = files.len();
            collect(path, MAX_DEPTH, &mut files)?;
            if files.len() == before {
                return Err(ReadError::NothingIn { label: show::path(path) });
            }
        } else {
            files.push(path.clone());
        }
    }
    let mut report = Report::default();
    for file in files {
        report.merge(check_file(&file, schema)?);
    }
    Ok(report)
}

/// Returns the given files, and the maps in the given directories. The maps of a directory are
/// sorted by name. Each path is returned once.
///
/// # Errors
/// Returns an error if a path is missing or a directory is unreadable.
pub fn maps(paths: &[PathBuf]) -> Result<Vec<PathBuf>, ReadError> {
    let mut maps = Vec::new();
    for path in paths {
        let about = fs::metadata(path).map_err(|error| ReadError::io(path, error))?;
        if !about.is_dir() {
            maps.push(path.clone());
            continue;
        }
        let mut files = Vec::new();
        collect(path, MAX_DEPTH, &mut files)?;
        // A file that cannot be read has an error to report.
        maps.extend(files.into_iter().filter(|file| is_map(file).unwrap_or(true)));
    }
    let mut known = BTreeSet::new();
    maps.retain(|path| known.insert(path.clone()));
    Ok(maps)
}

/// Returns true if a `.toml` file is a map. Returns false for patterns, sweeps, and files with
/// breakpoints, expectations or seeds. Returns `None` for a file that cannot be read, such as a pipe, and for a
/// file that is too large.
pub fn is_map(path: &Path) -> Option<bool> {
    let maps = [breaks::map_of(path), store::map_of_expect_file(path), failed_seeds::map_of(path)];
    if maps.iter().any(Option::is_some) {
        return Some(false);
    }
    let (source, problems) = source::read(path, show::path(path)).ok()?;
    let text = source.text();
    // The text of a file that is too large is empty.
    let is_read = problems.is_empty() || !text.is_empty();
    is_read.then(|| source::has_map(text) && !source::is_sweep(text))
}

fn check_file(path: &Path, schema: Option<&ConfigSchema>) -> Result<Report, ReadError> {
    if path.extension().is_some_and(|ending| ending == recorded::ENDING) {
        return check_recording(path);
    }
    let (source, problems) = source::read(path, show::path(path))?;
    let mut report = Report::default();
    if let Some(format) = TilesFormat::of_path(path) {
        let store = Store::around(path);
        let read = (source, problems);
        let mut legend = (format.legend)();
        let around = (&store, &LevelOptions::default());
        format.read(read, &Rules::default(), &mut legend, around, &mut report);
        return Ok(report);
    }
    if path.extension().is_some_and(|ending| ending == "tsx" || ending == "tsj") {
        read_source(&mut report, source, problems, tiled::check_set);
        return Ok(report);
    }
    if path.extension().is_some_and(|ending| ending == route_queries::ENDING) {
        read_source(&mut report, source, problems, route_queries::parse);
        return Ok(report);
    }
    if let Some(map) = store::map_of_expect_file(path) {
        return Ok(check_expectations(&map, report, source, problems));
    }
    if let Some(map) = breaks::map_of(path) {
        return Ok(check_beside(&map, report, source, problems, |issues, scenario| {
            breaks::read(issues, scenario);
        }));
    }
    if let Some(map) = failed_seeds::map_of(path) {
        return Ok(check_beside(&map, report, source, problems, |issues, scenario| {
            failed_seeds::read(issues, scenario);
        }));
    }
    if let Some(schema) = schema.filter(|_| config::is_config(path, source.text())) {
        return Ok(config::read(path, schema)?.report);
    }
    if source::is_sweep(source.text()) {
        return Ok(sweep::load(&SweepOrigin::Disk(path.to_owned()))?.report);
    }
    if source::is_map(source.text()) {
        return match load(&Origin::Disk(path.to_owned()), &Options::default()) {
            Ok(loaded) => Ok(settings::checked(loaded)),
            Err(LoadError::Read(error)) => Err(error),
            // `Options::default` has no settings and no run.
            Err(LoadError::Setting(_) | LoadError::Run { .. }) => Ok(Report::default()),
        };
    }
    read_source(&mut report, source, problems, |issues| pattern_file::read(issues.text(), issues));
    Ok(report)
}

/// Checks a recording and the first stored version of its map. A damaged recording is an error in
/// the report.
fn check_recording(path: &Path) -> Result<Report, ReadError> {
    let read = match recorded::recording(path) {
        Err(RecordedError::Read(error @ ReadError::TooLarge { .. })) => Err(error.reason()),
        Err(RecordedError::Read(error)) => return Err(error),
        Err(RecordedError::Recording { error, .. }) => Err(error.to_string()),
        Ok(recorded) => Ok(recorded.recording),
    };
    let mut report = Report::default();
    let source = Source::new(show::path(path), None, "");
    let recording = read_source(&mut report, source, Vec::new(), |issues| match read {
        Err(error) => {
            issues.error(0..0, error);
            None
        }
        Ok(recording) => {
            for remark in recorded::remarks(&recording) {
                issues.push(Diagnostic::warning(0..0, remark));
            }
            Some(recording)
        }
    });
    let Some(recorded) = recording.and_then(|recording| recording.sources.into_iter().next())
    else {
        return Ok(report);
    };
    let sources = recorded::sources(&recorded).ok();
    let of_map = sources.and_then(|sources| reload(&sources, &Options::of(&sources)).ok());
    if let Some(of_map) = of_map {
        report.merge(of_map.report);
    }
    Ok(report)
}

/// Checks an expectation file together with its map.
fn check_expectations(
    map: &Path,
    mut report: Report,
    source: Source,
    problems: Vec<Diagnostic>,
) -> Report {
    match load(&Origin::Disk(map.to_owned()), &Options::default()) {
        Ok(loaded) => settings::checked(loaded),
        Err(error) => {
            read_source(&mut report, source, problems, |issues| {
                issues.error(0..0, format!("can't read the map for these expectations: {error}"));
                Some(())
            });
            report
        }
    }
}

/// Checks a file of breakpoints or seeds against its map. Does not report problems in the map itself.
fn check_beside(
    map: &Path,
    mut report: Report,
    source: Source,
    problems: Vec<Diagnostic>,
    read: fn(&Issues, &Arc<Scenario>),
) -> Report {
    let loaded = load(&Origin::Disk(map.to_owned()), &Options::default());
    read_source(&mut report, source, problems, |issues| match loaded {
        Ok(Loaded { scenario: Some(scenario), .. }) => {
            read(issues, &scenario);
            Some(())
        }
        Ok(_) => None,
        Err(error) => {
            issues.error(0..0, format!("can't read the map of this file: {error}"));
            None
        }
    });
    report
}

/// Collects the `.toml` files of a directory and its subdirectories, sorted by name. Symbolic links
/// to directories are not followed, because they can form cycles.
fn collect(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> Result<(), ReadError> {
    let io = |error| ReadError::io(folder, error);
    let mut entries =
        fs::read_dir(folder).map_err(io)?.collect::<Result<Vec<_>, _>>().map_err(io)?;
    entries.small_sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        if entry.file_type().map_err(io)?.is_dir() {
            if depth > 0 {
                collect(&path, depth - 1, files)?;
            }
        } else if path.extension().is_some_and(|ending| ending == "toml") {
            files.push(path);
        }
    }
    Ok(())
}
