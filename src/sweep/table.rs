//! The output of a sweep: a table with one row per run, in one of several formats.
//!
//! The output gets its name only when it is complete.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::{Serialize, Serializer};
use serde_json::Value as Json;
use tempfile::NamedTempFile;

use crate::files::show;
use crate::files::sweep::Measure;

use super::plan::Plan;
use super::row::{Cell, End, Row, line, outcome};
use super::{SweepError, publish};

/// Endings of the file names of outputs.
pub(super) const ENDINGS: [&str; 2] = [".csv", ".ndjson"];

/// Format of an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated values with a header.
    Csv,
    /// One JSON object per line.
    Ndjson,
}

impl Format {
    /// Returns the format for the ending of a path.
    ///
    /// # Errors
    /// Returns an error for any other ending.
    pub fn of(path: &Path) -> Result<Self, SweepError> {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("csv") => Ok(Self::Csv),
            Some("ndjson") => Ok(Self::Ndjson),
            _ => Err(SweepError::Ending { path: show::path(path) }),
        }
    }
}

/// An output that is being written.
pub(super) struct Table<'a> {
    plan: &'a Plan,
    path: PathBuf,
    format: Format,
    file: BufWriter<NamedTempFile>,
    /// The run of the next row.
    next: u64,
}

impl<'a> Table<'a> {
    /// Starts an output, without its name.
    pub fn create(path: &Path, plan: &'a Plan) -> Result<Self, SweepError> {
        let format = Format::of(path)?;
        let file = BufWriter::new(publish::beside(path)?);
        let mut table = Self { plan, path: path.to_owned(), format, file, next: 0 };
        if format == Format::Csv {
            let header = line(&plan.header());
            table.put(&header)?;
        }
        Ok(table)
    }

    /// Adds the CSV line of the next run.
    pub fn add(&mut self, line: &str) -> Result<(), SweepError> {
        let row = self.plan.row(line).filter(|row| row.run == self.next);
        let Some(row) = row else {
            return Err(SweepError::NoRow { path: show::path(&self.path), run: self.next });
        };
        self.next += 1;
        match self.format {
            Format::Csv => self.put(line),
            Format::Ndjson => self.put(&json(self.plan, &row)),
        }
    }

    /// Gives the output its name.
    pub fn finish(self) -> Result<(), SweepError> {
        let Self { plan, path, file, next, .. } = self;
        if next != plan.runs() {
            return Err(SweepError::NoRow { path: show::path(&path), run: next });
        }
        let file = file.into_inner().map_err(|error| error.into_error());
        let file = file.map_err(SweepError::io("write", &path))?;
        match publish::new(file, &path)? {
            Ok(()) => Ok(()),
            Err(_) => Err(SweepError::OtherPlan { path: show::path(&path) }),
        }
    }

    fn put(&mut self, line: &str) -> Result<(), SweepError> {
        writeln!(self.file, "{line}").map_err(SweepError::io("write", &self.path))
    }
}

/// Reads the rows of an output, in the order of the runs.
///
/// # Errors
/// Returns an error if the file cannot be read, or has other rows than the plan.
pub fn read(path: &Path, plan: &Plan, mut row: impl FnMut(&Row)) -> Result<(), SweepError> {
    let format = Format::of(path)?;
    let file = File::open(path).map_err(SweepError::io("read", path))?;
    let mut lines = BufReader::new(file).lines();
    if format == Format::Csv {
        let header = lines.next().transpose().map_err(SweepError::io("read", path))?;
        if header != Some(line(&plan.header())) {
            return Err(SweepError::OtherPlan { path: show::path(path) });
        }
    }
    let mut next = 0;
    for line in lines {
        let line = line.map_err(SweepError::io("read", path))?;
        let read = match format {
            Format::Csv => plan.row(&line),
            Format::Ndjson => row_of_json(plan, &line),
        };
        let Some(read) = read.filter(|row| row.run == next) else { break };
        next += 1;
        row(&read);
    }
    if next < plan.runs() {
        return Err(SweepError::NoRow { path: show::path(path), run: next });
    }
    Ok(())
}

/// Writes a row as a JSON object. Undefined values are `null`.
fn json(plan: &Plan, row: &Row) -> String {
    let mut pairs: Vec<(&str, Json)> = vec![("run", row.run.into())];
    pairs.push(("seed", plan.sweep.seeds[row.seed].into()));
    for (name, value) in plan.sweep.varied.iter().zip(&plan.sweep.points[row.point]) {
        let text = || Json::from(value.text());
        pairs.push((name, value.number().map_or_else(text, json_number)));
    }
    for (index, measure) in plan.sweep.measures.iter().enumerate() {
        let value = match row.cells.get(index) {
            None | Some(Cell::Empty) => Json::Null,
            Some(Cell::Number(value)) => json_number(*value),
            Some(Cell::Outcome(outcome)) => Json::from(outcome.word()),
        };
        pairs.push((&measure.name, value));
    }
    let hash = row.hash.map_or(Json::Null, |hash| format!("{hash:016x}").into());
    let rest = [("frames", row.frames.into()), ("end", row.end.word().into()), ("hash", hash)];
    pairs.extend(rest);
    serde_json::to_string(&Pairs(pairs)).expect("texts and numbers are valid JSON")
}

/// Returns a number, written without a fraction if it is an integer.
fn json_number(value: f64) -> Json {
    let integer = value as i64;
    if integer as f64 == value { Json::from(integer) } else { Json::from(value) }
}

/// Reads a row from a JSON object. Returns `None` if it is not a row of this plan.
fn row_of_json(plan: &Plan, line: &str) -> Option<Row> {
    let object: serde_json::Map<String, Json> = serde_json::from_str(line).ok()?;
    let run = object.get("run")?.as_u64().filter(|run| *run < plan.runs())?;
    let (point, seed) = plan.run(run);
    let end: End = object.get("end")?.as_str()?.parse().ok()?;
    let cell = |measure: &Measure| {
        Some(match object.get(&measure.name)? {
            Json::Null => Cell::Empty,
            Json::String(word) => Cell::Outcome(outcome(word)?),
            value => Cell::Number(value.as_f64()?),
        })
    };
    let cells = plan.sweep.measures.iter().map(cell).collect::<Option<Vec<_>>>()?;
    let cells = if end == End::Error { Vec::new() } else { cells };
    let hash = match object.get("hash")? {
        Json::Null => None,
        digits => Some(u64::from_str_radix(digits.as_str()?, 16).ok()?),
    };
    let row = Row { run, point, seed, cells, frames: object.get("frames")?.as_u64()?, end, hash };
    // Other spellings of the same values come from other programs, or from another plan.
    (json(plan, &row) == line).then_some(row)
}

/// The pairs of a JSON object, in their order.
struct Pairs<'a>(Vec<(&'a str, Json)>);

impl Serialize for Pairs<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}
