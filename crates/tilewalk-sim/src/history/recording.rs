//! Reads the records of a recording up to the first damaged, incomplete or unknown record.

use std::sync::Arc;

use crate::command::Command;
use crate::geom::{Direction, Vec2};
use crate::id::AgentId;
use crate::scenario::Scenario;
use crate::scenario::run::RunFile;
use crate::scenario::setting::Setting;
use crate::scenario::sources::{FileRole, SourceFile, Sources};
use crate::step::ENGINE_REVISION;
use crate::time::Frame;

use super::format::{self, Framed, Head, Record, RecordedCommand, RecordedPlace};
use super::run::{Branch, Log, Run, RunId};

pub use super::format::RecordedRunFile;

/// Maximum number of commands in all runs together. A command that a run shares with its parent
/// counts in both runs, because each run stores it.
const MAX_COMMANDS: usize = 1 << 23;

/// The contents of a recording file.
#[derive(Debug, Clone, Default)]
pub struct Recording {
    /// The sources of all scenarios. Runs and commands refer to them by index.
    pub sources: Vec<RecordedSources>,
    /// The runs in the order they were created. [`Recording::read`] returns at least one.
    pub runs: Vec<RecordedRun>,
    /// The last view in the recording: what the sender of a shared recording saw. Its text is in
    /// the format of the program that wrote it.
    pub view: Option<Arc<str>>,
    /// The format version of the file.
    pub version: u16,
    /// The engine revision of the program that started the recording. State hashes of other
    /// revisions may differ.
    pub engine: u16,
    /// Length of the readable part of the file in bytes, including the header.
    pub good: u64,
    /// The unusable end of the file. `None` if the whole file is readable.
    pub cut: Option<Cut>,
    /// File offset of the end marker. `None` if the last record is not an end marker.
    pub(super) end: Option<u64>,
    /// The source files, in the order of their records.
    pub(super) files: Vec<SourceFile>,
    /// The number of commands in all runs.
    commands: usize,
}

/// The sources of a scenario as recorded: [`Sources`] with settings as texts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RecordedSources {
    /// The source files; the map file is first.
    pub files: Vec<SourceFile>,
    /// The settings in the syntax of the command line, in order of application.
    pub set: Vec<String>,
    /// Random seed that overrides the map's seed; `None` for the map's seed.
    pub seed: Option<u64>,
    /// Name of a scenario that was built in code; `None` for a scenario from files.
    pub built: Option<String>,
    /// The run of another program that agents follow; `None` if they move by themselves.
    pub run: Option<RecordedRunFile>,
}

/// The unusable end of a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// Length of the unusable end, in bytes; at least 1.
    pub bytes: u64,
    /// The reason why the first unusable record cannot be read.
    pub reason: CutReason,
}

/// The reason why a record cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CutReason {
    /// The file ends within a record.
    Incomplete,
    /// A checksum does not match, or a record contradicts the preceding records.
    Damaged,
    /// A record has an unknown kind, because a newer program wrote it.
    Unknown,
}

/// One run of a recording.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedRun {
    /// Index of the parent run in the recording, and the last frame that both runs share. `None`
    /// for a run without a parent.
    pub parent: Option<(u32, Frame)>,
    /// Index in [`Recording::sources`]. These sources define the scenario at frame 0.
    pub sources: u32,
    /// The last recorded frame of the run.
    pub end: Frame,
    /// All commands since frame 0, including the shared commands of the parent run. Each pair
    /// consists of the frame after the step and a command of the step.
    pub(super) commands: Vec<(Frame, RecordedCommand)>,
    /// State hashes of frames after the branch, ascending by frame.
    pub hashes: Vec<(Frame, u64)>,
}

/// A reason why a recording cannot be read or replayed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordingError {
    /// The file does not start with the header of a recording.
    #[error("the file is not a recording, or the header is damaged")]
    NotARecording,
    /// The file has a newer format version.
    #[error(
        "recording format version {0} is not supported (maximum: {known}); \
         use a newer tilewalk",
        known = format::VERSION_WITH_RUN
    )]
    Newer(u16),
    /// A record before the first run has an unknown kind. The value is the file offset of the record.
    #[error("the record at byte {0} has an unknown kind; use a newer tilewalk")]
    Unknown(u64),
    /// The file contains no readable run.
    #[error("the recording is damaged or ends before its first run")]
    Empty,
    /// All runs together have more than 2^23 commands.
    #[error("the recording has more than {MAX_COMMANDS} commands in all runs")]
    TooManyCommands,
    /// A run ends after frame 2^40. The value is the last frame of the run.
    #[error("the recording claims {0} frames; the maximum is {max}", max = format::MAX_FRAME)]
    TooLong(u64),
    /// A scenario cannot be built from the recorded sources.
    #[error("cannot read the map files in this recording: {0}")]
    Files(String),
}

