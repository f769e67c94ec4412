//! Writes output files as a whole. Whichever system call fails, a path has its old content or its
//! new content, and never a part of the new one.
//!
//! The new content is written to a new file in the same directory, which then gets the name of the
//! output file. Pipes, devices and the standard streams have no content to keep, so they are
//! written directly.
//!
//! [`crate::write::atomic_replace`] replaces files that another program may save at the same time.

use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempPath};

use crate::system;

/// Prefix of the names of temporary files.
pub(crate) const PREFIX: &str = ".tilewalk-";

/// Maximum number of symbolic links that are followed, as on Linux.
const MAX_LINKS: usize = 40;

/// Paths that stand for an open file of the process.
const DESCRIPTORS: [&str; 4] = ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc/self/fd"];

/// A new file that has no final name yet. It is deleted when it is dropped before it gets the name.
///
/// If the system allows it, the file has no name at all. Then it disappears even if the process is
/// killed.
#[derive(Debug)]
pub struct NewFile(Inner);

#[derive(Debug)]
enum Inner {
    /// A file without a name, and the directory of its final name.
    Unnamed(File, PathBuf),
    Named(NamedTempFile),
}

impl NewFile {
    /// Creates a file in the directory of `path`, with the usual permissions of new files.
    ///
    /// # Errors
    /// Returns an error if the directory is not writable.
    pub fn beside(path: &Path) -> io::Result<Self> {
        let folder = folder(path);
        if let Ok(file) = system::create_unnamed(folder) {
            return Ok(Self(Inner::Unnamed(file, folder.to_owned())));
        }
        // By default, other users cannot read temporary files. Opening the file here also keeps its
        // name out of error messages.
        let open = |path: &Path| File::options().read(true).write(true).create_new(true).open(path);
        let file = temporary().make_in(folder, open)?;
        Ok(Self(Inner::Named(file)))
    }

    /// Returns the open file.
    pub fn file(&self) -> &File {
        match &self.0 {
            Inner::Unnamed(file, _) => file,
            Inner::Named(file) => file.as_file(),
        }
    }

    /// Gives the file the name `path`.
    ///
    /// # Errors
    /// Returns an error of the kind `AlreadyExists` if `path` exists, or another error if the
    /// directory is not writable. Also returns this file, unchanged.
    pub fn publish(self, path: &Path) -> Result<(), (io::Error, Self)> {
        let file = match self.0 {
            Inner::Named(file) => file,
            Inner::Unnamed(file, folder) => {
                return system::name(&file, path)
                    .map_err(|error| (error, Self(Inner::Unnamed(file, folder))));
            }
        };
        let result = file.persist_noclobber(path).or_else(|failed| {
            // Some file systems can neither link files nor rename them on condition.
            let missing = is_unsupported(&failed.error) && fs::symlink_metadata(path).is_err();
            if missing { failed.file.persist(path) } else { Err(failed) }
        });
        result.map(drop).map_err(|failed| (failed.error, Self(Inner::Named(failed.file))))
    }

    /// Gives the file the name `path`, and replaces an existing file.
    ///
    /// # Errors
    /// Returns an error if the directory is not writable.
    pub fn replace(self, path: &Path) -> io::Result<()> {
        self.into_temp_path()?.persist(path).map_err(|failed| failed.error)
    }

    /// Reads the whole file.
    ///
    /// # Errors
    /// Returns the error of the system.
    pub fn content(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut file = self.file();
        file.seek(SeekFrom::Start(0))?;
        file.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Gives the file a temporary name, closes it, and returns the path.
    pub(crate) fn into_temp_path(self) -> io::Result<TempPath> {
        match self.0 {
            Inner::Named(file) => Ok(file.into_temp_path()),
            Inner::Unnamed(file, folder) => {
                let named = temporary().make_in(folder, |path| system::name(&file, path))?;
                Ok(named.into_temp_path())
            }
        }
    }
}

/// Names of temporary files.
fn temporary() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX);
    builder
}

impl Write for NewFile {
    // The methods of the wrapped file would add its temporary name to error messages.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file().flush()
    }
}

/// Returns the directory that contains `path`. Returns `.` for a bare file name.
pub fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Creates the directory that contains `path`, and its missing parents.
///
/// # Errors
/// Returns an error if the directory cannot be created.
pub fn create_folder_of(path: &Path) -> io::Result<()> {
    create_folder(folder(path))
}

/// Creates a directory and its missing parents.
///
/// # Errors
/// Returns an error if the directory cannot be created.
pub fn create_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder).or_else(|error| {
        // The standard library also reports `AlreadyExists` if it cannot determine what exists.
        let exists = error.kind() == ErrorKind::AlreadyExists;
        if exists && fs::metadata(folder)?.is_dir() { Ok(()) } else { Err(error) }
    })
}

/// Returns true if `path` is a pipe, a device or one of the standard streams. Such a path is
/// written directly.
pub fn is_stream(path: &Path) -> bool {
    DESCRIPTORS.iter().any(|start| path.starts_with(start))
        || fs::metadata(path).is_ok_and(|about| !about.is_file() && !about.is_dir())
}

/// Creates a file with this content.
///
/// # Errors
/// Returns an error of the kind `AlreadyExists` if `path` exists, or the reason why the file could
/// not be written. No file is created then.
pub fn create(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut new = NewFile::beside(path)?;
    new.write_all(bytes)?;
    new.file().sync_all()?;
    new.publish(path).map_err(|(error, _)| error)
}

