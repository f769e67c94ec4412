//! Detects changes to the files of a running map and reads the map again.
//!
//! The caller decides when to check the files: after a notification or at regular intervals.

use std::io::Read;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use crate::disk::store::Origin;
use crate::read::loading::{LoadError, Loaded, Options, load};
use crate::text::source::{self, MAX_BYTES};

/// A message from a file watcher about the files of a map.
#[derive(Debug, Clone)]
pub struct WatcherMessage {
    /// Id of the watched map.
    pub id: String,
    /// Event that the message reports.
    pub event: WatcherEvent,
}

/// An event of a file watcher.
#[derive(Debug, Clone)]
pub enum WatcherEvent {
    /// The files changed. Contains the new map, or the reason why the map can't be read.
    Read(Result<Box<Loaded>, String>),
    /// Notifications are not available, so the files are polled. Contains the reason.
    Polled(String),
}

/// Hashes of file contents, for the detection of changes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Contents(Vec<(PathBuf, Option<u64>)>);

impl Contents {
    /// Reads and hashes the contents of files. A file that can't be read has no hash.
    pub fn of<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Self {
        Self(paths.into_iter().map(|path| (path.to_owned(), content(path))).collect())
    }

    /// Returns the paths of all hashed files, including missing files.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.0.iter().map(|(path, _)| path.as_path())
    }

    /// Returns new hashes of the current contents of the same files.
    #[must_use]
    pub fn now(&self) -> Self {
        Self::of(self.paths())
    }

    /// Returns true if a file is now missing or empty but had content in `before`. An editor may be
    /// about to write the file.
    pub fn is_lacking(&self, before: &Self) -> bool {
        let empty = Some(xxh3_64(b""));
        self.0.iter().any(|entry| {
            let (path, content) = entry;
            let had = before.0.iter().find(|(other, _)| other == path).and_then(|(_, had)| *had);
            had.is_some() && had != empty && (content.is_none() || *content == empty)
        })
    }
}

/// Returns a hash of a file's content; `None` if the file can't be read. Bytes after the first
/// `MAX_BYTES + 1` are ignored.
fn content(path: &Path) -> Option<u64> {
    let file = source::open(path, "").ok()?;
    let length = file.metadata().ok()?.len();
    let mut bytes = Vec::with_capacity(length.min(MAX_BYTES) as usize + 1);
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).ok()?;
    Some(xxh3_64(&bytes))
}

/// Function that reads a map, such as [`from_file`].
pub type ReadMap = fn(&Path, &Options) -> Result<Loaded, LoadError>;

/// Reads a map from its file.
///
/// # Errors
/// Returns the same errors as [`load`].
pub fn from_file(map: &Path, options: &Options) -> Result<Loaded, LoadError> {
    load(&Origin::Disk(map.to_owned()), options)
}

/// Reads a map again. Returns the map or an error message, and all paths that were searched.
pub fn read(
    map: &Path,
    options: &Options,
    read: ReadMap,
) -> (Result<Box<Loaded>, String>, Vec<PathBuf>) {
    match read(map, options) {
        Ok(loaded) => {
            let paths = loaded.paths.clone();
            (Ok(Box::new(loaded)), paths)
        }
        Err(error) => (Err(error.to_string()), vec![map.to_owned()]),
    }
}
