//! Reads the beginning of existing files, without blocking on pipes.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use super::SweepError;

/// Opens an existing file. Returns `None` if it does not exist.
pub(super) fn open(path: &Path) -> Result<Option<File>, SweepError> {
    // Opening a pipe would block.
    let opened = match fs::metadata(path) {
        Ok(found) if found.is_file() => File::open(path),
        Ok(_) => Err(io::Error::other("it is not a regular file")),
        Err(error) => Err(error),
    };
    match opened {
        Err(error) if error.kind() == ErrorKind::NotFound && !path.is_symlink() => Ok(None),
        result => result.map(Some).map_err(SweepError::io("read", path)),
    }
}

/// Reads the beginning of a file, up to `most` bytes.
pub(super) fn beginning(file: &mut File, path: &Path, most: u64) -> Result<Vec<u8>, SweepError> {
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes).map_err(SweepError::io("read", path))?;
    Ok(bytes)
}
