//! Creates temporary files. A file gets its final name when it is complete.

use std::io;
use std::path::Path;

use tempfile::NamedTempFile;

/// Creates a temporary file in the directory of `path`, with the usual permissions of new files.
/// The file is deleted when it is dropped.
///
/// # Errors
/// Returns an error if the directory is not writable.
pub fn beside(path: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".tilewalk-");
    // By default, other users cannot read temporary files.
    #[cfg(unix)]
    builder.permissions(crate::unix::usual_permissions());
    builder.tempfile_in(folder(path))
}

/// Returns the directory that contains `path`. Returns `.` for a bare file name.
pub fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
