//! Sources of files: the disk, files that are compiled into the program, a text, or stored
//! files.
//!
//! A [`Store`] finds the patterns, expectations and other files that a map names. A store reads
//! only from the directories of the map. It refuses names and symbolic links that lead out of
//! these directories.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use include_dir::Dir;

use crate::disk::project::Project;
use crate::keys::map::MAP;
use crate::show;
use crate::text::diagnostic::{Diagnostic, FileId, Issues};
use crate::text::reader::document;
use crate::text::source::{self, Found, ReadError, Source};
use tilewalk_sim::scenario::sources::{FileRole, Sources};
use tilewalk_sim::sort::SmallSort;

#[cfg(feature = "tiled")]
use crate::disk::project::ProjectFile;

/// Maximum number of names collected for suggestions.
const MOST_NAMES: usize = 10_000;

/// Maximum number of files read for suggestions. Files are read to distinguish patterns from maps.
const MOST_READ: usize = 100;

/// Source of a map.
#[derive(Debug, Clone, PartialEq)]
pub enum Origin {
    /// A map file on disk.
    Disk(PathBuf),
    /// A built-in map.
    Builtin {
        /// Built-in maps and patterns.
        set: &'static Embedded,
        /// Name of the map, without `.toml`.
        name: String,
    },
    /// A map given as text.
    Text {
        /// Name of the map in messages.
        label: String,
        /// Content of the map file.
        text: String,
        /// Built-in patterns and files that the map can use.
        set: Option<&'static Embedded>,
    },
    /// A map that was read earlier, with the stored contents of all files.
    Kept(Arc<Sources>),
}

/// The files that a map can refer to.
#[derive(Debug, Clone)]
pub struct Store {
    kind: OriginKind,
    /// Name of the file with expectations beside the map; `None` if the map can't have one.
    expectations: Option<String>,
    /// Location of the Tiled or LDtk project that the map belongs to.
    project: Project,
    /// Directory of the tiles file, relative to the map, with a `/` at the end; empty for a tiles
    /// file in the directory of the map.
    base: String,
    /// All paths that were searched, including missing files.
    searched_paths: RefCell<BTreeSet<PathBuf>>,
}

#[derive(Debug, Clone)]
enum OriginKind {
    /// Directory of the map, and pattern directories in search order.
    Disk {
        beside: PathBuf,
        patterns: [PathBuf; 2],
    },
    Builtin(Option<&'static Embedded>),
    Kept(Arc<Sources>),
}

impl Store {
    /// Reads a map. Returns the store of the map's other files, the source of the map, and its
    /// problems. Each invalid byte or control character is a problem.
    ///
    /// # Errors
    /// Returns an error if the map can't be read.
    pub fn open(origin: &Origin) -> Result<(Self, Source, Vec<Diagnostic>), ReadError> {
        match origin {
            Origin::Disk(path) => {
                let (source, problems) = source::read(path, show::path(path))?;
                let store = Self::around(path);
                store.searched_paths.borrow_mut().insert(path.clone());
                Ok((store, source, problems))
            }
            Origin::Builtin { set, name } => {
                let Some(text) = set.map(name) else {
                    let names = set.listings();
                    let near = show::nearest(name, names.iter().map(|each| each.name.as_str()));
                    let near = near.map(ToOwned::to_owned);
                    return Err(ReadError::NotBuiltin { name: show::text(name), near });
                };
                let label = format!("builtin:maps/{name}.toml");
                let (text, problems) = source::decode(text.as_bytes());
                let store =
                    Self::of(OriginKind::Builtin(Some(set)), expect_file_beside(Path::new(name)));
                Ok((store, Source::new(label, None, &text), problems))
            }
            Origin::Text { label, text, set } => {
                let (text, problems) = source::decode(text.as_bytes());
                let source = Source::new(show::text(label), None, &text);
                Ok((Self::of(OriginKind::Builtin(*set), None), source, problems))
            }
            Origin::Kept(sources) => {
                let Some(map) = kept(sources, FileRole::Map) else {
                    return Err(ReadError::NotKept);
                };
                let expectations = sources.files.iter().find_map(|file| match &file.place {
                    FileRole::Beside(name) if is_expect_file(name) => Some(name.clone()),
                    FileRole::Map | FileRole::Beside(_) | FileRole::Pattern(_) => None,
                });
                let store = Self::of(OriginKind::Kept(Arc::clone(sources)), expectations);
                Ok((store, map, Vec::new()))
            }
        }
    }

    /// Creates a store of the files around a map on disk.
    pub fn around(map: &Path) -> Self {
        let beside = map.parent().unwrap_or(Path::new(""));
        let next = match (beside.parent(), beside.file_name()) {
            (Some(above), Some(_)) => above.join("patterns"),
            _ => beside.join("..").join("patterns"),
        };
        let patterns = [beside.join("patterns"), next];
        Self::of(OriginKind::Disk { beside: beside.to_owned(), patterns }, expect_file_beside(map))
    }

