//! The maps and patterns inside the program.

use include_dir::include_dir;

use crate::files::Origin;
use crate::files::embedded::{Embedded, Listing};

/// All of them, the simplest idea first.
static EMBEDDED: Embedded = Embedded {
    maps: include_dir!("$CARGO_MANIFEST_DIR/maps"),
    patterns: include_dir!("$CARGO_MANIFEST_DIR/patterns"),
    first: FIRST,
};

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

/// The built-in maps, in the order in which the gallery shows them.
pub fn maps() -> Vec<Listing> {
    EMBEDDED.listings()
}

/// The origin of a built-in map, by its name without `.toml`.
pub fn origin(name: &str) -> Origin {
    Origin::Builtin { set: &EMBEDDED, name: name.to_owned() }
}

/// The origin of a map given as text, which can use the built-in patterns.
pub fn text(label: impl Into<String>, text: impl Into<String>) -> Origin {
    Origin::Text { label: label.into(), text: text.into(), set: Some(&EMBEDDED) }
}
