//! Writes the files that a command creates. Existing files are replaced only on request.

use std::path::PathBuf;

use crate::files::write::{self, WriteError};

use super::CliError;

/// Whether existing files may be replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Replace {
    /// No: the command has no option to replace files.
    No,
    /// No: the command has the option `--force`, but the user did not set it.
    Unasked,
    Yes,
}

/// Writes the files of a map, the map first, and creates missing directories. If one of the files
/// exists and may not be replaced, returns an error and writes nothing.
pub(super) fn write_all(files: &[(PathBuf, &str)], replace: Replace) -> Result<(), CliError> {
    let (written, help) = match replace {
        Replace::No => (write::new_files(files), ""),
        Replace::Unasked => (write::new_files(files), ": use --force to overwrite the file"),
        Replace::Yes => (write::replace_files(files), ""),
    };
    written.map_err(|error| {
        if let WriteError::Exists(path) = error {
            return CliError::Exists { path, help };
        }
        CliError::Files(error)
    })
}
