//! Maps of the repository, for tests.

use std::path::{Path, PathBuf};

use crate::disk::store::Origin;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../maps")
}

/// Returns the path of the built-in map with this name, without `.toml`.
pub fn map(name: &str) -> Origin {
    Origin::Disk(folder().join(format!("{name}.toml")))
}

/// Returns all maps with their names, sorted.
pub fn maps() -> Vec<(String, Origin)> {
    let entries = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let maps = entries.filter(|path| path.extension().is_some_and(|ending| ending == "toml"));
    let name = |path: &Path| path.file_stem().unwrap().to_string_lossy().into_owned();
    let mut maps: Vec<_> = maps.map(|path| (name(&path), Origin::Disk(path))).collect();
    maps.sort_by(|one, other| one.0.cmp(&other.0));
    maps
}
