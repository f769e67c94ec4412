//! New files for the user: written all or none, and never over what is there unless that is asked for.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::files::show;

use super::CliError;

/// May files be replaced?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Replace {
    /// Never.
    No,
    /// Not this time; how it is asked for is told.
    Unasked,
    /// As asked for.
    Yes,
}

/// Writes files, and makes the folders they are to be in.
pub(super) fn write_all(files: &[(PathBuf, &str)], replace: Replace) -> Result<(), CliError> {
    // All are looked at before one is written.
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
        // Somebody may have made it meanwhile.
        options.create_new(true);
    }
    options.open(path)?.write_all(text.as_bytes())
}
