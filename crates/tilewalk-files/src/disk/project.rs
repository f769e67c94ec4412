//! The project of a Tiled map: the files that the map can name.
//!
//! A map can name files above its own directory, but never above the root of its project. The root
//! is the nearest directory with a `.git` directory or a `.tiled-project` file. Without such a
//! directory, the root is the directory of the map. Symbolic links must not leave the root either.

#[cfg(feature = "tiled")]
mod search;

use std::path::PathBuf;

#[cfg(feature = "tiled")]
pub(crate) use search::ProjectFile;

/// Directories that contain the files of a Tiled project.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Project {
    /// Root of the project; `None` to search for the root in the directories above the map.
    pub root: Option<PathBuf>,
    /// Directory to search for tile sets that are missing at the path in the map; `None` for no
    /// search.
    pub tile_sets: Option<PathBuf>,
}
