//! The output of a sweep: a table with one row per run, in one of several formats.
//!
//! The output gets its name only when it is complete.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::{Serialize, Serializer};
use serde_json::Value as Json;
use tempfile::NamedTempFile;

use crate::files::show;

use super::plan::Plan;
use super::row::{Cell, Row, line};
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

/// Writes a row as a JSON object. Undefined values are `null`.
fn json(plan: &Plan, row: &Row) -> String {
    let mut pairs: Vec<(&str, Json)> = vec![("run", row.run.into())];
    pairs.push(("seed", plan.sweep.seeds[row.seed].into()));
    for (name, value) in plan.sweep.varied.iter().zip(&plan.sweep.points[row.point]) {
        let text = || Json::from(value.text());
        pairs.push((name, value.number().map_or_else(text, Json::from)));
    }
    for (index, measure) in plan.sweep.measures.iter().enumerate() {
        let value = match row.cells.get(index) {
            None | Some(Cell::Empty) => Json::Null,
            Some(Cell::Number(value)) => Json::from(*value),
            Some(Cell::Outcome(outcome)) => Json::from(outcome.word()),
        };
        pairs.push((&measure.name, value));
    }
    let hash = row.hash.map_or(Json::Null, |hash| format!("{hash:016x}").into());
    let rest = [("frames", row.frames.into()), ("end", row.end.word().into()), ("hash", hash)];
    pairs.extend(rest);
    serde_json::to_string(&Pairs(pairs)).expect("texts and numbers are valid JSON")
}

/// The pairs of a JSON object, in their order.
struct Pairs<'a>(Vec<(&'a str, Json)>);

impl Serialize for Pairs<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}
