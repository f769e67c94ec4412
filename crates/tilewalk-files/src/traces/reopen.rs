//! Reads a run again for a recording, which stores only the path, the size and the hash of its file.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use tilewalk_sim::history::recording::RecordedRunFile;
use tilewalk_sim::scenario::run::{RunFile, RunTable};

use crate::show;
use crate::text::source::ReadError;

use super::{Input, RunError, TraceOptions, read};

/// How a file was read.
#[derive(Debug, Serialize, Deserialize)]
struct Reading {
    options: TraceOptions,
    /// Height of the map in tiles; `None` if the run has no map.
    height: Option<u32>,
}

/// Error for a run that can't be read again.
#[derive(Debug, thiserror::Error)]
pub enum ReopenError {
    /// The file can't be read.
    #[error(
        "this recording needs the run {path} ({size} bytes, hash {hash:016x}), which can't be read: \
         {error}"
    )]
    Read {
        /// Path of the run in the recording, safe to print.
        path: String,
        /// Size of the recorded file, in bytes.
        size: u64,
        /// Hash of the recorded file.
        hash: u64,
        /// Reason why the file can't be read.
        error: ReadError,
    },
    /// The file has another content than the recorded one.
    #[error(
        "this recording needs the run {path} with {size} bytes and hash {hash:016x}, but the file has \
         {found_size} bytes and hash {found_hash:016x}"
    )]
    Differs {
        /// Path of the run, safe to print.
        path: String,
        /// Size of the recorded file, in bytes.
        size: u64,
        /// Hash of the recorded file.
        hash: u64,
        /// Size of the file, in bytes.
        found_size: u64,
        /// Hash of the file.
        found_hash: u64,
    },
    /// The recording has options that this version does not know.
    #[error("this recording has unknown options for the run {0}; use a newer tilewalk")]
    Options(String),
    /// The run is invalid.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// Describes how a file was read, so that a recording can read it again. `height` is the height of
/// the map in tiles; `None` if the run has no map.
pub fn file_of(path: &Path, options: TraceOptions, height: Option<u32>) -> RunFile {
    let options = serde_json::to_string(&Reading { options, height }).unwrap_or_default();
    RunFile { path: path.to_string_lossy().into_owned(), options }
}

/// Reads the run of a recording again. Looks for a missing file in `folder`, the directory of the
/// recording, too.
///
/// # Errors
/// Returns an error if the file is missing or has another content.
pub fn reopen(recorded: &RecordedRunFile, folder: &Path) -> Result<RunTable, ReopenError> {
    let &RecordedRunFile { size, hash, .. } = recorded;
    let path = found(&recorded.path, folder);
    let shown = show::path(&path);
    let read_error = |error| ReopenError::Read { path: shown.clone(), size, hash, error };
    let open = || Input::open(&path).map_err(read_error);
    let content = open()?.content();
    let io = |error| read_error(ReadError::io(&path, error));
    let (found_size, found_hash) = content.map_err(io)?;
    if (found_size, found_hash) != (size, hash) {
        return Err(ReopenError::Differs { path: shown, size, hash, found_size, found_hash });
    }
    let reading = serde_json::from_str(&recorded.options);
    let Reading { options, height } = reading.map_err(|_| ReopenError::Options(shown.clone()))?;
    Ok(read(open()?, &options)?.on_map(height)?)
}

/// Returns the path of a recorded file, or the path of the file with its name beside the recording.
fn found(path: &str, folder: &Path) -> PathBuf {
    let path = PathBuf::from(path);
    let beside = path.file_name().map(|name| folder.join(name));
    match beside {
        Some(beside) if !path.exists() && beside.exists() => beside,
        Some(_) | None => path,
    }
}
