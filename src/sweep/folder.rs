//! A plan in a directory, divided into shards. Defines the protocol for schedulers.
//!
//! The directory contains the plan (`plan.json`) and one file for each finished shard, such as
//! `shard-00007.csv`. Each shard file has a header, the rows, and a last line with the number of
//! rows and a checksum. It is created with its whole content at once, and is never replaced.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::Xxh3Default;

use crate::files::{disk::output_file, show};
use crate::jobs;

use super::existing::is_complete;
use super::plan::{Plan, plan_path};
use super::row::{MAX_LINE, line};
use super::table::{Format, Table};
use super::{Runs, SweepError, publish};

/// Name of the plan file in the directory.
const PLAN: &str = "plan.json";

/// Start of the last line of a shard's file.
const MARK: &str = "#tilewalk-shard ";

/// A directory with a plan and the files of its finished shards.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    plan: Plan,
}

impl Folder {
    /// Writes a plan into a directory. Creates the directory if it is missing. A directory with the
    /// same plan stays unchanged.
    ///
    /// # Errors
    /// Returns an error if the plan has more shards than runs, if the directory has another plan or the same plan with another number of
    /// shards, or if it cannot be written.
    pub fn create(path: &Path, plan: Plan) -> Result<Self, SweepError> {
        if plan.shards > plan.runs() {
            return Err(SweepError::TooManyShards { runs: plan.runs() });
        }
        output_file::create_folder(path).map_err(SweepError::io("create", path))?;
        let written = plan.write(&path.join(PLAN), plan.shards);
        written.map_err(|error| refusal(error, path, &plan))?;
        Ok(Self { path: path.to_owned(), plan })
    }