/// Replaces the content of a file, or creates the file. See [`Replacement::begin`].
///
/// # Errors
/// Returns the reason if the file could not be written. It is unchanged then.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = Replacement::begin(path)?;
    file.write_all(bytes)?;
    file.finish()
}

/// Returns true if the file system does not support an operation. Some file systems deny such
/// operations.
pub fn is_unsupported(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::InvalidInput | ErrorKind::Unsupported | ErrorKind::PermissionDenied
    )
}

/// New content of an output file.
#[derive(Debug)]
pub enum Replacement {
    /// A pipe, device or standard stream, which receives the content at once.
    Stream(File),
    /// A file that is replaced by [`Replacement::finish`].
    File {
        /// The new content.
        new: NewFile,
        /// Path that the new file gets. Not a symbolic link.
        target: PathBuf,
    },
}

impl Replacement {
    /// Begins to replace the file at `path`, or to create it. A symbolic link is kept, and its
    /// target is replaced. The new file has the owner and the permissions of the old one.
    ///
    /// # Errors
    /// Returns an error if the old file is read-only or a directory, or if the directory is not
    /// writable.
    pub fn begin(path: &Path) -> io::Result<Self> {
        if is_stream(path) {
            // Standard output may be a file that already has content.
            return Ok(Self::Stream(File::options().append(true).open(path)?));
        }
        let target = link_target(path)?;
        let new = match fs::metadata(&target) {
            Err(error) if error.kind() == ErrorKind::NotFound => NewFile::beside(&target)?,
            Err(error) => return Err(error),
            Ok(about) if about.is_dir() => return Err(ErrorKind::IsADirectory.into()),
            Ok(about) if about.permissions().readonly() => {
                return Err(io::Error::new(ErrorKind::PermissionDenied, "the file is read-only"));
            }
            Ok(about) => {
                let new = NewFile::beside(&target)?;
                copy_owner(new.file(), &about)?;
                new
            }
        };
        Ok(Self::File { new, target })
    }

    /// Replaces the old file by the new one, which is synced to disk first.
    ///
    /// # Errors
    /// Returns the reason if the old file could not be replaced. It is unchanged then.
    pub fn finish(self) -> io::Result<()> {
        match self {
            Self::Stream(mut file) => file.flush(),
            Self::File { new, target } => {
                new.file().sync_all()?;
                new.replace(&target)
            }
        }
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stream(file) => file.write(bytes),
            Self::File { new, .. } => new.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stream(file) => file.flush(),
            Self::File { new, .. } => new.flush(),
        }
    }
}

/// Follows symbolic links to a path that is not a link. The path need not exist.
fn link_target(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&path) {
            // An absolute target replaces the whole path.
            Ok(target) => path = folder(&path).join(target),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many levels of symbolic links"))
}

/// Gives a new file the permissions of the file that it replaces, and the owner if possible.
pub(crate) fn copy_owner(new: &File, old: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        // Only the superuser can give files to other users.
        let _ = fchown(new, Some(old.uid()), Some(old.gid()));
    }
    new.set_permissions(old.permissions())
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    /// Returns the names of all files in a directory, in order.
    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn writing_to_a_link_keeps_the_link_and_the_permissions_of_its_target() {
        let folder = tempfile::tempdir().unwrap();
        let (link, target) = (folder.path().join("link"), folder.path().join("target"));
        fs::write(&target, "old").unwrap();
        fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("target", &link).unwrap();
        replace(&link, b"new").unwrap();
        assert_eq!(fs::read_link(&link).unwrap(), Path::new("target"));
        assert_eq!(fs::read(&target).unwrap(), b"new");
        assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(names(folder.path()), ["link", "target"]);
    }

    #[test]
    fn the_missing_target_of_a_link_is_created() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link");
        symlink("target", &link).unwrap();
        assert_eq!(create(&link, b"new").unwrap_err().kind(), ErrorKind::AlreadyExists);
        replace(&link, b"new").unwrap();
        assert_eq!(names(folder.path()), ["link", "target"]);
        symlink("round", folder.path().join("round")).unwrap();
        assert!(replace(&folder.path().join("round"), b"new").is_err());
    }

    #[test]
    fn existing_files_and_read_only_files_are_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.toml");
        create(&path, b"old").unwrap();
        assert_eq!(create(&path, b"new").unwrap_err().kind(), ErrorKind::AlreadyExists);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        assert_eq!(replace(&path, b"new").unwrap_err().kind(), ErrorKind::PermissionDenied);
        assert_eq!(replace(folder.path(), b"new").unwrap_err().kind(), ErrorKind::IsADirectory);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(folder.path()), ["a.toml"]);
    }

    #[test]
    fn an_unfinished_replacement_leaves_the_file_unchanged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        fs::write(&path, "old").unwrap();
        let mut file = Replacement::begin(&path).unwrap();
        file.write_all(b"new").unwrap();
        drop(file);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(folder.path()), ["a.csv"]);
    }

    #[test]
    fn devices_are_written_directly() {
        replace(Path::new("/dev/null"), b"new").unwrap();
        assert!(fs::metadata("/dev/null").is_ok_and(|about| !about.is_file()));
        let full = replace(Path::new("/dev/full"), b"new").unwrap_err();
        assert_eq!(full.kind(), ErrorKind::StorageFull);
    }

    #[test]
    fn errors_contain_no_temporary_name() {
        let missing = NewFile::beside(Path::new("/nowhere/a.toml")).unwrap_err();
        assert!(!missing.to_string().contains(PREFIX), "{missing}");
    }
}
