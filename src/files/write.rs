//! Writing settings into a map's file: whole or not at all, with every other byte as it was.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use toml_edit::Document;

use super::settings::{self, Setting, SettingError};
use super::show;

/// The mark some editors begin a file with.
const BYTE_ORDER_MARK: &str = "\u{FEFF}";

/// Why nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// Somebody else has written the file since it was read.
    #[error("{0} was changed on the disk since it was read; nothing is written")]
    Changed(String),
    /// The file can't be written into as it is.
    #[error("{0} can't be read as TOML now; nothing is written")]
    NotToml(String),
    /// The file is not to be written.
    #[error("{0} is read-only; nothing is written")]
    ReadOnly(String),
    /// A new file would take the place of another one.
    #[error("{0} is there already; nothing is written")]
    Exists(String),
    /// A setting no longer fits the file.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The system refused.
    #[error("{label} can't be written: {error}")]
    Io {
        /// The file.
        label: String,
        /// What the system said.
        error: io::Error,
    },
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
    let label = show::path(path);
    let io = |error| WriteError::Io { label: label.clone(), error };
    // A link stays a link: what it leads to is written.
    let real = fs::canonicalize(path).map_err(io)?;
    let bytes = fs::read(&real).map_err(io)?;
    let Ok(text) = String::from_utf8(bytes) else { return Err(WriteError::NotToml(label)) };
    let (mark, text) = match text.strip_prefix(BYTE_ORDER_MARK) {
        Some(rest) => (BYTE_ORDER_MARK, rest),
        None => ("", text.as_str()),
    };
    if text != known && !anyway {
        return Err(WriteError::Changed(label));
    }
    if Document::parse(text).is_err() {
        return Err(WriteError::NotToml(label));
    }
    let permissions = fs::metadata(&real).map_err(io)?.permissions();
    if permissions.readonly() {
        return Err(WriteError::ReadOnly(label));
    }
    let after = settings::apply(text, settings)?;
    let mut file = beside(&real).map_err(io)?;
    file.write_all(mark.as_bytes()).map_err(io)?;
    file.write_all(after.as_bytes()).map_err(io)?;
    file.as_file().set_permissions(permissions).map_err(io)?;
    file.as_file().sync_all().map_err(io)?;
    file.persist(&real).map_err(|error| io(error.error))?;
    Ok(after)
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

/// A file without a lasting name, in the same folder.
fn beside(path: &Path) -> io::Result<tempfile::NamedTempFile> {
    let folder = path.parent().unwrap_or(Path::new("."));
    tempfile::Builder::new().prefix(".tilewalk-").tempfile_in(folder)
}
