//! The maps and patterns inside the program: they need no disk.

use include_dir::{Dir, include_dir};

use super::comment;
use super::diagnostic::{FileId, Issues};
use super::reader::document;

static MAPS: Dir = include_dir!("$CARGO_MANIFEST_DIR/maps");
static PATTERNS: Dir = include_dir!("$CARGO_MANIFEST_DIR/patterns");

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

/// The maps that come first, the simplest idea first; all others follow by name.
const FIRST: &[&str] = &[
    "castle",
    "rectangle",
    "there_and_back",
    "river_and_bridges",
    "matrix",
    "snake",
    "steps_degrees",
    "rota",
    "tile_chase",
    "couriers",
    "square",
    "zigzag",
    "spool",
    "why_blocked",
    "yard",
    "wanderers",
    "torus",
    "paths",
    "pursuit",
    "bodyguard",
    "forest",
    "hide",
    "mouse",
    "evacuation",
    "orbits",
    "crossing",
    "flock",
    "predator",
    "turning",
    "missile",
    "dodge",
    "thief",
    "dithering",
    "big",
];

/// The built-in maps, in the order in which a gallery shows them.
pub fn maps() -> Vec<Listing> {
    let listing = |name: String| {
        let text = map(&name).unwrap_or_default();
        let issues = Issues::new(FileId::default(), "".into());
        let title = document(text, "a map", &issues, |mut table| {
            table.take("title")?.line().map(ToOwned::to_owned)
        });
        Listing { title: title.unwrap_or_else(|| name.clone()), comment: comment::top(text), name }
    };
    let mut names = names(&MAPS);
    names.sort_by_key(|name| FIRST.iter().position(|first| first == name).unwrap_or(FIRST.len()));
    names.into_iter().map(listing).collect()
}

/// The names of the built-in patterns, sorted.
pub fn pattern_names() -> Vec<String> {
    names(&PATTERNS)
}

/// The text of a built-in map.
pub fn map(name: &str) -> Option<&'static str> {
    MAPS.get_file(format!("{name}.toml"))?.contents_utf8()
}

/// The text of a built-in pattern.
pub fn pattern(name: &str) -> Option<&'static str> {
    PATTERNS.get_file(format!("{name}.toml"))?.contents_utf8()
}

/// A file beside the built-in maps.
pub fn sibling(name: &str) -> Option<&'static str> {
    MAPS.get_file(name)?.contents_utf8()
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
