//! Reads recordings and their scenarios from disk.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

use super::loading::{self, Options};
use super::show;
use super::source::{self, ReadError};
use tilewalk_sim::history::recording::{Recording, RecordingError};
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::scenario::sources::Sources;

/// File name extension of recordings.
pub const ENDING: &str = "twr";

/// Size limit of a recording, in bytes.
const MAX_BYTES: u64 = 4 << 30;

/// A recording with its scenarios.
#[derive(Debug, Clone)]
pub struct Recorded {
    /// Name of the recording for messages, safe to print.
    pub label: String,
    /// Content of the file.
    pub recording: Recording,
    /// One scenario for each source of the recording.
    pub scenarios: Vec<Arc<Scenario>>,
}

/// Error for an unusable recording.
#[derive(Debug, thiserror::Error)]
pub enum RecordedError {
    /// The file can't be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The content of the file is invalid.
    #[error("{label}: {error}")]
    Recording {
        /// Name of the recording for messages, safe to print.
        label: String,
        /// Reason why the content is invalid.
        error: RecordingError,
    },
}

/// Reads a recording. An incomplete or damaged end is ignored and noted in the recording.
///
/// # Errors
/// Returns an error if the file can't be read, is not a recording, or was written by a newer
/// version.
pub fn recording(path: &Path) -> Result<Recorded, RecordedError> {
    let label = show::path(path);
    source::regular(path, &label)?;
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MAX_BYTES).read_to_end(&mut bytes));
    read.map_err(|error| ReadError::io(path, error))?;
    let fault = |error| RecordedError::Recording { label: label.clone(), error };
    let recording = Recording::read(&bytes).map_err(fault)?;
    let scenarios = recording.compile(compile).map_err(fault)?;
    Ok(Recorded { label, recording, scenarios })
}

/// Opens a recording for appending, and removes an incomplete or damaged end.
///
/// # Errors
/// Returns an error if the file can't be written.
pub fn reopen(path: &Path, recording: &Recording) -> Result<File, ReadError> {
    let open = || {
        let mut file = File::options().write(true).open(path)?;
        file.set_len(recording.good)?;
        file.seek(SeekFrom::End(0))?;
        Ok(file)
    };
    open().map_err(|error| ReadError::io(path, error))
}

/// Reads a scenario from its stored files.
fn compile(sources: &Arc<Sources>) -> Result<Arc<Scenario>, String> {
    let options = Options::of(sources).map_err(|error| error.to_string())?;
    let loaded = loading::reload(sources, &options).map_err(|error| error.to_string())?;
    loaded.scenario.ok_or_else(|| loaded.report.plain())
}

/// Describes the data that was ignored at the end of a recording; `None` if all data was read.
pub fn cut_in_words(recording: &Recording) -> Option<String> {
    let cut = recording.cut?;
    let bytes = tilewalk_sim::words::count(cut.bytes, "byte");
    let good = recording.runs.iter().map(|run| run.end).max().unwrap_or_default();
    let why = if cut.damaged { "damaged" } else { "incomplete" };
    Some(format!(
        "ignored {bytes} of {why} data at the end; the recording is valid up to frame {good}"
    ))
}
