//! Records a run without opening the terminal UI.

use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::files::show;
use crate::history::recorder::{Batch, Recorder};
use crate::recording_file::{self, RecordingFile};
use crate::scenario::Scenario;
use crate::time::Frame;
use crate::world::World;

use super::CliError;

/// Number of agent steps between two records: less than a second of computation.
const STEPS: u64 = 500_000;

/// Maximum number of frames between two records.
const FRAMES: u64 = 1_000;

/// Returns the command's error for a recording that could not be created at `path`. If the file
/// exists, the message suggests another name, or names the process that records to the file.
pub fn refused(path: &Path, source: io::Error) -> CliError {
    if source.kind() != io::ErrorKind::AlreadyExists {
        return CliError::Write { what: show::path(path), source };
    }
    match recording_file::user(path) {
        Some(user) => CliError::Write { what: show::path(path), source: io::Error::other(user) },
        None => CliError::Exists { path: show::path(path), help: ADVICE },
    }
}

/// Advice for the user if the recording file exists.
const ADVICE: &str = ": choose another name, or open the file with `tilewalk replay`";

pub(super) struct Record {
    recorder: Recorder<RecordingFile>,
    path: String,
    /// Number of frames between two records.
    every: u64,
    written: Frame,
}

impl Record {
    /// Creates the recording file. Returns an error if the file exists.
    pub(super) fn create(path: &Path, scenario: &Arc<Scenario>) -> Result<Self, CliError> {
        // The next write reports a failure.
        let notify = Box::new(|| {});
        let first = |recorder: &mut Recorder<_>| recorder.open(None, scenario.sources());
        let recorder = recording_file::begin(path, scenario.sources(), notify, first);
        let recorder = recorder.map_err(|error| refused(path, error))?;
        let every = (STEPS / (scenario.starts().len() as u64).max(1)).clamp(1, FRAMES);
        Ok(Self { recorder, path: show::path(path), every, written: Frame(0) })
    }

    /// Writes a record if one is due at this frame.
    pub(super) fn frame(&mut self, world: &World) -> Result<(), CliError> {
        if world.frame().0 >= self.written.0 + self.every {
            self.write(world)?;
        }
        Ok(())
    }

    /// Writes the frames since the last record, and completes the recording.
    pub(super) fn finish(mut self, world: &World) -> Result<(), CliError> {
        if world.frame() > self.written {
            self.write(world)?;
        }
        let closed = self.recorder.finish().and_then(|file| file.close(None));
        closed.map_err(|source| CliError::Write { what: self.path, source })
    }

    fn write(&mut self, world: &World) -> Result<(), CliError> {
        let hash = Some(world.hash());
        let batch = Batch { run: 0, to: world.frame(), commands: &[], hash };
        let failed = |source| CliError::Write { what: self.path.clone(), source };
        self.recorder.batch(batch).map_err(failed)?;
        self.written = world.frame();
        Ok(())
    }
}
