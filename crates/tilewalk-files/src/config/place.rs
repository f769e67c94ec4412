//! Where the configuration is looked for.

use std::path::{Path, PathBuf};

use etcetera::BaseStrategy as _;

/// Where the configuration is looked for, and who says so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A file that somebody named; that it is missing is an error.
    Named(PathBuf, &'static str),
    /// The usual file, which may be missing.
    Usual(PathBuf),
    /// Nowhere.
    Nowhere(&'static str),
}

/// Where to look: the file that was asked for, else what `TILEWALK_CONFIG` names (nothing, if it is
/// empty), else `tilewalk/config.toml` in the folder for configurations.
pub fn place(asked: Option<&Path>, variable: Option<&std::ffi::OsStr>) -> Place {
    match (asked, variable) {
        (Some(path), _) => Place::Named(path.to_owned(), "--config"),
        (None, Some(path)) if path.is_empty() => Place::Nowhere("TILEWALK_CONFIG is empty"),
        (None, Some(path)) => Place::Named(path.into(), "TILEWALK_CONFIG"),
        (None, None) => match etcetera::choose_base_strategy() {
            Ok(folders) => Place::Usual(folders.config_dir().join("tilewalk").join("config.toml")),
            Err(_) => Place::Nowhere("no home directory"),
        },
    }
}
