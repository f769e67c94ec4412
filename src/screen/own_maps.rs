//! The user's own maps in the gallery: the maps in a directory, newest first.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use tilewalk::builtin;
use tilewalk::files::text::source;
use tilewalk::files::{self, Options, Origin, Severity, check, show};
use tilewalk::tui::GalleryEntry;
use tilewalk_sim::sort::SmallSort;

/// Maximum number of files of a directory that are looked at.
const MOST_FILES: usize = 1000;

/// Maximum number of own maps that the gallery lists.
const MOST_MAPS: usize = 100;

/// Maximum size of a map that the gallery lists, in bytes.
const LARGEST: u64 = 1 << 18;

/// A map in a directory.
pub struct OwnMap {
    pub entry: GalleryEntry,
    /// Name of the built-in map with the same text. `None` if there is no such map.
    pub copy_of: Option<&'static str>,
}

/// Returns the maps in a directory and in its subdirectory `maps`, newest first.
pub fn maps(folder: &Path) -> Vec<OwnMap> {
    if folder.as_os_str().is_empty() {
        return Vec::new();
    }
    // Paths in the current directory are shown without `./`.
    let here = if folder == Path::new(".") { Path::new("") } else { folder };
    let mut found = files_of(here);
    found.extend(files_of(&here.join("maps")));
    found.small_sort_by_key(|(saved, path)| (std::cmp::Reverse(*saved), path.clone()));
    found.into_iter().filter_map(|(_, path)| own_map(path)).take(MOST_MAPS).collect()
}

/// Returns the TOML files of a directory, with the time at which each was saved.
fn files_of(folder: &Path) -> Vec<(SystemTime, PathBuf)> {
    let read = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let Ok(entries) = fs::read_dir(read) else { return Vec::new() };
    let file = |entry: fs::DirEntry| {
        let path = folder.join(entry.file_name());
        let about = fs::metadata(&path).ok()?;
        let is_toml = path.extension().is_some_and(|ending| ending == "toml");
        let fits = is_toml && about.is_file() && about.len() <= LARGEST;
        fits.then_some((about.modified().ok()?, path))
    };
    entries.flatten().take(MOST_FILES).filter_map(file).collect()
}

/// Returns the map in a file. Returns `None` if the file is not a map.
fn own_map(path: PathBuf) -> Option<OwnMap> {
    let text = fs::read_to_string(&path).ok()?;
    if check::is_map(&path) != Some(true) {
        return None;
    }
    let copy_of = builtin::name_of(&text);
    let id = path.to_str().filter(|id| !id.contains(show::is_hidden))?.to_owned();
    let name = path.file_stem()?.to_string_lossy().into_owned();
    let comment = source::top_comment(&text);
    if copy_of.is_some() {
        let entry = GalleryEntry { id, title: name, comment, error: None };
        return Some(OwnMap { entry, copy_of });
    }
    let (title, error) = match files::load(&Origin::Disk(path), &Options::default()) {
        Err(error) => (name, Some(error.to_string())),
        Ok(loaded) => {
            let first = loaded.report.diagnostics().iter();
            let mut errors = first.filter(|each| each.severity == Severity::Error);
            let title = loaded.scenario.map(|scenario| scenario.title().to_owned());
            let title = title.filter(|title| !title.is_empty()).unwrap_or(name);
            (title, errors.next().map(|error| show::line(&error.message)))
        }
    };
    Some(OwnMap { entry: GalleryEntry { id, title, comment, error }, copy_of })
}
