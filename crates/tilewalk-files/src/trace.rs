//! Reads traces of `run --trace` frame by frame.
//!
//! Only one frame is in memory at a time. Any deviation from the format is an error with a line
//! number.

mod lines;
mod record;

use std::collections::BTreeSet;
use std::path::Path;

use tilewalk_sim::history::diff::TraceRow;
use tilewalk_sim::time::Frame;

use super::keys::map::MAX_AGENTS;
use super::show;
use super::source::{self, ReadError};
use lines::Lines;

/// Columns that every trace has, in order. Later versions may append columns but never change
/// these.
pub const COLUMNS: [&str; 11] =
    ["frame", "time", "agent", "mode", "x", "y", "vx", "vy", "heading", "tile_x", "tile_y"];

/// Columns after [`COLUMNS`]. Their values can be derived from other columns or settings, so `diff`
/// ignores them.
pub const MORE_COLUMNS: [&str; 1] = ["smoothed_heading"];

/// Error for an unreadable trace.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The file can't be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A line is invalid.
    #[error("{label}:{line}: {what}")]
    Line {
        /// Path as given, safe to print.
        label: String,
        /// 1-based line number.
        line: u64,
        /// Description of the problem, safe to print.
        what: String,
    },
}

/// File format of a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated values with a header.
    Csv,
    /// One JSON object per line.
    Ndjson,
}

impl Format {
    /// Returns the format for the extension of a path; `None` for an unknown extension.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "csv" => Some(Self::Csv),
            "ndjson" => Some(Self::Ndjson),
            _ => None,
        }
    }
}

/// A trace, open for reading.
#[derive(Debug)]
pub struct Trace {
    label: String,
    format: Format,
    lines: Lines,
    frame: Frame,
    rows: Vec<TraceRow>,
    /// First row of the next frame; `None` at the end of the trace.
    next: Option<(Frame, TraceRow)>,
}

impl Trace {
    /// Opens a trace. [`Trace::advance`] then reads frame 0.
    ///
    /// # Errors
    /// Returns an error if the file can't be read, or if its header or first row is invalid.
    pub fn open(path: &Path, format: Format) -> Result<Self, TraceError> {
        let label = show::path(path);
        let lines = Lines::new(source::open(path, &label)?);
        let (frame, rows) = (Frame(0), Vec::new());
        let mut trace = Self { label, format, lines, frame, rows, next: None };
        if format == Format::Csv {
            trace.header()?;
        }
        trace.next = trace.row(TraceRow::default())?;
        match trace.next {
            Some((Frame(1..), _)) => Err(trace.wrong("a trace must begin with frame 0".to_owned())),
            _ => Ok(trace),
        }
    }

    /// Advances to the next frame; the first call advances to frame 0. Returns false at the end of
    /// the trace.
    ///
    /// # Errors
    /// Returns an error if a line is invalid.
    pub fn advance(&mut self) -> Result<bool, TraceError> {
        let Some((frame, first)) = self.next.take() else { return Ok(false) };
        self.frame = frame;
        let mut spare = core::mem::take(&mut self.rows).into_iter();
        let mut rows = Vec::with_capacity(spare.len());
        rows.push(first);
        // The rows of the previous frame are reused, so that no new memory is needed for names.
        while let Some((frame, row)) = self.row(spare.next().unwrap_or_default())? {
            if frame != self.frame {
                self.next = Some((frame, row));
                break;
            }
            rows.push(row);
            if rows.len() > MAX_AGENTS as usize {
                return Err(self.wrong(format!("a frame has more than {MAX_AGENTS} agents")));
            }
        }
        self.rows = rows;
        self.check()?;
        Ok(true)
    }

    /// Returns the current frame number, and the rows of that frame in file order. There are no
    /// rows before the first [`Trace::advance`].
    pub fn rows(&self) -> (Frame, &[TraceRow]) {
        (self.frame, &self.rows)
    }

    /// Checks that frames are consecutive and agents are unique.
    fn check(&self) -> Result<(), TraceError> {
        let mut names = BTreeSet::new();
        if let Some(twice) = self.rows.iter().find(|row| !names.insert(row.key())) {
            let name = show::text(twice.agent());
            return Err(self.wrong(format!("frame {} lists `{name}` twice", self.frame)));
        }
        match self.next {
            Some((next, _)) if next != self.frame.next() => {
                Err(self.wrong(format!("expected frame {}, found frame {next}", self.frame.next())))
            }
            _ => Ok(()),
        }
    }

    fn header(&mut self) -> Result<(), TraceError> {
        let expected = COLUMNS.join(",");
        let line = self.lines.next().map_err(|error| error.at(&self.label))?;
        let begins = |line: &str| {
            line.strip_prefix(&expected)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(','))
        };
        if line.is_some_and(begins) {
            return Ok(());
        }
        Err(self.wrong(format!("a trace must begin with the line {expected}")))
    }

    /// Reads the next row, and reuses the memory of `row`. Returns `None` at the end of the trace.
    fn row(&mut self, mut row: TraceRow) -> Result<Option<(Frame, TraceRow)>, TraceError> {
        let line = self.lines.next().map_err(|error| error.at(&self.label))?;
        let Some(line) = line else { return Ok(None) };
        let read = match self.format {
            Format::Csv => record::csv(line, &mut row),
            Format::Ndjson => record::ndjson(line, &mut row),
        };
        match read {
            Ok(frame) => Ok(Some((frame, row))),
            Err(what) => Err(self.wrong(what)),
        }
    }

    /// Creates an error for the line that was read last.
    fn wrong(&self, what: String) -> TraceError {
        TraceError::Line { label: self.label.clone(), line: self.lines.number().max(1), what }
    }
}
