//! The project of a Tiled map: the files that the map can name.
//!
//! A map can name files above its own directory, but never above the root of its project. The root
//! is the nearest directory with a `.git` directory or a `.tiled-project` file; without one, the
//! directory of the map. Symbolic links must not leave the root either.

#[cfg(feature = "tiled")]
mod search;

use std::path::PathBuf;

#[cfg(feature = "tiled")]
pub(crate) use search::ProjectFile;

/// Where the files of a project are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Project {
    /// Root of the project; `None` for the root that the directories show.
    pub root: Option<PathBuf>,
    /// Directory that is searched for tile sets that are not where the map says.
    pub tile_sets: Option<PathBuf>,
}
