//! The journal of a sweep. It contains every finished run, so that a sweep can continue after it
//! was killed.
//!
//! The journal is a text file. Its first line has the hash of the plan. Each other line has a
//! checksum and the row of a finished run. Runs are listed in the order in which they ended.
//! Damaged lines are ignored, and their runs are repeated.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io::{BufRead, BufReader, ErrorKind, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use xxhash_rust::xxh3::xxh3_64;

use crate::files::show;

use super::plan::Plan;
use super::row::ResultRow;
use super::{SweepError, regular_file};

/// Ending that is appended to the name of the output to form the name of the journal.
pub(super) const ENDING: &str = ".partial";

/// First word of the journal.
pub(super) const FORMAT: &str = "tilewalk-sweep";

/// Time between two syncs to the disk. A power failure loses the rows since the last sync. If the
/// program is killed, no row is lost.
const SYNC_EVERY: Duration = Duration::from_secs(5);

/// The open journal of a sweep, locked against other programs.
pub(super) struct Journal {
    path: PathBuf,
    file: File,
    finished: Finished,
    synced: Instant,
}

/// A compact set of finished runs. Runs finish almost in order, so most of them are covered by
/// `below`.
#[derive(Debug, Default)]
pub(super) struct Finished {
    /// All runs with lower numbers are finished.
    below: u64,
    /// Finished runs above `below`, as ranges. Each key is the first run of a range; the value is
    /// the run after its last one.
    above: BTreeMap<u64, u64>,
}

impl Journal {
    /// Opens the journal of an output, or creates it, and locks it. Returns an error if another
    /// program is using it.
    pub fn lock(output: &Path) -> Result<Self, SweepError> {
        let path = path(output);
        loop {
            let opened = File::options().create(true).read(true).append(true).open(&path);
            let file = opened.map_err(SweepError::io("write", &path))?;
            if !try_lock(&file, &path)? {
                return Err(SweepError::InUse { path: show::path(&path) });
            }
            let journal =
                Self { path: path.clone(), file, finished: Finished::default(), synced: now() };
            // Another sweep can end between the opening of its journal and the lock.
            if journal.has_its_name()? {
                return Ok(journal);
            }
        }
    }

    /// Opens and locks the journal of an output. Returns `None` if there is no journal, or if
    /// another program is using it.
    pub fn find_unused(output: &Path) -> Result<Option<Self>, SweepError> {
        let path = path(output);
        let Some(file) = regular_file::open(&path)? else { return Ok(None) };
        let is_locked = try_lock(&file, &path)?;
        let journal = Self { path, file, finished: Finished::default(), synced: now() };
        Ok(Some(journal).filter(|_| is_locked))
    }

    /// Removes all content.
    pub fn clear(&mut self) -> Result<(), SweepError> {
        self.file.set_len(0).map_err(SweepError::io("write", &self.path))
    }

    /// Reads the finished runs of a plan. Begins a new list if the journal is empty. Returns an
    /// error if the journal belongs to another plan.
    pub fn begin(&mut self, plan: &Plan) -> Result<(), SweepError> {
        let head = format!("{}\n", head(plan));
        let start = regular_file::beginning(&mut self.file, &self.path, head.len() as u64)?;
        if start.len() < head.len() && head.as_bytes().starts_with(&start) {
            // A sweep that was killed at once can leave a part of the first line.
            self.clear()?;
            return self.write(&head);
        }
        let mut lines = self.lines()?;
        if lines.next()? != Some(head.trim_end().as_bytes()) {
            return Err(SweepError::OtherPlan { path: show::path(&self.path) });
        }
        while let Some(line) = lines.next()? {
            if let Some(row) = checked(line).and_then(|line| plan.row(line)) {
                self.finished.add(row.run);
            }
        }
        if lines.is_complete { Ok(()) } else { self.write("\n") }
    }

    pub fn finished(&self) -> &Finished {
        &self.finished
    }

    /// Appends the row of a run to the file. `line` is the CSV line of the row.
    pub fn add(&mut self, run: u64, line: &str) -> Result<(), SweepError> {
        let text = format!("{:016x} {line}\n", xxh3_64(line.as_bytes()));
        self.write(&text)?;
        self.finished.add(run);
        if self.synced.elapsed() >= SYNC_EVERY {
            self.file.sync_data().map_err(SweepError::io("write", &self.path))?;
            self.synced = now();
        }
        Ok(())
    }

    /// Calls `row` with each row and its CSV line, in the order of the run numbers. Stops before
    /// the first run that has no row.
    pub fn rows(
        &self,
        plan: &Plan,
        mut row: impl FnMut(&ResultRow, &str) -> Result<(), SweepError>,
    ) -> Result<(), SweepError> {
        let mut lines = self.lines()?;
        let (mut early, mut next) = (BTreeMap::new(), 0);
        while let Some(line) = lines.next()? {
            let Some((line, read)) = checked(line).and_then(|line| Some((line, plan.row(line)?)))
            else {
                continue;
            };
            if read.run > next {
                early.insert(read.run, (read, line.to_owned()));
                continue;
            }
            if read.run == next {
                row(&read, line)?;
                next += 1;
            }
            while let Some((read, line)) = early.remove(&next) {
                row(&read, &line)?;
                next += 1;
            }
        }
        Ok(())
    }

