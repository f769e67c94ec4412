//! Publishes files: a file appears at its path with its whole content, or not at all.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::files::disk::output_file::{self, NewFile, is_unsupported};
use crate::files::show;

use super::SweepError;

/// Creates a temporary file in the directory of a path.
pub(super) fn beside(path: &Path) -> Result<NewFile, SweepError> {
    NewFile::beside(path).map_err(SweepError::io("write", path))
}

/// Moves a complete temporary file to `path`. If `path` exists, it stays unchanged, and the
/// temporary file is returned as the inner error.
pub(super) fn new(file: NewFile, path: &Path) -> Result<Result<(), NewFile>, SweepError> {
    file.file().sync_all().map_err(SweepError::io("write", path))?;
    match file.publish(path) {
        Ok(()) => sync_folder(path).map(Ok),
        Err((error, file)) if error.kind() == ErrorKind::AlreadyExists => Ok(Err(file)),
        Err((error, _)) => Err(SweepError::io("write", path)(error)),
    }
}

/// Publishes a text as a file. A file with the same text stays unchanged. Returns an error if the
/// file has another text.
pub(super) fn text(path: &Path, text: &str) -> Result<(), SweepError> {
    let mut file = beside(path)?;
    file.write_all(text.as_bytes()).map_err(SweepError::io("write", path))?;
    if new(file, path)?.is_ok() {
        return Ok(());
    }
    let existing = fs::read(path).map_err(SweepError::io("read", path))?;
    if existing == text.as_bytes() {
        return Ok(());
    }
    Err(SweepError::OtherPlan { path: show::path(path) })
}

/// Appends an ending to the file name of a path, after its extension.
pub(super) fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// Syncs the directory of a new file, so that the file's name survives a power failure.
fn sync_folder(path: &Path) -> Result<(), SweepError> {
    let synced = File::open(output_file::folder(path)).and_then(|folder| folder.sync_all());
    match synced {
        // Some file systems cannot sync directories.
        Err(error) if !is_unsupported(&error) => Err(SweepError::io("write", path)(error)),
        Err(_) | Ok(()) => Ok(()),
    }
}
