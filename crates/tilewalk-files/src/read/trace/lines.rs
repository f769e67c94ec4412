//! Reads the lines of a file one by one.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};

use crate::text::source::ReadError;

use super::TraceError;

/// Maximum length of a line, in bytes. Lines of traces are much shorter.
const LONGEST: u64 = 64 * 1024;

#[derive(Debug)]
pub(super) struct Lines {
    file: BufReader<File>,
    line: Vec<u8>,
    number: u64,
}

/// Error for a line that can't be read.
pub(super) enum LineError {
    /// The system returned an I/O error.
    Io(std::io::Error),
    /// The line with this number, from 1, is invalid. The text is the reason.
    Wrong(u64, &'static str),
}

impl LineError {
    /// Converts the error to a `TraceError` with the name of the file.
    pub fn at(self, label: &str) -> TraceError {
        let label = label.to_owned();
        match self {
            Self::Io(error) => TraceError::Read(ReadError::Io { label, error }),
            Self::Wrong(line, what) => TraceError::Line { label, line, what: what.to_owned() },
        }
    }
}

impl Lines {
    pub fn new(file: File) -> Self {
        Self { file: BufReader::new(file), line: Vec::new(), number: 0 }
    }

    /// Returns the number of the line that was read last, from 1; 0 before the first line.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Returns the next line without the line ending; `None` at the end of the file.
    pub fn next(&mut self) -> Result<Option<&str>, LineError> {
        self.line.clear();
        let read = self.file.by_ref().take(LONGEST).read_until(b'\n', &mut self.line);
        if read.map_err(LineError::Io)? == 0 {
            return Ok(None);
        }
        self.number += 1;
        let wrong = |what| Err(LineError::Wrong(self.number, what));
        let Some(line) = self.line.strip_suffix(b"\n") else {
            // A truncated line is an error, because the last number could have another value.
            let cut = (self.line.len() as u64) < LONGEST;
            return wrong(if cut { "the last line is incomplete" } else { "the line is too long" });
        };
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let begin: &[u8] = if self.number == 1 { b"\xEF\xBB\xBF" } else { b"" };
        match std::str::from_utf8(line.strip_prefix(begin).unwrap_or(line)) {
            Ok(line) => Ok(Some(line)),
            Err(_) => wrong("the line is not valid UTF-8"),
        }
    }
}