    /// Opens the plan in a directory.
    ///
    /// # Errors
    /// Returns an error if the plan cannot be read, was changed, or has another format or engine
    /// revision.
    pub fn open(path: &Path) -> Result<Self, SweepError> {
        Ok(Self { path: path.to_owned(), plan: Plan::read(&path.join(PLAN))? })
    }

    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Runs a shard and writes its rows to `out`. Calls `done` after each run, with the error
    /// message of the run, or `None` if it had no error.
    ///
    /// # Errors
    /// Returns an error if the plan has no shard `index`, or if `out` cannot be written.
    pub fn run_shard(
        &self,
        index: u64,
        threads: NonZeroUsize,
        out: impl Write,
        mut done: impl FnMut(Option<&str>),
    ) -> Result<(), SweepError> {
        let range = self.plan.shard(index)?;
        let runs = Runs::new(&self.plan);
        let name = Path::new("the result");
        let mut writer = Hashing { out: BufWriter::new(out), hash: Xxh3Default::new() };
        let header = line(&self.plan.header());
        let mut written = writer.line(&header);
        let count = range.end - range.start;
        let work = |offset: usize| runs.simulate(range.start + offset as u64);
        jobs::in_order(count as usize, threads, work, |_, simulated| {
            if written.is_ok() {
                written = writer.line(&self.plan.line(&simulated.row));
            }
            done(simulated.error.as_deref());
            if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        let last = written.and_then(|()| {
            let last = self.last_line(index, count, &writer.hash);
            writer.line(&last)?;
            writer.out.flush()
        });
        last.map_err(SweepError::io("write", name))
    }

    /// Runs a shard and writes its file into the directory. Calls `done` after each run, with the
    /// error message of the run, or `None` if it had no error. A damaged file of the shard is
    /// renamed first.
    ///
    /// # Errors
    /// Returns an error if the plan has no shard `index`, or if the directory cannot be written.
    /// Also returns an error if the shard's file exists with other rows. That file then stays
    /// unchanged, and the new rows are written to another file.
    pub fn publish_shard(
        &self,
        index: u64,
        threads: NonZeroUsize,
        done: impl FnMut(Option<&str>),
    ) -> Result<(), SweepError> {
        let path = self.result(index);
        let file = publish::beside(&path)?;
        self.run_shard(index, threads, file.file(), done)?;
        if path.exists() && !self.is_intact(index)? {
            let damaged = publish::with_ending(&path, ".damaged");
            fs::rename(&path, damaged).map_err(SweepError::io("rename", &path))?;
        }
        let Err(file) = publish::new(file, &path)? else { return Ok(()) };
        if file
            .content()
            .and_then(|ours| Ok(ours == fs::read(&path)?))
            .map_err(SweepError::io("read", &path))?
        {
            return Ok(());
        }
        let kept = publish::with_ending(&path, ".conflict");
        let (path, shown) = (show::path(&path), show::path(&kept));
        file.replace(&kept).map_err(SweepError::io("write", &kept))?;
        Err(SweepError::Conflict { path, kept: shown })
    }

    /// Returns the indices of the shards without a complete file, ascending.
    ///
    /// # Errors
    /// Returns an error if a shard's file cannot be read.
    pub fn missing(&self) -> Result<Vec<u64>, SweepError> {
        let mut missing = Vec::new();
        for index in 0..self.plan.shards {
            if !self.is_intact(index)? {
                missing.push(index);
            }
        }
        Ok(missing)
    }

    /// Joins the rows of all shards in plan order and writes them to `output`. Returns false if the
    /// output was already complete.
    ///
    /// # Errors
    /// Returns an error if a shard is missing or damaged. Also returns an error if the output
    /// cannot be written or belongs to another plan.
    pub fn merge(&self, output: &Path) -> Result<bool, SweepError> {
        self.join(output).map_err(|error| {
            // This command cannot discard results.
            let SweepError::OtherPlan { path } = error else { return error };
            SweepError::OtherSweep { path, what: "output" }
        })
    }

    fn join(&self, output: &Path) -> Result<bool, SweepError> {
        Format::of(output)?;
        if is_complete(&self.plan, output)? {
            return Ok(false);
        }
        let missing = self.missing()?.len() as u64;
        if missing > 0 {
            return Err(SweepError::Missing { missing, shards: self.plan.shards });
        }
        let mut table = Table::create(output, &self.plan)?;
        for index in 0..self.plan.shards {
            let add = |line: &str| match self.plan.row(line) {
                Some(row) => table.add(&row, line),
                None => Err(table.no_row()),
            };
            self.rows(index, add)?;
        }
        self.plan.write(&plan_path(output), 1)?;
        table.finish()?;
        Ok(true)
    }

    /// Returns the path of a shard's file.
    fn result(&self, index: u64) -> PathBuf {
        self.path.join(format!("shard-{index:05}.csv"))
    }

    /// Returns true if the file of a shard exists and is complete.
    fn is_intact(&self, index: u64) -> Result<bool, SweepError> {
        self.rows(index, |_| Ok(()))
    }

    /// Calls `row` with each CSV line of a shard's rows. Returns true if the shard's file exists
    /// and is complete. If it is damaged, `row` can be called before this is detected.
    fn rows(
        &self,
        index: u64,
        mut row: impl FnMut(&str) -> Result<(), SweepError>,
    ) -> Result<bool, SweepError> {
        let path = self.result(index);
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(SweepError::io("read", &path)(error)),
        };
        let range = self.plan.shard(index)?;
        let expected = range.end - range.start;
        let header = line(&self.plan.header());
        let mut reader = BufReader::new(file);
        let (mut hash, mut text, mut rows) = (Xxh3Default::new(), Vec::new(), None);
        loop {
            text.clear();
            let read = std::io::Read::take(&mut reader, MAX_LINE).read_until(b'\n', &mut text);
            read.map_err(SweepError::io("read", &path))?;
            let Some(line) = text.strip_suffix(b"\n").and_then(|line| str::from_utf8(line).ok())
            else {
                return Ok(false);
            };
            if line.starts_with(MARK) {
                let at_end = reader.fill_buf().map_err(SweepError::io("read", &path))?.is_empty();
                let is_last = line == self.last_line(index, expected, &hash);
                return Ok(is_last && rows == Some(expected) && at_end);
            }
            hash.update(&text);
            match &mut rows {
                None if line != header => return Ok(false),
                None => rows = Some(0),
                Some(rows) if *rows >= expected => return Ok(false),
                Some(rows) => {
                    *rows += 1;
                    row(line)?;
                }
            }
        }
    }

    /// Returns the last line of a shard's file. `rows` is the number of rows, and `hash` covers all
    /// lines before the last one.
    fn last_line(&self, index: u64, rows: u64, hash: &Xxh3Default) -> String {
        let (plan, shards) = (self.plan.hash(), self.plan.shards);
        format!("{MARK}{index}/{shards} rows={rows} plan={plan} checksum={:032x}", hash.digest128())
    }
}

/// Converts the error for a plan file with other content to an error about its directory. Returns
/// other errors unchanged.
fn refusal(error: SweepError, folder: &Path, plan: &Plan) -> SweepError {
    let SweepError::OtherPlan { .. } = error else { return error };
    let path = show::path(folder);
    match Plan::read(&folder.join(PLAN)) {
        Ok(old) if old.hash() == plan.hash() => {
            SweepError::OtherShards { path, shards: old.shards }
        }
        Ok(_) | Err(_) => SweepError::OtherSweep { path, what: "directory" },
    }
}

/// Writes lines to `out`, and updates a hash of all written bytes.
struct Hashing<W: Write> {
    out: BufWriter<W>,
    hash: Xxh3Default,
}

impl<W: Write> Hashing<W> {
    fn line(&mut self, line: &str) -> std::io::Result<()> {
        for bytes in [line.as_bytes(), b"\n"] {
            self.hash.update(bytes);
            self.out.write_all(bytes)?;
        }
        Ok(())
    }
}
