//! Maps and patterns that are compiled into a program.

use include_dir::Dir;

use crate::disk::expect_file;
use crate::keys::map::MAP;
use crate::text::comment;
use crate::text::diagnostic::{FileId, Issues};
use crate::text::reader::document;

/// Built-in maps and patterns of a program, for [`Origin::Builtin`](crate::disk::store::Origin::Builtin).
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
            let comment = comment::top(text);
            Listing { title: title.unwrap_or_else(|| name.clone()), comment, name }
        };
        let mut names = names(&self.maps);
        let place = |name: &String| self.first.iter().position(|first| first == name);
        names.sort_by_key(|name| place(name).unwrap_or(self.first.len()));
        names.into_iter().map(listing).collect()
    }

    /// Returns the names of all patterns, sorted.
    pub(crate) fn pattern_names(&self) -> Vec<String> {
        names(&self.patterns)
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

fn names(dir: &Dir) -> Vec<String> {
    let mut names = Vec::new();
    collect(dir, &mut names);
    names.sort();
    names
}

fn collect(dir: &Dir, names: &mut Vec<String>) {
    for file in dir.files() {
        // Windows paths have backslashes.
        let path = file.path().to_string_lossy().replace('\\', "/");
        let is_map = !expect_file::is_name(&path);
        names.extend(path.strip_suffix(".toml").filter(|_| is_map).map(ToOwned::to_owned));
    }
    for dir in dir.dirs() {
        collect(dir, names);
    }
}
