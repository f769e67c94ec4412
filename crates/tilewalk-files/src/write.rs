//! Writes settings and edits into the files of a map. Each file is replaced as a whole. Bytes
//! outside the changes stay the same.

pub mod atomic_replace;
pub mod edit;
pub mod frame_to_map;
pub mod new_map;
pub mod shrink;

use std::fs;
use std::io::{self, Write};
use std::iter;
use std::path::{Component, Path, PathBuf};

use toml_edit::Document;

use crate::disk::output_file::{self, NewFile, Replacement};
use crate::disk::save_note::{Change, SaveNote};
use crate::disk::store;
use crate::disk::store::Store;
use crate::settings::{self, Setting, SettingError};
use crate::show;
use crate::text::source::{self, Found, MAX_BYTES, ReadError};
use crate::text::span_tree::{PathStep, SpanTree};
use atomic_replace::{SwapError, SwappedOut};
use tilewalk_sim::scenario::expectation::Golden;
use tilewalk_sim::scenario::sources::{FileRole, Sources};

/// Byte order mark that some editors write at the start of a file.
const BYTE_ORDER_MARK: &str = "\u{FEFF}";

/// Maximum length of a new file name without its endings, in characters.
const MAX_STEM: usize = 100;

/// Returns the first of `stem`, `stem-2`, `stem-3`, … for which `is_free` returns true. Returns
/// `None` if none of 9,999 names is free. Shortens long stems.
pub fn free_stem(stem: &str, is_free: impl Fn(&str) -> bool) -> Option<String> {
    let stem: String = stem.chars().take(MAX_STEM).collect();
    let others = (2..10_000).map(|number| format!("{stem}-{number}"));
    iter::once(stem.clone()).chain(others).find(|stem| is_free(stem))
}

/// Reason why nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// Another program changed the file after tilewalk read the file.
    #[error("{0} has changed on disk since it was read; nothing was written")]
    Changed(String),
    /// Another program saved the file while tilewalk wrote it.
    #[error("{}", saved_meanwhile(label, kept.as_deref()))]
    Saved {
        /// Name of the file.
        label: String,
        /// Path of a file that contains the text of tilewalk; `None` if this file could not be
        /// written.
        kept: Option<PathBuf>,
    },
    /// The file cannot be read, or is no longer a regular file.
    #[error("{0}; nothing was written")]
    Unreadable(#[from] ReadError),
    /// The file is not UTF-8 text.
    #[error("{0} is not UTF-8 text; nothing was written")]
    NotText(String),
    /// The file is not valid TOML.
    #[error("{0} is no longer valid TOML; nothing was written")]
    NotToml(String),
    /// The file is read-only.
    #[error("{0} is read-only; nothing was written")]
    ReadOnly(String),
    /// The new file already exists.
    #[error("{0} already exists; nothing was written")]
    Exists(String),
    /// A setting no longer fits the file.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// An edit no longer fits the file.
    #[error("{0}; nothing was written")]
    Edit(String),
    /// The system returned an I/O error.
    #[error("can't write {label}: {error}")]
    Io {
        /// Name of the file.
        label: String,
        /// Error that the system returned.
        error: io::Error,
    },
}

/// Returns the message for a file that another program saved at the same time. `kept` is the path
/// of a file with the changes of tilewalk; `None` if that file could not be written.
pub fn saved_meanwhile(label: &str, kept: Option<&Path>) -> String {
    let kept =
        kept.map_or(String::new(), |kept| format!("; your changes are in {}", show::path(kept)));
    format!("another program saved {label} at the same time; its version is kept{kept}")
}

/// The result of writing files.
#[derive(Debug)]
pub struct Written {
    /// New texts of the files, in the order of the [`FileToChange`] files.
    pub texts: Vec<String>,
    /// The old files that were replaced. Keep them for two seconds and check whether they change.
    pub replaced: Vec<SwappedOut>,
}

/// A file to change.
#[derive(Debug)]
pub struct FileToChange<'a> {
    /// Path of the file. A symbolic link is kept, and its target is replaced.
    pub path: &'a Path,
    /// Expected text of the file, without a byte order mark.
    pub known: &'a str,
    /// Whether the file must be valid TOML.
    pub is_toml: bool,
}

/// A file on disk, with its current content.
struct CurrentFile {
    label: String,
    real: PathBuf,
    mark: &'static str,
    text: String,
    about: fs::Metadata,
}

/// Writes settings into a file and returns the new text. The current text of the file must be
/// `known`, unless `anyway` is true.
///
/// # Errors
/// Returns the reason if nothing was written.
pub fn settings(
    path: &Path,
    known: &str,
    settings: &[Setting],
    anyway: bool,
) -> Result<String, WriteError> {
    let wanted = FileToChange { path, known, is_toml: true };
    let apply = |texts: &[String]| Ok(vec![settings::apply(&texts[0], settings)?]);
    Ok(files(path, &[wanted], anyway, apply)?.texts.swap_remove(0))
}

