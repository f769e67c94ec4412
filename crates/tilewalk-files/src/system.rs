//! System calls that the standard library does not offer: the atomic exchange of two files, opening
//! a file without waiting, and files without a name. Only this module of the crate uses `rustix`.

use std::fs::File;
use std::io;
use std::path::Path;

/// Opens a file for reading. Opening a named pipe does not wait for its writer.
///
/// # Errors
/// Returns an error if the file is missing or unreadable.
#[cfg(any(target_os = "linux", target_os = "macos"))]
pub(crate) fn open_without_waiting(path: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags};

    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
    Ok(File::from(rustix::fs::open(path, flags, Mode::empty())?))
}

/// Opens a file for reading.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
pub(crate) fn open_without_waiting(path: &Path) -> io::Result<File> {
    File::open(path)
}

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

/// Creates a file without a name, which disappears when the process ends. [`name`] gives it a name.
/// The permissions are the usual ones of new files.
///
/// # Errors
/// Returns an error if the directory is not writable, or if the system or the file system has no
/// such files.
#[cfg(target_os = "linux")]
pub(crate) fn create_unnamed(folder: &Path) -> io::Result<File> {
    use rustix::fs::{Access, Mode, OFlags};

    // Without this directory, the file could not get a name.
    rustix::fs::access(OPEN_FILES, Access::EXEC_OK)?;
    let flags = OFlags::RDWR | OFlags::CLOEXEC | OFlags::TMPFILE;
    Ok(File::from(rustix::fs::open(folder, flags, Mode::from_raw_mode(0o666))?))
}

/// Links to the open files of the process.
#[cfg(target_os = "linux")]
const OPEN_FILES: &str = "/proc/self/fd";

/// Gives a file of [`create_unnamed`] the name `path`.
///
/// # Errors
/// Returns an error of the kind `AlreadyExists` if `path` exists, or another error if the directory
/// is not writable.
#[cfg(target_os = "linux")]
pub(crate) fn name(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    use std::os::fd::AsRawFd;

    let open = format!("{OPEN_FILES}/{}", file.as_raw_fd());
    Ok(linkat(CWD, open, CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

/// Returns an error: this system has no files without a name.
#[cfg(not(target_os = "linux"))]
pub(crate) fn create_unnamed(_: &Path) -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Returns an error: this system has no files without a name.
#[cfg(not(target_os = "linux"))]
pub(crate) fn name(_: &File, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
