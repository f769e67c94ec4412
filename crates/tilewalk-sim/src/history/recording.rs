//! A recording, read: every whole record of it, and what had to be cut.

use std::sync::Arc;

use crate::command::Command;
use crate::geom::{Notch, Vec2};
use crate::id::AgentId;
use crate::scenario::Scenario;
use crate::scenario::sources::{Place, SourceFile, Sources};
use crate::time::Frame;

use super::log::Log;
use super::run::{Branch, Run, RunId};
use super::wire::{self, Framed, Head, Record, WireCommand, WirePlace};

/// What is in a recording.
#[derive(Debug, Clone, Default)]
pub struct Recording {
    /// What scenarios were read from, in the order they came up.
    pub sources: Vec<Arc<Sources>>,
    /// The runs, the first one first; at least one.
    pub runs: Vec<RecordedRun>,
    /// How many bytes of it are good.
    pub good: u64,
    /// What is not, if anything.
    pub cut: Option<Cut>,
    /// The files, in the order they came up.
    pub(super) files: Vec<SourceFile>,
}

/// What of a recording can't be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// How many bytes at the end.
    pub bytes: u64,
    /// Are they other bytes than were written? Else the last record was not written to its end.
    pub damaged: bool,
}

/// One run of a recording.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedRun {
    /// The run it parts from, and the last frame they share.
    pub parent: Option<(u32, Frame)>,
    /// What its scenario of frame 0 was read from: an index in [`Recording::sources`].
    pub sources: u32,
    /// The last frame.
    pub end: Frame,
    /// What was done, also before it parted, each with the frame it led to.
    pub commands: Vec<(Frame, WireCommand)>,
    /// State hashes of some frames after it parted, ascending.
    pub hashes: Vec<(Frame, u64)>,
}

/// Why a file is no recording that can be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordingError {
    /// Its first bytes are others.
    #[error("the file is not a recording, or the header is damaged")]
    Strange,
    /// A newer program wrote it.
    #[error(
        "recording format version {0} is not supported (maximum: {known}); \
         use a newer tilewalk",
        known = wire::VERSION
    )]
    Newer(u16),
    /// It ends before its first run begins.
    #[error("the recording is damaged or ends before its first run")]
    Empty,
    /// A scenario of it can't be read again.
    #[error("cannot read the map files in this recording: {0}")]
    Files(String),
}

impl Recording {
    /// Reads all whole records.
    ///
    /// # Errors
    /// When it is no recording, one of a newer program, or without a run.
    pub fn read(bytes: &[u8]) -> Result<Self, RecordingError> {
        match wire::head(bytes) {
            Head::Known => {}
            Head::Newer(version) => return Err(RecordingError::Newer(version)),
            Head::Strange => return Err(RecordingError::Strange),
        }
        let mut recording = Self::default();
        let mut at = wire::HEADER;
        let mut damaged = false;
        while at < bytes.len() {
            let next = match wire::read(bytes, at) {
                Framed::Whole(record, next) => recording.take(record).map(|()| next),
                Framed::Torn => break,
                Framed::Damaged => None,
            };
            let Some(next) = next else {
                damaged = true;
                break;
            };
            at = next;
        }
        recording.good = at as u64;
        let rest = (bytes.len() - at) as u64;
        recording.cut = (rest > 0).then_some(Cut { bytes: rest, damaged });
        if recording.runs.is_empty() { Err(RecordingError::Empty) } else { Ok(recording) }
    }

