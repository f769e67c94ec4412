//! The row of a run: its columns, and its line in CSV.

use core::fmt;
use std::str::FromStr;

use csv::{ReaderBuilder, StringRecord, WriterBuilder};

use crate::files::{
    sweep::{MeasureKind, Sweep},
    values::Value,
};
use crate::judge::Outcome;

use super::plan::Plan;

/// Columns before the varied values, in order.
const FIRST: [&str; 2] = ["run", "seed"];

/// Columns after the measures, in order.
const LAST: [&str; 3] = ["frames", "end", "hash"];

/// Maximum length of a row's line in CSV, in bytes.
pub const MAX_LINE: u64 = 1 << 20;

/// Returns true if a table has the columns that the results of all sweeps have.
pub fn are_of_results(columns: &[String]) -> bool {
    FIRST.iter().chain(&LAST).all(|&name| columns.iter().any(|column| column == name))
}

/// The value of a measure in one run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cell {
    /// No value: the measure is undefined, or its event never happened.
    Empty,
    Number(f64),
    Outcome(Outcome),
}

/// The kind of the values of a measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column {
    Number,
    /// The first frame of an event. The cell is empty if the event did not happen before the run
    /// ended.
    First,
    Outcome,
}

/// The way in which a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The run reached the last frame of the sweep.
    Frames,
    /// The stop condition held, at the last frame or earlier.
    Until,
    /// The run did not start: the map has an error for this design point and seed.
    Error,
}

/// One row of the results: how a run ended, and its measures.
#[derive(Debug, Clone, PartialEq)]
pub struct ResultRow {
    pub run: u64,
    /// Index of the design point in the plan.
    pub point: usize,
    /// Index of the seed in the plan.
    pub seed: usize,
    /// The values of the measures, in the order of the sweep. Empty if the run ended with an error.
    pub cells: Vec<Cell>,
    pub frames: u64,
    pub end: End,
    /// State hash of the last frame. `None` if the run ended with an error.
    pub hash: Option<u64>,
}

impl From<Option<f64>> for Cell {
    fn from(value: Option<f64>) -> Self {
        value.map_or(Self::Empty, Self::Number)
    }
}

impl fmt::Display for Cell {
    /// Writes the cell as it appears in CSV. A number gets the fewest digits that parse to the same
    /// value.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => Ok(()),
            Self::Number(value) => f.write_str(&number(*value)),
            Self::Outcome(outcome) => f.write_str(outcome.word()),
        }
    }
}

/// Formats a finite number so that it parses to the same value. −0 becomes 0.
fn number(value: f64) -> String {
    let value = value + 0.0;
    let size = value.abs();
    if size == 0.0 || (1e-5..1e16).contains(&size) {
        format!("{value}")
    } else {
        format!("{value:e}")
    }
}

impl End {
    const ALL: [Self; 3] = [Self::Frames, Self::Until, Self::Error];

    /// Returns the word that the column `end` contains in CSV.
    pub fn word(self) -> &'static str {
        match self {
            Self::Frames => "frames",
            Self::Until => "until",
            Self::Error => "error",
        }
    }
}

impl FromStr for End {
    type Err = ();

    fn from_str(word: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|end| end.word() == word).ok_or(())
    }
}

/// Returns the names of a sweep's measures, each with the kind of its values.
pub fn columns(sweep: &Sweep) -> Vec<(String, Column)> {
    let column = |kind: &MeasureKind| match kind {
        MeasureKind::Value { .. } | MeasureKind::Count(_) => Column::Number,
        MeasureKind::First(_) => Column::First,
        MeasureKind::Expect(_) => Column::Outcome,
    };
    let measures = sweep.measures.iter();
    measures.map(|measure| (measure.name.clone(), column(&measure.kind))).collect()
}

impl Plan {
    /// Returns the names of all columns, in the order of the results.
    pub fn header(&self) -> Vec<String> {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        let measures = self.sweep.measures.iter().map(|measure| measure.name.clone());
        let varied = self.sweep.varied.iter().cloned();
        names(&FIRST).into_iter().chain(varied).chain(measures).chain(names(&LAST)).collect()
    }

    /// Returns the CSV line of a row, without a line break.
    pub fn line(&self, row: &ResultRow) -> String {
        let seed = self.sweep.seeds[row.seed];
        let mut fields = vec![row.run.to_string(), seed.to_string()];
        fields.extend(self.sweep.points[row.point].iter().map(Value::text));
        match row.end {
            End::Error => fields.extend(self.sweep.measures.iter().map(|_| String::new())),
            End::Frames | End::Until => fields.extend(row.cells.iter().map(Cell::to_string)),
        }
        let hash = row.hash.map_or(String::new(), |hash| format!("{hash:016x}"));
        fields.extend([row.frames.to_string(), row.end.word().to_owned(), hash]);
        line(&fields)
    }

    /// Parses the CSV line of a row. Returns `None` if the line is not a row of this plan.
    pub fn row(&self, line: &str) -> Option<ResultRow> {
        let fields = fields(line)?;
        let (varied, measures) = (self.sweep.varied.len(), self.sweep.measures.len());
        if fields.len() != FIRST.len() + varied + measures + LAST.len() {
            return None;
        }
        let run: u64 = fields[0].parse().ok().filter(|run| *run < self.runs())?;
        let (point, seed) = self.run(run);
        let [frames, end, hash] = [3, 2, 1].map(|back| &fields[fields.len() - back]);
        let end: End = end.parse().ok()?;
        let kinds = self.sweep.measures.iter().map(|measure| &measure.kind);
        let cells = kinds.zip(fields.iter().skip(FIRST.len() + varied));
        let cells = cells.map(|(kind, text)| cell(kind, text)).collect::<Option<Vec<_>>>()?;
        let cells = if end == End::Error { Vec::new() } else { cells };
        let hash = match hash {
            "" => None,
            digits => Some(u64::from_str_radix(digits, 16).ok()?),
        };
        let row = ResultRow { run, point, seed, cells, frames: frames.parse().ok()?, end, hash };
        // Other spellings of the same values come from other programs, or from another plan.
        (self.line(&row) == line).then_some(row)
    }
}

/// Formats fields as a CSV line, without a line break.
pub(super) fn line(fields: &[String]) -> String {
    let mut writer = WriterBuilder::new().from_writer(Vec::new());
    let written = writer.write_record(fields).ok().and_then(|()| writer.into_inner().ok());
    let mut bytes = written.expect("memory can be written");
    bytes.pop();
    String::from_utf8(bytes).expect("the fields are text")
}

/// Splits a line of CSV. Returns `None` for an empty line.
pub fn fields(line: &str) -> Option<StringRecord> {
    let mut reader = ReaderBuilder::new().has_headers(false).from_reader(line.as_bytes());
    reader.records().next()?.ok()
}

fn cell(kind: &MeasureKind, text: &str) -> Option<Cell> {
    let number = |text: &str| text.parse().ok().filter(|value: &f64| value.is_finite());
    match kind {
        _ if text.is_empty() => Some(Cell::Empty),
        MeasureKind::Value { .. } | MeasureKind::Count(_) | MeasureKind::First(_) => {
            number(text).map(Cell::Number)
        }
        MeasureKind::Expect(_) => outcome(text).map(Cell::Outcome),
    }
}

/// Returns the outcome with a word. Returns `None` for other words.
pub(super) fn outcome(word: &str) -> Option<Outcome> {
    let outcomes = [Outcome::Pass, Outcome::Fail, Outcome::Inconclusive];
    outcomes.into_iter().find(|outcome| outcome.word() == word)
}
