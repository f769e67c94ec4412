//! Recordings on the disk: read whole, with the scenarios in them.

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

/// The ending of a recording's name.
pub const ENDING: &str = "twr";

/// The largest recording that is read, in bytes.
const MAX_BYTES: u64 = 4 << 30;

/// A recording with its scenarios.
#[derive(Debug, Clone)]
pub struct Recorded {
    /// What people call it, safe to print.
    pub label: String,
    /// What is in it.
    pub recording: Recording,
    /// The scenarios, as many as the recording has sources.
    pub scenarios: Vec<Arc<Scenario>>,
}

/// Why a recording can't be used.
#[derive(Debug, thiserror::Error)]
pub enum RecordedError {
    /// The file can't be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// What is in it can't be used.
    #[error("{label}: {error}")]
    Recording {
        /// What people call it.
        label: String,
        /// Why.
        error: RecordingError,
    },
}

/// Reads a recording.
///
/// # Errors
/// When it can't be read, is none, or a newer program wrote it. A torn or damaged end is no error:
/// the recording says what was cut.
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

/// Opens the file of a recording to go on with it: what is not good at its end is cut.
///
/// # Errors
/// When it can't be written.
pub fn reopen(path: &Path, recording: &Recording) -> Result<File, ReadError> {
    let open = || {
        let mut file = File::options().write(true).open(path)?;
        file.set_len(recording.good)?;
        file.seek(SeekFrom::End(0))?;
        Ok(file)
    };
    open().map_err(|error| ReadError::io(path, error))
}

/// Reads a scenario again from what was kept of it.
fn compile(sources: &Arc<Sources>) -> Result<Arc<Scenario>, String> {
    let options = Options::of(sources).map_err(|error| error.to_string())?;
    let loaded = loading::reload(sources, &options).map_err(|error| error.to_string())?;
    loaded.scenario.ok_or_else(|| loaded.report.plain())
}

/// What is missing at the end of a recording, as a sentence.
pub fn cut_in_words(recording: &Recording) -> Option<String> {
    let cut = recording.cut?;
    let bytes = tilewalk_sim::words::count(cut.bytes, "byte");
    let good = recording.runs.iter().map(|run| run.end).max().unwrap_or_default();
    let why = if cut.damaged { "damaged" } else { "incomplete" };
    Some(format!(
        "ignored {bytes} of {why} data at the end; the recording is valid up to frame {good}"
    ))
}
