//! Notes which files a save replaces. If the program is killed between two of them, the note stays,
//! and the next start reports which files are new and which are old.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use crate::disk::output_file::{self, PREFIX};
use crate::show;
use crate::text::source::{self, MAX_BYTES};

/// Hash of a file that does not exist.
const MISSING: u64 = 0;

/// A file that a save replaces or creates.
#[derive(Debug)]
pub(crate) struct Change<'a> {
    pub path: &'a Path,
    /// Content before the save; `None` for a new file.
    pub before: Option<&'a [u8]>,
    pub after: &'a [u8],
}

/// The note of a save in progress. Dropping this value deletes the note.
#[derive(Debug)]
pub(crate) struct SaveNote(Option<PathBuf>);

impl SaveNote {
    /// Writes the note of a save of the map at `map`. A save of a single file needs no note.
    pub fn begin(map: &Path, changes: &[Change]) -> io::Result<Self> {
        if changes.len() < 2 {
            return Ok(Self(None));
        }
        let mut text = String::new();
        for Change { path, before, after } in changes {
            let path = std::path::absolute(path)?;
            // The line would be ambiguous, and the report would only lack this file.
            let Some(path) = path.to_str().filter(|path| !path.contains('\n')) else { continue };
            let before = before.map_or(MISSING, xxh3_64);
            let _ = writeln!(text, "{before:016x} {:016x} {path}", xxh3_64(after));
        }
        let path = path_of(map);
        output_file::replace(&path, text.as_bytes())?;
        Ok(Self(Some(path)))
    }
}

impl Drop for SaveNote {
    fn drop(&mut self) {
        // The note is correct as long as the files keep these contents, so it may stay.
        self.0.iter().for_each(|path| drop(fs::remove_file(path)));
    }
}

fn path_of(map: &Path) -> PathBuf {
    let name = map.file_name().unwrap_or_default().to_string_lossy();
    map.with_file_name(format!("{PREFIX}save-{name}"))
}

/// Returns a message that names the new and the old files of a map, if its last save was
/// interrupted between two files. Returns `None` if all files are new or all are old, and if one of
/// them was changed after that save.
pub(crate) fn interrupted(map: &Path) -> Option<String> {
    let note = path_of(map);
    fs::symlink_metadata(&note).ok()?;
    let bytes = source::read_bytes(&note, "", MAX_BYTES).ok()?;
    let (mut new, mut old) = (Vec::new(), Vec::new());
    for line in std::str::from_utf8(&bytes).ok()?.lines() {
        let mut parts = line.splitn(3, ' ');
        let mut hash = || u64::from_str_radix(parts.next()?, 16).ok();
        let (before, after) = (hash()?, hash()?);
        let path = Path::new(parts.next()?);
        let now = source::read_bytes(path, "", MAX_BYTES).map_or(MISSING, |bytes| xxh3_64(&bytes));
        let name = show::text(&path.file_name()?.to_string_lossy());
        // A file that the save does not change is neither new nor old.
        match (now == after, now == before) {
            (true, true) => {}
            (true, false) => new.push(name),
            (false, true) => old.push(name),
            (false, false) => return None,
        }
    }
    (!new.is_empty() && !old.is_empty()).then(|| {
        let (new, old) = (new.join(", "), old.join(", "));
        format!("the last save of this map was interrupted: new: {new}; not replaced: {old}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_save_that_wrote_only_one_of_two_files_is_reported() {
        let folder = tempfile::tempdir().unwrap();
        let [map, pattern] = ["a.toml", "round.toml"].map(|name| folder.path().join(name));
        let write = |path: &Path, text: &str| fs::write(path, text).unwrap();
        write(&map, "old map");
        write(&pattern, "old pattern");
        let change = |path, before: &'static str, after: &'static str| Change {
            path,
            before: Some(before.as_bytes()),
            after: after.as_bytes(),
        };
        let changes =
            [change(&map, "old map", "new map"), change(&pattern, "old pattern", "new pattern")];
        let note = SaveNote::begin(&map, &changes).unwrap();
        assert_eq!(interrupted(&map), None, "no file is replaced yet");
        write(&map, "new map");
        let message = interrupted(&map).unwrap();
        assert!(message.ends_with("new: a.toml; not replaced: round.toml"), "{message}");
        write(&pattern, "edited");
        assert_eq!(interrupted(&map), None, "the user has edited a file since");
        write(&pattern, "new pattern");
        assert_eq!(interrupted(&map), None, "all files are replaced");
        write(&pattern, "old pattern");
        drop(note);
        assert_eq!(interrupted(&map), None);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}
