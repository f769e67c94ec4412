//! Opens a map of another program without a map file: it is imported in memory.

use std::path::Path;

use crate::disk::store::Origin;
use crate::import::{Choices, can_import, import};
use crate::read::loading::{LoadError, Loaded, Options, load};
use crate::show;

/// Loads a map. A map of another program is imported in memory, and the report contains the problems of
/// the import, too.
///
/// # Errors
/// Returns an error if the file can't be read, or if the options don't fit the map.
pub fn open_any(path: &Path, options: &Options) -> Result<Loaded, LoadError> {
    if can_import(path) {
        open(path, options)
    } else {
        load(&Origin::Disk(path.to_owned()), options)
    }
}

/// Imports a map with the default choices, and loads the result. The report contains the problems in
/// the files of the other program. The paths are those of the files that were read.
///
/// # Errors
/// Returns an error if the file can't be read, or if the options don't fit the map.
pub fn open(path: &Path, options: &Options) -> Result<Loaded, LoadError> {
    let imported = import(path, &Choices::default())?;
    let sources = imported.report.sources().iter().filter_map(|source| source.path());
    let mut paths: Vec<_> = sources.map(ToOwned::to_owned).collect();
    if !paths.iter().any(|known| known == path) {
        paths.push(path.to_owned());
    }
    let Some(texts) = imported.texts else {
        return Ok(Loaded { paths, ..Loaded::refused(imported.report) });
    };
    let origin = Origin::Text { label: show::path(path), text: texts.map_alone, set: None };
    let mut loaded = load(&origin, options)?;
    loaded.report.merge(imported.report);
    Ok(Loaded { paths, ..loaded })
}
