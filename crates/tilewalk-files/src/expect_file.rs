//! Names of files with expectations: `MAP.expect.toml`, beside the map.

use std::path::{Path, PathBuf};

/// Suffix of the names of files with expectations.
const ENDING: &str = ".expect.toml";

/// Returns the name of the file with the expectations of a map; `None` for a map without a name.
pub fn name_beside(map: &Path) -> Option<String> {
    Some(format!("{}{ENDING}", map.file_stem()?.to_str()?))
}

/// Returns true if a file name is that of a file with expectations.
pub fn is_name(name: &str) -> bool {
    name.ends_with(ENDING)
}

/// Returns the path of the map that a file with expectations belongs to; `None` for other files.
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
