//! Publishes files: a file appears at its path with its whole content, or not at all.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::files::show;
use crate::temporary;

use super::SweepError;

/// Creates a temporary file in the directory of a path.
pub(super) fn beside(path: &Path) -> Result<NamedTempFile, SweepError> {
    temporary::beside(path).map_err(SweepError::io("write", path))
}

/// Moves a complete temporary file to `path`. If `path` exists, it stays unchanged, and the
/// temporary file is returned as the inner error.
pub(super) fn new(
    file: NamedTempFile,
    path: &Path,
) -> Result<Result<(), NamedTempFile>, SweepError> {
    file.as_file().sync_all().map_err(SweepError::io("write", path))?;
    match file.persist_noclobber(path) {
        Ok(_) => sync_folder(path).map(Ok),
        Err(error) if error.error.kind() == ErrorKind::AlreadyExists => Ok(Err(error.file)),
        Err(error) => Err(SweepError::io("write", path)(error.error)),
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
    let synced = File::open(temporary::folder(path)).and_then(|folder| folder.sync_all());
    match synced {
        // Some file systems cannot sync directories.
        Err(error) if !is_unsupported(&error) => Err(SweepError::io("write", path)(error)),
        Err(_) | Ok(()) => Ok(()),
    }
}

fn is_unsupported(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::InvalidInput | ErrorKind::Unsupported | ErrorKind::PermissionDenied
    )
}
