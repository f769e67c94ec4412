//! Writes a recording during a run, record by record.
//!
//! Each record is written in one piece. If the program is killed, only changes since the last
//! record are lost. At intervals, the caller passes the history to [`Recorder::update`], which
//! writes all new data. A scenario contains the texts of its source files, so a recording contains
//! everything needed for a replay.

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::command::Command;
use crate::scenario::sources::{FileRole, SourceFile, Sources};
use crate::time::Frame;

use super::History;
use super::format::{self, Record, RecordedCommand, RecordedPlace};
use super::recording::{RecordedSources, Recording};
use super::run::{Run, RunId};

/// Writes the runs of a history to a recording.
#[derive(Debug)]
pub struct Recorder<W> {
    out: W,
    /// Number of bytes written so far, which is the file offset of the next record.
    at: u64,
    files: Vec<SourceFile>,
    sources: Vec<RecordedSources>,
    /// The last written frame and the number of written commands of each run.
    runs: Vec<(Frame, usize)>,
    /// Index in the recording of each run of the history. The recording can contain runs that the
    /// history has dropped, and the history can have dropped runs before the recording started.
    indices: BTreeMap<RunId, u32>,
}

/// Consecutive frames of a run, written as one record.
#[derive(Debug, Clone, Copy)]
pub struct Batch<'a> {
    /// Index of the run in the recording. Runs are numbered in the order of the calls of
    /// [`Recorder::open`].
    pub run: u32,
    /// The last frame of the batch. The batch starts after the last frame written for the run.
    pub to: Frame,
    /// The commands, ascending by frame. Each pair consists of the frame after the step and a
    /// command of the step.
    pub commands: &'a [(Frame, Command)],
    /// The state hash of frame `to`. `None` if the hash is unknown.
    pub hash: Option<u64>,
}

