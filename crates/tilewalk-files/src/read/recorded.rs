//! Reads recordings and their scenarios from disk.

use std::path::Path;
use std::sync::Arc;

use crate::disk::store;
use crate::read::loading::{self, Options};
use crate::settings::{self, SettingError};
use crate::show;
use crate::text::source::{self, ReadError};
use crate::traces;
use tilewalk_sim::history::recording::{
    CutReason, RecordedRunFile, RecordedSources, Recording, RecordingError,
};
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::scenario::run::{FollowedRun, RunFile, RunTable};
use tilewalk_sim::scenario::sources::{FileRole, SourceFile, Sources};
use tilewalk_sim::step::ENGINE_REVISION;

/// File name extension of recordings.
pub const ENDING: &str = "twr";

/// Size limit of a recording, in bytes.
const MAX_BYTES: u64 = 4 << 30;

/// Memory limit of all scenarios of a recording, in bytes. Maps are not counted, because scenarios
/// share them.
const MAX_MEMORY: usize = 1 << 30;

/// A recording with its scenarios.
#[derive(Debug, Clone)]
pub struct Recorded {
    /// Name of the recording for messages, safe to print.
    pub label: String,
    /// Decoded content of the file, without a damaged end.
    pub recording: Recording,
    /// Length of the file, in bytes.
    pub length: u64,
    /// One scenario for each source of the recording, in the same order.
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

/// Reads a recording. Ignores an incomplete or damaged end, and notes it in the recording.
///
/// # Errors
/// Returns an error if the file can't be read, is larger than 4 GiB, is not a recording, or was
/// written by a newer version. Also returns an error if a stored map can't be loaded.
pub fn recording(path: &Path) -> Result<Recorded, RecordedError> {
    let label = show::path(path);
    let bytes = source::read_bytes(path, &label, MAX_BYTES)?;
    from_bytes(label, &bytes, path.parent().unwrap_or(Path::new("")))
}

/// Reads a recording from memory, as [`recording`] does. `label` is its name for messages. A run of
/// another program is searched from the directory `folder`.
///
/// # Errors
/// Returns an error under the same conditions as [`recording`].
pub fn from_bytes(label: String, bytes: &[u8], folder: &Path) -> Result<Recorded, RecordedError> {
    let fault = |error| RecordedError::Recording { label: label.clone(), error };
    let recording = Recording::read(bytes).map_err(fault)?;
    let (mut last, mut memory) = (None, 0);
    let mut runs = RecordedRuns { folder, last: None };
    let compile = |sources: &RecordedSources| {
        let run = sources.run.as_ref().map(|run| runs.read(run)).transpose()?;
        let scenario = compile(sources, run, &mut last)?;
        memory += memory_of(&scenario);
        if memory > MAX_MEMORY {
            return Err("too many versions of the map".to_owned());
        }
        Ok(scenario)
    };
    let scenarios = recording.compile(compile).map_err(fault)?;
    Ok(Recorded { label, recording, length: bytes.len() as u64, scenarios })
}

/// Estimates the memory of a scenario without its map, in bytes.
fn memory_of(scenario: &Scenario) -> usize {
    /// Bytes of memory per byte of a scenario's files. Shipped maps need about 10.
    const PER_BYTE: usize = 12;
    /// Memory of an agent, in bytes: its start position and its entries in group lists.
    const PER_AGENT: usize = 48;
    /// Memory of the smallest scenario, in bytes.
    const LEAST: usize = 4096;
    let is_text = |file: &&SourceFile| match &file.place {
        FileRole::Map | FileRole::Pattern(_) => true,
        FileRole::Beside(name) => store::is_expect_file(name),
    };
    let files = scenario.sources().files.iter().filter(is_text);
    let bytes: usize = files.map(|file| file.text.len()).sum();
    let tiles = scenario.map().width() as usize * scenario.map().height() as usize;
    LEAST + bytes.saturating_sub(tiles) * PER_BYTE + scenario.starts().len() * PER_AGENT
}

/// The runs of other programs that a recording needs.
struct RecordedRuns<'a> {
    /// Directory of the recording.
    folder: &'a Path,
    /// The run that was read last. Most scenarios of a recording follow the same run.
    last: Option<(RunFile, Arc<RunTable>)>,
}

