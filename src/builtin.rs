//! Maps and patterns embedded in the program.

use include_dir::include_dir;

use crate::files::Origin;
use crate::files::disk::store::{Embedded, Listing};

static EMBEDDED: Embedded = Embedded {
    maps: include_dir!("$CARGO_MANIFEST_DIR/maps"),
    patterns: include_dir!("$CARGO_MANIFEST_DIR/patterns"),
    first: FIRST,
};

/// Maps at the start of the gallery, from simple to complex. All other maps follow in alphabetical
/// order.
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
    "sight",
    "terrain",
    "conditions",
    "bug_hunt",
    "yard",
    "wanderers",
    "torus",
    "paths",
    "pursuit",
    "bodyguard",
    "formation",
    "forest",
    "hide",
    "mouse",
    "slanted_walls",
    "elephant",
    "evacuation",
    "orbits",
    "crossing",
    "crowd",
    "flock",
    "vicsek",
    "predator",
    "turning",
    "missile",
    "sortie",
    "dodge",
    "thief",
    "dithering",
    "big",
];

/// Returns the built-in maps in gallery order.
pub fn maps() -> Vec<Listing> {
    EMBEDDED.listings()
}

/// Returns the origin of a built-in map. `name` has no `.toml` extension.
pub fn origin(name: &str) -> Origin {
    Origin::Builtin { set: &EMBEDDED, name: name.to_owned() }
}

/// Returns the name of the built-in map with this text. Returns `None` if there is no such map.
pub fn name_of(text: &str) -> Option<&'static str> {
    let file = EMBEDDED.maps.files().find(|file| file.contents_utf8() == Some(text))?;
    file.path().file_stem()?.to_str()
}

/// Returns the origin of a map given as text. The map can use the built-in patterns.
///
/// `label` replaces the file name in messages.
pub fn text(label: impl Into<String>, text: impl Into<String>) -> Origin {
    Origin::Text { label: label.into(), text: text.into(), set: Some(&EMBEDDED) }
}