    /// Removes the file. A file of another program that has taken its name stays.
    pub fn remove(self) -> Result<(), SweepError> {
        if self.has_its_name()? {
            fs::remove_file(&self.path).map_err(SweepError::io("remove", &self.path))?;
        }
        Ok(())
    }

    fn write(&mut self, text: &str) -> Result<(), SweepError> {
        self.file.write_all(text.as_bytes()).map_err(SweepError::io("write", &self.path))
    }

    /// Returns a reader from the beginning of the file. It reads the open file, because the file
    /// can lose its name while the sweep runs.
    fn lines(&self) -> Result<Lines, SweepError> {
        let read = |error| SweepError::io("read", &self.path)(error);
        let mut file = self.file.try_clone().map_err(read)?;
        file.rewind().map_err(read)?;
        let (reader, path) = (BufReader::new(file), self.path.clone());
        Ok(Lines { reader, line: Vec::new(), path, is_complete: true })
    }

    /// Returns true if the path still refers to the open file.
    fn has_its_name(&self) -> Result<bool, SweepError> {
        match fs::metadata(&self.path) {
            #[cfg(unix)]
            Ok(named) => {
                let open = self.file.metadata().map_err(SweepError::io("read", &self.path))?;
                Ok(crate::unix::identity(&named) == crate::unix::identity(&open))
            }
            #[cfg(not(unix))]
            Ok(_) => Ok(true),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(SweepError::io("read", &self.path)(error)),
        }
    }
}

/// Locks a file. Returns false if another program has locked it.
fn try_lock(file: &File, path: &Path) -> Result<bool, SweepError> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(SweepError::io("lock", path)(error)),
    }
}

/// Returns the path of an output's journal, which is the path of the output with `.partial`
/// appended.
pub(super) fn path(output: &Path) -> PathBuf {
    super::publish::with_ending(output, ENDING)
}

/// Returns the first line of the journal of a plan.
pub(super) fn head(plan: &Plan) -> String {
    format!("{FORMAT} 1 {}", plan.hash())
}

/// Returns the row in a journal line. Returns `None` if the checksum does not match.
fn checked(line: &[u8]) -> Option<&str> {
    let (sum, line) = std::str::from_utf8(line).ok()?.split_once(' ')?;
    (u64::from_str_radix(sum, 16).ok()? == xxh3_64(line.as_bytes())).then_some(line)
}

#[expect(clippy::disallowed_methods, reason = "the time between two fsyncs")]
fn now() -> Instant {
    Instant::now()
}

impl Finished {
    /// Returns the number of finished runs.
    pub fn count(&self) -> u64 {
        self.below + self.above.iter().map(|(first, end)| end - first).sum::<u64>()
    }

    /// Returns the ranges of unfinished runs below `runs`, ascending.
    pub fn missing(&self, runs: u64) -> Vec<core::ops::Range<u64>> {
        let mut missing = Vec::new();
        let mut start = self.below;
        for (&first, &end) in &self.above {
            missing.push(start..first);
            start = end;
        }
        missing.push(start..runs);
        missing.retain(|range| !range.is_empty());
        missing
    }

    fn add(&mut self, run: u64) {
        if run < self.below
            || self.above.range(..=run).next_back().is_some_and(|(_, end)| run < *end)
        {
            return;
        }
        let mut first = run;
        let mut end = self.above.remove(&(run + 1)).unwrap_or(run + 1);
        if let Some((&before, &end_before)) = self.above.range(..run).next_back()
            && end_before == run
        {
            first = before;
            self.above.remove(&before);
        }
        if first == self.below {
            self.below = core::mem::take(&mut end);
        } else {
            self.above.insert(first, end);
        }
    }
}

/// Reader of the lines of a file, without line breaks.
struct Lines {
    reader: BufReader<File>,
    line: Vec<u8>,
    path: PathBuf,
    /// Whether the last line read ended with a line break.
    is_complete: bool,
}

impl Lines {
    fn next(&mut self) -> Result<Option<&[u8]>, SweepError> {
        self.line.clear();
        let read = self.reader.read_until(b'\n', &mut self.line);
        if read.map_err(SweepError::io("read", &self.path))? == 0 {
            return Ok(None);
        }
        self.is_complete = self.line.last() == Some(&b'\n');
        Ok(Some(self.line.strip_suffix(b"\n").unwrap_or(&self.line)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn finished_runs_match_a_set_of_run_numbers(runs in proptest::collection::vec(0_u64..40, 0..80)) {
            let mut finished = Finished::default();
            let mut set = std::collections::BTreeSet::new();
            for run in runs {
                finished.add(run);
                set.insert(run);
                let missing: Vec<u64> = finished.missing(40).into_iter().flatten().collect();
                let expected: Vec<u64> = (0..40).filter(|run| !set.contains(run)).collect();
                prop_assert_eq!(missing, expected);
                prop_assert_eq!(finished.count(), set.len() as u64);
            }
        }
    }
}