/// Writes golden states into the expectations with these names. The text of the file must be
/// `known`.
///
/// # Errors
/// Returns the reason if nothing was written.
pub fn golden(path: &Path, known: &str, states: &[(&str, Golden)]) -> Result<(), WriteError> {
    let make = |texts: &[String]| {
        let not_toml = || WriteError::NotToml(show::path(path));
        let mut tree = SpanTree::parse(&texts[0]).ok_or_else(not_toml)?;
        for (name, state) in states {
            let place = [PathStep::Named("expect", name), PathStep::Key("golden")];
            let put = tree.put(&place, &format!("\"{state}\""));
            put.map_err(|_| WriteError::Edit(format!("no place for the state of `{name}`")))?;
        }
        Ok(vec![tree.text().to_owned()])
    };
    let wanted = FileToChange { path, known, is_toml: true };
    files(path, &[wanted], false, make).map(drop)
}

/// Replaces files of the map at `map`. The current text of each file must be as expected, unless
/// `anyway` is true. `make` creates the new texts from the current texts.
///
/// # Errors
/// Returns the reason if nothing was written. If an error occurs after the first file was replaced,
/// the replaced files are put back.
pub fn files(
    map: &Path,
    wanted: &[FileToChange],
    anyway: bool,
    make: impl FnOnce(&[String]) -> Result<Vec<String>, WriteError>,
) -> Result<Written, WriteError> {
    let mut found = Vec::with_capacity(wanted.len());
    for wanted in wanted {
        found.push(find(wanted, anyway)?);
    }
    let texts: Vec<_> = found.iter().map(|found| found.text.clone()).collect();
    let after = make(&texts)?;
    let mut ready = Vec::with_capacity(found.len());
    for (found, after) in found.iter().zip(&after) {
        ready.push(prepare(found, after).map_err(|error| found.refused(error))?);
    }
    let contents: Vec<_> =
        found.iter().zip(&after).map(|(found, after)| found.contents(after)).collect();
    let changes = found.iter().zip(&contents).map(|(found, [before, after])| Change {
        path: &found.real,
        before: Some(before),
        after,
    });
    let changes: Vec<_> = changes.collect();
    let note = note(map, &changes)?;
    let mut replaced = Vec::with_capacity(found.len());
    for ((found, file), [known, ours]) in found.iter().zip(ready).zip(contents) {
        match atomic_replace::swap(file, &found.real, known, ours) {
            Ok(swapped) => replaced.push(swapped),
            Err(error) => {
                // Only the error of the exchange is reported, not errors while files are put back.
                replaced.into_iter().rev().for_each(|file| drop(file.undo()));
                return Err(found.not_swapped(error));
            }
        }
    }
    drop(note);
    Ok(Written { texts: after, replaced })
}

fn note(map: &Path, changes: &[Change]) -> Result<SaveNote, WriteError> {
    SaveNote::begin(map, changes).map_err(|error| WriteError::Io { label: show::path(map), error })
}

impl CurrentFile {
    /// Returns the bytes of the file before and after the change.
    fn contents(&self, after: &str) -> [Vec<u8>; 2] {
        [&self.text, after].map(|text| [self.mark, text].concat().into_bytes())
    }

    fn refused(&self, error: io::Error) -> WriteError {
        WriteError::Io { label: self.label.clone(), error }
    }

    fn not_swapped(&self, error: SwapError) -> WriteError {
        match error {
            SwapError::Saved(kept) => WriteError::Saved { label: self.label.clone(), kept },
            SwapError::Io(error) => self.refused(error),
        }
    }
}

fn find(wanted: &FileToChange, anyway: bool) -> Result<CurrentFile, WriteError> {
    let label = show::path(wanted.path);
    let io = |error| WriteError::Io { label: label.clone(), error };
    // A symbolic link is kept; its target is replaced.
    let real = fs::canonicalize(wanted.path).map_err(io)?;
    let bytes = source::read_bytes(&real, &label, MAX_BYTES)?;
    let Ok(text) = String::from_utf8(bytes) else { return Err(WriteError::NotText(label)) };
    let (mark, text) = match text.strip_prefix(BYTE_ORDER_MARK) {
        Some(rest) => (BYTE_ORDER_MARK, rest.to_owned()),
        None => ("", text),
    };
    if text != wanted.known && !anyway {
        return Err(WriteError::Changed(label));
    }
    if wanted.is_toml && Document::parse(text.as_str()).is_err() {
        return Err(WriteError::NotToml(label));
    }
    let about = fs::metadata(&real).map_err(io)?;
    if about.permissions().readonly() {
        return Err(WriteError::ReadOnly(label));
    }
    Ok(CurrentFile { label, real, mark, text, about })
}

/// Writes the new text to a temporary file next to the old file.
fn prepare(found: &CurrentFile, after: &str) -> io::Result<NewFile> {
    let mut file = NewFile::beside(&found.real)?;
    file.write_all(found.mark.as_bytes())?;
    file.write_all(after.as_bytes())?;
    output_file::copy_owner(file.file(), &found.about)?;
    file.file().sync_all()?;
    Ok(file)
}

