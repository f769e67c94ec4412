//! Records a run without opening the terminal UI.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::files::show;
use crate::history::recorder::{Batch, Recorder};
use crate::scenario::Scenario;
use crate::time::Frame;
use crate::world::World;

use super::CliError;

/// Number of agent steps between two records: less than a second of computation.
const STEPS: u64 = 500_000;

/// Maximum number of frames between two records.
const FRAMES: u64 = 1_000;

/// Creates a recording file.
///
/// # Errors
/// Returns an error if the file exists or cannot be created.
pub fn begin(path: &Path) -> Result<Recorder<File>, CliError> {
    let shown = || show::path(path);
    let file = File::options().write(true).create_new(true).open(path);
    file.and_then(Recorder::begin).map_err(|source| match source.kind() {
        io::ErrorKind::AlreadyExists => CliError::Exists { path: shown(), help: ADVICE },
        _ => CliError::Write { what: shown(), source },
    })
}

/// Advice for the user if the recording file exists.
const ADVICE: &str = ": choose another name, or open the file with `tilewalk replay`";

pub(super) struct Record {
    recorder: Recorder<File>,
    path: String,
    /// Number of frames between two records.
    every: u64,
    written: Frame,
}

impl Record {
    /// Creates the recording file. Returns an error if the file exists.
    pub(super) fn create(path: &Path, scenario: &Arc<Scenario>) -> Result<Self, CliError> {
        let shown = show::path(path);
        let fail = |source| CliError::Write { what: shown.clone(), source };
        let mut recorder = begin(path)?;
        recorder.open(None, &scenario.sources).map_err(fail)?;
        let every = (STEPS / (scenario.starts.len() as u64).max(1)).clamp(1, FRAMES);
        Ok(Self { recorder, path: shown, every, written: Frame(0) })
    }

    /// Writes a record if one is due at this frame.
    pub(super) fn frame(&mut self, world: &World) -> Result<(), CliError> {
        if world.frame().0 >= self.written.0 + self.every {
            self.write(world)?;
        }
        Ok(())
    }

    /// Writes the frames since the last record.
    pub(super) fn finish(mut self, world: &World) -> Result<(), CliError> {
        if world.frame() > self.written { self.write(world) } else { Ok(()) }
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
