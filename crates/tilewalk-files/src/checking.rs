//! Checking any number of maps and patterns.

use std::fs;
use std::path::{Path, PathBuf};

use super::breaks;
use super::config::{self, Vocabulary};
use super::diagnostic::{Diagnostic, Report};
use super::library::{TilesKind, read_source};
use super::loading::{LoadError, Loaded, Options, load};
use super::origin::{Origin, Store};
use super::pattern_file;
use super::show;
use super::source::{self, ReadError, Source};
use super::tiled::{self, Rules};

/// Folders within folders that are followed.
const MAX_DEPTH: usize = 64;

/// Reads maps and patterns, and all `.toml` files in folders, and reports what is wrong.
///
/// A file that ends in `.txt` or `.map` is rows of tiles, `.tmx` and `.tsx` are Tiled's. `config.toml` is a
/// configuration if `vocabulary` is given. Any other is a pattern if it has a `kind` at its top, else a map.
/// The report has the files in `paths` and the files that they name, each once.
///
/// # Errors
/// When a path is missing, can't be read, is neither a file nor a folder, or is a folder without
/// any `.toml` file.
pub fn check(paths: &[PathBuf], vocabulary: Option<&Vocabulary>) -> Result<Report, ReadError> {
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
        report.merge(check_file(&file, vocabulary)?);
    }
    Ok(report)
}

fn check_file(path: &Path, vocabulary: Option<&Vocabulary>) -> Result<Report, ReadError> {
    let (source, problems) = source::read(path, show::path(path))?;
    let mut report = Report::default();
    if let Some(kind) = path.extension().and_then(|ending| TilesKind::of(&ending.to_string_lossy()))
    {
        let store = Store::around(path);
        let read = (source, problems);
        kind.read(read, &Rules::default(), &kind.legend(), &store, &mut report);
        return Ok(report);
    }
    if path.extension().is_some_and(|ending| ending == "tsx") {
        read_source(&mut report, source, problems, tiled::check_set);
        return Ok(report);
    }
    if let Some(map) = breaks::map_of(path) {
        return Ok(check_breaks(&map, report, source, problems));
    }
    if let Some(vocabulary) = vocabulary.filter(|_| config::is_config(path, source.text())) {
        return Ok(config::read(path, vocabulary)?.report);
    }
    if pattern_file::is_map(source.text()) {
        return match load(&Origin::Disk(path.to_owned()), &Options::default()) {
            Ok(loaded) => Ok(loaded.report),
            Err(LoadError::Read(error)) => Err(error),
            // There are no settings here.
            Err(LoadError::Setting(_)) => Ok(Report::default()),
        };
    }
    read_source(&mut report, source, problems, |issues| pattern_file::read(issues.text(), issues));
    Ok(report)
}

/// Breakpoints are about a map that has no errors; those of the map are told with the map.
fn check_breaks(
    map: &Path,
    mut report: Report,
    source: Source,
    problems: Vec<Diagnostic>,
) -> Report {
    let loaded = load(&Origin::Disk(map.to_owned()), &Options::default());
    read_source(&mut report, source, problems, |issues| match loaded {
        Ok(Loaded { scenario: Some(scenario), .. }) => Some(breaks::read(issues, &scenario)),
        Ok(_) => None,
        Err(error) => {
            issues.error(0..0, format!("can't read the map for these breakpoints: {error}"));
            None
        }
    });
    report
}

/// The `.toml` files of a folder and the folders in it, sorted by name. Links to folders are not
/// followed: they might go round in circles.
fn collect(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> Result<(), ReadError> {
    let io = |error| ReadError::io(folder, error);
    let mut entries =
        fs::read_dir(folder).map_err(io)?.collect::<Result<Vec<_>, _>>().map_err(io)?;
    entries.sort_by_key(fs::DirEntry::file_name);
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
