//! Writing settings and edits into a map's files: whole or not at all, with every other byte as it
//! was.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use toml_edit::Document;

use super::origin::{self, Store};
use super::settings::{self, Setting, SettingError};
use super::show;
use tilewalk_sim::scenario::sources::{Place, Sources};

/// The mark some editors begin a file with.
const BYTE_ORDER_MARK: &str = "\u{FEFF}";

/// Why nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// Somebody else has written the file since it was read.
    #[error("{0} has changed on disk since it was read; nothing was written")]
    Changed(String),
    /// The file can't be written into as it is.
    #[error("{0} is no longer valid TOML; nothing was written")]
    NotToml(String),
    /// The file is not to be written.
    #[error("{0} is read-only; nothing was written")]
    ReadOnly(String),
    /// A new file would take the place of another one.
    #[error("{0} already exists; nothing was written")]
    Exists(String),
    /// A setting no longer fits the file.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// An edit no longer fits the file.
    #[error("{0}; nothing was written")]
    Edit(String),
    /// The system refused.
    #[error("can't write {label}: {error}")]
    Io {
        /// The file.
        label: String,
        /// What the system said.
        error: io::Error,
    },
}

/// A file that is to get another text.
#[derive(Debug)]
pub struct Wanted<'a> {
    /// Where it is.
    pub path: &'a Path,
    /// The text it should have.
    pub known: &'a str,
    /// Has it to be TOML?
    pub is_toml: bool,
}

/// A file as it is.
struct Found {
    label: String,
    real: PathBuf,
    mark: &'static str,
    text: String,
    permissions: fs::Permissions,
}

/// Writes settings into a file whose text is `known`; if `anyway`, into whatever text it has now.
/// Gives the text it has afterwards.
///
/// # Errors
/// Why nothing was written.
pub fn settings(
    path: &Path,
    known: &str,
    settings: &[Setting],
    anyway: bool,
) -> Result<String, WriteError> {
    let wanted = Wanted { path, known, is_toml: true };
    let apply = |texts: &[String]| Ok(vec![settings::apply(&texts[0], settings)?]);
    Ok(files(&[wanted], anyway, apply)?.swap_remove(0))
}

/// Writes files whose texts are known; if `anyway`, whatever texts they have now. Of those `make`
/// makes the new ones. Gives the texts they have afterwards.
///
/// # Errors
/// Why nothing was written. Where the system fails between two files the first ones are written.
pub fn files(
    wanted: &[Wanted],
    anyway: bool,
    make: impl FnOnce(&[String]) -> Result<Vec<String>, WriteError>,
) -> Result<Vec<String>, WriteError> {
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
    for (found, file) in found.iter().zip(ready) {
        file.persist(&found.real).map_err(|error| found.refused(error.error))?;
    }
    Ok(after)
}

impl Found {
    fn refused(&self, error: io::Error) -> WriteError {
        WriteError::Io { label: self.label.clone(), error }
    }
}

fn find(wanted: &Wanted, anyway: bool) -> Result<Found, WriteError> {
    let label = show::path(wanted.path);
    let io = |error| WriteError::Io { label: label.clone(), error };
    // A link stays a link: what it leads to is written.
    let real = fs::canonicalize(wanted.path).map_err(io)?;
    let bytes = fs::read(&real).map_err(io)?;
    let Ok(text) = String::from_utf8(bytes) else { return Err(WriteError::NotToml(label)) };
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
    let permissions = fs::metadata(&real).map_err(io)?.permissions();
    if permissions.readonly() {
        return Err(WriteError::ReadOnly(label));
    }
    Ok(Found { label, real, mark, text, permissions })
}

/// The new text in a file beside the old one.
fn prepare(found: &Found, after: &str) -> io::Result<tempfile::NamedTempFile> {
    let mut file = beside(&found.real)?;
    file.write_all(found.mark.as_bytes())?;
    file.write_all(after.as_bytes())?;
    file.as_file().set_permissions(found.permissions.clone())?;
    file.as_file().sync_all()?;
    Ok(file)
}

/// Writes a text into a new file.
///
/// # Errors
/// Why nothing was written.
pub fn new(path: &Path, text: &str) -> Result<(), WriteError> {
    let label = show::path(path);
    let io = |error| WriteError::Io { label: label.clone(), error };
    // Made at once under its name, so that it gets the permissions new files get here.
    let made = fs::OpenOptions::new().write(true).create_new(true).open(path);
    let mut file = made.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => WriteError::Exists(label.clone()),
        _ => io(error),
    })?;
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
    written.map_err(|error| {
        // Half a map is none; that it can't be removed either is no other trouble.
        let _ = fs::remove_file(path);
        io(error)
    })
}

/// Writes the text of a map into a new file, and beside it those of its files that would not be found there
/// as they are. Gives their names.
///
/// # Errors
/// Why nothing was written: no file takes the place of another. Where the system fails between two files
/// the first ones are written.
pub fn map(path: &Path, text: &str, files: &Sources) -> Result<Vec<String>, WriteError> {
    let store = Store::around(path);
    let beside = path.parent().unwrap_or(Path::new(""));
    let mut wanted = Vec::new();
    for file in &files.files {
        let (found, name) = match &file.place {
            Place::Map => continue,
            Place::Beside(name) => (store.sibling(name), name.clone()),
            Place::Pattern(name) => (store.pattern(name), format!("{name}.toml")),
        };
        let wants = match found {
            origin::Found::Missing => true,
            // Its own one is found first.
            origin::Found::Read(source, _) => *source.text() != file.text,
            origin::Found::Refused(_) => false,
        };
        if wants {
            wanted.push((beside.join(&name), name, &file.text));
        }
    }
    let all = wanted.iter().map(|(to, ..)| to.as_path()).chain([path]);
    for path in all {
        if fs::symlink_metadata(path).is_ok() {
            return Err(WriteError::Exists(show::path(path)));
        }
    }
    new(path, text)?;
    for (to, _, text) in &wanted {
        // A pattern's name may lead into a folder.
        let made = to.parent().map_or(Ok(()), fs::create_dir_all);
        made.map_err(|error| WriteError::Io { label: show::path(to), error })?;
        new(to, text)?;
    }
    Ok(wanted.into_iter().map(|(_, name, _)| name).collect())
}

/// A file without a lasting name, in the same folder.
fn beside(path: &Path) -> io::Result<tempfile::NamedTempFile> {
    let folder = path.parent().unwrap_or(Path::new("."));
    tempfile::Builder::new().prefix(".tilewalk-").tempfile_in(folder)
}