impl RecordedSources {
    /// Returns the recorded form of sources.
    pub(super) fn of(sources: &Sources) -> Self {
        let Sources { files, set, seed, built, run } = sources;
        let set = set.iter().map(Setting::to_string).collect();
        let run = run.as_ref().and_then(|run| {
            let RunFile { path, options } = run.file.clone()?;
            let (size, hash) = run.table.file.content;
            let (with, taken_over) = (run.with.clone(), run.taken_over.clone());
            Some(RecordedRunFile { path, options, size, hash, with, taken_over })
        });
        Self { files: files.clone(), set, seed: *seed, built: built.clone(), run }
    }

    /// Returns the sources with parsed settings, without a run. `parse` parses one setting.
    ///
    /// # Errors
    /// Returns the first error of `parse`.
    pub fn parsed<E>(
        &self,
        mut parse: impl FnMut(&str) -> Result<Setting, E>,
    ) -> Result<Sources, E> {
        let set = self.set.iter().map(|text| parse(text)).collect::<Result<_, _>>()?;
        let Self { files, seed, built, .. } = self;
        let (files, built) = (files.clone(), built.clone());
        Ok(Sources { files, set, seed: *seed, built, run: None })
    }
}

impl Recording {
    /// Reads the records of a recording up to the first damaged, incomplete or unknown record.
    ///
    /// # Errors
    /// Returns an error if the bytes are not a recording, have a newer format version, or contain
    /// no run. Frames after 2^40 and more than 2^23 commands are errors, too.
    pub fn read(bytes: &[u8]) -> Result<Self, RecordingError> {
        let (version, engine) = match format::head(bytes) {
            Head::Supported { version, engine } => (version, engine),
            Head::Newer(version) => return Err(RecordingError::Newer(version)),
            Head::Invalid => return Err(RecordingError::NotARecording),
        };
        let mut recording = Self { version, engine, ..Self::default() };
        let mut at = format::HEADER;
        let mut reason = CutReason::Incomplete;
        while at < bytes.len() {
            let (record, next) = match format::read(bytes, at, version) {
                Framed::Whole(record, next) => (record, next),
                Framed::Incomplete => break,
                Framed::Damaged => {
                    reason = CutReason::Damaged;
                    break;
                }
                Framed::Unknown => {
                    reason = CutReason::Unknown;
                    break;
                }
            };
            if let Record::Batch { to, .. } = record
                && to > format::MAX_FRAME
            {
                return Err(RecordingError::TooLong(to));
            }
            recording.end = (record == Record::End).then_some(at as u64);
            if recording.take(record).is_none() {
                reason = CutReason::Damaged;
                break;
            }
            if recording.commands > MAX_COMMANDS {
                return Err(RecordingError::TooManyCommands);
            }
            at = next;
        }
        recording.good = at as u64;
        let rest = (bytes.len() - at) as u64;
        recording.cut = (rest > 0).then_some(Cut { bytes: rest, reason });
        match reason {
            _ if !recording.runs.is_empty() => Ok(recording),
            CutReason::Unknown => Err(RecordingError::Unknown(at as u64)),
            CutReason::Incomplete | CutReason::Damaged => Err(RecordingError::Empty),
        }
    }

    /// Returns true if the recording was finished and is completely readable. Recordings of format
    /// version 1 have no end marker. They count as complete if they are completely readable.
    pub fn is_complete(&self) -> bool {
        self.cut.is_none() && (self.end.is_some() || self.version == 1)
    }

    /// Returns the file offset for [`super::recorder::Recorder::resume`]. Returns `None` if the
    /// recording is damaged or incomplete, or has another format version or engine revision.
    pub fn resume_at(&self) -> Option<u64> {
        let current = self.version >= format::VERSION && self.engine == ENGINE_REVISION;
        self.end.filter(|_| current && self.cut.is_none())
    }

