//! Replaces a file without losing a save that another program makes at the same time.
//!
//! The new file and the old file are exchanged atomically. Then the content of the old file is
//! compared with the content that tilewalk read earlier. If another program has changed the file,
//! the files are exchanged back.
//!
//! An editor that opened the old file before the exchange may still write into it. Therefore, the
//! caller keeps the old file for a while and checks whether it changes
//! ([`SwappedOut::is_changed`]).
//!
//! On some systems, files can't be exchanged. There, the old file is kept as a second link or as a
//! copy. Another program may write into the file between the comparison and the replacement. With a
//! link, this is noticed. With a copy, it is not.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempPath;

use crate::disk::output_file::{self, NewFile};
use crate::system::exchange;
use crate::text::source::{self, MAX_BYTES, ReadError};

/// Maximum number of exchanges when other programs save the file while it is put back.
const MAX_EXCHANGES: usize = 100;

/// A file that was replaced. The old file is deleted when this value is dropped.
#[derive(Debug)]
pub struct SwappedOut {
    /// Path of the replaced file.
    path: PathBuf,
    /// Temporary name of the old file.
    old: TempPath,
    /// Expected bytes of the old file. Other bytes show that another program saved the file.
    known: Vec<u8>,
    /// Bytes of the new file when it was written.
    ours: Vec<u8>,
}

/// Reason why a file was not replaced.
#[derive(Debug)]
pub(crate) enum SwapError {
    /// Another program saved the file meanwhile, and the file keeps the saved content. The new
    /// bytes are in another file next to it, whose path is stored here; `None` if writing that file
    /// failed.
    Saved(Option<PathBuf>),
    Io(io::Error),
}

impl From<io::Error> for SwapError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Replaces the file at `path` with the file `new`. `known` is the expected content of the old
/// file, and `ours` is the content of the new file.
pub(crate) fn swap(
    new: NewFile,
    path: &Path,
    known: Vec<u8>,
    ours: Vec<u8>,
) -> Result<SwappedOut, SwapError> {
    swap_with(exchange, new, path, known, ours)
}

fn swap_with(
    exchange: impl Fn(&Path, &Path) -> io::Result<bool>,
    new: NewFile,
    path: &Path,
    known: Vec<u8>,
    ours: Vec<u8>,
) -> Result<SwappedOut, SwapError> {
    let new = new.into_temp_path()?;
    let old = if exchange(&new, path)? {
        new
    } else {
        let old = second_link(path)?;
        if content(path).map_err(io::Error::from)? != known {
            return Err(SwapError::Saved(keep(path, "new", &ours).ok()));
        }
        new.persist(path).map_err(|error| error.error)?;
        old
    };
    let swapped = SwappedOut { path: path.to_owned(), old, known, ours };
    if swapped.is_changed() {
        return Err(SwapError::Saved(swapped.restore()?));
    }
    Ok(swapped)
}

/// Creates a second link to a file, or a copy if the file system has no links.
fn second_link(path: &Path) -> io::Result<TempPath> {
    let link = NewFile::beside(path)?.into_temp_path()?;
    fs::remove_file(&link)?;
    fs::hard_link(path, &link).or_else(|_| fs::copy(path, &link).map(drop))?;
    Ok(link)
}

impl SwappedOut {
    /// Returns the path of the replaced file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns true if another program has changed the content of the old file since tilewalk read
    /// it.
    pub fn is_changed(&self) -> bool {
        match content(&self.old) {
            Ok(bytes) => bytes != self.known,
            // The file was read before, so another program has replaced it by something else.
            Err(ReadError::NotAFile { .. } | ReadError::TooLarge { .. }) => true,
            Err(_) => false,
        }
    }

    /// Puts the old file back, because another program has saved it. Writes the new bytes to
    /// another file and returns its path; `None` if writing that file failed.
    ///
    /// # Errors
    /// Returns an error if the old file can't be put back. The old file is then kept under a
    /// temporary name.
    pub fn restore(self) -> io::Result<Option<PathBuf>> {
        let kept = keep(&self.path, "new", &self.ours).ok();
        self.undo()?;
        Ok(kept)
    }