impl RecordedRuns<'_> {
    /// Reads the run of recorded sources.
    fn read(&mut self, recorded: &RecordedRunFile) -> Result<Arc<FollowedRun>, String> {
        let (path, options) = (recorded.path.clone(), recorded.options.clone());
        let file = RunFile { path, options };
        let known = self.last.as_ref().filter(|(known, _)| *known == file);
        let table = if let Some((_, table)) = known {
            Arc::clone(table)
        } else {
            let table = traces::reopen(recorded, self.folder);
            Arc::new(table.map_err(|error| error.to_string())?)
        };
        self.last = Some((file.clone(), Arc::clone(&table)));
        let (with, taken_over) = (recorded.with.clone(), recorded.taken_over.clone());
        Ok(Arc::new(FollowedRun { table, file: Some(file), with, taken_over, live: None }))
    }
}

/// Reads a scenario from its stored files. `last` is the previous scenario. If both maps are equal,
/// the scenarios share one map.
fn compile(
    recorded: &RecordedSources,
    run: Option<Arc<FollowedRun>>,
    last: &mut Option<Arc<Scenario>>,
) -> Result<Arc<Scenario>, String> {
    if let Some(name) = &recorded.built {
        let name = show::text(name);
        return Err(format!("the map `{name}` was built in code; replay it with the same program"));
    }
    let sources = sources(recorded).map_err(|error| error.to_string())?;
    let options = Options { run, ..Options::of(&sources) };
    let loaded = loading::reload(&sources, &options).map_err(|error| error.to_string())?;
    let mut scenario = loaded.scenario.ok_or_else(|| loaded.report.plain())?;
    if let Some(last) = last {
        scenario = scenario.sharing(last);
    }
    *last = Some(Arc::clone(&scenario));
    Ok(scenario)
}

/// Parses the settings of recorded sources.
///
/// # Errors
/// Returns an error if a setting is invalid.
pub fn sources(recorded: &RecordedSources) -> Result<Arc<Sources>, SettingError> {
    recorded.parsed(settings::parse).map(Arc::new)
}

/// Returns one sentence for each problem of a recording: unreadable data at the end, a missing end
/// marker, or another engine. Returns an empty list without problems.
pub fn remarks(recording: &Recording) -> Vec<String> {
    let mut remarks = Vec::new();
    let last = recording.runs.iter().map(|run| run.end).max().unwrap_or_default();
    if let Some(cut) = recording.cut {
        let bytes = tilewalk_sim::report::words::count(cut.bytes, "byte");
        let why = match cut.reason {
            CutReason::Incomplete => "incomplete",
            CutReason::Damaged => "damaged",
            CutReason::Unknown => "unknown",
        };
        remarks.push(format!(
            "ignored {bytes} of {why} data at the end; the recording is valid up to frame {last}"
        ));
        if cut.reason == CutReason::Unknown {
            remarks.push("a newer version of tilewalk has continued this recording".to_owned());
        }
    } else if !recording.is_complete() {
        remarks.push(format!(
            "the recording has no end marker; frames after frame {last} may be missing"
        ));
    }
    if let Some(remark) = engine(recording) {
        remarks.push(format!("{remark}; frames may differ from the recording"));
    }
    remarks
}

/// Describes the engine that wrote a recording. Returns `None` if this program has the same engine.
pub fn engine(recording: &Recording) -> Option<String> {
    let engine = recording.engine;
    (engine != ENGINE_REVISION)
        .then(|| format!("recorded with engine {engine}, this is engine {ENGINE_REVISION}"))
}
