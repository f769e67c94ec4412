//! Writes the files that a command creates. Existing files are replaced only on request.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::files::show;

use super::CliError;

/// Whether existing files may be replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Replace {
    /// No: the command has no option to replace files.
    No,
    /// No: the command has the option `--force`, but the user did not set it.
    Unasked,
    Yes,
}

/// Writes files and creates missing directories. If one of the files exists and may not be
/// replaced, returns an error and writes nothing.
pub(super) fn write_all(files: &[(PathBuf, &str)], replace: Replace) -> Result<(), CliError> {
    // Check all files before writing the first one.
    for (path, _) in files {
        if replace != Replace::Yes && fs::symlink_metadata(path).is_ok() {
            return Err(exists(path, replace));
        }
    }
    for (path, text) in files {
        match write(path, text, replace) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                return Err(exists(path, replace));
            }
            result => {
                let what = show::path(path);
                result.map_err(|source| CliError::Write { what, source })?;
            }
        }
    }
    Ok(())
}

fn exists(path: &Path, replace: Replace) -> CliError {
    let help = if replace == Replace::Unasked { ": use --force to overwrite the file" } else { "" };
    CliError::Exists { path: show::path(path), help }
}

fn write(path: &Path, text: &str, replace: Replace) -> io::Result<()> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder)?;
    }
    let mut options = OpenOptions::new();
    options.write(true);
    if replace == Replace::Yes {
        options.create(true).truncate(true);
    } else {
        // Another program may have created the file in the meantime.
        options.create_new(true);
    }
    options.open(path)?.write_all(text.as_bytes())
}
