//! Names of files with expectations: `MAP.expect.toml`, beside the map.

use std::path::{Path, PathBuf};

/// Suffix of the names of expectation files.
const ENDING: &str = ".expect.toml";

/// Returns the name of a map's expectation file: `a.expect.toml` for the map `a.toml`. Returns
/// `None` if the file name of the map is missing or not UTF-8.
pub fn name_beside(map: &Path) -> Option<String> {
    Some(format!("{}{ENDING}", map.file_stem()?.to_str()?))
}

/// Returns true if `name` is the name of an expectation file.
pub fn is_name(name: &str) -> bool {
    name.ends_with(ENDING)
}

/// Returns the path of the map that an expectation file belongs to. Returns `None` for other files.
pub fn map_of(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?.strip_suffix(ENDING)?;
    Some(path.with_file_name(format!("{name}.toml")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_expectations_is_named_after_its_map() {
        let map = Path::new("maps/castle.toml");
        let name = name_beside(map).unwrap();
        assert_eq!(name, "castle.expect.toml");
        assert!(is_name(&name) && !is_name("castle.toml"));
        assert_eq!(map_of(&map.with_file_name(name)), Some(map.to_owned()));
        assert_eq!(map_of(map), None);
    }
}