    fn of(kind: OriginKind, expectations: Option<String>) -> Self {
        let (project, base, searched_paths) = Default::default();
        Self { kind, expectations, project, base, searched_paths }
    }

    /// Sets the location of the Tiled project.
    #[must_use]
    pub fn within_project(self, project: Project) -> Self {
        Self { project, ..self }
    }

    /// Returns a store for the files that a tiles file names. `tiles_file` is the path of the tiles
    /// file relative to the map.
    #[must_use]
    pub fn of_tiles_file(&self, tiles_file: &str) -> Self {
        let base = tiles_file.rfind('/').map_or("", |end| &tiles_file[..=end]);
        Self { base: base.to_owned(), ..self.clone() }
    }

    /// Adds the paths that another store searched.
    pub fn add_searched(&self, other: &Self) {
        let paths = other.searched_paths.borrow();
        self.searched_paths.borrow_mut().extend(paths.iter().cloned());
    }

    /// Returns a path relative to the map for a path relative to the tiles file.
    fn based(&self, name: &str) -> String {
        let mut parts: Vec<&str> = Vec::new();
        for part in self.base.split('/').chain(name.split('/')) {
            match part {
                "" | "." => {}
                ".." if parts.last().is_some_and(|last| *last != "..") => {
                    parts.pop();
                }
                part => parts.push(part),
            }
        }
        parts.join("/")
    }

    /// Returns the name of the expectation file beside the map; `None` if the map can't have one.
    pub fn expectations(&self) -> Option<&str> {
        self.expectations.as_deref()
    }

    /// Returns all paths that were searched, including missing files.
    pub fn searched_paths(&self) -> Vec<PathBuf> {
        self.searched_paths.borrow().iter().cloned().collect()
    }

    /// Reads a file in a directory, and records the path as searched.
    fn within(&self, folder: &Path, name: &str) -> Found {
        self.searched_paths.borrow_mut().insert(folder.join(name));
        within(folder, name)
    }

    /// Reads a file by its path relative to the directory of the map.
    pub fn sibling(&self, name: &str) -> Found {
        if self.base.is_empty() {
            return self.beside(name);
        }
        #[cfg(feature = "tiled")]
        return self.project_file(Some(name), "").found;
        #[cfg(not(feature = "tiled"))]
        return self.beside(&self.based(name));
    }

    /// Reads a file in the directory of the map or below.
    fn beside(&self, name: &str) -> Found {
        match &self.kind {
            OriginKind::Disk { beside, .. } => self.within(beside, name),
            OriginKind::Builtin(set) => {
                embedded("maps", name, set.and_then(|set| set.sibling(name)))
            }
            OriginKind::Kept(sources) => found(kept(sources, FileRole::Beside(name.to_owned()))),
        }
        .at(FileRole::Beside(name.to_owned()))
    }

    /// Reads a file of a Tiled project. `name` is the path relative to the map, or `None` for an
    /// absolute path. Without `name`, only the directory for moved tile sets is searched.
    #[cfg(feature = "tiled")]
    pub(crate) fn project_file(&self, name: Option<&str>, file_name: &str) -> ProjectFile {
        let based = name.map(|name| self.based(name));
        let name = based.as_deref();
        let place = FileRole::Beside(name.unwrap_or(file_name).to_owned());
        let mut file = match &self.kind {
            OriginKind::Disk { beside, .. } => {
                let searched_paths = name.map(|name| beside.join(name));
                self.searched_paths.borrow_mut().extend(searched_paths);
                self.project.read(beside, name, file_name)
            }
            OriginKind::Builtin(set) => {
                let text = set.and_then(|set| set.sibling(name?));
                embedded("maps", name.unwrap_or(file_name), text).into()
            }
            OriginKind::Kept(sources) => found(kept(sources, place.clone())).into(),
        };
        file.found = file.found.at(place);
        file
    }

    /// Finds an image of a Tiled or LDtk project on disk. `name` is the path relative to the map.
    ///
    /// # Errors
    /// Returns the reason if there is no such image. Messages put it after the name.
    pub(crate) fn picture(&self, name: &str) -> Result<PathBuf, String> {
        match &self.kind {
            OriginKind::Disk { beside, .. } => self.project.picture(beside, name),
            OriginKind::Builtin(_) | OriginKind::Kept(_) => Err("is not on disk".to_owned()),
        }
    }