    /// Adds a record. Returns `None` if the record contradicts the preceding records.
    fn take(&mut self, record: Record) -> Option<()> {
        match record {
            Record::File { place, label, text } => {
                let text: Arc<str> = text.into();
                if format::is_view(&place, &label) {
                    self.view = Some(Arc::clone(&text));
                }
                let place = match place {
                    RecordedPlace::Map => FileRole::Map,
                    RecordedPlace::Beside(name) => FileRole::Beside(name),
                    RecordedPlace::Pattern(name) => FileRole::Pattern(name),
                };
                self.files.push(SourceFile { place, label, text });
            }
            Record::Sources { files, set, seed } => {
                let files = files.iter().map(|&file| self.files.get(file as usize).cloned());
                let files = files.collect::<Option<_>>()?;
                let (built, run) = (None, None);
                self.sources.push(RecordedSources { files, set, seed, built, run });
            }
            Record::Followed { files, set, seed, run } => {
                let files = files.iter().map(|&file| self.files.get(file as usize).cloned());
                let files = files.collect::<Option<_>>()?;
                let (built, run) = (None, Some(run));
                self.sources.push(RecordedSources { files, set, seed, built, run });
            }
            Record::Built { name } => {
                self.sources.push(RecordedSources { built: Some(name), ..Default::default() });
            }
            Record::End => {}
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
                self.commands += commands.len();
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
        commands: &[(u64, RecordedCommand)],
        hash: Option<u64>,
    ) -> Option<()> {
        let run = self.runs.get_mut(run as usize)?;
        let mut last = run.end.next().0;
        for &(frame, command) in commands {
            let known = match command {
                RecordedCommand::Drive { way, .. } => usize::from(way) <= Direction::ALL.len(),
                RecordedCommand::Place { x, y, .. } => x.is_finite() && y.is_finite(),
                RecordedCommand::Reload { sources } => (sources as usize) < self.sources.len(),
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
        self.commands += commands.len();
        run.commands.extend(commands.iter().map(|&(frame, command)| (Frame(frame), command)));
        run.hashes.extend(hash.map(|hash| (to, hash)));
        Some(())
    }
}

impl Recording {
    /// Builds the scenarios of the recording with `compile`. Returns them in the order of
    /// [`Recording::sources`].
    ///
    /// # Errors
    /// Returns the first error of `compile`.
    pub fn compile(
        &self,
        compile: impl FnMut(&RecordedSources) -> Result<Arc<Scenario>, String>,
    ) -> Result<Vec<Arc<Scenario>>, RecordingError> {
        let scenarios = self.sources.iter().map(compile);
        scenarios.collect::<Result<_, _>>().map_err(RecordingError::Files)
    }

    /// Returns the runs for a history, without simulating them. `scenarios` is the result of
    /// [`Recording::compile`]. `budget` is the memory limit per run, in bytes.
    pub(super) fn runs(&self, scenarios: &[Arc<Scenario>], budget: usize) -> Vec<Run> {
        let run = |recorded: &RecordedRun| {
            let mut log = Log::default();
            for &(frame, source) in &recorded.commands {
                log.push(frame, &[command(source, scenarios)]);
            }
            let branch = recorded.parent.map(|(run, at)| Branch { parent: RunId(run), at });
            let start = Arc::clone(&scenarios[recorded.sources as usize]);
            // The hashes of another engine say nothing about this one.
            let same_engine = self.engine == ENGINE_REVISION;
            let hashes = if same_engine { recorded.hashes.clone() } else { Vec::new() };
            Run::recorded(start, branch, log, recorded.end, hashes, budget)
        };
        self.runs.iter().map(run).collect()
    }
}

/// Converts a recorded command. `scenarios` are the scenarios of the recording, indexed by number.
fn command(recorded: RecordedCommand, scenarios: &[Arc<Scenario>]) -> Command {
    match recorded {
        RecordedCommand::Drive { agent, way } => {
            let direction = usize::from(way).checked_sub(1).map(|index| Direction::ALL[index]);
            Command::Drive { agent: AgentId(agent), direction }
        }
        RecordedCommand::Place { agent, x, y } => {
            Command::Place { agent: AgentId(agent), at: Vec2::new(x, y) }
        }
        RecordedCommand::Reload { sources } => {
            Command::Reload(Arc::clone(&scenarios[sources as usize]))
        }
    }
}
