//! Reads traces of `run --trace` frame by frame.
//!
//! Only one frame is in memory at a time. Any deviation from the format is an error with a line
//! number.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::str::FromStr;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::keys::map::MAX_AGENTS;
use crate::show;
use crate::text::quotes::quoted;
use crate::text::source::{self, ReadError};
use tilewalk_sim::geom::{TilePos, Vec2};
use tilewalk_sim::history::diff::TraceRow;
use tilewalk_sim::time::Frame;

/// Columns that every trace has, in order. Later versions may append columns but never change
/// these.
pub const COLUMNS: [&str; 11] =
    ["frame", "time", "agent", "mode", "x", "y", "vx", "vy", "heading", "tile_x", "tile_y"];

/// Columns after [`COLUMNS`]. Their values can be derived from other columns or settings, so `diff`
/// ignores them. `hx` and `hy` are the heading as a unit vector, because degrees are rounded.
pub const MORE_COLUMNS: [&str; 3] = ["smoothed_heading", "hx", "hy"];

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
pub enum TraceFormat {
    /// Comma-separated values with a header.
    Csv,
    /// One JSON object per line.
    Ndjson,
}

impl TraceFormat {
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
    format: TraceFormat,
    lines: TraceLines,
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
    pub fn open(path: &Path, format: TraceFormat) -> Result<Self, TraceError> {
        let label = show::path(path);
        let lines = TraceLines::new(source::open(path, &label)?);
        let (frame, rows) = (Frame(0), Vec::new());
        let mut trace = Self { label, format, lines, frame, rows, next: None };
        if format == TraceFormat::Csv {
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
            TraceFormat::Csv => read_csv(line, &mut row),
            TraceFormat::Ndjson => read_ndjson(line, &mut row),
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

/// Maximum length of a line, in bytes. Lines of traces are much shorter.
const LONGEST: u64 = 64 * 1024;

#[derive(Debug)]
pub(crate) struct TraceLines {
    file: BufReader<File>,
    line: Vec<u8>,
    number: u64,
}

/// Error for a line that can't be read.
pub(crate) enum LineError {
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

impl TraceLines {
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

/// Parses comma-separated values into `row` and returns the frame. The error is a description of
/// the problem.
fn read_csv(line: &str, row: &mut TraceRow) -> Result<Frame, String> {
    let mut values = [const { Cow::Borrowed("") }; COLUMNS.len()];
    let mut rest = Some(line);
    for (value, column) in values.iter_mut().zip(COLUMNS) {
        let cells = rest.ok_or_else(|| format!("missing column `{column}`"))?;
        (*value, rest) = first_cell(cells)?;
    }
    read(values.each_ref().map(|value| &**value), row)
}

/// Returns the first value of a line and the rest of the line after the comma. The rest is `None` if
/// there is no other value.
fn first_cell(line: &str) -> Result<(Cow<'_, str>, Option<&str>), String> {
    if !line.starts_with('"') {
        return Ok(match line.split_once(',') {
            Some((value, rest)) => (value.into(), Some(rest)),
            None => (line.into(), None),
        });
    }
    let (value, length) = quoted(line).ok_or("the quote is not closed")?;
    match &line[length..] {
        "" => Ok((value.into(), None)),
        rest => {
            let rest = rest.strip_prefix(',').ok_or("expected a comma after the quote")?;
            Ok((value.into(), Some(rest)))
        }
    }
}

/// A JSON object of a trace. Numbers are kept as text, so that no precision is lost.
#[derive(Deserialize)]
struct TraceRecord<'a> {
    #[serde(borrow)]
    frame: &'a RawValue,
    #[serde(borrow)]
    time: &'a RawValue,
    #[serde(borrow)]
    agent: Cow<'a, str>,
    #[serde(borrow)]
    mode: Cow<'a, str>,
    #[serde(borrow)]
    x: &'a RawValue,
    #[serde(borrow)]
    y: &'a RawValue,
    #[serde(borrow)]
    vx: &'a RawValue,
    #[serde(borrow)]
    vy: &'a RawValue,
    #[serde(borrow)]
    heading: &'a RawValue,
    #[serde(borrow)]
    tile_x: &'a RawValue,
    #[serde(borrow)]
    tile_y: &'a RawValue,
}

/// Parses a JSON object into `row` and returns the frame. The error is a description of the
/// problem.
fn read_ndjson(line: &str, row: &mut TraceRow) -> Result<Frame, String> {
    let record: TraceRecord = serde_json::from_str(line).map_err(|error| {
        // The error always names line 1, because the text is a single line.
        format!("column {}: {}", error.column(), show::json_reason(&error))
    })?;
    let TraceRecord { frame, time, agent, mode, x, y, vx, vy, heading, tile_x, tile_y } = record;
    let [frame, time, x, y] = [frame, time, x, y].map(RawValue::get);
    let [vx, vy, heading, tile_x, tile_y] = [vx, vy, heading, tile_x, tile_y].map(RawValue::get);
    read([frame, time, &agent, &mode, x, y, vx, vy, heading, tile_x, tile_y], row)
}

/// Parses the values of all columns into `row` and returns the frame.
fn read(values: [&str; COLUMNS.len()], row: &mut TraceRow) -> Result<Frame, String> {
    let [frame, time, agent, mode, x, y, vx, vy, heading, tile_x, tile_y] = values;
    row.set_agent(read_name(agent, "agent")?);
    row.mode.clear();
    row.mode.push_str(read_name(mode, "mode")?);
    row.time = read_number(time, "time")?;
    row.position = Vec2::new(read_number(x, "x")?, read_number(y, "y")?);
    row.velocity = Vec2::new(read_number(vx, "vx")?, read_number(vy, "vy")?);
    row.heading = read_number(heading, "heading")?;
    row.tile = TilePos::new(read_whole(tile_x, "tile_x")?, read_whole(tile_y, "tile_y")?);
    read_whole(frame, "frame").map(Frame)
}

fn read_name<'a>(text: &'a str, column: &str) -> Result<&'a str, String> {
    if text.is_empty() || text.chars().any(show::is_hidden) {
        return Err(format!("`{column}` must be a name, not `{}`", show::text(text)));
    }
    Ok(text)
}

fn read_number(text: &str, column: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number: &f32| number.is_finite());
    number.ok_or_else(|| format!("`{column}` must be a number, not `{}`", show::text(text)))
}

fn read_whole<T: FromStr>(text: &str, column: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("`{column}` must be an integer, not `{}`", show::text(text)))
}