impl<W: Write> Recorder<W> {
    /// Starts a recording and writes its header.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn begin(out: W) -> io::Result<Self> {
        Self::begin_version(out, format::VERSION)
    }

    /// Starts a recording of a scenario with the given sources, and writes its header.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn begin_for(out: W, sources: &Sources) -> io::Result<Self> {
        let with_run = sources.run.is_some();
        let version = if with_run { format::VERSION_WITH_RUN } else { format::VERSION };
        Self::begin_version(out, version)
    }

    fn begin_version(mut out: W, version: u16) -> io::Result<Self> {
        let header = format::header(version);
        out.write_all(&header)?;
        out.flush()?;
        let at = header.len() as u64;
        let (files, sources, runs) = Default::default();
        Ok(Self { out, at, files, sources, runs, indices: BTreeMap::new() })
    }

    /// Continues a recording. `out` must be positioned at the file offset returned by
    /// [`Recording::resume_at`].
    ///
    /// # Panics
    /// Panics if [`Recording::resume_at`] returns `None`.
    pub fn resume(out: W, recording: &Recording) -> Self {
        let runs = recording.runs.iter().map(|run| (run.end, run.commands.len()));
        Self {
            out,
            at: recording.resume_at().expect("the recording can be continued"),
            files: recording.files.clone(),
            sources: recording.sources.clone(),
            runs: runs.collect(),
            indices: (0..recording.runs.len() as u32).map(|run| (RunId(run), run)).collect(),
        }
    }

    /// Writes the end marker, which marks the recording as complete. Returns the output.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn finish(mut self) -> io::Result<W> {
        self.write(&Record::End)?;
        Ok(self.out)
    }

    /// Returns the writer that receives the bytes of the recording.
    pub fn get_ref(&self) -> &W {
        &self.out
    }

    /// Writes all runs, frames and commands of a history that the recording does not contain yet.
    ///
    /// # Errors
    /// Returns an error if writing fails. Records that are already written remain valid.
    pub fn update(&mut self, history: &History) -> io::Result<()> {
        for (id, run) in history.runs().iter() {
            let index = match self.indices.get(&id) {
                Some(&index) => index,
                None => self.open_run(id, run)?,
            };
            let (end, written) = self.runs[index as usize];
            if run.end() == end && run.log().len() == written {
                continue;
            }
            let here = history.present() == id;
            let shared = run.branch().map_or(Frame(0), |branch| branch.at);
            let is_last = id.0 + 1 == history.runs().created();
            let is_replayed = end == shared && history.frame() == end && history.sought().is_some();
            if here && is_last && is_replayed {
                // No state hash is known before the seek is complete. A run with later runs can't
                // wait, because they may branch off after its last recorded frame.
                continue;
            }
            // Recorded state hashes of a replayed run.
            for &(frame, hash) in run.checks().iter().filter(|&&(frame, _)| frame > end) {
                self.write_until(frame, index, run, Some(hash))?;
            }
            let (end, _) = self.runs[index as usize];
            if here && history.frame() > end {
                self.write_until(history.frame(), index, run, Some(history.world().hash()))?;
            }
            self.write_until(run.end(), index, run, None)?;
        }
        Ok(())
    }

    /// Adds a run of a history. Returns its index in the recording.
    fn open_run(&mut self, id: RunId, run: &Run) -> io::Result<u32> {
        // A parent is older than its branches, so it is in the recording.
        let parent = run.branch().map(|branch| (self.indices[&branch.parent], branch.at));
        self.open(parent, &run.start().sources)?;
        let index = self.runs.len() as u32 - 1;
        self.indices.insert(id, index);
        let shared = parent.map_or(Frame(0), |(_, at)| at);
        self.runs[index as usize].1 = run.log().until(shared).len();
        Ok(index)
    }

    /// Writes the new commands of a run up to frame `to`. `hash` is the state hash of that frame,
    /// or `None` if it is unknown.
    fn write_until(&mut self, to: Frame, id: u32, run: &Run, hash: Option<u64>) -> io::Result<()> {
        let (end, written) = self.runs[id as usize];
        let new = run.log().iter().skip(written).take_while(|(frame, _)| *frame <= to);
        let commands: Vec<_> = new.map(|(frame, command)| (frame, command.clone())).collect();
        if to == end && commands.is_empty() {
            return Ok(());
        }
        self.batch(Batch { run: id, to, commands: &commands, hash })
    }

    /// Adds a run. `parent` is the index of the parent run and the last shared frame, or `None` for
    /// a run without a parent. `sources` are the sources of the scenario at frame 0.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn open(&mut self, parent: Option<(u32, Frame)>, sources: &Sources) -> io::Result<()> {
        let sources = self.sources(sources)?;
        let end = parent.map_or(Frame(0), |(_, at)| at);
        self.write(&Record::Run { parent: parent.map(|(run, at)| (run, at.0)), sources })?;
        self.runs.push((end, 0));
        Ok(())
    }

    /// Writes new frames of a run as one record.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    ///
    /// # Panics
    /// Panics if the recording does not contain the run.
    pub fn batch(&mut self, batch: Batch) -> io::Result<()> {
        let mut commands = Vec::with_capacity(batch.commands.len());
        for (frame, command) in batch.commands {
            commands.push((frame.0, self.command(command)?));
        }
        let Batch { run, to, hash, .. } = batch;
        self.write(&Record::Batch { run, to: to.0, commands, hash })?;
        let (end, written) = &mut self.runs[run as usize];
        *end = to;
        *written += batch.commands.len();
        Ok(())
    }

    /// Adds a view, which replaces earlier views when the recording is opened. The recorder does not
    /// interpret `text`.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn view(&mut self, text: &str) -> io::Result<()> {
        self.write(&format::view(text))?;
        // The record counts as a file, although no sources refer to it.
        let place = FileRole::Beside(String::new());
        self.files.push(SourceFile { place, label: String::new(), text: text.into() });
        Ok(())
    }

    fn command(&mut self, command: &Command) -> io::Result<RecordedCommand> {
        Ok(match command {
            Command::Drive { agent, direction } => RecordedCommand::Drive {
                agent: agent.0,
                way: direction.map_or(0, |direction| direction as u8 + 1),
            },
            Command::Place { agent, at } => {
                RecordedCommand::Place { agent: agent.0, x: at.x, y: at.y }
            }
            Command::Reload(scenario) => {
                RecordedCommand::Reload { sources: self.sources(&scenario.sources)? }
            }
        })
    }

    /// Returns the index of the sources in the recording. Writes the sources first if the recording
    /// does not contain them.
    fn sources(&mut self, sources: &Sources) -> io::Result<u32> {
        if let Some(run) = &sources.run {
            let label = &run.table.label;
            if run.live.is_some() {
                let why = "is still being written, and can be recorded when it is complete";
                return Err(io::Error::other(format!("{label} {why}")));
            }
            if run.file.is_none() {
                let why = "can be read only once: write the run to a file, and open that file";
                return Err(io::Error::other(format!("{label} {why}")));
            }
        }
        let sources = RecordedSources::of(sources);
        if let Some(known) = self.sources.iter().position(|known| *known == sources) {
            return Ok(known as u32);
        }
        if let Some(name) = &sources.built {
            self.write(&Record::Built { name: name.clone() })?;
        } else {
            let mut files = Vec::with_capacity(sources.files.len());
            for file in &sources.files {
                files.push(self.file(file)?);
            }
            let (set, seed) = (sources.set.clone(), sources.seed);
            match sources.run.clone() {
                Some(run) => self.write(&Record::Followed { files, set, seed, run })?,
                None => self.write(&Record::Sources { files, set, seed })?,
            }
        }
        self.sources.push(sources);
        Ok(self.sources.len() as u32 - 1)
    }

    fn file(&mut self, file: &SourceFile) -> io::Result<u32> {
        if let Some(known) = self.files.iter().position(|known| known == file) {
            return Ok(known as u32);
        }
        let place = match &file.place {
            FileRole::Map => RecordedPlace::Map,
            FileRole::Beside(name) => RecordedPlace::Beside(name.clone()),
            FileRole::Pattern(name) => RecordedPlace::Pattern(name.clone()),
        };
        let (label, text) = (file.label.clone(), file.text.to_string());
        self.write(&Record::File { place, label, text })?;
        self.files.push(file.clone());
        Ok(self.files.len() as u32 - 1)
    }

    fn write(&mut self, record: &Record) -> io::Result<()> {
        let bytes = format::frame(record, self.at);
        self.out.write_all(&bytes)?;
        self.out.flush()?;
        self.at += bytes.len() as u64;
        Ok(())
    }
}
