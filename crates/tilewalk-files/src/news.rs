//! Reads the files of a running map again and detects changed contents.
//!
//! This module does not depend on how a save was noticed.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use super::loading::{Loaded, Options, load};
use super::origin::Origin;
use super::source::{MAX_BYTES, regular};

/// Something about the files of a map.
#[derive(Debug, Clone)]
pub struct News {
    /// The id of the map.
    pub id: String,
    /// What.
    pub what: What,
}

/// What is new.
#[derive(Debug, Clone)]
pub enum What {
    /// Their content: the map with everything it names, or why it can't be read at all.
    Read(Result<Box<Loaded>, String>),
    /// The system doesn't tell of saves: the files are looked at now and then. Why, in words.
    Polled(String),
}

/// What files hold, so far as it takes to see whether it has changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Contents(Vec<(PathBuf, Option<u64>)>);

impl Contents {
    /// What is in these files now.
    pub fn of<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Self {
        Self(paths.into_iter().map(|path| (path.to_owned(), content(path))).collect())
    }

    /// The files.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.0.iter().map(|(path, _)| path.as_path())
    }

    /// What is in the same files now.
    #[must_use]
    pub fn now(&self) -> Self {
        Self::of(self.paths())
    }

    /// Is a file missing, or empty, that was not so in `before`? An editor may be about to write it.
    pub fn is_lacking(&self, before: &Self) -> bool {
        let empty = Some(xxh3_64(b""));
        self.0.iter().any(|entry| {
            let (path, content) = entry;
            let had = before.0.iter().find(|(other, _)| other == path).and_then(|(_, had)| *had);
            had.is_some() && had != empty && (content.is_none() || *content == empty)
        })
    }
}

/// A number for what is in a file, with its length mixed in; `None` if it can't be read.
fn content(path: &Path) -> Option<u64> {
    let about = regular(path, "").ok()?;
    let mut bytes = Vec::with_capacity(about.len().min(MAX_BYTES) as usize + 1);
    File::open(path).ok()?.take(MAX_BYTES + 1).read_to_end(&mut bytes).ok()?;
    Some(xxh3_64(&bytes))
}

/// Reads a map again, and says where was looked for its files.
pub fn read(map: &Path, options: &Options) -> (Result<Box<Loaded>, String>, Vec<PathBuf>) {
    match load(&Origin::Disk(map.to_owned()), options) {
        Ok(loaded) => {
            let paths = loaded.paths.clone();
            (Ok(Box::new(loaded)), paths)
        }
        Err(error) => (Err(error.to_string()), vec![map.to_owned()]),
    }
}