    /// Takes in a record; `None` when it makes no sense after those before.
    fn take(&mut self, record: Record) -> Option<()> {
        match record {
            Record::File { place, label, text } => {
                let place = match place {
                    WirePlace::Map => Place::Map,
                    WirePlace::Beside(name) => Place::Beside(name),
                    WirePlace::Pattern(name) => Place::Pattern(name),
                };
                self.files.push(SourceFile { place, label, text: text.into() });
            }
            Record::Sources { files, set, seed } => {
                let files = files.iter().map(|&file| self.files.get(file as usize).cloned());
                let files = files.collect::<Option<_>>()?;
                self.sources.push(Arc::new(Sources { files, set, seed }));
            }
            Record::Run { parent, sources } => {
                self.sources.get(sources as usize)?;
                let parent = parent.map(|(run, at)| (run, Frame(at)));
                let at = match parent {
                    Some((run, at)) if at > self.runs.get(run as usize)?.end => return None,
                    Some((_, at)) => at,
                    None => Frame(0),
                };
                let mut commands = Vec::new();
                if let Some((run, at)) = parent {
                    let shared = &self.runs[run as usize].commands;
                    commands.extend(shared.iter().take_while(|(frame, _)| *frame <= at));
                }
                let hashes = Vec::new();
                self.runs.push(RecordedRun { parent, sources, end: at, commands, hashes });
            }
            Record::Batch { run, to, commands, hash } => {
                return self.take_batch(run, Frame(to), &commands, hash);
            }
        }
        Some(())
    }

    fn take_batch(
        &mut self,
        run: u32,
        to: Frame,
        commands: &[(u64, WireCommand)],
        hash: Option<u64>,
    ) -> Option<()> {
        let run = self.runs.get_mut(run as usize)?;
        let mut last = run.end.next().0;
        for &(frame, command) in commands {
            let known = match command {
                WireCommand::Drive { way, .. } => usize::from(way) <= Notch::ALL.len(),
                WireCommand::Place { x, y, .. } => x.is_finite() && y.is_finite(),
                WireCommand::Reload { sources } => (sources as usize) < self.sources.len(),
            };
            if !known || !(last..=to.0).contains(&frame) {
                return None;
            }
            last = frame;
        }
        if to < run.end {
            return None;
        }
        run.end = to;
        run.commands.extend(commands.iter().map(|&(frame, command)| (Frame(frame), command)));
        run.hashes.extend(hash.map(|hash| (to, hash)));
        Some(())
    }
}

impl Recording {
    /// Reads its scenarios again, by a function of the front end.
    ///
    /// # Errors
    /// When one can't be read; then `compile` says why.
    pub fn compile(
        &self,
        compile: impl FnMut(&Arc<Sources>) -> Result<Arc<Scenario>, String>,
    ) -> Result<Vec<Arc<Scenario>>, RecordingError> {
        let scenarios = self.sources.iter().map(compile);
        scenarios.collect::<Result<_, _>>().map_err(RecordingError::Files)
    }

    /// The runs, to be made again; `scenarios` are those of [`Recording::compile`].
    pub(super) fn runs(&self, scenarios: &[Arc<Scenario>], budget: usize) -> Vec<Run> {
        let run = |recorded: &RecordedRun| {
            let mut log = Log::default();
            for &(frame, wire) in &recorded.commands {
                log.push(frame, &[command(wire, scenarios)]);
            }
            let branch = recorded.parent.map(|(run, at)| Branch { parent: RunId(run), at });
            let start = Arc::clone(&scenarios[recorded.sources as usize]);
            Run::recorded(start, branch, log, recorded.end, recorded.hashes.clone(), budget)
        };
        self.runs.iter().map(run).collect()
    }
}

/// Makes a command of what was recorded; `scenarios` are those of the recording.
fn command(wire: WireCommand, scenarios: &[Arc<Scenario>]) -> Command {
    match wire {
        WireCommand::Drive { agent, way } => {
            let way = usize::from(way).checked_sub(1).map(|index| Notch::ALL[index]);
            Command::Drive { agent: AgentId(agent), way }
        }
        WireCommand::Place { agent, x, y } => {
            Command::Place { agent: AgentId(agent), at: Vec2::new(x, y) }
        }
        WireCommand::Reload { sources } => {
            Command::Reload(Arc::clone(&scenarios[sources as usize]))
        }
    }
}
