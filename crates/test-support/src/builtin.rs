//! The maps and patterns of the workspace, embedded as the program embeds them.

use include_dir::include_dir;
use tilewalk_files::Origin;
use tilewalk_files::disk::store::{Embedded, Listing};

static EMBEDDED: Embedded = Embedded {
    maps: include_dir!("$CARGO_MANIFEST_DIR/../../maps"),
    patterns: include_dir!("$CARGO_MANIFEST_DIR/../../patterns"),
    first: &[],
};

/// Returns the built-in maps in alphabetical order.
pub fn maps() -> Vec<Listing> {
    EMBEDDED.listings()
}

/// Returns the origin of a built-in map. `name` has no `.toml` extension.
pub fn origin(name: &str) -> Origin {
    Origin::Builtin { set: &EMBEDDED, name: name.to_owned() }
}

/// Returns the origin of a map given as text. The map can use the built-in patterns. `label`
/// replaces the file name in messages.
pub fn text(label: impl Into<String>, text: impl Into<String>) -> Origin {
    Origin::Text { label: label.into(), text: text.into(), set: Some(&EMBEDDED) }
}