    /// Puts the old file back, and discards the new file.
    ///
    /// # Errors
    /// Returns an error if the old file can't be put back. The old file is then kept under a
    /// temporary name.
    pub(crate) fn undo(self) -> io::Result<()> {
        let Self { path, old, known, ours } = self;
        match put_back(&path, &old, &ours) {
            Err(error) => {
                old.keep()?;
                Err(error)
            }
            // `rest` is normally the new file. Any other content was saved by a third program.
            Ok(Some(rest)) if rest != ours && rest != known => keep(&path, "old", &rest).map(drop),
            Ok(_) => Ok(()),
        }
    }
}

/// Puts the file `old` back at `path`, where the content `ours` is expected. If another program
/// saved `path` meanwhile, its content stays there. Returns the bytes that are left in `old`;
/// `None` if `old` no longer exists.
fn put_back(path: &Path, old: &Path, ours: &[u8]) -> io::Result<Option<Vec<u8>>> {
    let mut expected = ours.to_owned();
    for _ in 0..MAX_EXCHANGES {
        let going_in = content(old)?;
        if !exchange(old, path)? {
            // Another program may save between these two lines.
            if content(path).is_ok_and(|bytes| bytes == ours) {
                fs::rename(old, path)?;
                return Ok(None);
            }
            return Ok(Some(going_in));
        }
        let came_out = content(old)?;
        if came_out == expected {
            return Ok(Some(came_out));
        }
        // A newer save came out, so it has to go back in.
        expected = going_in;
    }
    Err(io::Error::other("other programs keep saving the file"))
}

/// Reads a file. Never waits for another program.
fn content(path: &Path) -> Result<Vec<u8>, ReadError> {
    source::read_bytes(path, "", MAX_BYTES)
}

/// Writes bytes to a new file `NAME.tilewalk-WHAT` next to `path`. Returns the path of the new
/// file.
fn keep(path: &Path, what: &str, bytes: &[u8]) -> io::Result<PathBuf> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut number = 1;
    loop {
        let ending = if number == 1 { String::new() } else { format!("-{number}") };
        let kept = path.with_file_name(format!("{name}.tilewalk-{what}{ending}"));
        match output_file::create(&kept, bytes) {
            Ok(()) => return Ok(kept),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::output_file::PREFIX;
    use super::*;

    /// Replaces a file with the content "old" by one with the content "new". `other` acts as
    /// another program at the moment of the exchange. Returns the result, the content of the file,
    /// and the names of all files.
    fn replaced(
        can_exchange: bool,
        other: impl Fn(&Path),
    ) -> (Result<SwappedOut, SwapError>, String, Vec<String>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.toml");
        fs::write(&path, "old").unwrap();
        let mut new = NewFile::beside(&path).unwrap();
        new.write_all(b"new").unwrap();
        let act = |a: &Path, b: &Path| {
            other(b);
            if can_exchange { exchange(a, b) } else { Ok(false) }
        };
        let result = swap_with(act, new, &path, b"old".to_vec(), b"new".to_vec());
        let names = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let names = names.map(|name| name.into_string().unwrap());
        let names = names.filter(|name| !name.starts_with(PREFIX)).collect();
        (result, fs::read_to_string(&path).unwrap(), names)
    }

    fn save_by_renaming(path: &Path) {
        fs::write(path.with_extension("tmp"), "edited").unwrap();
        fs::rename(path.with_extension("tmp"), path).unwrap();
    }

    #[test]
    fn a_file_is_replaced_with_and_without_exchange() {
        for can_exchange in [true, false] {
            let (result, text, names) = replaced(can_exchange, |_| ());
            assert!(!result.unwrap().is_changed());
            assert_eq!((text.as_str(), names), ("new", vec!["a.toml".to_owned()]));
        }
    }

    #[test]
    fn a_save_at_the_same_time_wins() {
        for can_exchange in [true, false] {
            let (result, text, mut names) = replaced(can_exchange, save_by_renaming);
            let Err(SwapError::Saved(Some(kept))) = result else { panic!("{result:?}") };
            assert!(kept.ends_with("a.toml.tilewalk-new"));
            names.sort();
            assert_eq!(
                (text.as_str(), names),
                ("edited", vec!["a.toml".to_owned(), "a.toml.tilewalk-new".to_owned()])
            );
        }
    }
}
