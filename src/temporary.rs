//! Temporary files that get their name when they are complete.

use std::io;
use std::path::Path;

use tempfile::NamedTempFile;

/// Creates a temporary file in the directory of a path, with the usual permissions of new files.
///
/// # Errors
/// Returns an error if the directory is not writable.
pub fn beside(path: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".tilewalk-");
    // The default of temporary files is that other users cannot read them.
    #[cfg(unix)]
    builder.permissions(crate::unix::usual_permissions());
    builder.tempfile_in(folder(path))
}

/// Returns the directory of a path.
pub fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