    /// Reads a pattern. Searches the directory of the map, its subdirectory `patterns`, and the
    /// directory `patterns` next to the map's directory.
    ///
    /// Returns a map only if no pattern has this name. A map and a pattern can therefore have the
    /// same name.
    pub fn pattern(&self, name: &str) -> Found {
        let file = format!("{name}.toml");
        match &self.kind {
            OriginKind::Disk { beside, patterns } => {
                let mut a_map = Found::Missing;
                let found = [beside].into_iter().chain(patterns).find_map(|folder| {
                    match self.within(folder, &file) {
                        Found::Missing => None,
                        Found::Read(source, problems) if source::is_map(source.text()) => {
                            a_map = Found::Read(source, problems);
                            None
                        }
                        found @ (Found::Read(..) | Found::Refused(_)) => Some(found),
                    }
                });
                found.unwrap_or(a_map)
            }
            OriginKind::Builtin(set) => {
                embedded("patterns", &file, set.and_then(|set| set.pattern(name)))
            }
            OriginKind::Kept(sources) => found(kept(sources, FileRole::Pattern(name.to_owned()))),
        }
        .at(FileRole::Pattern(name.to_owned()))
    }

    /// Returns the directories that are searched for patterns, as printable text. Returns `None`
    /// for a map that is not on disk.
    pub fn searched(&self) -> Option<String> {
        let OriginKind::Disk { beside, patterns: [inside, next] } = &self.kind else { return None };
        let shown = |folder: &Path| match show::path(folder) {
            here if here.is_empty() => "`.`".to_owned(),
            path => format!("`{path}`"),
        };
        Some(format!("{}, {} and {}", shown(beside), shown(inside), shown(next)))
    }

    /// Returns the names of existing patterns for suggestions. Names in the directory of the map
    /// come last.
    pub(crate) fn pattern_names(&self) -> Vec<String> {
        let mut names = Vec::new();
        match &self.kind {
            OriginKind::Disk { beside, patterns } => {
                for folder in patterns {
                    collect(folder, "", 4, &mut names);
                }
                names.small_sort();
                let mut near = Vec::new();
                collect(beside, "", 0, &mut near);
                near.small_sort();
                near.truncate(MOST_READ);
                names.extend(near.into_iter().filter(|name| holds_pattern(beside, name)));
            }
            OriginKind::Builtin(set) => names = set.map_or_else(Vec::new, Embedded::pattern_names),
            OriginKind::Kept(_) => {}
        }
        names
    }
}

impl Found {
    fn at(self, place: FileRole) -> Self {
        match self {
            Self::Read(source, problems) => Self::Read(source.at(place), problems),
            other @ (Self::Missing | Self::Refused(_)) => other,
        }
    }
}

/// Returns the stored file with the role `place`. Returns `None` if no such file is stored.
fn kept(sources: &Sources, place: FileRole) -> Option<Source> {
    let file = sources.file(&place)?;
    Some(Source::new(file.label.clone(), None, &file.text).at(place))
}

fn found(source: Option<Source>) -> Found {
    source.map_or(Found::Missing, |source| Found::Read(source, Vec::new()))
}

/// Returns true if a directory contains a pattern with this name. A map is not a pattern.
fn holds_pattern(folder: &Path, name: &str) -> bool {
    match within(folder, &format!("{name}.toml")) {
        Found::Read(source, _) => !source::is_map(source.text()),
        Found::Missing | Found::Refused(_) => false,
    }
}

fn embedded(folder: &str, file: &str, text: Option<&str>) -> Found {
    let Some(text) = text else { return Found::Missing };
    let (text, problems) = source::decode(text.as_bytes());
    Found::Read(Source::new(format!("builtin:{folder}/{file}"), None, &text), problems)
}

/// Reads a file in a directory. Refuses symbolic links that lead out of the directory.
fn within(folder: &Path, name: &str) -> Found {
    let path = folder.join(name);
    match fs::symlink_metadata(&path) {
        Ok(_) => {}
        Err(error) if source::is_missing(&error) => return Found::Missing,
        Err(error) => return unreadable(&ReadError::io(&path, error)),
    }
    // The parent of a bare file name is "".
    let root = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    match (fs::canonicalize(root), fs::canonicalize(&path)) {
        (Ok(root), Ok(real)) if real.starts_with(&root) => {}
        (Ok(_), Ok(_)) => return Found::Refused("links to a file outside its directory".into()),
        (Err(error), _) | (_, Err(error)) => return unreadable(&ReadError::io(&path, error)),
    }
    match source::read(&path, show::path(&path)) {
        Ok((source, problems)) => Found::Read(source, problems),
        Err(error) => unreadable(&error),
    }
}

fn unreadable(error: &ReadError) -> Found {
    Found::Refused(format!("can't be read: {}", error.reason()))
}

/// Collects the names of the `.toml` files in a directory, up to `depth` levels down.
fn collect(folder: &Path, prefix: &str, depth: usize, names: &mut Vec<String>) {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten().take(MOST_NAMES) {
        let (Ok(kind), Ok(name)) = (entry.file_type(), entry.file_name().into_string()) else {
            continue;
        };
        if names.len() >= MOST_NAMES {
            return;
        }
        if kind.is_dir() && depth > 0 {
            collect(&entry.path(), &format!("{prefix}{name}/"), depth - 1, names);
        } else if let Some(stem) = name.strip_suffix(".toml").filter(|stem| !stem.contains('.')) {
            names.push(format!("{prefix}{stem}"));
        }
    }
}

/// Suffix of the names of expectation files.
const EXPECT_ENDING: &str = ".expect.toml";

/// Returns the name of a map's expectation file: `a.expect.toml` for the map `a.toml`. Returns
/// `None` if the file name of the map is missing or not UTF-8.
fn expect_file_beside(map: &Path) -> Option<String> {
    Some(format!("{}{EXPECT_ENDING}", map.file_stem()?.to_str()?))
}

/// Returns true if `name` is the name of an expectation file.
pub fn is_expect_file(name: &str) -> bool {
    name.ends_with(EXPECT_ENDING)
}

/// Returns the path of the map that an expectation file belongs to. Returns `None` for other files.
pub fn map_of_expect_file(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?.strip_suffix(EXPECT_ENDING)?;
    Some(path.with_file_name(format!("{name}.toml")))
}

/// Built-in maps and patterns of a program, for [`Origin::Builtin`].
#[derive(Debug, PartialEq)]
pub struct Embedded {
    /// Directory of maps, and of other files that the maps use.
    pub maps: Dir<'static>,
    /// Directory of pattern files.
    pub patterns: Dir<'static>,
    /// Names of the first maps in lists, in order. Other maps follow in alphabetical order.
    pub first: &'static [&'static str],
}