/// Creates a file with a text. Never replaces an existing file.
///
/// # Errors
/// Returns the reason if nothing was written.
pub fn new(path: &Path, text: &str) -> Result<(), WriteError> {
    new_bytes(path, text.as_bytes())
}

/// Creates a file with any content. Never replaces an existing file.
///
/// # Errors
/// Returns the reason if nothing was written.
pub fn new_bytes(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    let label = show::path(path);
    output_file::create(path, bytes).map_err(|error| {
        let exists = error.kind() == io::ErrorKind::AlreadyExists;
        if exists { WriteError::Exists(label) } else { WriteError::Io { label, error } }
    })
}

/// Creates several files with texts, and missing directories. Never replaces an existing file.
///
/// If some of the files exist with the same texts, an earlier call was interrupted, and this call
/// creates the others.
///
/// # Errors
/// Returns the reason if no file was created.
pub fn new_files(files: &[(PathBuf, &str)]) -> Result<(), WriteError> {
    let exists = |(path, _): &&(PathBuf, &str)| fs::symlink_metadata(path).is_ok();
    let (existing, missing): (Vec<_>, Vec<_>) = files.iter().partition(exists);
    let is_other = |(path, text): &&&(PathBuf, &str)| {
        !source::read_bytes(path, "", MAX_BYTES).is_ok_and(|bytes| bytes == text.as_bytes())
    };
    let refused =
        if missing.is_empty() { existing.first() } else { existing.iter().find(is_other) };
    if let Some((path, _)) = refused {
        return Err(WriteError::Exists(show::path(path)));
    }
    for (index, (path, text)) in missing.iter().enumerate() {
        let created = output_file::create_folder_of(path)
            .map_err(|error| WriteError::Io { label: show::path(path), error })
            .and_then(|()| new(path, text));
        if let Err(error) = created {
            // Only the first error is reported.
            missing[..index].iter().for_each(|(path, _)| drop(fs::remove_file(path)));
            return Err(error);
        }
    }
    Ok(())
}

/// Writes the files of a map, the map first. Creates missing files and directories, and replaces
/// existing files. Pipes and devices are written directly.
///
/// # Errors
/// Returns an error if a file can't be written. Unless its directory has changed in the meantime,
/// no file is replaced then.
pub fn replace_files(files: &[(PathBuf, &str)]) -> Result<(), WriteError> {
    let io = |path: &Path| {
        let label = show::path(path);
        move |error| WriteError::Io { label, error }
    };
    let mut ready = Vec::with_capacity(files.len());
    let mut before = Vec::with_capacity(files.len());
    for (path, text) in files {
        output_file::create_folder_of(path).map_err(io(path))?;
        let mut file = Replacement::begin(path).map_err(io(path))?;
        file.write_all(text.as_bytes()).map_err(io(path))?;
        ready.push(file);
        before.push(source::read_bytes(path, "", MAX_BYTES).ok());
    }
    let changes = files.iter().zip(&before).map(|((path, text), before)| Change {
        path,
        before: before.as_deref(),
        after: text.as_bytes(),
    });
    let changes: Vec<_> = changes.collect();
    let note = files.first().map(|(map, _)| note(map, &changes)).transpose()?;
    for ((path, _), file) in files.iter().zip(ready) {
        file.finish().map_err(io(path))?;
    }
    drop(note);
    Ok(())
}

/// Returns true if a relative path can leave its base directory.
fn leads_outside(name: &str) -> bool {
    Path::new(name).components().any(|part| !matches!(part, Component::Normal(_)))
}

/// Writes a map to a new file. Copies a pattern or other file of the map if it is missing or
/// different at the new location. Returns the names of the copied files.
///
/// # Errors
/// Returns the reason if nothing was written. Existing files are never replaced.
pub fn map(path: &Path, text: &str, files: &Sources) -> Result<Vec<String>, WriteError> {
    let store = Store::around(path);
    let beside = path.parent().unwrap_or(Path::new(""));
    let (mut wanted, mut names) = (vec![(path.to_owned(), text)], Vec::new());
    for file in &files.files {
        let (found, name) = match &file.place {
            FileRole::Map => continue,
            FileRole::Beside(name) => {
                // The name of a file of expectations follows the name of the map.
                let own = store.expectations().filter(|_| store::is_expect_file(name));
                let name = own.unwrap_or(name);
                (store.sibling(name), name.to_owned())
            }
            FileRole::Pattern(name) => (store.pattern(name), format!("{name}.toml")),
        };
        let wants = match found {
            Found::Missing => true,
            // A copy next to the map takes precedence over the file that was found.
            Found::Read(source, _) => *source.text() != file.text,
            Found::Refused(_) => false,
        };
        if wants && leads_outside(&name) {
            let message = format!(
                "the map uses the file {}, which is not beside the new file; save the map in the \
                 directory of the original map",
                show::text(&name)
            );
            return Err(WriteError::Edit(message));
        }
        if wants {
            wanted.push((beside.join(&name), &*file.text));
            names.push(name);
        }
    }
    new_files(&wanted)?;
    Ok(names)
}
