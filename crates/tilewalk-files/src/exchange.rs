//! Exchanges two files atomically, if the system supports it. Only this module of the crate uses
//! `rustix`.

use std::io;
use std::path::Path;

/// Exchanges two files in one step. Returns false if the system or the file system does not support
/// this operation.
///
/// # Errors
/// Returns an error if a file is missing or the directory is not writable.
#[cfg(any(target_os = "linux", target_os = "macos"))]
pub(crate) fn exchange(a: &Path, b: &Path) -> io::Result<bool> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;

    match renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(true),
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Returns false: this system can't exchange files.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
#[expect(clippy::unnecessary_wraps, reason = "the signature is that of the other systems")]
pub(crate) fn exchange(_: &Path, _: &Path) -> io::Result<bool> {
    Ok(false)
}