/// A built-in map in the gallery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// Path of the map within the directory of maps, without `.toml`.
    pub name: String,
    /// Title of the map, or its name if the map has no title.
    pub title: String,
    /// Comment at the top of the map, without `#`; empty without a comment.
    pub comment: String,
}

impl Embedded {
    /// Returns all maps in the order of the gallery: first the maps in `first`, then the other maps
    /// by name.
    pub fn listings(&self) -> Vec<Listing> {
        let listing = |name: String| {
            let text = self.map(&name).unwrap_or_default();
            let issues = Issues::new(FileId::default(), "".into());
            let title = document(text, &MAP, &issues, |table| {
                table.take("title")?.line().map(ToOwned::to_owned)
            });
            let comment = source::top_comment(text);
            Listing { title: title.unwrap_or_else(|| name.clone()), comment, name }
        };
        let mut names = embedded_names(&self.maps);
        let place = |name: &String| self.first.iter().position(|first| first == name);
        names.small_sort_by_key(|name| place(name).unwrap_or(self.first.len()));
        names.into_iter().map(listing).collect()
    }

    /// Returns the names of all patterns, sorted.
    pub(crate) fn pattern_names(&self) -> Vec<String> {
        embedded_names(&self.patterns)
    }

    /// Returns the text of the map `name`, a path without `.toml`. Returns `None` if there is no
    /// such map.
    pub fn map(&self, name: &str) -> Option<&'static str> {
        self.maps.get_file(format!("{name}.toml"))?.contents_utf8()
    }

    /// Returns the text of the pattern `name`, a path without `.toml`. Returns `None` if there is
    /// no such pattern.
    pub fn pattern(&self, name: &str) -> Option<&'static str> {
        self.patterns.get_file(format!("{name}.toml"))?.contents_utf8()
    }

    /// Returns the text of the file `name` in the directory of maps. Returns `None` if there is no
    /// such file.
    pub fn sibling(&self, name: &str) -> Option<&'static str> {
        self.maps.get_file(name)?.contents_utf8()
    }
}

fn embedded_names(dir: &Dir) -> Vec<String> {
    let mut names = Vec::new();
    collect_embedded(dir, &mut names);
    names.small_sort();
    names
}

fn collect_embedded(dir: &Dir, names: &mut Vec<String>) {
    for file in dir.files() {
        // Windows paths have backslashes.
        let path = file.path().to_string_lossy().replace('\\', "/");
        let is_map = !is_expect_file(&path);
        names.extend(path.strip_suffix(".toml").filter(|_| is_map).map(ToOwned::to_owned));
    }
    for dir in dir.dirs() {
        collect_embedded(dir, names);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_expectations_is_named_after_its_map() {
        let map = Path::new("maps/castle.toml");
        let name = expect_file_beside(map).unwrap();
        assert_eq!(name, "castle.expect.toml");
        assert!(is_expect_file(&name) && !is_expect_file("castle.toml"));
        assert_eq!(map_of_expect_file(&map.with_file_name(name)), Some(map.to_owned()));
        assert_eq!(map_of_expect_file(map), None);
    }
}
