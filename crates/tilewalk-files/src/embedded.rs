//! Maps and patterns compiled into a program: they need no disk.

use include_dir::Dir;

use super::comment;
use super::diagnostic::{FileId, Issues};
use super::keys::map::MAP;
use super::reader::document;

/// The folders of maps and patterns that a program contains, for [`Origin::Builtin`](super::Origin::Builtin).
#[derive(Debug, PartialEq)]
pub struct Embedded {
    /// The maps, and the files beside them.
    pub maps: Dir<'static>,
    /// The patterns.
    pub patterns: Dir<'static>,
    /// Names of maps that come first in lists; all others follow by name.
    pub first: &'static [&'static str],
}

/// A built-in map, as a gallery lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// Its name: the path in the folder of maps, without `.toml`.
    pub name: String,
    /// Its title; its name when it has none.
    pub title: String,
    /// The comment on top of it, without the `#`s.
    pub comment: String,
}

impl Embedded {
    /// The maps, in the order in which a gallery shows them.
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

    /// The names of the patterns, sorted.
    pub fn pattern_names(&self) -> Vec<String> {
        names(&self.patterns)
    }

    /// The text of a map.
    pub fn map(&self, name: &str) -> Option<&'static str> {
        self.maps.get_file(format!("{name}.toml"))?.contents_utf8()
    }

    /// The text of a pattern.
    pub fn pattern(&self, name: &str) -> Option<&'static str> {
        self.patterns.get_file(format!("{name}.toml"))?.contents_utf8()
    }

    /// The text of a file beside the maps.
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
        // Names are written with `/` whatever the system that built the program.
        let path = file.path().to_string_lossy().replace('\\', "/");
        names.extend(path.strip_suffix(".toml").map(ToOwned::to_owned));
    }
    for dir in dir.dirs() {
        collect(dir, names);
    }
}
