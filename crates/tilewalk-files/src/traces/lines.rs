//! The input of a run: a file or standard input, also compressed with gzip.

use std::fs::File;
use std::io::{BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::read::MultiGzDecoder;
use xxhash_rust::xxh3::Xxh3;

use crate::show;
use crate::text::source::{self, ReadError};

use super::error::{LineProblem, RunError};

/// Largest length of a line, in bytes.
pub(super) const MAX_LINE: u64 = 4 * 1024 * 1024;

/// The first bytes of a file that is compressed with gzip.
pub(super) const GZIP: [u8; 2] = [0x1F, 0x8B];

/// Number of bytes at the start of an input that show its format.
const HEAD: u64 = 64 * 1024;

/// The bytes of a run.
pub struct Input {
    /// Name of the input for messages, safe to print.
    pub label: String,
    /// Folder of the file, if the input is a file.
    pub(super) folder: Option<PathBuf>,
    reader: Box<dyn BufRead + Send>,
    progress: Option<ReadProgress>,
}

/// How much of a file has been read. Can be asked from another thread.
#[derive(Debug, Clone)]
pub struct ReadProgress {
    read: Arc<AtomicU64>,
    size: u64,
}

impl ReadProgress {
    /// Returns the share of the file that has been read, in percent.
    pub fn percent(&self) -> u64 {
        (self.read.load(Ordering::Relaxed) * 100 / self.size.max(1)).min(100)
    }
}

/// A file that counts the bytes read.
struct Counted {
    file: File,
    read: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.file.read(buffer)?;
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

impl Input {
    /// Opens a regular file. Decompresses it if it begins like a file of gzip.
    ///
    /// # Errors
    /// Returns an error if the file can't be read.
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        let label = show::path(path);
        let file: File = source::open(path, &label)?;
        let size = file.metadata().map_or(0, |metadata| metadata.len());
        let progress = ReadProgress { read: Arc::default(), size };
        let counted = Counted { file, read: Arc::clone(&progress.read) };
        let input = Self::new(label.clone(), counted);
        let input = input.map_err(|error| ReadError::Io { label, error })?;
        let folder = path.parent().map(Path::to_owned);
        Ok(Self { folder, progress: Some(progress), ..input })
    }

    /// Reads from any source. Decompresses it if it begins like a file of gzip.
    ///
    /// # Errors
    /// Returns an error if the source can't be read.
    pub fn new(label: String, source: impl Read + Send + 'static) -> std::io::Result<Self> {
        let mut start = Vec::new();
        let mut source = source;
        source.by_ref().take(GZIP.len() as u64).read_to_end(&mut start)?;
        let is_compressed = start == GZIP;
        let whole = Cursor::new(start).chain(source);
        let reader: Box<dyn BufRead + Send> = if is_compressed {
            Box::new(BufReader::new(MultiGzDecoder::new(whole)))
        } else {
            Box::new(BufReader::new(whole))
        };
        Ok(Self { label, folder: None, reader, progress: None })
    }

    /// Returns how much of the input has been read. Returns `None` if the size of the input is
    /// unknown.
    pub fn progress(&self) -> Option<ReadProgress> {
        self.progress.clone()
    }

    /// Returns the first bytes of the input, which stay in the input.
    ///
    /// # Errors
    /// Returns an error if the input can't be read.
    pub(super) fn head(&mut self) -> std::io::Result<Vec<u8>> {
        let mut head = Vec::new();
        self.reader.by_ref().take(HEAD).read_to_end(&mut head)?;
        let rest = core::mem::replace(&mut self.reader, Box::new(std::io::empty()));
        self.reader = Box::new(Cursor::new(head.clone()).chain(rest));
        Ok(head)
    }

    /// Returns all bytes of the input, or `None` if there are more than `most`.
    ///
    /// # Errors
    /// Returns an error if the input can't be read.
    pub(super) fn bytes(&mut self, most: u64) -> std::io::Result<Option<Vec<u8>>> {
        let mut bytes = Vec::new();
        self.reader.by_ref().take(most + 1).read_to_end(&mut bytes)?;
        Ok((bytes.len() as u64 <= most).then_some(bytes))
    }

    /// Returns the size of the input in bytes, and the hash of its content.
    ///
    /// # Errors
    /// Returns an error if the input can't be read.
    pub(super) fn content(mut self) -> std::io::Result<(u64, u64)> {
        let (mut size, mut hasher) = (0, Xxh3::new());
        loop {
            let bytes = self.reader.fill_buf()?;
            if bytes.is_empty() {
                return Ok((size, hasher.digest()));
            }
            hasher.update(bytes);
            let count = bytes.len();
            size += count as u64;
            self.reader.consume(count);
        }
    }

    /// Returns the lines of the input.
    pub(super) fn lines(self) -> Lines {
        Lines {
            label: self.label,
            folder: self.folder,
            reader: self.reader,
            line: Vec::new(),
            number: 0,
            size: 0,
            hasher: Xxh3::new(),
        }
    }
}

/// Returns true if the extension of a path is that of a run: `.csv`, `.ndjson` or `.jsonl`, also
/// followed by `.gz`.
pub fn is_run_path(path: &Path) -> bool {
    let ends = |path: &Path| {
        let ending = path.extension().and_then(|ending| ending.to_str());
        ending.is_some_and(|ending| ["csv", "ndjson", "jsonl"].contains(&ending))
    };
    ends(path) || path.extension().is_some_and(|it| it == "gz") && ends(&path.with_extension(""))
}

/// The lines of a run.
pub(super) struct Lines {
    pub label: String,
    /// Directory of the file, if it is on disk.
    pub folder: Option<PathBuf>,
    reader: Box<dyn BufRead + Send>,
    line: Vec<u8>,
    number: u64,
    size: u64,
    hasher: Xxh3,
}

/// The reason why the next line can't be read.
pub(super) enum LineError {
    /// The system returned an I/O error.
    Io(std::io::Error),
    /// The line is invalid.
    Wrong(LineProblem),
    /// The rows need too much memory.
    TooLarge,
}

impl Lines {
    /// Returns the number of the line that was read last, from 1; 0 before the first line.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Returns the error of a line: the one that was read last.
    pub fn error(&self, error: LineError) -> RunError {
        let (label, line) = (self.label.clone(), self.number.max(1));
        match error {
            LineError::Io(error) => ReadError::Io { label, error }.into(),
            LineError::TooLarge => {
                RunError::File { label, what: "the file is too large".to_owned() }
            }
            LineError::Wrong(LineProblem { column, what }) => {
                RunError::Line { label, line, column, what }
            }
        }
    }

    /// Returns the size in bytes and the hash of the lines so far.
    pub fn content(&self) -> (u64, u64) {
        (self.size, self.hasher.digest())
    }

    /// Returns the next line that is not empty, without the line ending. Returns `None` at the end.
    pub fn next(&mut self) -> Result<Option<&str>, LineError> {
        loop {
            self.line.clear();
            let mut limited = self.reader.by_ref().take(MAX_LINE);
            let count = limited.read_until(b'\n', &mut self.line).map_err(LineError::Io)?;
            if count == 0 {
                return Ok(None);
            }
            self.number += 1;
            self.size += count as u64;
            self.hasher.update(&self.line);
            if count as u64 == MAX_LINE && !self.line.ends_with(b"\n") {
                let what = format!("the line is longer than {} MiB", MAX_LINE >> 20);
                return Err(LineError::Wrong(LineProblem::new(1, what)));
            }
            if self.number == 1 && self.line.starts_with(b"\xEF\xBB\xBF") {
                self.line.drain(..3);
            }
            let kept = self.line.trim_ascii_end().len();
            self.line.truncate(kept);
            if kept > 0 {
                break;
            }
        }
        match std::str::from_utf8(&self.line) {
            Ok(line) => Ok(Some(line)),
            Err(error) => {
                let valid = &self.line[..error.valid_up_to()];
                let column = String::from_utf8_lossy(valid).chars().count() + 1;
                Err(LineError::Wrong(LineProblem::new(column, "invalid UTF-8")))
            }
        }
    }
}
