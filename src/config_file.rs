//! Finds the configuration file and the cache directory.

use std::path::{Path, PathBuf};

use etcetera::BaseStrategy as _;

/// Location of the configuration file, and the reason for this location.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConfigLocation {
    /// A file that the user selected. The text is the option or environment variable that names the
    /// file. A missing file is an error.
    Named(PathBuf, &'static str),
    /// The default file, which can be missing.
    Usual(PathBuf),
    /// No configuration file is used. The text is the reason.
    Nowhere(&'static str),
}

/// Returns the directory for files that can be deleted at any time. Returns `None` without a home
/// directory.
pub fn cache_folder() -> Option<PathBuf> {
    Some(etcetera::choose_base_strategy().ok()?.cache_dir().join("tilewalk"))
}

/// Returns the location of the configuration file. The first of these that is set decides:
///
/// 1. the requested file `asked`
/// 2. the value of `TILEWALK_CONFIG`; no file if the value is empty
/// 3. `tilewalk/config.toml` in the config directory
pub fn place(asked: Option<&Path>, variable: Option<&std::ffi::OsStr>) -> ConfigLocation {
    match (asked, variable) {
        (Some(path), _) => ConfigLocation::Named(path.to_owned(), "--config"),
        (None, Some(path)) if path.is_empty() => {
            ConfigLocation::Nowhere("TILEWALK_CONFIG is empty")
        }
        (None, Some(path)) => ConfigLocation::Named(path.into(), "TILEWALK_CONFIG"),
        (None, None) => match etcetera::choose_base_strategy() {
            Ok(folders) => {
                ConfigLocation::Usual(folders.config_dir().join("tilewalk").join("config.toml"))
            }
            Err(_) => ConfigLocation::Nowhere("no home directory"),
        },
    }
}
