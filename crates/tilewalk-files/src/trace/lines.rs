//! The lines of a file that is too long to be read at once.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};

use crate::source::ReadError;

use super::TraceError;

/// Bytes of the longest line; one of a trace is far shorter.
const LONGEST: u64 = 64 * 1024;

/// Lines, one at a time.
#[derive(Debug)]
pub(super) struct Lines {
    file: BufReader<File>,
    line: Vec<u8>,
    number: u64,
}

/// Why there is no next line.
pub(super) enum LineError {
    /// The system says no.
    Io(std::io::Error),
    /// The line of this number is wrong.
    Wrong(u64, &'static str),
}

impl LineError {
    /// The same, with the file it is about.
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

    /// The number of the last line, from 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The next line, without its end; `None` after the last.
    pub fn next(&mut self) -> Result<Option<&str>, LineError> {
        self.line.clear();
        let read = self.file.by_ref().take(LONGEST).read_until(b'\n', &mut self.line);
        if read.map_err(LineError::Io)? == 0 {
            return Ok(None);
        }
        self.number += 1;
        let wrong = |what| Err(LineError::Wrong(self.number, what));
        let Some(line) = self.line.strip_suffix(b"\n") else {
            // A number that was cut short would be read as another one.
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
